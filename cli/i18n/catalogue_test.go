package i18n_test

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/engine/base"
	"standoff/p2p/table"
)

var operand = regexp.MustCompile(`\{[^}]*\}?`)

// texts lists every template of a catalogue by the name of its code.
func texts(c *i18n.Catalogue) map[string]string {
	all := map[string]string{}
	v := reflect.ValueOf(*c)
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.String:
			all[v.Type().Field(i).Name] = f.String()
		case reflect.Array:
			for j := range f.Len() {
				all[v.Type().Field(i).Name+string(rune('0'+j))] = f.Index(j).String()
			}
		}
	}
	return all
}

func TestEveryMessageHasAText(t *testing.T) {
	all := texts(&i18n.English)
	require.Greater(t, len(all), 60)
	for code, text := range all {
		require.NotEmpty(t, text, code)
		for _, o := range operand.FindAllString(text, -1) {
			require.Regexp(t, `^\{(seat|to|card|as|n|of|cards|n:\w+\|\w+|cards:\w+\|\w+)\}$`, o, code)
		}
		require.NotContains(t, text, "\n", code)
		require.False(t, strings.ContainsFunc(text, func(r rune) bool { return r >= 0x2500 && r < 0x2580 }), "%s draws boxes", code)
		if before, _, ok := strings.Cut(text, "{seat}"); ok && !strings.HasPrefix(code, "Turn") && before == "" {
			require.Regexp(t, `^\{seat\}: `, text, "%s does not have the form name: what happened", code)
		}
	}
}

// speaker is a log of three players for a reader who knows nothing in particular.
func speaker(t *testing.T) *i18n.Log {
	t.Helper()
	rules, err := engine.Compile(base.Set)
	require.NoError(t, err)
	return &i18n.Log{Text: &i18n.English, Rules: rules, Names: []string{"Ana", "Boris", "Gita"}, Players: []string{"Gita", "Ana", "Boris"}}
}

func face(t *testing.T, l *i18n.Log, s string) engine.Card {
	t.Helper()
	f, err := l.Rules.ParseFace(s)
	require.NoError(t, err)
	return engine.Card{Slot: 7, Face: f}
}

func TestEveryKindOfEventIsTold(t *testing.T) {
	l := speaker(t)
	for k := engine.GameStarted; k <= engine.BoxEvent; k++ {
		for _, e := range []engine.Event{
			{Kind: k, Seat: 0, To: 2, As: base.Bang, Card: face(t, l, "missed:2S"), N: 1},
			{Kind: k, Seat: 0, To: engine.None, As: base.Bang, Card: face(t, l, "bang:2D"), N: 2},
			{Kind: k, Seat: engine.None, To: engine.None},
		} {
			line := l.Event(e)
			require.NotContains(t, line, "{", "event %d", k)
			require.NotContains(t, line, "\n", "event %d", k)
			if k == engine.TurnEnded { // the next turn says it
				require.Empty(t, line)
			} else if k != engine.Attacked && (k != engine.Flipped || e.N > 0) { // the other card of a draw! is told with the one that counts
				require.NotEmpty(t, line, "event %d", k)
			}
		}
	}
	require.Empty(t, l.Event(engine.Event{Kind: 200, Seat: 0}), "an event of a later version is no line")
}

func TestEveryKindOfNewsIsTold(t *testing.T) {
	l := speaker(t)
	for k := table.NewsSeated; k <= table.NewsResult; k++ {
		n := table.News{Kind: k, Seat: 1, N: 2, Of: 5, Cards: 80, Event: engine.Event{Kind: engine.Won, Seat: 0, N: int8(engine.Outlaw)}}
		require.NotEmpty(t, l.News(n), "news %d", k)
	}
	require.Equal(t, "Ana: shuffles 80 cards, 2 of 5, proof checked",
		l.News(table.News{Kind: table.NewsMixed, Seat: 1, N: 2, Of: 5, Cards: 80}))
	require.Equal(t, "Gita: shuffles 1 card, 5 of 5, proof checked",
		l.News(table.News{Kind: table.NewsMixed, Seat: 0, N: 5, Of: 5, Cards: 1}))
	require.Empty(t, l.News(table.News{Kind: 99}))
	require.NotEmpty(t, l.News(table.News{Kind: table.NewsDefault, Seat: 1}))
	require.Empty(t, l.News(table.News{Kind: table.NewsDefault, Seat: 1, Why: table.Silence}), "that it is away has been told, and that is no lack of time")
}

