package line

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/engine/base"
	"standoff/engine/bot"
	"standoff/p2p/table"
)

// What somebody would ask who plays for the first time: each as a whole kind.

// lost is a question for an answer of which there is none.
func lost(v engine.View) bool {
	return at(engine.AtDodge)(v) && answers(v) == 0 && v.Ask().On.M == 0 && v.State().Players[v.Seat].Character != base.SidKetchum
}

func TestAutoAnswersTheOpenQuestion(t *testing.T) {
	_, s, v := find(t, 5, lost)
	require.Contains(t, strings.Join(s.Ask(v).Lines, "\n"), "Missed!, and you have no card to answer with\n")
	r := s.Enter(v, true, "auto on")
	require.NotNil(t, r.Act)
	require.Equal(t, engine.Pass, r.Act.Verb)
	require.Equal(t, []string{"auto is on: without a card to answer with you pass by yourself, at once",
		"no card to answer with: passes by itself, as set by auto on"}, r.Lines)
	s.auto = false
	s.Ask(v)
	p := &Protocol{s: s}
	require.NotNil(t, p.read(v, true, `{"auto":true}`).Act, "so does the order of a program")

	_, s, v = find(t, 5, func(v engine.View) bool { return at(engine.AtDodge)(v) && answers(v) > 0 })
	s.Ask(v)
	s.waits = 3 * time.Second
	r = s.Enter(v, true, "auto on")
	require.Nil(t, r.Act)
	require.Equal(t, []string{"auto is on: without a card to answer with you pass by yourself, after a random time of up to 3 s",
		"the open question stays: you can answer it"}, r.Lines)
	require.True(t, s.Asked())
}

// The text of auto follows the option of the table.
func TestTheOfferSaysHowLongAPassWaits(t *testing.T) {
	require.Equal(t, 3*time.Second, pause(&table.Offer{Options: [][2]string{{"grace", "20s"}, {"waits", "3s"}}}))
	require.Zero(t, pause(&table.Offer{Options: [][2]string{{"waits", "0s"}}}))
	require.Zero(t, pause(&table.Offer{}))
}

// Every command says what is wrong with what is typed after it, and changes nothing.
func TestEveryCommandRefusesWhatItDoesNotTake(t *testing.T) {
	s, v := turnOf(t, func(v engine.View) bool { return len(v.Hand()) > 1 })
	open := s.Enter(v, true, "ask").Lines
	before := [3]bool{s.auto, s.confirm, s.in}
	wrong := map[string][]string{
		"log": {"x", "-1", "1 2"}, "last": {"x", "0", "-3", "1 2"}, "who": {"x", "0", "9", "1 2"}, "auto": {"x", "1", "on on"},
		"confirm": {"maybe", "on off"}, "in": {"x", "1"}, "why": {"0", "99", "x", "1 9", "1 x", "1 2 3"}, "rules": nil, "tell": {""},
	}
	form := regexp.MustCompile(`is not understood; the form is: |takes nothing more, but got |there is no seat |you have no card |tell what\?`)
	for typed, command := range i18n.English.Prompts.Words {
		args, own := wrong[command]
		if !own {
			args = []string{"x", "1"}
		}
		for _, a := range args {
			r := s.Enter(v, true, typed+" "+a)
			require.Nil(t, r.Act, typed+" "+a)
			require.Nil(t, r.ComeIn, typed+" "+a)
			require.Len(t, r.Lines, 1, typed+" "+a)
			require.Regexp(t, form, r.Lines[0], typed+" "+a)
			require.NotContains(t, r.Lines[0], "{")
		}
	}
	require.Equal(t, before, [3]bool{s.auto, s.confirm, s.in})
	require.Equal(t, open, s.Enter(v, true, "ask").Lines)
	require.Equal(t, "x is not understood; the form is: log for this turn, or log N for turn N, N up to "+fmt.Sprint(s.turn), s.Enter(v, true, "log x").Lines[0])
	s.me = engine.None // who looks on has no seat of its own
	require.Contains(t, s.Enter(v, true, "who").Lines[0], "who N, the number or the nick of a seat")
}

