package table

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/engine"
)

// secretsOf are all the 32-byte values of a seat that nobody else may ever see in a message, with what may still be
// said in the end.
func secretsOf(t *testing.T, tbl *Table) map[Point]string {
	me := tbl.me
	s := map[Point]string{
		Point(me.x.Bytes()): "card key", Point(me.z.Bytes()): "share key", Point(me.nonce): "nonce",
	}
	for dealer := range tbl.st.roster.Joins {
		if dealer != me.seat {
			share, err := tbl.st.myShare(me, dealer)
			require.NoError(t, err)
			s[Point(share.Bytes())] = fmt.Sprintf("share of seat %d's key", dealer)
		}
	}
	return s
}

// TestNoSecretIsSaid looks for every secret of every seat, and for the point of every card, at every place of every
// envelope of a whole game.
func TestNoSecretIsSaid(t *testing.T) {
	g := recorded(t)
	secret := map[Point]string{}
	for seat, tbl := range g.net.tables {
		require.Len(t, secretsOf(t, tbl), 6)
		for b, what := range secretsOf(t, tbl) {
			secret[b] = fmt.Sprintf("%s of seat %d", what, seat)
		}
	}
	for p, n := range g.steps[len(g.steps)-1].cur.packs.card {
		secret[p] = fmt.Sprintf("the point of card %d", n)
	}
	// scan names the secrets in a text.
	scan := func(raw []byte) (found []string) {
		for i := 0; i+32 <= len(raw); i++ {
			if what, ok := secret[Point(raw[i:i+32])]; ok {
				found = append(found, what)
			}
		}
		return found
	}
	shown := map[string]bool{}
	bytes := 0
	for _, p := range g.sent {
		e := must(parseEnvelope(p.raw))
		bytes += len(p.raw)
		var s say
		if e.Kind == KindSay {
			require.NoError(t, decode(e.Body, &s))
		}
		for _, what := range scan(p.raw) {
			mine := fmt.Sprintf(" of seat %d", p.seat)
			ok := s.Kind == RoundReveal && what == "nonce"+mine || s.Kind == RoundKeys && what == "card key"+mine
			require.True(t, ok, "round %d: the %v of seat %d contains the %s", e.Round, e.Kind, p.seat, what)
			shown[what] = true
		}
	}
	require.Len(t, shown, 8, "the search finds what is shown in its time: nonces and, for the audit, card keys")
	require.Greater(t, bytes, len(g.file))
}

// TestAllButOneReadNothing: before the round of keys all other seats together, with all their secrets and everything
// that was said, read no card of the hand of the last one and none of a pile; with its secret they read them all.
func TestAllButOneReadNothing(t *testing.T) {
	g := recorded(t)
	said := map[int][]Point{} // layers published so far, by seat
	tried, deck := 0, 0
	seen := map[Cipher]int{} // ciphers tried, and against how many of the layers of the seat
	for i := range g.steps {
		s := &g.steps[i]
		if s.ex.Kind == RoundKeys {
			break
		}
		for _, e := range s.says {
			switch s.ex.Kind {
			case RoundStrip:
				said[int(e.Seat)] = append(said[int(e.Seat)], partOf[stripPart](t, e).Layers...)
			case RoundAct:
				said[int(e.Seat)] = append(said[int(e.Seat)], partOf[actPart](t, e).Layers...)
			}
		}
		st := s.cur
		for k := range st.slots {
			sl := &st.slots[k]
			if sl.Card != hidden {
				continue
			}
			victims := sl.Mask.List()
			if sl.Owner < 0 {
				if deck++; deck%97 != 0 { // the piles are large and stay the same for long
					continue
				}
			}
			for _, victim := range victims {
				peeled := sl.C
				for _, other := range victims {
					if other != victim {
						peeled.C2 = st.suite.Read(g.net.tables[other].me.x, peeled)
					}
				}
				_, reads := st.packs.card[peeled.C2]
				require.False(t, reads, "round %d: slot %d can be read without seat %d", i, sl.ID, victim)
				for _, layer := range said[victim][seen[peeled]:] {
					_, reads = st.packs.card[st.suite.Minus(peeled.C2, layer)]
					require.False(t, reads, "round %d: a layer that seat %d has published opens slot %d", i, victim, sl.ID)
				}
				seen[peeled] = len(said[victim])
				_, reads = st.packs.card[st.suite.Read(g.net.tables[victim].me.x, peeled)]
				require.True(t, reads, "round %d: with all secrets slot %d is no card", i, sl.ID)
				tried++
			}
		}
	}
	require.Greater(t, tried, 500)
	for seat := range 4 {
		require.NotEmpty(t, said[seat])
	}
}

