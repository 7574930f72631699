package engine_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"

	"standoff/engine"
	"standoff/engine/bot"
	"standoff/engine/dealer"
)

// games is how many seeded games TestGames plays; STANDOFF_GAMES sets it, 100000 for the full run.
func games(t testing.TB) int {
	s := os.Getenv("STANDOFF_GAMES")
	if s == "" {
		return 1000
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		t.Fatalf("STANDOFF_GAMES=%q is no number of games", s)
	}
	return n
}

// mixed are options for game n: every option in turn has a value other than its default, the others sometimes.
func mixed(r *engine.Rules, n int) engine.Options {
	var o engine.Options
	if n%4 == 0 {
		return o // all defaults
	}
	table := r.OptionTable()
	z := uint64(n)
	for i, opt := range table {
		z = z*6364136223846793005 + 1442695040888963407
		if i == n%len(table) || z>>61 == 0 {
			o[opt.ID] = uint8(1 + z>>33%uint64(len(opt.Values)-1))
		}
	}
	return o
}

// tally is what all games together have shown.
type tally struct {
	sync.Mutex
	values   [engine.MaxOptions][8]int
	kinds    [256]int      // cards played, answered, laid; characters dealt
	pairs    [256][256]int // [character][card]: how often he used it
	events   [64]int
	needs    [8]int
	outcomes [8]int
	rematch  int
	steps    int
	longest  int
	came     int
}

// TestGames plays seeded games of bots with the basic box and with all boxes, at tables of every size, every second one as a rematch of the one before; in every eighth the
// seats do anything that is legal instead. Every game must end by the rules; the invariants are looked at after each
// step in every eighth game (every 32nd of a long run), and from time to time in the rest.
func TestGames(t *testing.T) {
	for i := range sets {
		t.Run(sets[i].name, sets[i].games)
	}
}

func (s *set) games(t *testing.T) {
	total := games(t)
	var all tally
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	errs := make(chan error, workers)
	for w := range workers {
		wg.Go(func() {
			for pair := w; 2*pair < total; pair += workers {
				if err := s.playPair(&all, pair, total > 5000); err != nil {
					errs <- fmt.Errorf("games %d and %d: %w", 2*pair, 2*pair+1, err)
					return
				}
			}
		})
	}
	wg.Wait()
	select {
	case err := <-errs:
		t.Fatal(err)
	default:
	}
	t.Logf("%d games, %d of them rematches, %.0f steps on average, %d the longest, %d came in; outcomes %v, needs %v",
		total, all.rematch, float64(all.steps)/float64(total), all.longest, all.came, all.outcomes, all.needs)
	if total < 500 {
		return
	}
	for _, opt := range s.rules.OptionTable() {
		for v, name := range opt.Values {
			if all.values[opt.ID][v] == 0 {
				t.Errorf("no game was played with option %s = %s", opt.Name, name)
			}
		}
	}
	for _, row := range s.rules.Rows() {
		if row.Colour != engine.HouseRule && row.Colour != engine.RoleCard && all.kinds[row.Kind] == 0 {
			t.Errorf("%s never came up", row.Name)
		}
	}
	never := []engine.EventKind{engine.WentAway, engine.CameBack, engine.NoCards}
	if s.name == "base" {
		never = append(never, engine.Copied, engine.Gave)
	}
	if total >= 50000 {
		s.everybodyUsesEverything(t, &all)
	}
	for k := engine.GameStarted; k <= engine.Won; k++ {
		if all.events[k] == 0 && !slices.Contains(never, k) {
			t.Errorf("event %d never happened", k)
		}
	}
	for _, k := range []engine.NeedKind{engine.Shuffle, engine.Deal, engine.Open, engine.Remask, engine.Give, engine.Coin} {
		if all.needs[k] == 0 {
			t.Errorf("need %d never came", k)
		}
	}
	for o := engine.LawWins; o <= engine.OutlawWins; o++ {
		if all.outcomes[o] == 0 && (o <= engine.RenegadeWins || s.seats[0] == 3) {
			t.Errorf("no game ended with outcome %d", o)
		}
	}
}

// everybodyUsesEverything: in a long run every character has used every card.
func (s *set) everybodyUsesEverything(t *testing.T, all *tally) {
	pairs := 0
	for _, who := range s.rules.Rows() {
		for _, card := range s.rules.Rows() {
			if who.Colour != engine.CharacterCard || card.Colour < engine.Brown || card.Colour > engine.Green {
				continue
			}
			if pairs++; all.pairs[who.Kind][card.Kind] == 0 {
				t.Errorf("%s never used %s", who.Name, card.Name)
			}
		}
	}
	t.Logf("%d pairs of a character and a card", pairs)
}

