package i18n_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/engine/base"
	"standoff/engine/bot"
	"standoff/engine/dealer"
)

var nicks = []string{"Ana", "Boris", "Cilka", "Dimitris", "Eva"}

// told is what happened in one step of a game: the events, and each seat's line for each of them; the last line is
// that of somebody who only looks on.
type told struct {
	before, after engine.State
	events        []engine.Event
	lines         [][]string
}

// retell plays a game of bots and calls f for every step.
func retell(t *testing.T, seats int, seed uint64, f func(told)) *engine.Game {
	t.Helper()
	rules, err := engine.Compile(base.Set)
	require.NoError(t, err)
	g, err := engine.New(rules, engine.Setup{Seats: seats})
	require.NoError(t, err)
	d := dealer.New(g, seed)
	var bots []*bot.Bot
	logs := make([]*i18n.Log, seats+1)
	for i := range logs {
		logs[i] = &i18n.Log{Text: &i18n.English, Rules: rules, Names: nicks[:seats]}
	}
	for i := range seats {
		bots = append(bots, bot.New(seed+uint64(i)))
	}
	before := *g.State()
	require.NoError(t, d.Serve())
	for n := 0; ; n++ {
		require.Less(t, n, bot.MaxSteps)
		x := told{before: before, after: *g.State(), events: d.Events()}
		for i, l := range logs {
			if i < seats {
				l.Known = d.Knowledge(engine.Seat(i))
			}
			var lines []string
			for _, e := range x.events {
				lines = append(lines, l.Event(e))
			}
			x.lines = append(x.lines, lines)
		}
		for _, b := range bots {
			b.Watch(x.events)
		}
		f(x)
		if g.State().Over != engine.NotOver {
			return g
		}
		s := g.State().Asked
		v := d.View(s)
		before = *g.Clone().State()
		require.NoError(t, d.Step(bots[s].Act(v, v.Legal())))
	}
}

// games plays games by seed until enough is true.
func games(t *testing.T, seats int, enough func() bool, f func(told), end func(*engine.Game)) {
	t.Helper()
	for seed := uint64(1); !enough(); seed++ {
		require.Less(t, seed, uint64(500), "it does not happen in so many games")
		g := retell(t, seats, seed, f)
		if end != nil {
			end(g)
		}
	}
}

func TestFieldReports(t *testing.T) {
	t.Run("FR-37 End screen", endScreen)
	t.Run("FR-38 What the log must say", whatTheLogMustSay)
}

// Outlaws win while one Outlaw is dead and the Renegade lives: all five roles are told, both Outlaws win, nobody else.
func endScreen(t *testing.T) {
	found := 0
	var lines []string
	games(t, 5, func() bool { return found >= 3 }, func(x told) { lines = append(lines, x.lines[5]...) }, func(g *engine.Game) {
		st := g.State()
		dead, renegade := 0, false
		for _, p := range st.Players[:5] {
			if p.Role == engine.Outlaw && p.Status == engine.Out {
				dead++
			}
			renegade = renegade || p.Role == engine.Renegade && p.Status == engine.In
		}
		if st.Over == engine.OutlawsWin && dead == 1 && renegade {
			found++
			require.Contains(t, lines, "the game is over: the Outlaws win")
			for s, p := range st.Players[:5] {
				role := g.Rules().Row(engine.Kind(p.Role)).Name
				if p.Role == engine.Sheriff {
					require.Contains(t, lines, nicks[s]+": Sheriff")
				} else {
					require.Contains(t, lines, nicks[s]+": role "+role)
				}
				wins := nicks[s] + ": wins as " + role
				if p.Role == engine.Outlaw {
					require.Contains(t, lines, wins)
				} else {
					require.NotContains(t, lines, wins)
				}
			}
		}
		lines = nil
	})
}

