package line

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/engine/base"
	"standoff/engine/boxes"
	"standoff/p2p/table"
)

func turnOf(t *testing.T, more func(v engine.View) bool) (*Session, engine.View) {
	t.Helper()
	_, s, v := find(t, 5, func(v engine.View) bool { return at(engine.AtTurn)(v) && more(v) })
	s.Ask(v)
	return s, v
}

func TestQuestionsChangeNothing(t *testing.T) {
	s, v := turnOf(t, func(v engine.View) bool { return keyOf(v, base.Duel) > 0 })
	s.Enter(v, true, fmt.Sprint(keyOf(v, base.Duel)))
	open := s.Enter(v, true, "ask").Lines
	for _, q := range []string{"hand", "life", "seats", "who 1", "who Ana", "who 99", "range", "pile", "log", "log 1", "last", "last 3", "rules barrel",
		"rules", "why 1", "why 1 2", "why 99", "why beer", "why", "help", "?", "role", "wait", "auto on", "auto off", "confirm on", "confirm off",
		"tell", "xyzzy", "77", "1 2 3 4 5", "-1", "leave", "no"} {
		r := s.Enter(v, true, q)
		require.Nil(t, r.Act, q)
		require.False(t, r.Leave, q)
		require.NotEmpty(t, r.Lines, q)
		for _, l := range r.Lines {
			require.NotContains(t, l, "{", q)
		}
		if q == "leave" { // asks whether that is meant; the no comes next
			continue
		}
		require.Equal(t, open, s.Enter(v, true, "ask").Lines, q)
	}
}

func TestWhyACardCannotBeUsed(t *testing.T) {
	s, v := turnOf(t, func(v engine.View) bool {
		return keyOf(v, base.Missed) > 0 && keyOf(v, base.Bang) > 0 && v.Reach(v.Seat) == 1 && v.State().Bangs == 0 && v.Alive() == 5 &&
			v.State().Players[v.Seat].Character != base.CalamityJanet && v.Numbers(v.Seat).Close == 0
	})
	why := func(what string) string { return strings.Join(s.Enter(v, true, "why "+what).Lines, "\n") }
	missed := fmt.Sprint(keyOf(v, base.Missed))
	require.Regexp(t, `^Missed! .*: that card is only an answer$`, why(missed))
	require.Regexp(t, `^Missed! .*: that card is only an answer$`, why("missed"))
	require.Regexp(t, `^BANG! .*: it can be used now$`, why("bang"))
	far := int(v.Seat+2)%5 + 1
	require.Regexp(t, fmt.Sprintf(`^BANG! .* at %d \w+: the target is out of range, distance [2-4], your range 1$`, far), why(fmt.Sprint(keyOf(v, base.Bang), " ", far)))
	require.Contains(t, why(fmt.Sprint(keyOf(v, base.Bang), " ", int(v.Seat)+1)), "it cannot be used on oneself")
}

// The path to a choice: number by number, all at once, by the name of the card.
func TestWaysToChoose(t *testing.T) {
	s, v := turnOf(t, func(v engine.View) bool { return keyOf(v, base.Duel) > 0 })
	key := keyOf(v, base.Duel)
	target := int(v.Seat+1)%5 + 1
	for v.State().Players[target-1].Status != engine.In {
		target = target%5 + 1
	}
	want := engine.Action{Seat: v.Seat, Verb: engine.Play, As: base.Duel, Card: v.Hand()[key-1], To: engine.Seat(target - 1)}
	want.Card.Mark = 0
	for _, way := range [][]string{{fmt.Sprint(key), fmt.Sprint(target)}, {fmt.Sprint(key, " ", target)}, {"duel", fmt.Sprint(target)}, {"Due", fmt.Sprint(target)}, {fmt.Sprint("duel ", target)}} {
		s.Ask(v)
		var r Reply
		for i, in := range way {
			r = s.Enter(v, true, in)
			require.Equal(t, i == len(way)-1, r.Act != nil, way)
		}
		require.Equal(t, want, *r.Act, way)
		require.Contains(t, s.Enter(v, true, "1").Lines[0], "nothing is asked of you now")
	}
}

func TestLeavingNeedsAYes(t *testing.T) {
	s, v := turnOf(t, func(engine.View) bool { return true })
	require.Contains(t, s.Enter(v, true, "leave").Lines[0], "yes or y leaves, anything else stays")
	require.False(t, s.Enter(v, true, "no").Leave)
	s.Enter(v, true, "quit")
	require.True(t, s.Enter(v, true, "yes").Leave)
}