// A number that is no choice gets one form of answer, whatever is asked.
func TestOneAnswerToAWrongNumber(t *testing.T) {
	is := func(r Reply) {
		require.Nil(t, r.Act)
		require.Regexp(t, `^77 is no choice here; type one of: \d+(, \d+)*$`, r.Lines[0])
		for _, l := range r.Lines {
			require.NotRegexp(t, `^\d+: `, l, "the list is not shown again")
		}
	}
	for _, k := range []engine.FrameKind{engine.AtTurn, engine.AtDiscard, engine.AtStore, engine.AtDodge} {
		_, s, v := find(t, 5, func(v engine.View) bool {
			return at(k)(v) && len(v.Legal()) > 1 && (k != engine.AtDodge || answers(v) > 0)
		})
		s.Ask(v)
		is(s.Enter(v, true, "77"))
		for _, c := range s.m.root.kids {
			if c.act == nil {
				s.Enter(v, true, fmt.Sprint(c.key))
				is(s.Enter(v, true, "77"))
				s.Enter(v, true, "0")
				break
			}
		}
		p := &Protocol{s: s}
		p.ask(v, nil)
		require.Regexp(t, `^77 is no choice here; type one of: 1(, \d+)*$`, p.read(v, true, `{"choice":77}`).Wrong)
	}
	s, v := turnOf(t, func(v engine.View) bool {
		return keyOf(v, base.Beer) > 0 && v.State().Players[v.Seat].Life < 3 && v.Alive() > 2
	})
	require.Regexp(t, `^1 takes nothing more, but got 2 3$|^\d+ takes nothing more, but got 1 1$`, s.Enter(v, true, fmt.Sprint(keyOf(v, base.Beer), " 1 1")).Lines[0])
	require.Equal(t, []string{"xyzzy is neither a choice nor a command; help lists what you may type"}, s.Enter(v, true, "xyzzy").Lines)
}

// Where Enter chooses nothing the question says so, and so does Enter.
func TestAQuestionWithoutADefaultSaysWhatToType(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(30) {
		h := newHall(t, 5, seed, "characterChoice="+[]string{"off", "on"}[seed%2])
		b := bot.New(seed)
		for n := 0; n < 250 && h.g.State().Over == engine.NotOver; n++ {
			h.news()
			asked := h.g.State().Asked
			s, v := h.sessions[asked], h.d.View(asked)
			s.Ask(v)
			check := func() {
				lines := s.open(v)
				enter := slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "Enter: ") })
				help := slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "type ") })
				require.True(t, enter != help, lines)
				if help {
					seen[fmt.Sprint(v.Ask().On.Kind)]++
					r := s.Enter(v, true, "")
					require.Nil(t, r.Act)
					require.Contains(t, strings.Join(r.Lines, "\n"), "type ")
				}
			}
			check()
			for _, k := range s.m.root.kids {
				if k.act == nil {
					s.Enter(v, true, fmt.Sprint(k.key))
					check()
					s.Enter(v, true, "0")
				}
			}
			require.NoError(t, h.d.Step(b.Act(v, v.Legal())))
		}
	}
	require.NotEmpty(t, seen)
}

// At "are you sure?" a number chooses anew, a question is answered and the doubt stays.
func TestANumberAtADoubtChoosesAnew(t *testing.T) {
	_, s, v := find(t, 4, func(v engine.View) bool {
		return v.Alive() == 2 && at(engine.AtTurn)(v) && keyOf(v, base.Beer) > 0 && keyOf(v, base.Bang) > 0 && v.State().Bangs == 0 &&
			v.Reach(v.Seat) >= v.Distance(v.Seat, 1-v.Seat) && v.State().Players[v.Seat].Life < v.State().Players[v.Seat].Max
	})
	s.Ask(v)
	beer, bang := fmt.Sprint(keyOf(v, base.Beer)), fmt.Sprint(keyOf(v, base.Bang))
	doubt := s.Enter(v, true, beer).Lines[0]
	r := s.Enter(v, true, "hand")
	require.Equal(t, doubt, r.Lines[len(r.Lines)-1])
	r = s.Enter(v, true, "leave")
	require.Contains(t, r.Lines[0], "if you leave")
	require.Equal(t, "you stay at the table", s.Enter(v, true, bang).Lines[0])
	r = s.Enter(v, true, bang)
	require.NotContains(t, strings.Join(r.Lines, "\n"), "undone")
	require.True(t, r.Act != nil && r.Act.As == base.Bang || s.path != nil, r.Lines)

	s.Ask(v)
	s.Enter(v, true, "confirm on")
	s.Enter(v, true, beer)
	require.Regexp(t, `^BANG! .*; Enter sends it`, s.Enter(v, true, bang).Lines[0])
	r = s.Enter(v, true, "confirm off")
	require.Nil(t, r.Act)
	require.Contains(t, strings.Join(r.Lines, "\n"), "your turn: ", "nothing is to be confirmed any more, and nothing is sent")
}