// playPair plays a game and its rematch; a long run looks closely at fewer of them.
func (s *set) playPair(all *tally, pair int, long bool) error {
	every := 16
	if long {
		every = 64
	}
	setup := s.setup(pair)
	for n := 2 * pair; n <= 2*pair+1; n++ {
		m, err := newMatch(s.rules, setup, uint64(n))
		if err == nil {
			err = playOut(m, uint64(n), n%every == 3 || n%every == 7)
		}
		if err != nil {
			return fmt.Errorf("seed %d, %d seats, options %v: %w", n, setup.Seats, setup.Options[:32], err)
		}
		all.add(m, setup)
		former := m.g.Former()
		setup.Former = &former
	}
	return nil
}

func (a *tally) add(m *match, setup engine.Setup) {
	a.Lock()
	defer a.Unlock()
	for _, opt := range m.g.Rules().OptionTable() {
		if opt.ID != engine.OptSheriffRotation || setup.Former != nil {
			a.values[opt.ID][setup.Options[opt.ID]]++
		}
	}
	for _, e := range m.events {
		a.events[e.Kind]++
		switch e.Kind {
		case engine.Played, engine.Laid, engine.Answered:
			if m.g.Rules().Row(e.Card.Face.Kind()).Colour != engine.Green || e.Kind == engine.Answered {
				a.use(m, e)
			}
		case engine.Used:
			a.use(m, e)
		case engine.CharacterIs, engine.CharacterKept:
			a.kinds[e.As]++
		}
	}
	for k, n := range m.needs {
		a.needs[k] += n
	}
	for _, in := range m.inputs {
		if in.comeIn != engine.None {
			a.came++
		}
	}
	a.outcomes[m.g.State().Over]++
	if setup.Former != nil {
		a.rematch++
	}
	a.steps += m.steps
	a.longest = max(a.longest, m.steps)
}

// use notes that a card was used by a character; a green one counts when it is used, not when it is laid.
func (a *tally) use(m *match, e engine.Event) {
	k := e.Card.Face.Kind()
	a.kinds[k]++
	a.pairs[m.g.State().Players[e.Seat].Character][k]++
}

// playOut lets bots finish the match. With every step checked, other seats' cards are exchanged before each
// decision as well: no view, no list of legal actions and no bot may notice.
func playOut(m *match, seed uint64, strict bool) error {
	h := bot.NewHistory()
	bots := [engine.MaxSeats]*bot.Bot{}
	for i := range bots {
		bots[i] = bot.Share(seed+uint64(i), h)
	}
	wild := seed%8 == 7
	luck := rand.New(rand.NewPCG(seed, 0))
	seen := 0
	st := m.g.State()
	for !m.over() {
		if m.steps >= bot.MaxSteps {
			return fmt.Errorf("endless: %d steps", m.steps)
		}
		h.Watch(m.events[seen:])
		seen = len(m.events)
		if strict || m.steps%64 == 63 {
			if err := m.check(); err != nil {
				return err
			}
		}
		v := m.view()
		legal := v.Legal()
		if len(m.ask.May) > 0 && bots[m.ask.May[0]].ComesIn(m.d.View(m.ask.May[0])) {
			if err := m.comeIn(m.ask.May[0]); err != nil {
				return err
			}
			continue
		}
		a := bots[st.Asked].Act(v, legal)
		if wild {
			a = legal[luck.IntN(len(legal))]
		}
		if !slices.Contains(legal, a) {
			return fmt.Errorf("the bot answers %+v, which is not legal", a)
		}
		if strict && !wild {
			if err := m.blind(bots[st.Asked], legal, a, uint64(m.steps)^seed); err != nil {
				return err
			}
		}
		if err := m.step(a); err != nil {
			return err
		}
	}
	if err := m.check(); err != nil {
		return err
	}
	if err := m.ended(); err != nil {
		return err
	}
	if strict || seed%32 == 0 {
		return m.replay()
	}
	return nil
}

