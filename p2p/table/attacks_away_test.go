package table

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/engine"
)

// fair is a world in which nothing goes wrong but what the test does to it.
func fair(t *testing.T, seed uint64, n int, options ...[2]string) *world {
	w := newWorld(t, seed, n, func() Suite { return toy{} }, patient(options...)...)
	w.delay = 20 * time.Millisecond
	return w
}

// finishes plays to the end and requires what judge does, and a game that ended by the rules.
func (w *world) finishes(t *testing.T) *Report {
	t.Helper()
	w.run(time.Hour)
	w.judge()
	require.Empty(t, w.problems)
	rep, err := w.report(w.tables[w.honest()[0]].Transcript())
	require.NoError(t, err)
	require.Equal(t, Finished, rep.Result, rep.Note)
	return rep
}

// kill takes a machine away for good.
func (w *world) kill(seat int) {
	w.off[seat] = true
	w.dead |= only(seat)
}

// peeled is a slot's cipher without the layers of all seats on it.
func (w *world) peeled(st *state, s *slot) Point {
	c := s.C
	for _, seat := range s.Mask.List() {
		c.C2 = st.suite.Read(w.tables[seat].me.x, c)
	}
	return c.C2
}

// attackWithheld: a seat seals and calls, but keeps back the layer of a card that is to be opened. The others attest its
// silence, supply the layer from their shares, and the card is the one that lay there.
func attackWithheld(t *testing.T) {
	w := fair(t, 801, 5)
	var slot engine.Slot
	var round uint32
	truth, got := int16(hidden), int16(hidden)
	w.liars[2] = &liar{seat: 2, behaviour: behaviour{name: "withholds", lie: func(l *liar, w *world, to int, e Envelope) [][]byte {
		tbl := w.tables[2]
		st, n := tbl.st, tbl.st.needs
		if slot == 0 && e.Kind == KindSay && e.Round == st.round && e.Round > 20 && tbl.ex.Kind == RoundStrip && n[0].Kind == engine.Open && n[0].Owner == engine.None {
			if s := st.slot(n[0].Old[0]); s.Card == hidden && s.Mask.Has(2) {
				slot, round, truth = s.ID, e.Round, st.packs.card[w.peeled(st, s)]
				l.lied++
			}
		}
		if slot != 0 && round == e.Round && e.Kind == KindSay {
			return nil
		}
		return [][]byte{e.Raw}
	}}}
	w.onRest = func(i int, tbl *Table) {
		if s := tbl.st.slot(slot); i == 0 && slot != 0 && got == hidden && s != nil {
			got = s.Card
		}
	}
	rep := w.finishes(t)
	require.Positive(t, w.liars[2].lied)
	require.Equal(t, Move{Round: round, Seat: 2, Why: Silence}, rep.Moves[0])
	require.Empty(t, w.faults)
	require.Equal(t, truth, got)
}

// attackAbort: a seat hears the layers of all others for a coin, knows by that how it falls, and is gone for ever. The
// coin falls as it would have.
func attackAbort(t *testing.T) {
	w := fair(t, 802, 5)
	var truth Point
	var coins []Point
	w.drawn = func(sum Point) {
		if truth != (Point{}) {
			coins = append(coins, sum)
		}
	}
	for i := range w.tables { // with the ear for coins
		if i != 2 {
			w.tables[i] = must(New(w.config(i, 0)))
		}
	}
	w.liars[2] = &liar{seat: 2, behaviour: behaviour{name: "aborts", lie: func(_ *liar, w *world, to int, e Envelope) [][]byte {
		tbl := w.tables[2]
		if e.Kind == KindSay && e.Round == tbl.st.round && tbl.st.stage == atPlay && tbl.ex.Kind == RoundStrip && tbl.st.needs[0].Kind == engine.Coin && e.Round > 20 {
			return nil
		}
		return [][]byte{e.Raw}
	}}}
	w.onRest = func(i int, tbl *Table) {
		if i != 2 || w.dead.Has(2) || tbl.st.stage != atPlay || tbl.st.round <= 20 || tbl.ex.Kind != RoundStrip || tbl.st.needs[0].Kind != engine.Coin {
			return
		}
		for _, s := range tbl.ex.From.List() {
			if len(tbl.open.says[s]) == 0 {
				return
			}
		}
		var sum []Point
		for _, s := range tbl.st.needs[0].Mask.List() {
			l, _, err := toy{}.Layers(nil, Place{}, w.tables[s].me.x, []uint32{0}, []Point{tbl.st.needs[0].Coin})
			require.NoError(t, err)
			sum = append(sum, l[0])
		}
		truth = toy{}.Sum(sum...)
		w.kill(2)
	}
	rep := w.finishes(t)
	require.NotEqual(t, Point{}, truth, "no coin was tossed")
	require.Equal(t, 2, rep.Moves[0].Seat)
	require.Equal(t, Silence, rep.Moves[0].Why)
	require.Equal(t, truth, coins[0])
}

