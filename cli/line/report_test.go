package line

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/engine"
	"standoff/engine/base"
	"standoff/engine/bot"
)

// find plays games of bots, all with a session, until the seat that is asked sees what ok wants.
func find(t *testing.T, seats int, ok func(v engine.View) bool, options ...string) (*hall, *Session, engine.View) {
	t.Helper()
	return findIn(t, []string{"base"}, seats, ok, options...)
}

// findIn is find with those boxes.
func findIn(t *testing.T, sets []string, seats int, ok func(v engine.View) bool, options ...string) (*hall, *Session, engine.View) {
	t.Helper()
	for seed := range uint64(3000) {
		h := newHallOf(t, sets, seats, seed, options...)
		var bots []*bot.Bot
		for i := range seats {
			bots = append(bots, bot.New(seed+uint64(i)))
		}
		h.news()
		for h.g.State().Over == engine.NotOver {
			asked := h.g.State().Asked
			v := h.d.View(asked)
			if ok(v) {
				return h, h.sessions[asked], v
			}
			require.NoError(t, h.d.Step(bots[asked].Act(v, v.Legal())))
			h.news()
			for _, b := range bots {
				b.Watch(h.last)
			}
		}
	}
	require.Fail(t, "no game comes to that")
	return nil, nil, engine.View{}
}

// keyOf is the number of the hand card of a kind, 0 if there is none.
func keyOf(v engine.View, k engine.Kind) int {
	return 1 + slices.IndexFunc(v.Hand(), func(c engine.Card) bool { return c.Face.Kind() == k })
}

func at(k engine.FrameKind) func(engine.View) bool {
	return func(v engine.View) bool { return v.Ask().On.Kind == k }
}

func answers(v engine.View) (n int) {
	for _, a := range v.Legal() {
		if a.Verb == engine.Answer {
			n++
		}
	}
	return n
}

func TestFieldReports(t *testing.T) {
	t.Run("FR-08 Beer with two players left", pointlessBeer)
	t.Run("FR-12 Slab needs two also in the final", neededAndHave)
	t.Run("FR-20 The top of the pile after a mass discard", topOfThePile)
	t.Run("FR-26 Targeting oneself", ownCard)
	t.Run("FR-32 Automatic passing must not leak", noLeak)
	t.Run("FR-33 Cancel and count", cancelAndCount)
}

func pointlessBeer(t *testing.T) {
	_, s, v := find(t, 4, func(v engine.View) bool {
		return v.Alive() == 2 && at(engine.AtTurn)(v) && keyOf(v, base.Beer) > 0 && v.State().Players[v.Seat].Life < v.State().Players[v.Seat].Max
	})
	s.Ask(v)
	beer := fmt.Sprint(keyOf(v, base.Beer))
	r := s.Enter(v, true, beer)
	require.Nil(t, r.Act)
	require.Regexp(t, `^Beer .* has no effect now: only two players are left; yes plays it all the same, 0 goes back, a number chooses anew$`, r.Lines[0])
	require.Nil(t, s.Enter(v, true, "").Act, "Enter is no yes")
	require.Nil(t, s.Enter(v, true, beer).Act)
	require.Nil(t, s.Enter(v, true, "0").Act)
	require.Nil(t, s.Enter(v, true, beer).Act)
	r = s.Enter(v, true, "yes")
	require.NotNil(t, r.Act)
	require.Equal(t, base.Beer, r.Act.As)
}

func neededAndHave(t *testing.T) {
	_, s, v := find(t, 5, func(v engine.View) bool {
		return v.Needed() == 2 && answers(v) == 1 && v.Ask().On.M == 0 && len(v.Hand()) > 1 // with an empty hand there is no second question
	})
	lines := s.Ask(v).Lines
	require.Regexp(t, `^your answer: \w+ plays BANG! on you$`, lines[0])
	require.Equal(t, "needs 2 Missed!, you have 1", lines[1])
	require.Contains(t, strings.Join(lines, "\n"), ": 1 more needed")
}

func topOfThePile(t *testing.T) {
	_, s, v := find(t, 5, func(v engine.View) bool {
		return at(engine.AtPhase1)(v) && v.State().Players[v.Seat].Character == base.PedroRamirez && len(v.State().Discard) > 5
	})
	discard := v.State().Discard
	top := s.log.Card(discard[len(discard)-1].Face)
	require.Contains(t, s.Ask(v).Lines[1], "you take "+top)
	require.Contains(t, s.Enter(v, true, "pile").Lines[0], ", on top "+top)
}