// blind exchanges cards and roles that the asked seat cannot know, compares what it sees, is offered and decides,
// and puts everything back.
func (m *match) blind(b *bot.Bot, legal []engine.Action, did engine.Action, seed uint64) error {
	st := m.g.State()
	me := st.Asked
	var hidden, roles []engine.Slot
	m.zones(func(_ string, holder engine.Seat, c engine.Card) {
		if c.Face == 0 && holder != me && m.d.Knowledge(me).Face(c.Slot) == 0 {
			hidden = append(hidden, c.Slot)
		}
	})
	for s := range engine.Seat(st.N) {
		if p := &st.Players[s]; p.Role == engine.NoRole && s != me {
			roles = append(roles, p.RoleSlot)
		}
	}
	before := seen(m.d.View(me))
	var swaps [][2]engine.Slot
	swap := func(slots []engine.Slot) {
		p := make([]int, len(slots))
		_ = dealer.Seeded(seed).Perm(p) // a seeded generator cannot fail
		for i, j := range p {
			if i != j {
				swaps = append(swaps, [2]engine.Slot{slots[i], slots[j]})
				m.d.Swap(slots[i], slots[j])
			}
		}
	}
	swap(hidden)
	swap(roles)
	v := m.d.View(me)
	var err error
	switch {
	case !bytes.Equal(before, seen(v)):
		err = fmt.Errorf("seat %d sees other seats' cards", me)
	case !slices.Equal(legal, v.Legal()):
		err = fmt.Errorf("what seat %d is offered depends on other seats' cards", me)
	case b.Act(v, v.Legal()) != did:
		err = fmt.Errorf("what seat %d decides depends on other seats' cards", me)
	}
	for i := len(swaps) - 1; i >= 0; i-- {
		m.d.Swap(swaps[i][0], swaps[i][1])
	}
	return err
}

// seen is a view as bytes: the State and what the seat knows.
func seen(v engine.View) []byte {
	out := v.State().Encode(nil)
	out = fmt.Appendf(out, "%v %v", v.Known, v.Hand())
	return fmt.Appendf(out, "%v %v %v", v.Role(), v.Alive(), v.Needed())
}

// ended: all roles are open and the winners are those whom the outcome names (B-170 ff.).
func (m *match) ended() error {
	st := m.g.State()
	winners := m.g.Winners()
	alive := 0
	for s := range engine.Seat(st.N) {
		if st.Players[s].Status != engine.Out {
			alive++
		}
	}
	for s := range engine.Seat(st.N) {
		p := &st.Players[s]
		if p.Role == engine.NoRole {
			return fmt.Errorf("the role of seat %d is still hidden", s)
		}
		var want bool
		switch st.Over {
		case engine.LawWins:
			want = p.Role == engine.Sheriff || p.Role == engine.Deputy
		case engine.OutlawsWin:
			want = p.Role == engine.Outlaw
		case engine.RenegadeWins:
			want = p.Role == engine.Renegade && p.Status != engine.Out && (alive == 1 || p.Done)
		case engine.DeputyWins, engine.OutlawWins:
			side := map[engine.Outcome]engine.Role{engine.DeputyWins: engine.Deputy, engine.OutlawWins: engine.Outlaw}
			want = st.N == 3 && p.Role == side[st.Over] && p.Status != engine.Out && (alive == 1 || p.Done)
		}
		if want != slices.Contains(winners, s) {
			return fmt.Errorf("outcome %d: seat %d (role %d) wins: %t", st.Over, s, p.Role, !want)
		}
		if p.Role == engine.Sheriff && (p.Status != engine.Out) != (st.Over == engine.LawWins) {
			return fmt.Errorf("outcome %d with the Sheriff at status %d", st.Over, p.Status)
		}
	}
	if len(winners) == 0 {
		return fmt.Errorf("outcome %d without a winner", st.Over)
	}
	return nil
}

// BenchmarkGame is one whole game of seven bots, as the command sim plays it.
func BenchmarkGame(b *testing.B) {
	for i := range sets {
		b.Run(sets[i].name, sets[i].benchmark)
	}
}

func (s *set) benchmark(b *testing.B) {
	steps := 0
	for seed := uint64(0); b.Loop(); seed++ {
		r, err := bot.Play(s.rules, engine.Setup{Seats: 7}, seed)
		if err != nil || r.Outcome == engine.NotOver {
			b.Fatalf("seed %d: %+v, %v", seed, r, err)
		}
		steps += r.Steps
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
	b.ReportMetric(float64(steps)/float64(b.N), "steps/game")
}
