package table

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/engine"
)

// watcher is seat 2, which keeps its layer for a coin or a flip back until it has those of all others, and so knows the
// result before anybody else; then it goes.
type watcher struct {
	w     *world
	need  engine.NeedKind
	knows func(sum Point) // told once, what comes out
	round uint32          // in which it went, 0: not yet
	back  bool            // it keeps nothing back any more
}

func watches(w *world, need engine.NeedKind, knows func(Point)) *watcher {
	x := &watcher{w: w, need: need, knows: knows}
	w.liars[2] = &liar{seat: 2, behaviour: behaviour{name: "waits and sees", lie: func(_ *liar, w *world, to int, e Envelope) [][]byte {
		if e.Kind == KindSay && !x.back && x.interesting(w.tables[2], e.Round) {
			return nil
		}
		return [][]byte{e.Raw}
	}}}
	return x
}

// interesting reports whether the open round of the seat is the one, from round 20 on.
func (x *watcher) interesting(tbl *Table, round uint32) bool {
	st := tbl.st
	if st.stage != atPlay || st.round <= 20 || round != st.round || tbl.ex.Kind != RoundStrip || !tbl.ex.From.Has(2) || x.round != 0 && x.round != round {
		return false
	}
	n := st.needs[0]
	if n.Kind != x.need {
		return false
	}
	return n.Kind == engine.Coin || n.Owner == engine.None && st.slot(n.Old[0]).Card == hidden
}

// sees looks, when seat 2 rests, whether it has everything; then it goes by going.
func (x *watcher) sees(going func()) {
	tbl := x.w.tables[2]
	if x.round != 0 || x.w.off[2] || !x.interesting(tbl, tbl.st.round) {
		return
	}
	for _, s := range tbl.ex.From.List() {
		if len(tbl.open.says[s]) == 0 {
			return
		}
	}
	n := tbl.st.needs[0]
	if n.Kind == engine.Coin {
		sum := []Point{}
		for _, s := range n.Mask.List() {
			l, _, err := toy{}.Layers(nil, Place{}, x.w.tables[s].me.x, []uint32{0}, []Point{n.Coin})
			require.NoError(x.w.t, err)
			sum = append(sum, l[0])
		}
		x.knows(toy{}.Sum(sum...))
	} else {
		x.knows(x.w.peeled(tbl.st, tbl.st.slot(n.Old[0])))
	}
	x.round = tbl.st.round
	going()
}

// coinWorld is a world whose honest seats tell the coins that they see after truth is known.
func coinWorld(t *testing.T, seed uint64, options ...[2]string) (w *world, coins *[]Point) {
	w = fair(t, seed, 5, options...)
	coins = &[]Point{}
	w.drawn = func(sum Point) { *coins = append(*coins, sum) }
	for i := range w.tables {
		if i != 2 {
			w.tables[i] = must(New(w.config(i, 0)))
		}
	}
	return w, coins
}

// attackFlip: a seat that has all layers of a card to be flipped but its own sees the card, and goes for ever. The card is
// flipped as it lay there.
func attackFlip(t *testing.T) {
	w := fair(t, 880, 5)
	var slot engine.Slot
	truth, got := int16(hidden), int16(hidden)
	x := watches(w, engine.Open, func(m Point) {
		st := w.tables[2].st
		slot, truth = st.needs[0].Old[0], st.packs.card[m]
	})
	w.onRest = func(i int, tbl *Table) {
		if i == 2 {
			x.sees(func() { w.kill(2) })
		}
		if s := tbl.st.slot(slot); i == 0 && slot != 0 && got == hidden && s != nil {
			got = s.Card
		}
	}
	rep := w.finishes(t)
	require.NotZero(t, slot, "no card was flipped")
	require.Equal(t, Move{Round: rep.Moves[0].Round, Seat: 2, Why: Silence}, rep.Moves[0])
	require.NotEqual(t, hidden, int(truth))
	require.Equal(t, truth, got)
}

// attackAnotherToss: who has seen how a coin falls gets no other by going and coming back: at once, after it was removed,
// or without its journal.
func attackAnotherToss(t *testing.T) {
	for i, c := range []struct {
		name    string
		after   time.Duration
		journal bool
		gone    bool // it was removed meanwhile
	}{
		{"back at once", time.Second, true, false},
		{"back after its removal", 8 * time.Second, true, true},
		{"back without its journal", time.Second, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, coins := coinWorld(t, uint64(881+i))
			w.delay = 200 * time.Millisecond // the game has to last until it is back
			var truth Point
			x := watches(w, engine.Coin, func(sum Point) { truth, *coins = sum, nil })
			w.onRest = func(i int, _ *Table) {
				if i == 2 {
					x.sees(func() {
						w.off[2] = true
						w.later(c.after, "", only(2), func() { x.back = true; w.start(2, c.journal) })
					})
				}
			}
			rep := w.finishes(t)
			require.NotEqual(t, Point{}, truth, "no coin was tossed")
			require.Equal(t, truth, (*coins)[0])
			require.Equal(t, c.gone, len(rep.Moves) > 0)
			if c.gone {
				require.True(t, slices.ContainsFunc(rep.Moves, func(m Move) bool { return m.Back && m.Seat == 2 }), "%v", rep.Moves)
			}
		})
	}
}

