package engine_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"standoff/engine"
	"standoff/engine/base"
	"standoff/engine/boxes"
	"standoff/engine/dealer"
)

// baseRules are compiled once; Rules never change.
var baseRules = func() *engine.Rules {
	r, err := engine.Compile(base.Set)
	if err != nil {
		panic(err)
	}
	return r
}()

// set is a choice of boxes that the tests are run with.
type set struct {
	name  string
	rules *engine.Rules
	seats []int // how many can play
}

// sets are the basic box alone and all boxes together.
var sets = func() []set {
	names := []string{"base"}
	for _, n := range boxes.Names() {
		if n != "base" {
			names = append(names, n)
		}
	}
	all, err := boxes.Compile(names...)
	if err != nil {
		panic(err)
	}
	out := []set{{name: "base", rules: baseRules}, {name: "all", rules: all}}
	for i := range out {
		for n := range engine.MaxSeats + 1 {
			if out[i].rules.Roles(n) != nil {
				out[i].seats = append(out[i].seats, n)
			}
		}
	}
	return out
}()

// setup is a table of s: seats and options number n.
func (s *set) setup(n int) engine.Setup {
	return engine.Setup{Seats: s.seats[n%len(s.seats)], Options: mixed(s.rules, n)}
}

// input is what a game was fed: an action, a seat that came in, or a reply.
type input struct {
	action *engine.Action
	comeIn engine.Seat
	reply  *engine.Reply
}

// match runs one game with the trusted dealer. It watches what an onlooker sees, records what goes in, and can
// check after each step everything that must always hold.
type match struct {
	g      *engine.Game
	d      *dealer.Dealer
	luck   *dealer.Record
	setup  engine.Setup
	ask    engine.Ask
	events []engine.Event
	inputs []input
	public map[engine.Slot]bool                  // slots whose face everybody has seen
	shown  [engine.MaxSeats]map[engine.Slot]bool // slots that a seat alone was shown, or has mixed itself
	needs  [8]int                                // how often each kind of need came
	steps  int
	first  engine.Slot // of the playing cards in their pack
	cards  int         // how many there are
	number int         // the dealer's number of the first one
}

func newMatch(r *engine.Rules, setup engine.Setup, seed uint64) (*match, error) {
	g, err := engine.New(r, setup)
	if err != nil {
		return nil, err
	}
	m := &match{g: g, setup: setup, luck: &dealer.Record{From: dealer.Seeded(seed)}, public: map[engine.Slot]bool{}}
	for s := range m.shown {
		m.shown[s] = map[engine.Slot]bool{}
	}
	m.d = dealer.With(g, m.luck)
	for _, p := range g.Packs() {
		if p.Pile == engine.PlayingPile {
			m.first, m.cards, m.number = p.First, len(p.Faces), m.d.Number(p.First)
		}
	}
	return m, m.serve()
}

// serve is Dealer.Serve with a record of the replies.
func (m *match) serve() error {
	for {
		r := m.g.Ready()
		m.events, m.ask = append(m.events, r.Events...), r.Ask
		waits := false
		for _, n := range r.Needs {
			m.needs[n.Kind]++
			reply, answers, err := m.d.Carry(n)
			if err != nil {
				return err
			}
			m.note(n)
			if answers {
				waits = true
				reply.Faces = slices.Clone(reply.Faces)
				m.inputs = append(m.inputs, input{comeIn: engine.None, reply: &reply})
				if err := m.g.Supply(reply); err != nil {
					return err
				}
			}
		}
		if !waits {
			return nil
		}
	}
}

// note keeps who may know what, section 12.
func (m *match) note(n engine.Need) {
	for i, s := range n.Old {
		switch {
		case n.Kind == engine.Open:
			m.public[s] = true
		case n.Kind == engine.Deal, n.Kind == engine.Give && n.Seat != engine.None:
			m.shown[n.Seat][s] = true
		case n.Kind == engine.Remask:
			m.shown[n.Seat][n.New+engine.Slot(i)] = true
		}
	}
}

func (m *match) step(a engine.Action) error {
	if err := m.g.Step(a); err != nil {
		return err
	}
	m.steps++
	m.inputs = append(m.inputs, input{action: &a, comeIn: engine.None})
	for _, c := range [2]engine.Card{a.Card, a.With} {
		m.public[c.Slot] = true
	}
	return m.serve()
}

func (m *match) comeIn(s engine.Seat) error {
	if err := m.g.ComeIn(s); err != nil {
		return err
	}
	m.steps++
	m.inputs = append(m.inputs, input{comeIn: s})
	return m.serve()
}

func (m *match) over() bool { return m.g.State().Over != engine.NotOver }

func (m *match) view() engine.View { return m.d.View(m.g.State().Asked) }

