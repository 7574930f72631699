package line

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/engine/base"
	"standoff/engine/bot"
	"standoff/engine/boxes"
)

// What a line says is all that it has to say: each as a whole kind.

// asks plays games of bots with every box and calls f at every question.
func asks(t *testing.T, sets []string, games, steps int, f func(s *Session, v engine.View)) {
	t.Helper()
	for seed := range uint64(games) {
		h := newHallOf(t, sets, 5, seed)
		b := bot.New(seed)
		for n := 0; n < steps && h.g.State().Over == engine.NotOver; n++ {
			h.news()
			asked := h.g.State().Asked
			v := h.d.View(asked)
			h.sessions[asked].Ask(v)
			f(h.sessions[asked], v)
			require.NoError(t, h.d.Step(b.Act(v, v.Legal())))
		}
	}
}

// The choices stand in the order of their numbers, at every stage, and so do the seats to aim at.
func TestChoicesAscend(t *testing.T) {
	seats := regexp.MustCompile(` at one of (.*?)(?:$|: |, or )`)
	seen := 0
	ascends := func(lines []string) {
		last := 0
		for _, l := range lines {
			m := choiceLine.FindStringSubmatch(l)
			if m == nil || m[1] == "0" {
				continue
			}
			n, _ := strconv.Atoi(m[1])
			require.Greater(t, n, last, lines)
			last = n
			if at := seats.FindStringSubmatch(l); at != nil {
				seen++
				require.True(t, slices.IsSorted(strings.Split(at[1], ", ")), l)
			}
		}
	}
	asks(t, boxes.Names(), 12, 250, func(s *Session, v engine.View) {
		ascends(s.open(v))
		for _, k := range s.m.root.kids {
			if k.act == nil {
				s.Enter(v, true, strconv.Itoa(k.key))
				ascends(s.open(v))
				s.Enter(v, true, "0")
			}
		}
	})
	require.Greater(t, seen, 100)
}

// Where there is nothing to choose a number is told that there is only Enter.
func TestANumberWhereThereIsOnlyEnter(t *testing.T) {
	_, s, v := find(t, 5, lost)
	s.Ask(v)
	r := s.Enter(v, true, "77")
	require.Nil(t, r.Act)
	require.Equal(t, []string{"77 is no choice here; there is only Enter"}, r.Lines)
	require.NotContains(t, strings.Join(s.Enter(v, true, "1").Lines, "\n"), "one of: \n")
}

// A setting alone shows how it is and how it is changed, and changes nothing.
func TestASettingAloneIsShown(t *testing.T) {
	_, s, v := find(t, 5, func(v engine.View) bool { return v.State().Players[v.Seat].Character == base.SidKetchum })
	s.Ask(v)
	for command, shown := range map[string][2]string{
		"auto": {"auto is off: ", "auto is on: "}, "confirm": {"confirm is off: ", "confirm is on: "}, "in": {"you do not come in ", "you come in at every chance "},
	} {
		for i, state := range []string{"off", "on"} {
			r := s.Enter(v, true, command+" "+state)
			if r.Act != nil {
				s.Ask(v)
			}
			before := [3]bool{s.auto, s.confirm, s.in}
			for range 2 {
				r = s.Enter(v, true, command)
				require.Nil(t, r.Act)
				require.Nil(t, r.ComeIn)
				require.Len(t, r.Lines, 2)
				require.Contains(t, r.Lines[0], shown[i])
				require.Equal(t, command+" on or "+command+" off changes it", r.Lines[1])
				require.Equal(t, before, [3]bool{s.auto, s.confirm, s.in})
			}
		}
		s.Enter(v, true, command+" off")
		s.Ask(v)
		require.Contains(t, strings.Join(i18n.English.Prompts.Help, "\n"), command)
	}
}

// Who comes in between the moves of others is asked by the name of the ability and what it brings, and may decline.
func TestComingInNamesTheAbility(t *testing.T) {
	found := 0
	for seed := uint64(0); seed < 200 && found < 3; seed++ {
		h := newHall(t, 5, seed)
		b := bot.New(seed)
		for n := 0; n < 250 && h.g.State().Over == engine.NotOver; n++ {
			h.news()
			if may := h.g.Ready().Ask.May; len(may) > 0 && found < 3 {
				found++
				require.NoError(t, h.d.ComeIn(may[0]))
				h.news()
				v := h.d.View(h.g.State().Asked)
				s := h.sessions[v.Seat]
				require.Equal(t, may[0], v.Seat)
				lines := s.Ask(v).Lines
				require.Equal(t, "Sid Ketchum, regain 1 life: discard 2, chosen 0", lines[0])
				require.Equal(t, "Enter: not now", lines[len(lines)-1])
				require.NoError(t, h.d.Step(*s.Enter(v, true, "").Act))
				require.Equal(t, []string{nicks[v.Seat] + ": does not come in"}, h.news()[4-v.Seat])
				continue
			}
			v := h.d.View(h.g.State().Asked)
			require.NoError(t, h.d.Step(b.Act(v, v.Legal())))
		}
	}
	require.Equal(t, 3, found)
}