// Leaving says what it does at this table.
// A number that is not on the list says why the rules do not allow it, as why does.
func TestANumberThatIsNoChoiceGivesTheReason(t *testing.T) {
	s, v := turnOf(t, func(v engine.View) bool {
		return keyOf(v, base.Missed) > 0 && keyOf(v, base.Bang) > 0 && v.Reach(v.Seat) == 1 && v.State().Bangs == 0 && v.Alive() == 5 &&
			v.State().Players[v.Seat].Character != base.CalamityJanet && v.Numbers(v.Seat).Close == 0
	})
	missed, bang, far := keyOf(v, base.Missed), keyOf(v, base.Bang), int(v.Seat+2)%5+1
	enter := func(in string) string {
		r := s.Enter(v, true, in)
		require.Nil(t, r.Act)
		return strings.Join(r.Lines, "\n")
	}
	require.Regexp(t, fmt.Sprintf(`^%d is no choice here; type one of: [\d, ]+\nMissed! .*: that card is only an answer$`, missed), enter(fmt.Sprint(missed)))
	out := fmt.Sprintf(`^%d is no choice here; type one of: [\d, ]+\nBANG! .* at %d \w+: the target is out of range, distance [2-4], your range 1$`, far, far)
	require.Regexp(t, out, enter(fmt.Sprint(bang, " ", far)))
	enter(fmt.Sprint(bang))
	require.Regexp(t, out, enter(fmt.Sprint(far)))
	require.Regexp(t, `^99 is no choice here; type one of: [\d, ]+$`, enter("99"))
}

func TestCardsAreNotPlayedBeforeTheDraw(t *testing.T) {
	_, s, v := find(t, 5, func(v engine.View) bool { return at(engine.AtPhase1)(v) && len(v.Hand()) > 0 })
	s.Ask(v)
	require.Equal(t, []string{"draw first: cards are played after that"}, s.Enter(v, true, "why 1").Lines)
}

func TestNothingToUndoAndNoSuchTurn(t *testing.T) {
	s, v := turnOf(t, func(engine.View) bool { return true })
	require.Equal(t, []string{"nothing to undo: nothing is chosen yet"}, s.Enter(v, true, "undo").Lines)
	require.Equal(t, []string{fmt.Sprintf("there has been no turn 9999; this is turn %d", s.turn)}, s.Enter(v, true, "log 9999").Lines)
}

// How a choice and its target go together is told once in a game.
func TestTheTipComesOnce(t *testing.T) {
	_, s, v := find(t, 5, func(v engine.View) bool { return at(engine.AtTurn)(v) && keyOf(v, base.Duel) > 0 })
	tips := func() (n int) {
		for _, l := range s.Ask(v).Lines {
			if strings.HasPrefix(l, "a choice and its target may be typed together: ") {
				n++
			}
		}
		return n
	}
	require.Equal(t, 1, tips())
	require.Zero(t, tips())
}

// Who draws is told which cards, and nobody else is.
func TestWhoDrawsIsToldTheCards(t *testing.T) {
	h := newHall(t, 5, 77)
	told := 0
	for steps := 0; steps < 120 && h.g.State().Over == engine.NotOver; steps++ {
		seat := h.d.Ask().Seat
		before := h.d.View(seat).Hand()
		a := h.d.View(seat).Legal()[0]
		require.NoError(t, h.d.Step(a))
		for i, lines := range h.news() {
			for _, l := range lines {
				cards, own := strings.CutPrefix(l, "only you see: new in your hand: ")
				if !own {
					continue
				}
				told++
				names := strings.Split(cards, ", ")
				hand := []string{}
				for _, c := range h.d.View(engine.Seat(i)).Hand() {
					hand = append(hand, h.sessions[i].log.Card(c.Face))
				}
				require.Subset(t, hand, names)
				if engine.Seat(i) == seat && len(before) > 0 {
					require.LessOrEqual(t, len(names), len(hand))
				}
			}
		}
	}
	require.Greater(t, told, 10)
}

func TestWhatIsSaid(t *testing.T) {
	s, v := turnOf(t, func(engine.View) bool { return true })
	r := s.Enter(v, true, "tell  Well shot,  partner ")
	require.Equal(t, "Well shot,  partner", r.Tell)
	require.Empty(t, r.Lines, "the line comes when it has gone out")
	require.Equal(t, "x", s.Enter(v, true, "say x").Tell)
	require.Empty(t, s.Enter(v, true, "tell").Tell)
}

// The effect of taking a hit says what comes of it, by the ability of whoever takes it.
func TestWhatAHitDoes(t *testing.T) {
	hit := func(more func(v engine.View, life int8) bool) string {
		_, s, v := find(t, 5, func(v engine.View) bool {
			return at(engine.AtDodge)(v) && more(v, v.State().Players[v.Seat].Life)
		})
		lines := s.Ask(v).Lines
		return lines[len(lines)-1]
	}
	require.Regexp(t, `^Enter: take the hit: [1-4] of [45] lives left, then draw 1 \(Bart Cassidy\)$`, hit(func(v engine.View, life int8) bool {
		return v.State().Players[v.Seat].Character == base.BartCassidy && life > 1
	}))
	require.Regexp(t, `^Enter: take the hit: [1-3] of [34] lives left, then take a card of \w+ \(El Gringo\)$`, hit(func(v engine.View, life int8) bool {
		return v.State().Players[v.Seat].Character == base.ElGringo && life > 1 && len(v.State().Players[v.Ask().On.From].Hand) > 1
	}))
	require.Equal(t, "Enter: take the hit: your last life goes, and you are asked once more", hit(func(v engine.View, life int8) bool {
		return life == 1 && v.Alive() > 2 && len(v.Hand()) > 0
	}))
	require.Equal(t, "Enter: take the hit: you are eliminated", hit(func(v engine.View, life int8) bool {
		return life == 1 && len(v.Hand()) == 0
	}))
}