// TestHiddenMovesTellNobodyElse: of every card that moves hidden, the receiver and the giver know it afterwards (B-410
// to B-430, B-441), and a third seat knows exactly what it knew before (B-440): nothing, where the hand was remasked.
func TestHiddenMovesTellNobodyElse(t *testing.T) {
	g := recorded(t)
	kinds := map[string]int{}
	for i := range g.steps {
		s := &g.steps[i]
		if s.ex.Kind == RoundMix && s.cur.pass != 0 {
			continue
		}
		learns := map[engine.Slot]Seats{} // who may know it by what moves in this round
		moved := map[engine.Slot]string{}
		move := func(n openNeed, id engine.Slot, places ...engine.Seat) {
			moved[id] = transfer(n)
			for _, p := range places {
				if seat := s.prev.seat(p); seat >= 0 {
					learns[id] |= only(seat)
				}
			}
		}
		for _, n := range s.prev.needs[:s.ex.needs] {
			for k, id := range n.Old {
				switch n.Kind {
				case engine.Deal:
					move(n, id, n.Seat)
				case engine.Give: // perhaps of a slot that a remask in the same round has made
					move(n, id, n.Owner, n.Seat)
				case engine.Remask:
					move(n, n.New+engine.Slot(k), n.Owner)
				case engine.Shuffle:
					move(n, n.New+engine.Slot(k))
				}
			}
		}
		for seat := range 4 {
			before, ok := g.known[fmt.Sprint(seat, s.prev.round)]
			after, ok2 := g.known[fmt.Sprint(seat, s.cur.round)]
			if !ok || !ok2 {
				continue
			}
			for id, kind := range moved {
				sl := s.cur.slot(id)
				if sl == nil || sl.Card != hidden {
					continue
				}
				want := learns[id].Has(seat) || before.Face(id) != 0
				require.Equal(t, want, after.Face(id) != 0, "round %d (%s): what seat %d knows of slot %d", i, kind, seat, id)
				kinds[kind]++
			}
		}
	}
	for _, k := range []string{"shuffle", "deal", "remask", "give to a seat", "give to the deck"} {
		require.Positive(t, kinds[k], "%s never occurred", k)
	}
}

// TestKnowledgeUnderOptions plays games under other options than the usual ones, with the characters who move cards in
// hidden ways, and compares states and knowledge with the trusted dealer's (rules section 12).
// STANDOFF_OPTION_GAMES sets how many (100 in full).
func TestKnowledgeUnderOptions(t *testing.T) {
	t.Parallel()
	g := recorded(t)
	kinds := compare(t, g.net, g.known).kinds
	for _, k := range []string{"shuffle", "deal", "open", "coin", "remask", "give to a seat", "give to the deck", "open of an owner"} {
		require.Positive(t, kinds[k], "%s never occurred", k)
	}
	rules, err := rulesOf([]string{"base"})
	require.NoError(t, err)
	for i := range count(t, "STANDOFF_OPTION_GAMES", 100) {
		rng := rand.New(source(uint64(i), 6))
		var options [][2]string
		for _, o := range rules.OptionTable() {
			v := o.Values[1] // the first game has the other value of everything
			if i > 0 {
				v = o.Values[rng.IntN(len(o.Values))]
			}
			if o.ID == engine.OptCharacterChoice {
				v = "on"
			}
			options = append(options, [2]string{o.Name, v})
		}
		options = append(options, [2]string{"tolerate", []string{"0", "1", "2"}[i%3]}, [2]string{"audit", []string{"off", "on"}[i%2]})
		players := 4 + i%4
		t.Run(fmt.Sprintf("%d_players_%d", players, i), func(t *testing.T) {
			n := newNetwork(t, seatPlayers(t, players, uint64(300+i), options...), uint64(300+i), weather{})
			n.choose = preferMovers
			known := record(n)
			n.run()
			rep := sameTranscripts(t, n)
			require.Subset(t, rep.Options, options)
			require.Equal(t, i%2 == 1, slices.ContainsFunc(walk(t, n.tables[0].Transcript()), func(s step) bool { return s.ex.Kind == RoundKeys }))
			t.Logf("hidden transfers: %v", compare(t, n, known).kinds)
		})
	}
}
