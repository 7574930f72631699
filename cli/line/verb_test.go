package line

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/engine/base"
	"standoff/engine/boxes"
)

// What can be typed at a question, and what a choice does, each as a whole kind.

// Who sits down is told how many of which role there are, for every number of players; role and seats tell it again.
func TestTheRolesOfTheGameAreTold(t *testing.T) {
	for n, want := range map[int]string{
		3: "3 players: 1 Deputy, 1 Outlaw, 1 Renegade",
		4: "4 players: Sheriff, 2 Outlaws, 1 Renegade",
		5: "5 players: Sheriff, 1 Deputy, 2 Outlaws, 1 Renegade",
		6: "6 players: Sheriff, 1 Deputy, 3 Outlaws, 1 Renegade",
		7: "7 players: Sheriff, 2 Deputies, 3 Outlaws, 1 Renegade",
		8: "8 players: Sheriff, 2 Deputies, 3 Outlaws, 2 Renegades",
	} {
		h := newHallOf(t, boxes.Names(), n, 1)
		for i, lines := range h.news() {
			s, v := h.sessions[i], h.d.View(engine.Seat(i))
			require.Contains(t, lines, want)
			require.Equal(t, want, s.Enter(v, true, "role").Lines[1])
			seats := s.Enter(v, true, "seats").Lines
			require.Equal(t, want, seats[n])
		}
	}
}

// A word for doing nothing is taken where that can be chosen; everywhere else what can be chosen is said.
func TestEndAndPassAreTakenWhereTheyAreChoices(t *testing.T) {
	taken, refused := map[engine.FrameKind]bool{}, map[engine.FrameKind]bool{}
	asks(t, boxes.Names(), 30, 250, func(s *Session, v engine.View) {
		on := v.Ask().On.Kind
		for _, typed := range []string{"end", "pass", "END"} {
			for _, k := range append([]*choice{nil}, s.m.root.kids...) {
				deeper := k != nil && k.act == nil && s.m.count == 0
				if k != nil && !deeper {
					continue
				}
				if deeper {
					s.Enter(v, true, fmt.Sprint(k.key))
				}
				open := s.open(v)
				r := s.Enter(v, true, typed)
				require.NotContains(t, r.Lines, i18n.English.Prompts.NotAsked)
				switch {
				case r.Act != nil:
					require.False(t, deeper)
					require.Equal(t, map[string]engine.Verb{"end": engine.End, "pass": engine.Pass}[strings.ToLower(typed)], r.Act.Verb)
					require.NotContains(t, []engine.FrameKind{engine.AtOrder, engine.AtPhase1, engine.AtSetup}, on)
					taken[on] = true
				case on == engine.AtTurn && !deeper:
					require.Equal(t, []string{"pass is no choice here; end ends the turn"}, r.Lines)
				default:
					require.Equal(t, append([]string{typed + " is no choice here"}, open...), r.Lines)
					refused[on] = true
				}
				s.Ask(v)
			}
		}
	})
	for _, k := range []engine.FrameKind{engine.AtTurn, engine.AtDodge, engine.AtRaid, engine.AtDuel, engine.AtLose} {
		require.True(t, taken[k], k)
	}
	for _, k := range []engine.FrameKind{engine.AtTurn, engine.AtDodge, engine.AtDiscard, engine.AtStore, engine.AtPhase1} {
		require.True(t, refused[k], k)
	}
}

// A card that has no effect now says why: in the list, when it is chosen, and when that is asked.
func TestACardWithoutEffectSaysWhy(t *testing.T) {
	seen := map[string]bool{}
	asks(t, boxes.Names(), 60, 300, func(s *Session, v engine.View) {
		if v.Ask().On.Kind != engine.AtTurn {
			return
		}
		for _, k := range s.m.root.kids {
			_, why, idle := strings.Cut(s.describe(v, k), "no effect now")
			if !idle || k.act == nil {
				continue
			}
			require.Regexp(t, `^: (you are at full life|only two players are left|\d \w+ is at full life|.*, the character of .*, keeps it off)$`, why, k.text)
			if doubt := s.doubt(v, k); doubt != "" || k.act.To == engine.None {
				require.Contains(t, doubt, "has no effect now"+why+"; yes")
			}
			a := k.act
			other := slices.ContainsFunc(v.Legal(), func(b engine.Action) bool { // the card has another use
				return b != *a && (b.Card.Slot == a.Card.Slot || b.With.Slot == a.Card.Slot)
			})
			if handKey(v, a.Card.Slot) > 0 && !other {
				require.Equal(t, s.log.Card(a.Card.Face)+": it can be used now, but with no effect now"+why, s.Enter(v, true, fmt.Sprint("why ", k.key)).Lines[0])
			}
			seen[why] = true
		}
	})
	require.True(t, seen[": you are at full life"], seen)
	_, s, v := find(t, 4, func(v engine.View) bool { return v.Alive() == 2 && at(engine.AtTurn)(v) && keyOf(v, base.Beer) > 0 })
	s.Ask(v)
	require.Contains(t, s.Enter(v, true, fmt.Sprint("why ", keyOf(v, base.Beer))).Lines[0], ": only two players are left")
}

// Why says of a card that can be chosen for what, at every kind of question.
func TestWhySaysForWhatACardCanBeChosen(t *testing.T) {
	seen := map[string]int{}
	asks(t, boxes.Names(), 40, 300, func(s *Session, v engine.View) {
		on := v.Ask().On.Kind
		for i, c := range v.Hand() {
			for _, a := range v.Legal() {
				if a.Card.Slot != c.Slot {
					continue
				}
				text := strings.Join(s.Enter(v, true, fmt.Sprint("why ", i+1)).Lines, "\n")
				want := "it can be used now"
				switch {
				case on == engine.AtOrder:
					want = "it can be the next to go to the discard pile"
				case a.Verb == engine.Discard:
					want = "it can be discarded now"
				case a.Verb == engine.Answer:
					want = "it can be your answer now"
				}
				require.Contains(t, text, ": "+want, on)
				seen[want]++
				break
			}
		}
	})
	require.Len(t, seen, 4, seen)
}

// A choice says what it does to whom it is aimed at, whether there is one to aim at or several.
func TestAnAimedCardSaysWhatItDoes(t *testing.T) {
	seen := map[string]bool{}
	asks(t, boxes.Names(), 60, 300, func(s *Session, v engine.View) {
		if v.Ask().On.Kind != engine.AtTurn {
			return
		}
		for _, k := range s.m.root.kids {
			a := first(k).act
			if a.Verb != engine.Play || a.To == engine.None || a.To == v.Seat || s.symbols(v, a.As) == "" {
				continue
			}
			text := s.describe(v, k)
			if k.act == nil && (k.kids[0].kind == stepAs || k.kids[0].kind == stepWith) || strings.Contains(text, "no effect now") {
				continue
			}
			require.True(t, strings.HasSuffix(text, s.symbols(v, a.As)), text)
			seen[fmt.Sprint(s.log.Kind(a.As), k.act == nil, k.act == nil && k.kids[0].kind == stepPlace)] = true
		}
	})
	for _, name := range []string{"Panic!true true", "Panic!true false", "Panic!false false", "Cat Balou"} {
		require.True(t, seen[name] || seen[name+"true false"], "%s: %v", name, seen)
	}
}