// attackCollusion: as many seats as the sharing needs read the hand of another from their shares, as the lobby says; one
// less does not.
func attackCollusion(t *testing.T) {
	g := recorded(t)
	tried := 0
	for i := range g.steps {
		s := &g.steps[i]
		if s.ex.Kind != RoundAct || i%7 != 0 {
			continue
		}
		st := s.cur
		for k := range st.slots {
			sl := &st.slots[k]
			if sl.Card != hidden || sl.Mask.Count() != 1 {
				continue
			}
			victim := sl.Mask.List()[0]
			var ids []uint8
			var layers []Point
			for _, h := range st.current.Members.Without(victim).List() {
				share, err := st.myShare(g.net.tables[h].me, victim)
				require.NoError(t, err)
				l, _, err := st.suite.Layers(source(1, 1), Place{}, share, []uint32{1}, []Point{sl.C.C1})
				require.NoError(t, err)
				ids, layers = append(ids, uint8(h)), append(layers, l[0])
			}
			n := int(st.current.Threshold)
			_, reads := st.packs.card[st.suite.Minus(sl.C.C2, st.suite.Combine(ids[:n], layers[:n]))]
			require.True(t, reads, "%d seats can lift a layer", n)
			_, reads = st.packs.card[st.suite.Minus(sl.C.C2, st.suite.Combine(ids[:n-1], layers[:n-1]))]
			require.False(t, reads, "%d seats cannot", n-1)
			tried++
		}
		if tried > 60 {
			break
		}
	}
	require.Positive(t, tried)
}

func behaviourNamed(name string) behaviour {
	return behaviours[slices.IndexFunc(behaviours, func(b behaviour) bool { return b.name == name })]
}

// attackBadShare: after a removal shares are dealt anew, and one seat deals a bad one, or complains about a good one. It
// is named, and goes; nobody else does.
func attackBadShare(t *testing.T) {
	for i, name := range []string{"deals a bad share", "complains falsely"} {
		t.Run(name, func(t *testing.T) {
			w := fair(t, uint64(803+i), 6, [2]string{"tolerate", "2"})
			w.liars[3] = &liar{seat: 3, behaviour: behaviourNamed(name), rng: w.rng}
			w.onRest = func(i int, tbl *Table) {
				if i == 0 && tbl.st.round >= 25 {
					w.kill(1)
				}
			}
			rep := w.finishes(t)
			require.Positive(t, w.liars[3].lied)
			require.Len(t, rep.Moves, 2)
			require.Equal(t, []Reason{Silence, Cheat}, []Reason{rep.Moves[0].Why, rep.Moves[1].Why})
			require.Equal(t, 3, rep.Moves[1].Seat)
		})
	}
}

// attackDegree: after a removal a seat deals shares that are right in all but the degree of its polynomial. With a lower
// one fewer seats could look at its cards together, with a higher one those that may do without it could not. It is
// convicted, and the others share without it.
func attackDegree(t *testing.T) {
	for i, more := range []int{-1, 1} {
		t.Run(fmt.Sprintf("%+d", more), func(t *testing.T) {
			w := fair(t, uint64(823+i), 6, [2]string{"tolerate", "2"})
			w.liars[3] = &liar{seat: 3, rng: w.rng, behaviour: behaviour{name: "deals another degree", proof: true, firm: true,
				lie: instead(func(st *state, me *party, x *text) bool {
					return st.stage == atPlay && edit(x, RoundShare, func(p *Dealing) bool {
						d, err := st.suite.Deal(me.rand, st.at(me.seat, st.expect()), me.x, st.threshold()+more, st.recipients(me.seat))
						*p = d
						return err == nil
					})
				})}}
			w.onRest = func(i int, tbl *Table) {
				if i == 0 && tbl.st.round >= 25 {
					w.kill(1)
				}
			}
			rep := w.finishes(t)
			require.Positive(t, w.liars[3].lied)
			require.Len(t, rep.Moves, 2)
			require.Equal(t, []Reason{Silence, Cheat}, []Reason{rep.Moves[0].Why, rep.Moves[1].Why})
			require.Equal(t, 3, rep.Moves[1].Seat)
			require.NotEmpty(t, w.faults)
			for _, f := range w.faults {
				require.Equal(t, FaultShape, f.Kind, "%v", f)
			}
		})
	}
}