// A hand that is hidden anew and put in another order has nothing new in it; what comes in is told, once.
func TestOnlyWhatIsNewInTheHandIsTold(t *testing.T) {
	hidden, told := 0, 0
	for seed := range uint64(12) {
		h := newHall(t, 5, seed)
		var bots []*bot.Bot
		had := make([]map[engine.Face]int, 5)
		for i := range 5 {
			bots, had[i] = append(bots, bot.New(seed+uint64(i))), map[engine.Face]int{}
		}
		first := true
		for n := 0; n < 400 && h.g.State().Over == engine.NotOver; n++ {
			for i, lines := range h.news() {
				v, now := h.d.View(engine.Seat(i)), map[engine.Face]int{}
				for _, c := range v.Hand() {
					now[c.Face]++
				}
				for _, l := range lines {
					cards, own := strings.CutPrefix(l, "only you see: new in your hand: ")
					if !own || first {
						continue
					}
					told++
					for _, name := range strings.Split(cards, ", ") {
						fresh := false
						for f, k := range now {
							fresh = fresh || k > had[i][f] && h.sessions[i].log.Card(f) == name
						}
						require.True(t, fresh, "seed %d: %q, had %v", seed, l, had[i])
					}
				}
				had[i] = now
			}
			first = false
			for _, e := range h.last {
				if e.Kind == engine.Took && e.N == 0 {
					hidden++
				}
			}
			for _, b := range bots {
				b.Watch(h.last)
			}
			asked := h.g.State().Asked
			v := h.d.View(asked)
			require.NoError(t, h.d.Step(bots[asked].Act(v, v.Legal())))
		}
	}
	require.Positive(t, hidden)
	require.Positive(t, told)
}

// An attack is told in one form, and the one who is attacked is asked in that form.
func TestOneFormOfAttack(t *testing.T) {
	for _, c := range []struct {
		k    engine.FrameKind
		more func(v engine.View) bool
		want string
	}{
		{engine.AtDodge, func(v engine.View) bool { return v.Ask().On.As == base.Bang }, `^your answer: \w+ plays BANG! on you$`},
		{engine.AtDodge, func(v engine.View) bool { return v.Ask().On.As == base.Gatling }, `^your answer: \w+ plays Gatling on you$`},
		{engine.AtRaid, func(v engine.View) bool { return true }, `^your answer: \w+ plays Indians! on you: discard a BANG! card or lose 1 life$`},
		{engine.AtDuel, func(v engine.View) bool { return v.Ask().On.To == v.Seat }, `^your answer: \w+ plays Duel on you: discard a BANG! card or lose 1 life$`},
		{engine.AtDuel, func(v engine.View) bool { return v.Ask().On.From == v.Seat }, `^your answer: Duel with \w+ goes on: discard a BANG! card or lose 1 life$`},
	} {
		_, s, v := find(t, 5, func(v engine.View) bool { return at(c.k)(v) && c.more(v) })
		lines := s.Ask(v).Lines
		require.Regexp(t, c.want, lines[0])
		require.Equal(t, answers(v) == 0 && v.Ask().On.M == 0, strings.Contains(lines[1], "you have no card to answer with"), lines)
		require.Contains(t, lines[len(lines)-1], "Enter: ")
	}
}

// Only who has an ability for it comes in between the moves of others.
func TestComingInNeedsTheAbility(t *testing.T) {
	_, s, v := find(t, 5, func(v engine.View) bool { return v.State().Players[v.Seat].Character == base.SidKetchum })
	r := s.Enter(v, true, "in on")
	require.True(t, *r.ComeIn)
	require.Equal(t, []string{"you come in at every chance to use Sid Ketchum, until in off"}, r.Lines)
	r = s.Enter(v, true, "in off")
	require.False(t, *r.ComeIn)
	for _, k := range []engine.Kind{base.JesseJones, base.LuckyDuke, base.Jourdonnais} {
		_, s, v = find(t, 5, func(v engine.View) bool { return v.State().Players[v.Seat].Character == k })
		r = s.Enter(v, true, "in on")
		require.Nil(t, r.ComeIn)
		require.Equal(t, []string{s.log.Kind(k) + " has no ability to come in with between the moves of others; nothing is changed"}, r.Lines)
	}
}

