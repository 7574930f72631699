package table

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/engine"
	"standoff/engine/dealer"
)

// count is how many of a large number of runs this test makes: the variable, or a hundredth.
func count(t testing.TB, name string, whole int) int {
	if v := os.Getenv(name); v != "" {
		n, err := strconv.Atoi(v)
		require.NoError(t, err, name)
		return n
	}
	return max(1, whole/100)
}

// omniscient knows all secrets of a played game, as nobody at the table does.
type omniscient struct {
	net   *network
	card  map[engine.Slot]int16 // number in its pack
	order dealer.Order
	kinds map[string]int // hidden transfers that occurred
}

// number is the physical card in a slot.
func (o *omniscient) number(st *state, s *slot) int16 {
	if s.Card != hidden {
		return s.Card
	}
	m := s.C
	for _, seat := range s.Mask.List() {
		layers, _, err := st.suite.Layers(source(1, 1), Place{}, o.net.tables[seat].me.x, []uint32{1}, []Point{s.C.C1})
		require.NoError(o.net.t, err)
		m.C2 = st.suite.Minus(m.C2, layers[0])
	}
	card, ok := st.packs.card[m.C2]
	require.True(o.net.t, ok, "slot %d holds no card", s.ID)
	return card
}

// follow takes in one round: which permutation and which coin it was, and what moved in secret.
func (o *omniscient) follow(prev, cur *state, ex Expect) {
	for i := range cur.slots {
		s := &cur.slots[i]
		if _, ok := o.card[s.ID]; !ok {
			o.card[s.ID] = o.number(cur, s)
		}
	}
	if ex.Kind == RoundMix && cur.pass != 0 {
		return
	}
	for _, n := range prev.needs[:ex.needs] {
		o.kinds[transfer(n)]++
		switch n.Kind {
		case engine.Shuffle, engine.Remask:
			at := map[int16]int{}
			for i, id := range n.Old {
				at[o.card[id]] = i
			}
			perm := make([]int, len(n.Old))
			for i := range perm {
				from, ok := at[o.card[n.New+engine.Slot(i)]]
				require.True(o.net.t, ok, "a card of the pile is gone")
				perm[i] = from
				delete(at, o.card[n.New+engine.Slot(i)])
			}
			o.order.Perms = append(o.order.Perms, perm)
		case engine.Coin:
			var sum []Point
			for _, seat := range n.Mask.List() {
				l, _, err := prev.suite.Layers(source(1, 1), Place{}, o.net.tables[seat].me.x, []uint32{1}, []Point{n.Coin})
				require.NoError(o.net.t, err)
				sum = append(sum, l[0])
			}
			o.order.Coins = append(o.order.Coins, prev.suite.CoinNumber(prev.suite.Sum(sum...), int(n.N)))
		}
	}
}

func transfer(n openNeed) string {
	names := map[engine.NeedKind]string{engine.Shuffle: "shuffle", engine.Deal: "deal", engine.Open: "open",
		engine.Remask: "remask", engine.Give: "give to a seat", engine.Coin: "coin", engine.Find: "find"}
	if n.Kind == engine.Give && n.Seat == engine.None {
		return "give to the deck"
	}
	if n.Kind == engine.Open && n.Owner != engine.None {
		return "open of an owner"
	}
	return names[n.Kind]
}

// act is one decision round of a game, as the trusted dealer has to repeat it.
type act struct {
	action engine.Action
	in     []engine.Seat
	hash   [32]byte
	known  [MaxSeats]engine.Knowledge
	live   map[engine.Slot]bool // hidden live slots
}