// General Store, Panic! on a hand and on a card in play, Black Jack, Kit Carlson: who learns what from the log.
func whatTheLogMustSay(t *testing.T) {
	var store, hand, play, jack, kit int
	picks := 0 // still to come of the open General Store
	var taker engine.Seat
	check := func(x told) {
		for i, e := range x.events {
			public := x.lines[4][i]
			card := engine.Card{Slot: e.Card.Slot, Face: e.Card.Face}
			name := (&i18n.Log{Text: &i18n.English, Rules: rulesOf(t)}).Card(card.Face)
			same := func() {
				for _, lines := range x.lines {
					require.Equal(t, public, lines[i], "all read the same")
				}
			}
			switch {
			case e.Kind == engine.Played && e.As == base.GeneralStore:
				picks, taker = alive(&x.before), e.Seat
			case e.Kind == engine.Revealed:
				require.Equal(t, "on the table: "+name, public)
				same()
			case e.Kind == engine.Picked && picks > 0: // (a)
				require.Equal(t, taker, e.Seat, "clockwise from the one who played it")
				require.Equal(t, fmt.Sprintf("%s: picks %s", nicks[e.Seat], name), public)
				require.NotEqual(t, engine.Face(0), e.Card.Face)
				same()
				taker = next(&x.after, taker)
				if picks--; picks == 0 {
					store++
				}
			case e.Kind == engine.Took && e.N == 0 && e.Card.Face == 0 && i > 0 && x.events[0].As == base.Panic: // (b)
				require.Equal(t, fmt.Sprintf("%s: takes a card from the hand of %s", nicks[e.Seat], nicks[e.To]), public)
				for s := range engine.Seat(4) {
					if s != e.Seat && s != e.To {
						require.Equal(t, public, x.lines[s][i], "named only to the two")
					}
				}
				if mine := x.lines[e.Seat][i]; mine != public { // a card that has gone on meanwhile is not named any more
					require.NotContains(t, mine, "a card")
					require.Regexp(t, `^\w+: takes .* (\d+|J|Q|K|A)[♠♥♦♣] from the hand of \w+$`, mine)
					hand++
				}
			case e.Kind == engine.Took && e.N == 1 && x.events[0].As == base.Panic: // (c)
				require.Equal(t, fmt.Sprintf("%s: takes %s in play before %s", nicks[e.Seat], name, nicks[e.To]), public)
				same()
				play++
			case e.Kind == engine.Drew && e.Card.Face != 0: // (d)
				require.Equal(t, base.BlackJack, x.after.Players[e.Seat].Character)
				require.Equal(t, fmt.Sprintf("%s: draws %s, shown to all", nicks[e.Seat], name), public)
				same()
				jack++
			case e.Kind == engine.Returned: // (e)
				require.Equal(t, base.KitCarlson, x.after.Players[e.Seat].Character)
				require.Equal(t, nicks[e.Seat]+": puts 1 card back on the deck", public)
				require.Equal(t, engine.Face(0), e.Card.Face)
				same()
				kit++
			case e.Kind == engine.Drew:
				require.Equal(t, fmt.Sprintf("%s: draws %d", nicks[e.Seat], e.N), public)
				same()
			}
		}
	}
	games(t, 4, func() bool { return min(store, hand, play, jack, kit) >= 5 }, check, func(*engine.Game) { picks = 0 })
}

func rulesOf(t *testing.T) *engine.Rules {
	t.Helper()
	r, err := engine.Compile(base.Set)
	require.NoError(t, err)
	return r
}

func alive(st *engine.State) int {
	n := 0
	for _, p := range st.Players[:st.N] {
		if p.Status == engine.In {
			n++
		}
	}
	return n
}

func next(st *engine.State, s engine.Seat) engine.Seat {
	for {
		if s = (s + 1) % engine.Seat(st.N); st.Players[s].Status == engine.In {
			return s
		}
	}
}

// A log that reads aloud: no hidden card is ever named to somebody who only looks on.
func TestNobodyLearnsAHiddenCardFromTheLog(t *testing.T) {
	for seed := range uint64(30) {
		retell(t, 5, seed, func(x told) {
			for i, e := range x.events {
				if e.Card.Face == 0 {
					require.NotRegexp(t, `[♠♥♦♣]`, x.lines[5][i])
				}
				for _, lines := range x.lines {
					require.False(t, strings.ContainsAny(lines[i], "{}\n"), lines[i])
				}
			}
		})
	}
}