// attackAbortWithoutShares: where nothing is shared the table waits for who has seen the coin and gone, and says for whom;
// when it is back the coin falls as it would have.
func attackAbortWithoutShares(t *testing.T) {
	w, coins := coinWorld(t, 885, [2]string{"tolerate", "0"})
	var truth Point
	x := watches(w, engine.Coin, func(sum Point) { truth, *coins = sum, nil })
	waited := false
	w.onRest = func(i int, _ *Table) {
		if i != 2 {
			return
		}
		x.sees(func() {
			w.off[2] = true
			w.later(50*time.Second, "", only(2), func() {
				waited = true
				for _, s := range []int{0, 1, 3, 4} {
					require.Equal(t, x.round, w.tables[s].st.round)
					require.Equal(t, []int{2}, seatsOf(w.tables[s].Missing()))
				}
				require.Empty(t, *coins)
				x.back = true
				w.start(2, true)
			})
		})
	}
	rep := w.finishes(t)
	require.True(t, waited)
	require.Equal(t, truth, (*coins)[0])
	require.Empty(t, rep.Moves)
}

// attackTwoCalls: two calls for one ballot, for going on without two different seats.
func attackTwoCalls(t *testing.T) {
	x := caughtLying(t, 886, behaviourNamed("calls two things"))
	require.Equal(t, FaultEquivocation, x.fault.Kind)
	require.Equal(t, 3, x.fault.Seat)
	p, err := verifyEvidence(toy{}, x.file, rulesOf)
	require.NoError(t, err)
	require.Len(t, p.Evidence, 2)
	for _, raw := range p.Evidence {
		e := must(parseEnvelope(raw))
		require.Equal(t, KindCall, e.Kind)
		require.Equal(t, 3, int(e.Seat))
	}
}

// attackBallotLog: where a log has ballots, its calls and the evidence that they name cannot be reordered, dropped or
// repeated either, nor a removal taken out.
func attackBallotLog(t *testing.T) {
	w := fair(t, 887, 6, [2]string{"tolerate", "2"})
	w.liars[3] = &liar{seat: 3, behaviour: behaviourNamed("gives a false layer"), after: 6, rng: w.rng}
	w.onRest = func(i int, tbl *Table) {
		if i == 0 && tbl.st.round >= 40 {
			w.kill(1)
		}
	}
	rep := w.finishes(t)
	require.Len(t, rep.Moves, 2)
	roster, frames, _, err := readFrames(w.tables[0].Transcript())
	require.NoError(t, err)
	judged := func(frames [][]byte) (*Report, error) {
		r, err := openWith(toy{}, fileOf(roster, frames...), rulesOf)
		for more := err == nil; more && err == nil; {
			more, err = r.Round()
		}
		if err != nil {
			return nil, err
		}
		return r.Report()
	}
	tried := 0
	for i, raw := range frames[:len(frames)-1] {
		e := must(parseEnvelope(raw))
		before := i > 0 && must(parseEnvelope(frames[i-1])).Kind == KindCall
		if e.Kind != KindCall && !before {
			continue
		}
		swapped := slices.Clone(frames)
		swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
		for what, changed := range map[string][][]byte{
			"swapped":  swapped,
			"dropped":  slices.Delete(slices.Clone(frames), i, i+1),
			"repeated": slices.Insert(slices.Clone(frames), i, raw),
		} {
			rep, err := judged(changed)
			var altered *AlteredError
			require.ErrorAs(t, err, &altered, "%v %d %s: %+v", e.Kind, i, what, rep)
			tried++
		}
	}
	require.Greater(t, tried, 20)
	for _, m := range rep.Moves { // the whole ballot
		without := slices.DeleteFunc(slices.Clone(frames), func(raw []byte) bool {
			e := must(parseEnvelope(raw))
			return e.Round == m.Round && e.Kind == KindCall
		})
		_, err := judged(without)
		var altered *AlteredError
		require.True(t, errors.As(err, &altered), "%v", err)
	}
}