// check is everything that must hold after a step.
func (m *match) check() error {
	for _, c := range []func() error{m.conserved, m.truthful, m.lives, m.waiting, m.roundTrip} {
		if err := c(); err != nil {
			return fmt.Errorf("after %d steps: %w", m.steps, err)
		}
	}
	return nil
}

// zones calls f for every card that lies somewhere, with the seat that holds it in its hand.
func (m *match) zones(f func(zone string, holder engine.Seat, c engine.Card)) {
	st := m.g.State()
	for _, z := range []struct {
		name  string
		cards []engine.Card
	}{{"deck", st.Deck}, {"discard", st.Discard}, {"table", st.Table}, {"played", st.Played}} {
		for _, c := range z.cards {
			f(z.name, engine.None, c)
		}
	}
	for s := range engine.Seat(st.N) {
		for _, c := range st.Players[s].Hand {
			f("hand", s, c)
		}
		for _, c := range st.Players[s].Play {
			f("play", engine.None, c)
		}
	}
}

// conserved: every physical card lies in exactly one place, every slot in use is below Next.
func (m *match) conserved() error {
	st := m.g.State()
	if st.TurnNo == 0 {
		return nil // the packs have not been dealt
	}
	seen := make([]string, m.cards)
	count := 0
	var err error
	m.zones(func(zone string, _ engine.Seat, c engine.Card) {
		n := m.d.Number(c.Slot) - m.number
		switch {
		case c.Slot == 0 || c.Slot >= st.Next || n < 0 || n >= m.cards:
			err = fmt.Errorf("slot %d in %s holds no playing card", c.Slot, zone)
		case seen[n] != "":
			err = fmt.Errorf("card %d lies in %s and in %s", n, seen[n], zone)
		default:
			seen[n] = zone
			count++
		}
	})
	if err == nil && count != m.cards {
		err = fmt.Errorf("%d of %d cards are somewhere", count, m.cards)
	}
	roles := map[int]bool{}
	for _, p := range st.Players[:st.N] {
		if p.RoleSlot != 0 && roles[m.d.Number(p.RoleSlot)] {
			return fmt.Errorf("two seats have role card %d", m.d.Number(p.RoleSlot))
		}
		roles[m.d.Number(p.RoleSlot)] = true
	}
	return err
}

// truthful: a face in the State is true and everybody has seen that slot's card; a card in the open has a face;
// every seat knows exactly its own hand, and nothing that is false.
func (m *match) truthful() error {
	st := m.g.State()
	var err error
	m.zones(func(zone string, holder engine.Seat, c engine.Card) {
		truth := m.d.Face(c.Slot)
		switch {
		case c.Face != 0 && c.Face != truth:
			err = fmt.Errorf("slot %d in %s shows %#x and is %#x", c.Slot, zone, c.Face, truth)
		case c.Face != 0 && !m.public[c.Slot]:
			err = fmt.Errorf("slot %d in %s shows a face that nobody has opened", c.Slot, zone)
		case c.Face == 0 && (zone == "discard" || zone == "play" || zone == "played"):
			err = fmt.Errorf("slot %d in %s is face down", c.Slot, zone)
		case c.Face != 0 && zone == "deck":
			err = fmt.Errorf("slot %d in the deck is face up", c.Slot)
		case holder != engine.None && c.Face == 0 && m.d.Knowledge(holder).Face(c.Slot) != truth:
			err = fmt.Errorf("seat %d does not know slot %d in its hand", holder, c.Slot)
		}
	})
	for _, f := range st.Stack {
		if f.Card.Face != 0 && (!m.public[f.Card.Slot] || m.d.Number(f.Card.Slot) >= 0 && m.d.Face(f.Card.Slot) != f.Card.Face) {
			err = fmt.Errorf("an open question shows %#x in slot %d", f.Card.Face, f.Card.Slot)
		}
	}
	for s := range engine.Seat(st.N) {
		p := &st.Players[s]
		if p.Role != engine.NoRole && p.RoleSlot != 0 && !m.public[p.RoleSlot] {
			err = fmt.Errorf("the role of seat %d is shown and was never opened", s)
		}
		for _, k := range m.d.Knowledge(s) {
			if !m.shown[s][k.Slot] {
				err = fmt.Errorf("seat %d knows slot %d and was never shown it", s, k.Slot)
			}
			if truth := m.d.Face(k.Slot); truth != 0 && truth != k.Face {
				err = fmt.Errorf("seat %d believes slot %d to be %#x, it is %#x", s, k.Slot, k.Face, truth)
			}
		}
	}
	return err
}