// The forms of lines, each as a reader sees it.
func TestLines(t *testing.T) {
	l := speaker(t)
	card := func(s string) engine.Card { return face(t, l, s) }
	for _, c := range []struct {
		want string
		e    engine.Event
	}{
		{"turn 1: Ana", engine.Event{Kind: engine.TurnStarted, Seat: 0, To: -1}},
		{"turn 2: Gita once more", engine.Event{Kind: engine.TurnStarted, Seat: 2, To: -1, N: 1}},
		{"Ana: plays BANG! 4♦ on Gita", engine.Event{Kind: engine.Played, Seat: 0, To: 2, As: base.Bang, Card: card("bang:4D")}},
		{"", engine.Event{Kind: engine.Attacked, Seat: 0, To: 2, As: base.Bang, N: 1}},
		{"Ana: BANG! on Gita, 2 Missed! needed", engine.Event{Kind: engine.Attacked, Seat: 0, To: 2, As: base.Bang, N: 2}},
		{"Gita: answers BANG! 10♣ as Missed!", engine.Event{Kind: engine.Answered, Seat: 2, To: -1, As: base.Missed, Card: card("bang:TC")}},
		{"Ana: plays Gatling 10♥", engine.Event{Kind: engine.Played, Seat: 0, To: -1, As: base.Gatling, Card: card("gatling:TH")}},
		{"Ana: Gatling on Gita", engine.Event{Kind: engine.Attacked, Seat: 0, To: 2, As: base.Gatling, N: 1}},
		{"Gita: not hit", engine.Event{Kind: engine.Missing, Seat: 0, To: 2, As: base.Gatling}},
		{"Ana: plays Missed! 2♠ as BANG! on Gita", engine.Event{Kind: engine.Played, Seat: 0, To: 2, As: base.Bang, Card: card("missed:2S")}},
		{"", engine.Event{Kind: engine.Played, Seat: 0, To: -1, As: base.Barrel, Card: card("barrel:QS")}},
		{"Ana: puts Barrel Q♠ into play", engine.Event{Kind: engine.Laid, Seat: 0, To: 0, Card: card("barrel:QS")}},
		{"Ana: puts Jail J♠ into play before Gita", engine.Event{Kind: engine.Laid, Seat: 0, To: 2, Card: card("jail:JS")}},
		{"Ana: uses Barrel", engine.Event{Kind: engine.Used, Seat: 0, To: -1, As: base.Barrel}},
		{"", engine.Event{Kind: engine.Flipped, Seat: 0, To: -1, Card: card("duel:8C")}},
		{"Ana: draw! Duel 8♣ and Beer 6♥, chooses Beer 6♥", engine.Event{Kind: engine.Flipped, Seat: 0, To: -1, Card: card("beer:6H"), N: 1}},
		{"Gita: discards Jail J♠", engine.Event{Kind: engine.Discarded, Seat: 2, To: -1, Card: card("jail:JS")}},
		{"Gita: discards Barrel Q♠ from play", engine.Event{Kind: engine.Discarded, Seat: 2, To: 0, N: 1, Card: card("barrel:QS")}},
		{"Gita: discards Beer 6♥ from the hand", engine.Event{Kind: engine.Discarded, Seat: 2, To: 0, Card: card("beer:6H")}},
		{"Gita: no answer", engine.Event{Kind: engine.Passed, Seat: 2, To: -1}},
		{"Gita: no Beer", engine.Event{Kind: engine.Passed, Seat: 2, To: -1, N: 1}},
		{"Gita: does not come in", engine.Event{Kind: engine.Passed, Seat: 2, To: -1, N: 2}},
		{"Ana: draw! Beer 6♥", engine.Event{Kind: engine.Flipped, Seat: 0, To: -1, Card: card("beer:6H"), N: 1}},
		{"Ana: the draw! for Barrel succeeds", engine.Event{Kind: engine.FlipResult, Seat: 0, To: -1, N: 1}},
		{"Gita: the draw! for Jail fails", engine.Event{Kind: engine.FlipResult, Seat: 2, To: -1, As: base.Jail}},
		{"Gita: misses the turn because of Jail J♠", engine.Event{Kind: engine.TurnSkipped, Seat: 2, To: -1, Card: card("jail:JS")}},
		{"Gita: loses 3 life", engine.Event{Kind: engine.LostLife, Seat: 2, To: -1, N: 3}},
		{"Gita: loses 1 life to Ana", engine.Event{Kind: engine.LostLife, Seat: 2, To: 0, N: 1}},
		{"Gita: eliminated by Ana", engine.Event{Kind: engine.Eliminated, Seat: 2, To: 0}},
		{"Gita: role Outlaw", engine.Event{Kind: engine.RoleShown, Seat: 2, To: -1, N: int8(engine.Outlaw)}},
		{"Ana: reward for Gita, 3 cards", engine.Event{Kind: engine.Rewarded, Seat: 0, To: 2, N: 3}},
		{"Ana: takes Beer 6♥ from the discard pile", engine.Event{Kind: engine.Picked, Seat: 0, To: -1, N: 1, Card: card("beer:6H")}},
		{"Dynamite 2♥: passes from Ana to Boris", engine.Event{Kind: engine.Moved, Seat: 0, To: 1, Card: card("dynamite:2H")}},
		{"the discard pile becomes a new deck, 1 card", engine.Event{Kind: engine.Reshuffled, Seat: -1, To: -1, N: 1}},
		{"the game is over: the law wins", engine.Event{Kind: engine.GameOver, Seat: -1, To: -1, N: int8(engine.LawWins)}},
		{"Gita: away, plays by default from now on", engine.Event{Kind: engine.WentAway, Seat: 2, To: -1}},
		{"Gita: away, and out of the game", engine.Event{Kind: engine.WentAway, Seat: 2, To: -1, N: 1}},
		{"Gita: back", engine.Event{Kind: engine.CameBack, Seat: 2, To: -1}},
		{"Gita: back, but out of the game", engine.Event{Kind: engine.CameBack, Seat: 2, To: -1, N: 1}},
		{"Ana: wins as Sheriff", engine.Event{Kind: engine.Won, Seat: 0, To: -1, N: int8(engine.Sheriff)}},
	} {
		require.Equal(t, c.want, l.Event(c.e))
	}
}

func TestTheNameOfACardFollowsTheOption(t *testing.T) {
	l := speaker(t)
	scope := face(t, l, "scope:AS")
	require.Equal(t, "Scope A♠", l.Card(scope.Face))
	require.NoError(t, l.Rules.ParseOption(&l.Options, "names", "Appaloosa"))
	require.Equal(t, "Appaloosa A♠", l.Card(scope.Face))
	require.Equal(t, "a card", l.Card(0))
	require.Equal(t, "10♣", i18n.Print(engine.MakeFace(base.Bang, 10, engine.Clubs)))
}

func TestALanguageChoosesItsPlurals(t *testing.T) {
	czech := i18n.English
	czech.Plural = func(n int) int {
		switch {
		case n == 1:
			return 0
		case n >= 2 && n <= 4:
			return 1
		}
		return 2
	}
	czech.Dealt = "{seat}: {n} {n:karta|karty|karet}"
	l := speaker(t)
	l.Text = &czech
	for n, want := range map[int8]string{1: "Ana: 1 karta", 3: "Ana: 3 karty", 5: "Ana: 5 karet"} {
		require.Equal(t, want, l.Event(engine.Event{Kind: engine.Dealt, Seat: 0, To: -1, N: n}))
	}
}