// Cards of one name are listed together, each with its number.
func TestTheHandListsEqualCardsTogether(t *testing.T) {
	s, v := turnOf(t, func(v engine.View) bool {
		n := 0
		for _, c := range v.Hand() {
			if c.Face.Kind() == base.Bang {
				n++
			}
		}
		return n == 2 && len(v.Hand()) > 3
	})
	lines := s.Enter(v, true, "hand").Lines
	require.Regexp(t, `(?m)^\d+, \d+: BANG!, 2 cards, \S+ \S+: .+$`, strings.Join(lines, "\n"))
	kinds := map[engine.Kind]bool{}
	for _, c := range v.Hand() {
		kinds[c.Face.Kind()] = true
	}
	require.Len(t, lines, len(kinds))
}

// The end says who everybody was, who has won, and what has become of the reader.
func TestTheEndIsSummedUp(t *testing.T) {
	fell := 0
	for seed := range uint64(8) {
		h := newHall(t, 5, seed)
		onlooker := New(&i18n.English, nicks[:5])
		onlooker.Sit(h.g.View(engine.None, nil), nicks[:5], make([]bool, 5))
		var bots []*bot.Bot
		for i := range 5 {
			bots = append(bots, bot.New(seed+uint64(i)))
		}
		said := h.news()
		for h.g.State().Over == engine.NotOver {
			asked := h.g.State().Asked
			v := h.d.View(asked)
			require.NoError(t, h.d.Step(bots[asked].Act(v, v.Legal())))
			said = h.news()
			for _, b := range bots {
				b.Watch(h.last)
			}
		}
		st := h.g.State()
		for i, lines := range append(said, onlooker.Tell(h.g.View(engine.None, nil), true, happened(h.last))) {
			text := "\n" + strings.Join(lines, "\n") + "\n"
			for p := range engine.Seat(5) {
				q := &st.Players[p]
				want := fmt.Sprintf("\n%d %s: %s", p+1, nicks[p], h.sessions[0].log.Role(q.Role))
				if q.Status == engine.Out {
					want += ", eliminated"
				}
				if slices.Contains(st.Winners(), p) {
					want += ", has won"
				}
				require.Equal(t, 1, strings.Count(text, want+"\n"), "%d: %s, not in %s", i, want, text)
			}
			if i == 5 {
				require.NotContains(t, text, "you ", "who looks on has neither won nor lost")
				continue
			}
			as := fmt.Sprintf(" as %s: %s\n", h.sessions[0].log.Role(st.Players[i].Role), h.sessions[0].log.Outcome(st.Over))
			won := slices.Contains(st.Winners(), engine.Seat(i))
			require.Equal(t, won, strings.Contains(text, "\nyou have won"+as), text)
			require.Equal(t, !won, strings.Contains(text, "\nyou have lost"+as), text)
			if st.Players[i].Status == engine.Out {
				fell++
				require.Regexp(t, `\nyou were eliminated (by \w+ )?in turn \d+\n`, text)
			}
		}
	}
	require.Positive(t, fell)
}

// What the front leaves out is what the lobby has said.
func TestTheBeginningIsToldOnce(t *testing.T) {
	news := []table.News{{Kind: table.NewsSeated}, {Kind: table.NewsKeys}, {Kind: table.NewsShared}, {Kind: table.NewsMixed},
		{Kind: table.NewsHappened, Event: engine.Event{Kind: engine.GameStarted}}, {Kind: table.NewsHappened, Event: engine.Event{Kind: engine.SheriffIs}}}
	require.Equal(t, []table.News{news[1], news[3], news[5]}, (&Front{}).worth(news))
	require.Equal(t, news, (&Front{looksOn: true}).worth(news))
}

// Leaving a game against one's own bots stops it, whatever the options say.
func TestLeavingBotsStopsTheGame(t *testing.T) {
	r := &table.Roster{Offer: table.Offer{Seats: 4, Options: [][2]string{{"tolerate", "1"}, {"away", "defaults"}}}}
	f := NewFront(Config{Text: &i18n.English, Out: NewWriter(&bytes.Buffer{}, 0, false), Bots: true}, r)
	require.Contains(t, f.s.asksToLeave().Lines[0], i18n.English.Prompts.LeaveBots)
}

// A program is told as a person is that there is no ability to come in with.
func TestAProgramIsToldThatItCannotComeIn(t *testing.T) {
	for k, can := range map[engine.Kind]bool{base.SidKetchum: true, base.LuckyDuke: false} {
		_, s, v := find(t, 5, func(v engine.View) bool { return v.State().Players[v.Seat].Character == k })
		r := (&Protocol{s: s}).read(v, true, `{"in":true}`)
		require.Equal(t, can, r.ComeIn != nil)
		require.Empty(t, r.Wrong)
		require.Len(t, r.Lines, 1)
	}
}