func TestLinesFitTheScreen(t *testing.T) {
	require.Equal(t, "short", Wrap("short", 40))
	require.Equal(t, "a line that is not broken, however long it is", Wrap("a line that is not broken, however long it is", 0))
	require.Equal(t, "a line that is\n  broken at\n  spaces", Wrap("a line that is broken at spaces", 15))
	require.Equal(t, "averylongwordthatstayswhole\n  and more", Wrap("averylongwordthatstayswhole and more", 15))
	var b bytes.Buffer
	w := NewWriter(&b, 20, true)
	w.Lines("question")
	w.Prompt()
	w.Prompt()
	w.Lines("somebody talks meanwhile")
	w.Prompt()
	w.now = func() time.Time { return w.shown.Add(readAhead) } // read, and answered; the echo of the line ends the prompt's
	w.Entered()
	w.Lines("answer")
	require.Equal(t, "question\n> \nsomebody talks\n  meanwhile\n> answer\n", b.String())
}

// A Brawl asks at each of the others which card goes, and says at whom.
func TestBrawlSaysWhoseCardGoes(t *testing.T) {
	_, s, v := findIn(t, []string{"base", "dodge"}, 5, func(v engine.View) bool {
		on := v.Ask().On
		return on.Kind == engine.AtSteal && on.M != 0 && len(v.State().Players[on.From].Play) > 0 && len(v.State().Players[on.From].Hand) > 1
	})
	from := v.Ask().On.From
	lines := s.Ask(v).Lines
	require.Equal(t, "your choice: which card of "+s.name(from)+" goes to the discard pile?", lines[0])
	text := strings.Join(lines, "\n")
	require.Contains(t, text, fmt.Sprintf("a card from the hand, at random out of %d", len(v.State().Players[from].Hand)))
	require.Contains(t, text, s.log.Card(v.State().Players[from].Play[0].Face))
	p := &Protocol{s: s}
	require.Contains(t, p.ask(v, lines), `"question":"loot"`)
}

// The glass of Dodge City has the name of older printings with the horse of theirs.
func TestTheNameOfTheBinocularFollowsTheOption(t *testing.T) {
	rules, err := boxes.Compile("base", "dodge")
	require.NoError(t, err)
	k, ok := rules.KindBySlug("binocular")
	require.True(t, ok)
	log := i18n.Log{Text: &i18n.English, Rules: rules}
	require.Equal(t, "Binocular", log.Kind(k))
	require.NoError(t, rules.ParseOption(&log.Options, "names", "Appaloosa"))
	require.Equal(t, "Silver", log.Kind(k))
}

// Who comes back to a game is told the turn that is played and the whole hand; the turns before can be asked for.
func TestWhoComesBackIsToldTheTurnThatIsPlayed(t *testing.T) {
	_, s, v := find(t, 4, func(engine.View) bool { return true })
	names := []string{"Ana", "Bela", "Csaba", "Dora"}
	fresh := New(&i18n.English, names)
	fresh.Sit(v, names, s.bots)
	var news []table.News
	for turn := range engine.Seat(3) {
		news = append(news, table.News{Kind: table.NewsHappened, Event: engine.Event{Kind: engine.TurnStarted, Seat: turn}})
		news = append(news, table.News{Kind: table.NewsHappened, Event: engine.Event{Kind: engine.Drew, Seat: turn, N: 2}})
	}
	own := v.Hand()
	require.NotEmpty(t, own)
	news = append(news, table.News{Kind: table.NewsHappened, Event: engine.Event{Kind: engine.Picked, Seat: v.Seat, Card: own[0]}})
	lines := fresh.Tell(v, true, news)
	for _, c := range own {
		require.Contains(t, lines[len(lines)-1], s.log.Card(c.Face))
	}
	require.Equal(t, "2 turns are over; log N shows turn N again", lines[0])
	text := strings.Join(lines, "\n")
	require.Equal(t, 1, strings.Count(text, "draws 2"), text)
	require.Contains(t, text, "your role: ")
	require.Equal(t, 3, strings.Count(strings.Join(fresh.Tell(v, true, news[:6]), "\n"), "draws 2"), "what is missed on the way is told")
	onlooker := New(&i18n.English, names)
	onlooker.Sit(v, names, s.bots)
	onlooker.me = engine.None
	require.Equal(t, 3, strings.Count(strings.Join(onlooker.Tell(v, true, news[:6]), "\n"), "draws 2"))
}