// compare plays the transcript's decisions again with the trusted dealer, given the same order of cards, and
// requires the same state before every decision and the same knowledge in every seat.
func compare(t *testing.T, n *network, known map[string]engine.Knowledge) *omniscient {
	o := &omniscient{net: n, card: map[engine.Slot]int16{}, kinds: map[string]int{}}
	r, err := n.open(n.tables[0].Transcript())
	require.NoError(t, err)
	var acts []act
	compared := 0
	for {
		prev, ex, at := r.st, r.st.expect(), r.at
		var a act
		if ex.Kind == RoundAct {
			a.hash = prev.game.State().Hash()
			a.live = map[engine.Slot]bool{}
			for i := range prev.slots {
				if prev.slots[i].Card == hidden {
					a.live[prev.slots[i].ID] = true
				}
			}
			for seat := range n.tables {
				k, ok := known[fmt.Sprint(seat, prev.round)]
				if ok {
					compared++
				}
				a.known[seat] = k
			}
		}
		more, err := r.Round()
		require.NoError(t, err)
		if !more {
			break
		}
		cur := r.st
		o.follow(prev, cur, ex)
		if ex.Kind != RoundAct {
			continue
		}
		for i, seat := range ex.From.List() {
			e, err := parseEnvelope(r.frames[at+i])
			require.NoError(t, err)
			var s say
			require.NoError(t, decode(e.Body, &s))
			var b actPart
			require.NoError(t, decode(s.Part, &b))
			if seat != ex.Asked {
				if b.In {
					a.in = append(a.in, prev.place(seat))
				}
				continue
			}
			face := func(id engine.Slot) engine.Card {
				if id == 0 {
					return engine.Card{}
				}
				s := prev.slot(id)
				return engine.Card{Slot: id, Face: prev.face(s.Pile, o.card[id])}
			}
			a.action = engine.Action{Seat: prev.ask.Seat, Verb: b.Verb, As: b.As, Card: face(b.Card), With: face(b.With), To: b.To, At: b.At, N: b.N}
		}
		acts = append(acts, a)
	}
	require.Positive(t, compared)
	first := r.st
	g, err := engine.New(first.rules, engine.Setup{Seats: len(n.tables), Options: first.choices.Engine})
	require.NoError(t, err)
	d := dealer.WithOrder(g, o.order)
	require.NoError(t, d.Serve())
	for i, a := range acts {
		require.Equal(t, a.hash, g.State().Hash(), "state before decision %d", i)
		for seat := range n.tables {
			if a.known[seat] == nil {
				continue
			}
			want := map[engine.Slot]engine.Face{}
			for _, k := range d.Knowledge(first.place(seat)) {
				if a.live[k.Slot] {
					want[k.Slot] = k.Face
				}
			}
			got := map[engine.Slot]engine.Face{}
			for _, k := range a.known[seat] {
				got[k.Slot] = k.Face
			}
			require.Equal(t, want, got, "what seat %d knows before decision %d", seat, i)
		}
		require.NoError(t, d.Step(a.action), "decision %d", i)
		for _, s := range a.in {
			d.ComeIn(s)
		}
	}
	require.Equal(t, first.game.State().Hash(), g.State().Hash(), "final state")
	require.NotEqual(t, engine.NotOver, g.State().Over)
	return o
}

// record notes what every seat knows when a round opens.
func record(n *network) map[string]engine.Knowledge {
	known := map[string]engine.Knowledge{}
	n.onRound = func(seat int, tbl *Table) {
		known[fmt.Sprint(seat, tbl.st.round)] = append(engine.Knowledge{}, tbl.me.known...)
	}
	return known
}

// sameTranscripts requires that all tables finished and hold the same bytes, and that anybody can verify them.
func sameTranscripts(t *testing.T, n *network) *Report {
	first := n.tables[0].Transcript()
	for i, tbl := range n.tables {
		require.NotNil(t, tbl.end, "seat %d is not over: %+v", i, tbl.Missing())
		require.Equal(t, Finished, tbl.end.Result, tbl.end.Reason)
		require.Equal(t, first, tbl.Transcript(), "transcript of seat %d", i)
		require.Equal(t, n.tables[0].end.Winners, tbl.end.Winners)
	}
	rep, err := n.verify(first)
	require.NoError(t, err)
	require.Equal(t, Finished, rep.Result, rep.Note)
	require.Empty(t, rep.Faults)
	require.Equal(t, n.tables[0].end.Winners, rep.Winners)
	return rep
}

// TestGamesAgreeWithTheTrustedDealer plays whole games with the real cryptography. Given the same order of cards
// the trusted dealer comes to the same states, and every seat knows what base rules section 12 says: no more, no
// less. STANDOFF_TABLE_GAMES sets how many games (200 in full).
func TestGamesAgreeWithTheTrustedDealer(t *testing.T) {
	t.Parallel()
	kinds := map[string]int{}
	games := count(t, "STANDOFF_TABLE_GAMES", 200)
	for i := range games {
		players := 4 + i%4
		t.Run(fmt.Sprintf("%d_players_seed_%d", players, i), func(t *testing.T) {
			n := newNetwork(t, seatPlayers(t, players, uint64(i)), uint64(i), weather{})
			known := record(n)
			n.run()
			sameTranscripts(t, n)
			for k, c := range compare(t, n, known).kinds {
				kinds[k] += c
			}
		})
	}
	t.Logf("hidden transfers in %d games: %v", games, kinds)
	want := []string{"shuffle", "deal", "open", "coin", "remask", "give to a seat", "open of an owner"}
	if games >= 4 {
		want = append(want, "give to the deck")
	}
	for _, k := range want {
		require.Positive(t, kinds[k], "%s never occurred", k)
	}
}