// attackOldShares: when shares have been dealt anew, a layer made with a share of the sharing before is refused, though
// it was the right one then.
func attackOldShares(t *testing.T) {
	w := fair(t, 805, 6, [2]string{"tolerate", "2"})
	var old *state
	tried := false
	w.onRest = func(i int, tbl *Table) {
		st := tbl.st
		if i != 0 || st.stage != atPlay {
			return
		}
		switch kind, _ := st.repair(); {
		case old == nil && st.round >= 25:
			old = st
			w.kill(1)
		case old != nil && st.current != old.current && kind == 0 && !w.dead.Has(2) && st.away.Has(1):
			w.kill(2)
		case !tried && kind == RoundLift && st.gone().Has(2):
			tried = true
			slots, bases := st.liftDue(2)
			p := st.at(0, tbl.ex)
			say := func(from *state) (*part, *Misdeed, Check) {
				share, err := from.myShare(tbl.me, 2)
				require.NoError(t, err)
				layers, proof, err := st.suite.Layers(nil, p, share, slots, bases)
				require.NoError(t, err)
				pt, wrong := st.read(tbl.ex, 0, sayOf(RoundLift, liftPart{Seats: []lifted{{Layers: layers, Proof: proof}}}))
				return &pt, wrong, st.suite.CheckLayers(p, st.suite.PublicShare(old.current.Commitments[2], 0), slots, bases, layers, proof)
			}
			verdict := func(pt *part) error { _, err := st.suite.VerifyAll(pt.checks); return err }
			pt, wrong, then := say(old)
			require.Nil(t, wrong)
			require.NoError(t, then.Verify(), "it was a share once")
			require.Error(t, verdict(pt))
			pt, wrong, _ = say(st)
			require.Nil(t, wrong)
			require.NoError(t, verdict(pt))
		}
	}
	rep := w.finishes(t)
	require.True(t, tried)
	require.Len(t, rep.Moves, 2)
}

// attackUnwrapped: the layers of a gone seat, given while its hand lies under them alone, would open the hand. The table
// refuses them then, and once the members have put theirs on, they take nothing off any more.
func attackUnwrapped(t *testing.T) {
	w := fair(t, 806, 5)
	layer := map[engine.Slot]Point{}
	guarded := 0
	w.onRest = func(i int, tbl *Table) {
		st := tbl.st
		if i != 0 || st.stage != atPlay {
			return
		}
		kind, helpers := st.repair()
		switch {
		case st.round >= 25 && !w.dead.Has(1):
			w.kill(1)
		case kind == RoundWrap && st.gone().Has(1) && len(layer) == 0:
			body, err := speakLift(st, tbl.ex, st.at(0, tbl.ex), tbl.me)
			require.NoError(t, err)
			for _, k := range []RoundKind{RoundLift, RoundWrap} {
				_, wrong := st.read(tbl.ex, 0, sayOf(k, body))
				require.NotNil(t, wrong)
				require.Equal(t, FaultShape, wrong.Kind)
			}
			for k := range st.slots {
				s := &st.slots[k]
				if s.Card != hidden || s.Mask != only(1) {
					continue
				}
				var ids []uint8
				var parts []Point
				for _, h := range helpers.List() {
					share, err := st.myShare(w.tables[h].me, 1)
					require.NoError(t, err)
					l, _, err := toy{}.Layers(nil, Place{}, share, []uint32{1}, []Point{s.C.C1})
					require.NoError(t, err)
					ids, parts = append(ids, uint8(h)), append(parts, l[0])
				}
				layer[s.ID] = toy{}.Combine(ids, parts)
				_, reads := st.packs.card[toy{}.Minus(s.C.C2, layer[s.ID])]
				require.True(t, reads, "without the guard the hand lies open")
			}
			require.NotEmpty(t, layer)
		case len(layer) > 0 && kind != RoundWrap:
			for id, l := range layer {
				if s := st.slot(id); s != nil && s.Card == hidden {
					require.NotZero(t, s.Mask&^only(1))
					_, reads := st.packs.card[toy{}.Minus(s.C.C2, l)]
					require.False(t, reads)
					guarded++
				}
			}
		}
	}
	w.finishes(t)
	require.Positive(t, guarded)
}