// attackDeck: t seats read a pile by their own keys and their shares of the others', as the lobby says; one less do not.
func attackDeck(t *testing.T) {
	g := recorded(t)
	s := g.find(t, "decision late in the game", func(s *step) bool { return s.at > len(g.steps) && s.ex.Kind == RoundAct })
	st := s.cur
	tried := 0
	for k := range st.slots {
		sl := &st.slots[k]
		if sl.Card != hidden || sl.Owner >= 0 || sl.Mask != st.members || tried == 5 {
			continue
		}
		tried++
		reads := func(coalition []int) bool {
			c := sl.C
			for _, seat := range sl.Mask.List() {
				if slices.Contains(coalition, seat) {
					c.C2 = st.suite.Read(g.net.tables[seat].me.x, c)
					continue
				}
				var ids []uint8
				var layers []Point
				for _, h := range coalition {
					share := must(st.myShare(g.net.tables[h].me, seat))
					l, _, err := st.suite.Layers(source(1, 1), Place{}, share, []uint32{1}, []Point{sl.C.C1})
					require.NoError(t, err)
					ids, layers = append(ids, uint8(h)), append(layers, l[0])
				}
				c.C2 = st.suite.Minus(c.C2, st.suite.Combine(ids, layers))
			}
			_, ok := st.packs.card[c.C2]
			return ok
		}
		n := int(st.current.Threshold)
		all := st.members.List()
		require.True(t, reads(all[:n]), "%d seats", n)
		require.True(t, reads(all[len(all)-n:]), "%d seats", n)
		require.False(t, reads(all[:n-1]), "%d seats", n-1)
		require.False(t, reads(all[len(all)-n+1:]), "%d seats", n-1)
	}
	require.Positive(t, tried)
}

// attackWithoutShares: where nothing is shared all but one read neither the hand of the last one nor a pile.
func attackWithoutShares(t *testing.T) {
	n := newNetwork(t, seatPlayers(t, 4, 888, [2]string{"tolerate", "0"}), 888, weather{})
	n.start()
	for n.tables[0].st.round < 60 {
		require.NotEmpty(t, n.mail)
		l := n.mail[0]
		n.mail = n.mail[1:]
		n.tables[l.to].Receive(l.packet)
		n.settle(l.to)
	}
	st := n.tables[0].st
	require.Nil(t, st.current)
	hands, piles := 0, 0
	for k := range st.slots {
		sl := &st.slots[k]
		if sl.Card != hidden {
			continue
		}
		for _, victim := range sl.Mask.List() {
			c := sl.C
			for _, other := range sl.Mask.Without(victim).List() {
				c.C2 = st.suite.Read(n.tables[other].me.x, c)
			}
			_, reads := st.packs.card[c.C2]
			require.False(t, reads, "slot %d can be read without seat %d", sl.ID, victim)
			_, reads = st.packs.card[st.suite.Read(n.tables[victim].me.x, c)]
			require.True(t, reads)
		}
		if sl.Owner >= 0 {
			hands++
		} else {
			piles++
		}
	}
	require.Positive(t, hands)
	require.Positive(t, piles)
}

// attackShowing: the last layer comes off a hidden card only to play it or where the rules ask for it: a decision that shows
// one more card than it plays is refused, and so is a layer that no need asks for.
func attackShowing(t *testing.T) {
	g := recorded(t)
	shown, stripped := 0, 0
	for i := range g.steps {
		s := &g.steps[i]
		switch {
		case s.ex.Kind == RoundAct && shown < 12:
			seat := s.ex.Asked
			b := partOf[actPart](t, s.of(seat))
			me := g.party(s, seat)
			for k := range s.prev.slots {
				sl := &s.prev.slots[k]
				if sl.Card != hidden || sl.Mask != only(seat) || sl.Owner != int8(seat) || sl.ID == b.Card || sl.ID == b.With || b.With != 0 {
					continue
				}
				more := b
				more.With = sl.ID
				if more.Card == 0 {
					more.Card, more.With = sl.ID, 0
				}
				cards, err := s.prev.shows(seat, more.Card, more.With)
				require.NoError(t, err)
				ids, bases := openings(cards)
				more.Layers, more.Proof, err = s.prev.suite.Layers(me.rand, s.prev.at(seat, s.ex), me.x, ids, bases)
				require.NoError(t, err)
				_, wrong := s.prev.read(s.ex, seat, sayOf(RoundAct, more))
				require.NotNil(t, wrong, "round %d: slot %d is shown for nothing", s.prev.round, sl.ID)
				require.Equal(t, FaultIllegal, wrong.Kind)
				shown++
				break
			}
		case s.ex.Kind == RoundStrip && stripped < 12:
			seat := int(s.says[0].Seat)
			b := partOf[stripPart](t, s.says[0])
			me := g.party(s, seat)
			for k := range s.prev.slots {
				if sl := &s.prev.slots[k]; sl.Card == hidden && sl.Mask == only(seat) {
					l, _, err := s.prev.suite.Layers(me.rand, s.prev.at(seat, s.ex), me.x, []uint32{uint32(sl.ID)}, []Point{sl.C.C1})
					require.NoError(t, err)
					b.Layers = append(b.Layers, l[0])
					_, wrong := s.prev.read(s.ex, seat, sayOf(RoundStrip, b))
					require.NotNil(t, wrong)
					require.Equal(t, FaultShape, wrong.Kind)
					stripped++
					break
				}
			}
		}
	}
	require.Equal(t, 12, shown)
	require.Equal(t, 12, stripped)
}