func ownCard(t *testing.T) {
	own := func(v engine.View) bool {
		return at(engine.AtTurn)(v) && slices.ContainsFunc(v.Legal(), func(a engine.Action) bool { return a.To == v.Seat })
	}
	_, s, v := find(t, 5, own, "selfTarget=on")
	s.Ask(v)
	for _, a := range v.Legal() {
		if a.To == v.Seat {
			require.NotZero(t, a.At)
			require.Contains(t, []engine.Kind{base.CatBalou, base.Panic}, a.As, "never a shot, a Duel or a Jail")
		}
	}
	i := slices.IndexFunc(v.Legal(), func(a engine.Action) bool { return a.To == v.Seat })
	a := v.Legal()[i]
	place := slices.IndexFunc(v.State().Players[v.Seat].Play, func(c engine.Card) bool { return c.Slot == a.At })
	path := fmt.Sprintf("%d %d %d", handKey(v, a.Card.Slot), int(v.Seat)+1, place+2)
	r := s.Enter(v, true, path)
	require.Nil(t, r.Act)
	require.Contains(t, r.Lines[0], "takes your own card; yes plays it all the same, 0 goes back")
	require.Nil(t, s.Enter(v, true, "0").Act)
	s.Ask(v)
	require.Nil(t, s.Enter(v, true, path).Act)
	r = s.Enter(v, true, "yes")
	require.Equal(t, &a, r.Act)
	// With the default nobody can choose himself.
	for seed := range uint64(20) {
		h := newHall(t, 5, seed)
		for n := 0; n < 200 && h.g.State().Over == engine.NotOver; n++ {
			v := h.d.View(h.g.State().Asked)
			require.False(t, own(v))
			require.NoError(t, h.d.Step(bot.New(seed).Act(v, v.Legal())))
		}
	}
}

// What goes out for (b) and (c) is the same action, what all see of it is the same, and both are asked the same way;
// (a) is not asked. When it goes out is the peer's business (package peer has the other half of this report).
func noLeak(t *testing.T) {
	type seen struct {
		act    engine.Action
		events []engine.EventKind
	}
	decline := func(have bool, input string, settings ...string) seen {
		h, s, v := find(t, 5, func(v engine.View) bool {
			return v.Needed() == 1 && len(v.Hand()) == 2 && v.Ask().On.M == 0 && (answers(v) > 0) == have && v.Ask().On.As == base.Bang &&
				v.State().Players[v.Seat].Life > 1 && v.State().Players[v.Seat].Character != base.BartCassidy &&
				v.State().Players[v.Seat].Character != base.ElGringo && v.State().Players[v.Seat].Character != base.SidKetchum
		})
		for _, set := range settings {
			s.Enter(v, true, set)
		}
		r := s.Ask(v)
		if r.Act == nil {
			require.Regexp(t, `^your answer: `, r.Lines[0])
			require.Contains(t, r.Lines[len(r.Lines)-1], "Enter: take the hit: ")
			r = s.Enter(v, true, input)
		}
		require.NotNil(t, r.Act)
		before := h.g.State().Hash()
		require.NotZero(t, before)
		require.NoError(t, h.d.Step(*r.Act))
		x := seen{act: *r.Act}
		for _, e := range h.d.Events()[:2] {
			x.events = append(x.events, e.Kind)
		}
		x.act.Seat = 0
		return x
	}
	b := decline(false, "")
	c := decline(true, "")
	require.Equal(t, b, c)
	require.Equal(t, engine.Action{Verb: engine.Pass, To: engine.None}, b.act, "no card, no slot, nothing but the pass")
	require.Equal(t, []engine.EventKind{engine.Passed, engine.LostLife}, b.events)
	require.Equal(t, b, decline(false, "", "auto on"), "a pass that is set to be automatic")
	require.Equal(t, b, decline(true, "pass", "auto on"), "with an answer in hand one is asked all the same")

	// (a): a shot at an empty hand without a draw! is over without a question.
	asked := 0
	for seed := range uint64(40) {
		h := newHall(t, 5, seed)
		b := bot.New(seed)
		for n := 0; n < 400 && h.g.State().Over == engine.NotOver; n++ {
			v := h.d.View(h.g.State().Asked)
			if v.Ask().On.Kind == engine.AtDodge {
				asked++
				require.False(t, len(v.Hand()) == 0 && v.Ask().On.M == 0)
			}
			require.NoError(t, h.d.Step(b.Act(v, v.Legal())))
		}
	}
	require.Positive(t, asked)
}