// A cost names the card and what it brings, whatever card it is.
func TestACostSaysWhatItBrings(t *testing.T) {
	costs := map[string]bool{}
	asks(t, boxes.Names(), 30, 300, func(s *Session, v engine.View) {
		if v.Ask().On.Kind == engine.AtPay {
			line := s.open(v)[0]
			require.Regexp(t, `^.+, .+: discard \d, chosen 0$`, line)
			costs[line] = true
		}
	})
	require.Greater(t, len(costs), 2, costs)
}

// Why a card is no answer says what is one, at every question.
func TestWhyACardIsNoAnswer(t *testing.T) {
	want := map[engine.FrameKind]string{
		engine.AtDodge: `: a shot is answered with Missed!, or a card that counts as one$`,
		engine.AtRaid:  `: Indians! is answered with BANG!, or a card that counts as one$`,
		engine.AtDuel:  `: Duel is answered with BANG!, or a card that counts as one$`,
		engine.AtLose:  `: only Beer saves from losing the last life, or an ability$`,
	}
	seen := map[engine.FrameKind]int{}
	asks(t, []string{"base"}, 60, 300, func(s *Session, v engine.View) {
		on := v.Ask().On.Kind
		for i := range v.Hand() {
			lines := s.Enter(v, true, fmt.Sprint("why ", i+1)).Lines
			require.NotContains(t, strings.Join(lines, "\n"), "no answer here")
			if want[on] != "" && !strings.HasSuffix(lines[0], "it can be your answer now") && !strings.HasSuffix(lines[0], "it can be used now") {
				require.Regexp(t, want[on], lines[0])
				seen[on]++
			}
		}
	})
	for k := range want {
		require.Positive(t, seen[k], k)
	}
}

// What a card does names everybody whom it concerns and everything that its player gains or pays, for the cards of
// all boxes.
func TestTheEffectOfEveryCardIsWhole(t *testing.T) {
	rules, err := boxes.Compile(boxes.Names()...)
	require.NoError(t, err)
	s := New(&i18n.English, nicks[:5])
	s.log.Rules = rules
	looked := 0
	for _, row := range rules.Rows() {
		if row.Colour == engine.NoColour || row.Colour >= engine.RoleCard || len(row.Do) == 0 {
			continue
		}
		looked++
		text, does := s.symbols(engine.View{}, row.Kind), s.does(&row)
		for _, d := range row.Do {
			if d.Who == engine.Others || d.Who == engine.All {
				require.Regexp(t, `each other player|every other player|everybody`, text, row.Name)
			}
			switch d.What {
			case engine.Shoot:
				require.Regexp(t, `shot|BANG! effect`, text, row.Name)
			case engine.DrawCards:
				require.Contains(t, does, fmt.Sprint("draw ", d.N), row.Name)
				require.Equal(t, int(d.N), draws(&row), row.Name)
			case engine.Heal:
				require.Contains(t, does, fmt.Sprintf(" %d life", d.N), row.Name)
			case engine.Take:
				require.Regexp(t, `[Tt]ake a card|you take`, text, row.Name)
			case engine.Drop:
				require.Contains(t, text, "loses a card", row.Name)
			case engine.Pay:
				require.Contains(t, text, "Discard ", row.Name)
			}
		}
	}
	require.Greater(t, looked, 20)
}

// So does every choice in a turn: to whom, and what an ability does.
func TestEveryChoiceOfATurnSaysWhatItDoes(t *testing.T) {
	seen := map[string]bool{}
	asks(t, boxes.Names(), 30, 300, func(s *Session, v engine.View) {
		if on := v.Ask().On.Kind; on != engine.AtTurn && on != engine.AtPhase1 {
			return
		}
		for _, k := range s.m.root.kids {
			a, text := first(k).act, s.describe(v, k)
			row := v.Rules().Row(a.As)
			spreads := slices.ContainsFunc(row.Do, func(d engine.Do) bool { return d.Who == engine.Others || d.Who == engine.All })
			switch {
			case a.Verb == engine.Act:
				require.Contains(t, text, ": ", row.Name)
				seen[row.Name] = true
			case a.Verb == engine.Play && spreads && !strings.Contains(text, "no effect now"):
				require.Regexp(t, `each other player|every other player|everybody`, text, row.Name)
				seen[row.Name] = true
			}
		}
	})
	for _, name := range []string{"Saloon", "Gatling", "Indians!", "General Store", "Brawl", "Jesse Jones", "Sid Ketchum", "Doc Holyday"} {
		require.True(t, seen[name], name)
	}
}