// lives: B-001, B-103, B-104, B-150, and nobody below 1 life outside the lethal window.
func (m *match) lives() error {
	st := m.g.State()
	dying := false
	for _, f := range st.Stack {
		dying = dying || f.Kind == engine.AtLose || f.Kind == engine.AtDie || f.Kind == engine.AtOrder || f.Kind == engine.AtInherit
	}
	for s := range engine.Seat(st.N) {
		p := &st.Players[s]
		if p.Life > p.Max {
			return fmt.Errorf("seat %d has %d of %d lives", s, p.Life, p.Max)
		}
		if st.TurnNo > 0 && p.Status == engine.In && p.Life < 1 && !dying {
			return fmt.Errorf("seat %d lives with %d lives", s, p.Life)
		}
		if p.Status == engine.Out && !dying && len(p.Hand)+len(p.Play) > 0 {
			return fmt.Errorf("seat %d is out and has cards", s)
		}
		weapons := 0
		for i, c := range p.Play {
			if m.g.Rules().Row(c.Face.Kind()).Colour == engine.Weapon {
				weapons++
			}
			for _, o := range p.Play[:i] {
				if o.Face.Kind() == c.Face.Kind() {
					return fmt.Errorf("seat %d has two of kind %d in play", s, c.Face.Kind())
				}
			}
		}
		if weapons > 1 {
			return fmt.Errorf("seat %d has %d weapons", s, weapons)
		}
	}
	return nil
}

// waiting: the game is over or exactly one seat is asked, it has something to do, and all that it is offered is
// accepted. Trying happens on clones and leaves the game as it is.
func (m *match) waiting() error {
	st := m.g.State()
	if m.over() {
		if st.Asked != engine.None || len(m.g.Legal(nil)) != 0 {
			return fmt.Errorf("the game is over and seat %d is asked", st.Asked)
		}
		return nil
	}
	if st.Asked == engine.None || st.Opening != 0 || st.Coin != 0 {
		return fmt.Errorf("asked %d, opening %d, coin %d", st.Asked, st.Opening, st.Coin)
	}
	if m.ask.Seat != st.Asked {
		return fmt.Errorf("ready asks seat %d, the state %d", m.ask.Seat, st.Asked)
	}
	before := st.Hash()
	v := m.view()
	legal := v.Legal()
	if len(legal) == 0 {
		return fmt.Errorf("seat %d has nothing to choose from", st.Asked)
	}
	for i, a := range legal {
		if slices.Contains(legal[:i], a) {
			return fmt.Errorf("%+v is offered twice", a)
		}
		if r := m.g.Why(a); r != engine.Legal {
			return fmt.Errorf("%+v is offered and refused: %v", a, r)
		}
		if err := m.g.Clone().Step(a); err != nil {
			return fmt.Errorf("%+v is offered and refused: %w", a, err)
		}
	}
	if a := m.d.Open(m.g.Default()); !slices.Contains(legal, a) {
		return fmt.Errorf("the default %+v is not legal", a)
	}
	for _, s := range m.ask.May {
		if err := m.g.Clone().ComeIn(s); err != nil {
			return fmt.Errorf("seat %d may come in and is refused: %w", s, err)
		}
	}
	if st.Hash() != before {
		return fmt.Errorf("looking has changed the state")
	}
	return nil
}

// roundTrip: the encoding of a State is read back as the same State.
func (m *match) roundTrip() error {
	enc := m.g.State().Encode(nil)
	st, err := engine.DecodeState(enc)
	if err != nil {
		return err
	}
	if again := st.Encode(nil); !bytes.Equal(enc, again) || st.Hash() != m.g.State().Hash() {
		return fmt.Errorf("the state does not survive its encoding")
	}
	return nil
}

// replay feeds the recorded inputs to a fresh game without any dealer, and deals the recorded order of cards to
// another one; both must end in the same State.
func (m *match) replay() error {
	r := m.g.Rules()
	bare, err := engine.New(r, m.setup)
	if err != nil {
		return err
	}
	for i, in := range m.inputs {
		bare.Ready()
		switch {
		case in.action != nil:
			err = bare.Step(*in.action)
		case in.reply != nil:
			err = bare.Supply(*in.reply)
		default:
			err = bare.ComeIn(in.comeIn)
		}
		if err != nil {
			return fmt.Errorf("replay of input %d: %w", i, err)
		}
	}
	dealt, err := engine.New(r, m.setup)
	if err != nil {
		return err
	}
	d := dealer.WithOrder(dealt, m.luck.Order)
	if err := d.Serve(); err != nil {
		return err
	}
	for i, in := range m.inputs {
		switch {
		case in.action != nil:
			err = d.Step(*in.action)
		case in.reply == nil:
			err = d.ComeIn(in.comeIn)
		}
		if err != nil {
			return fmt.Errorf("dealing input %d again: %w", i, err)
		}
	}
	want := m.g.State().Hash()
	if bare.State().Hash() != want || dealt.State().Hash() != want {
		return fmt.Errorf("the same inputs gave another state")
	}
	return nil
}

// must fails the test with what went wrong and where it can be found again.
func must(t testing.TB, where string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", where, err)
	}
}