func cancelAndCount(t *testing.T) {
	t.Run("a the target list is left again", func(t *testing.T) {
		_, s, v := find(t, 6, func(v engine.View) bool { return at(engine.AtTurn)(v) && keyOf(v, base.Duel) > 0 })
		first := s.Ask(v).Lines
		key := fmt.Sprint(keyOf(v, base.Duel))
		for _, back := range []string{"0", "undo", "u", "back"} {
			r := s.Enter(v, true, key)
			require.Nil(t, r.Act)
			require.Regexp(t, `: at whom\?$`, r.Lines[0])
			require.Equal(t, "0: back", r.Lines[len(r.Lines)-1])
			r = s.Enter(v, true, back)
			require.Nil(t, r.Act)
			require.Equal(t, append([]string{"undone, nothing has been sent"}, first...), r.Lines)
		}
	})
	t.Run("b discard three of five", func(t *testing.T) {
		surplus := func(v engine.View) int { return len(v.Hand()) - v.HandLimit(v.Seat) }
		h, s, v := find(t, 5, func(v engine.View) bool {
			return at(engine.AtTurn)(v) && len(v.Hand()) == 5 && surplus(v) == 3
		})
		require.Contains(t, s.Ask(v).Lines, "Enter: end the turn, then discard 3", "told before the turn ends")
		require.NoError(t, h.d.Step(*s.Enter(v, true, "end").Act))
		v = h.d.View(v.Seat)
		require.Equal(t, "end of your turn, life 2: discard 3, chosen 0", s.Ask(v).Lines[0])
		refused := func(n int) {
			r := s.Enter(v, true, "")
			require.Nil(t, r.Act)
			require.Equal(t, fmt.Sprintf("not yet: Enter chooses no card; discard 3, chosen %d", n), r.Lines[0])
			require.Equal(t, fmt.Sprintf("end of your turn, life 2: discard 3, chosen %d", n), r.Lines[1])
			require.Equal(t, "type the number of a card, for instance 1, or of several: 1 2; a number again takes it out", r.Lines[2])
		}
		refused(0)
		require.Equal(t, "end of your turn, life 2: discard 3, chosen 1", s.Enter(v, true, "1").Lines[0])
		refused(1)
		require.Equal(t, "end of your turn, life 2: discard 3, chosen 3", s.Enter(v, true, "2 4").Lines[0])
		require.Equal(t, "that is one too many: discard 3, chosen 3", s.Enter(v, true, "5").Lines[0])
		require.Equal(t, "end of your turn, life 2: discard 3, chosen 2", s.Enter(v, true, "undo").Lines[1])
		refused(2)
		require.Equal(t, "end of your turn, life 2: discard 3, chosen 1", s.Enter(v, true, "2").Lines[0], "the number again takes it out")
		s.Enter(v, true, "3 5")
		hand := v.Hand()
		want := []engine.Slot{hand[0].Slot, hand[2].Slot, hand[4].Slot}
		r := s.Enter(v, true, "")
		for i, slot := range want { // the three go one after the other, in the order chosen, without another question
			require.NotNil(t, r.Act)
			require.Equal(t, engine.Discard, r.Act.Verb)
			require.Equal(t, slot, r.Act.Card.Slot)
			require.NoError(t, h.d.Step(*r.Act))
			if v = h.d.View(v.Seat); i < 2 {
				r = s.Ask(v)
				require.Empty(t, r.Lines)
			}
		}
		require.NotEqual(t, engine.AtDiscard, v.Ask().On.Kind)
	})
	t.Run("c an answer is taken back", func(t *testing.T) {
		_, s, v := find(t, 5, func(v engine.View) bool {
			return at(engine.AtDodge)(v) && keyOf(v, base.Missed) > 0 && v.Ask().On.M > 0
		})
		first := s.Ask(v).Lines
		s.Enter(v, true, "confirm on")
		r := s.Enter(v, true, fmt.Sprint(keyOf(v, base.Missed)))
		require.Nil(t, r.Act)
		require.Regexp(t, `^Missed! .*; Enter sends it, 0 goes back, a number chooses anew$`, r.Lines[0])
		r = s.Enter(v, true, "0")
		require.Nil(t, r.Act)
		require.Equal(t, first, r.Lines[1:])
		require.Nil(t, s.Enter(v, true, fmt.Sprint(keyOf(v, base.Missed))).Act)
		require.NotNil(t, s.Enter(v, true, "").Act, "Enter sends it")
		// Sent to the peer, which may still hold it: undo asks for it back.
		require.True(t, s.Enter(v, true, "undo").Recall)
		require.Equal(t, first, s.Ask(v).Lines)
	})
}