// An answer that lets its player draw says so.
func TestAnAnswerSaysWhatItDraws(t *testing.T) {
	seen := map[string]bool{}
	asks(t, []string{"base", "dodge"}, 60, 300, func(s *Session, v engine.View) {
		if v.Ask().On.Kind != engine.AtDodge {
			return
		}
		for _, a := range v.Legal() {
			if a.Verb != engine.Answer {
				continue
			}
			row := v.Rules().Row(a.As)
			if n := draws(row); n > 0 {
				seen[row.Name] = true
				require.Regexp(t, fmt.Sprintf(`, draw [%d-9]$`, n), s.effect(v, a), row.Name)
			}
		}
	})
	require.True(t, seen["Dodge"] && seen["Bible"], seen)
}

// In a Duel a BANG! card passes the question on.
func TestADuelGoesOn(t *testing.T) {
	_, s, v := find(t, 5, func(v engine.View) bool {
		on := v.Ask().On
		return on.Kind == engine.AtDuel && answers(v) > 0 && len(v.State().Players[on.From+on.To-v.Seat].Hand) > 0
	})
	on := v.Ask().On
	require.Contains(t, strings.Join(s.Ask(v).Lines, "\n"), ": then "+s.name(on.From+on.To-v.Seat)+" must answer\n")
}

// Who is eliminated is told that there is one more question, and only after it that it was the last.
func TestTheLastQuestionOfTheDeadIsSaid(t *testing.T) {
	asked := 0
	for seed := range uint64(40) {
		h := newHall(t, 5, seed)
		b := bot.New(seed)
		told := make([]int, 5)
		for n := 0; n < 400; n++ {
			for i, lines := range h.news() {
				told[i] += strings.Count(strings.Join(lines, "\n"), "you are out; you may watch")
			}
			st := h.g.State()
			for i, p := range st.Players[:5] {
				if p.Status == engine.Out && len(p.Hand)+len(p.Play) > 0 {
					require.Zero(t, told[i])
				} else if p.Status == engine.Out && st.Asked != engine.None && st.Over == engine.NotOver {
					require.Equal(t, 1, told[i], "seed %d", seed)
				}
			}
			if st.Over != engine.NotOver {
				break
			}
			v := h.d.View(st.Asked)
			if v.Ask().On.Kind == engine.AtOrder && st.Players[v.Seat].Status == engine.Out {
				asked++
				require.Contains(t, h.sessions[v.Seat].Ask(v).Lines[0], "you are out, one more question: ")
			}
			require.NoError(t, h.d.Step(b.Act(v, v.Legal())))
		}
	}
	require.Positive(t, asked)
}

// At the end of a turn the question says that there is no default, and what goes when the time runs out.
func TestWhatGoesWhenTheTimeRunsOut(t *testing.T) {
	h, s, v := find(t, 5, at(engine.AtDiscard))
	require.NotContains(t, strings.Join(s.Ask(v).Lines, "\n"), "runs out")
	s.clocks = make([]time.Duration, 5)
	n := len(v.Hand()) - int(v.Ask().On.N)
	require.Regexp(t, fmt.Sprintf(`there is no default; if the time runs out, your first %d cards? (go|goes)`, n), strings.Join(s.Ask(v).Lines, "\n"))
	for i := range n {
		last := s.Enter(v, true, fmt.Sprint(len(v.Hand())-i)).Lines
		require.Regexp(t, fmt.Sprintf(`\nif the time runs out, your first %d cards? (go|goes) all the same, not what you have chosen: `, n), strings.Join(last, "\n"))
	}
	hand := v.Hand()
	for i := range n { // and so the rules do it
		d := h.g.Default()
		require.Equal(t, hand[i].Slot, d.Card.Slot)
		require.NoError(t, h.d.Step(engine.Action{Seat: v.Seat, Verb: engine.Discard, Card: hand[i], To: engine.None}))
	}
}

// What comes while the prompt is open begins on a line of its own, also when the line before was typed ahead.
func TestALineNeverStandsBehindThePrompt(t *testing.T) {
	for name, ahead := range map[string]time.Duration{"answered": readAhead, "typed ahead": 0} {
		var b bytes.Buffer
		w := NewWriter(&b, 0, true)
		w.Lines("question")
		w.Prompt()
		if ahead > 0 {
			b.WriteString("3\n") // the echo of what is typed at the prompt
		}
		w.now = func() time.Time { return w.shown.Add(ahead) }
		w.Entered()
		w.Lines("1 spectator looks on")
		w.Prompt()
		require.Contains(t, b.String(), "\n1 spectator looks on\n> ", name)
		require.NotContains(t, b.String(), "> 1", name)
	}
}
