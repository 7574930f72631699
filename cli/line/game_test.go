package line

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/engine/bot"
	"standoff/engine/boxes"
	"standoff/engine/dealer"
	"standoff/p2p/table"
)

var nicks = []string{"Ana", "Boris", "Cilka", "Dimitris", "Eva", "Ferenc", "Gita", "Hana"}

// hall is a whole table in one process: every seat is a session that is told and asked as at a real table.
type hall struct {
	t        *testing.T
	g        *engine.Game
	d        *dealer.Dealer
	sessions []*Session
	last     []engine.Event // what news has told
}

func newHall(t *testing.T, seats int, seed uint64, options ...string) *hall {
	t.Helper()
	return newHallOf(t, []string{"base"}, seats, seed, options...)
}

// newHallOf is a hall that plays with those boxes.
func newHallOf(t *testing.T, sets []string, seats int, seed uint64, options ...string) *hall {
	t.Helper()
	rules, err := boxes.Compile(sets...)
	require.NoError(t, err)
	setup := engine.Setup{Seats: seats}
	for _, o := range options {
		name, value, _ := strings.Cut(o, "=")
		require.NoError(t, rules.ParseOption(&setup.Options, name, value))
	}
	g, err := engine.New(rules, setup)
	require.NoError(t, err)
	h := &hall{t: t, g: g, d: dealer.New(g, seed)}
	for range seats {
		h.sessions = append(h.sessions, New(&i18n.English, nicks[:seats]))
	}
	require.NoError(t, h.d.Serve())
	for i, s := range h.sessions {
		s.Sit(h.d.View(engine.Seat(i)), nicks[:seats], make([]bool, seats))
	}
	return h
}

// news tells every session what happened, and returns what each of them said.
func (h *hall) news() [][]string {
	h.last = slices.Clone(h.d.Events()) // the dealer gives them once
	news := happened(h.last)
	out := make([][]string, len(h.sessions))
	for i, s := range h.sessions {
		out[i] = s.Tell(h.d.View(engine.Seat(i)), true, news)
	}
	return out
}

func happened(events []engine.Event) []table.News {
	var news []table.News
	for _, e := range events {
		news = append(news, table.News{Kind: table.NewsHappened, Seat: -1, Event: e})
	}
	return news
}

var (
	choiceLine = regexp.MustCompile(`^(\d+): `)
	countLine  = regexp.MustCompile(`discard (\d+), chosen (\d+)$`)
)

// answer is what a program that can only read types to a question: any of the numbers it sees, or Enter.
func answer(rng *rand.Rand, lines []string) string {
	var keys []string
	enter := false
	for _, l := range lines {
		if m := countLine.FindStringSubmatch(l); m != nil && m[1] == m[2] {
			return ""
		}
		if m := choiceLine.FindStringSubmatch(l); m != nil && m[1] != "0" && !strings.HasSuffix(l, ", chosen") {
			keys = append(keys, m[1])
		}
		enter = enter || strings.HasPrefix(l, "Enter: ")
	}
	if enter && (len(keys) == 0 || rng.IntN(3) == 0) {
		return ""
	}
	if len(keys) == 0 {
		return "yes"
	}
	return keys[rng.IntN(len(keys))]
}

// A program that reads the prompts and types numbers plays whole games at every size of table; whatever it types, every
// line is plain, and nothing but complete legal actions comes out.
func TestAProgramPlaysByThePromptsAlone(t *testing.T) {
	t.Run("base", func(t *testing.T) { byPrompts(t, []string{"base"}, 4, 7) })
	t.Run("all boxes", func(t *testing.T) {
		rules, err := boxes.Compile(boxes.Names()...)
		require.NoError(t, err)
		least, most := 4, 7
		if rules.Roles(3) != nil {
			least, most = 3, 8
		}
		byPrompts(t, boxes.Names(), least, most)
	})
}

func byPrompts(t *testing.T, sets []string, least, most int) {
	for seed := range uint64(12) {
		h := newHallOf(t, sets, least+int(seed)%(most-least+1), seed, "characterChoice="+[]string{"off", "on"}[seed%2], "selfTarget="+[]string{"off", "on"}[seed/2%2])
		rng := rand.New(rand.NewPCG(seed, 1))
		bots := bot.New(seed)
		var lines []string
		show := func(l []string) {
			for _, x := range l {
				require.NotContains(t, x, "{", x)
				require.NotContains(t, x, "%!", x)
				require.NotContains(t, x, "\n")
				require.NotContains(t, x, "something", x)
				require.Regexp(t, `^[^│┌─]+$`, x)
			}
			lines = append(lines, l...)
		}
		show(h.news()[0])
		for n := 0; h.g.State().Over == engine.NotOver; n++ {
			require.Less(t, n, 3000, "seed %d:\n%s", seed, strings.Join(lines[max(0, len(lines)-60):], "\n"))
			asked := h.g.State().Asked
			s, v := h.sessions[asked], h.d.View(asked)
			r := s.Ask(v)
			show(r.Lines)
			for k := 0; r.Act == nil; k++ {
				require.Less(t, k, 60, "seed %d:\n%s", seed, strings.Join(lines[max(0, len(lines)-60):], "\n"))
				in := answer(rng, r.Lines)
				if n > 400 { // random play can go on for ever; from here on a bot knows what it wants
					want := bots.Act(v, v.Legal())
					r = Reply{Act: &want}
					break
				}
				r = s.Enter(v, true, in)
				show(append([]string{"> " + in}, r.Lines...))
			}
			require.Contains(t, v.Legal(), *r.Act)
			require.NoError(t, h.d.Step(*r.Act))
			show(h.news()[asked])
		}
		if testing.Verbose() && seed == 1 {
			fmt.Println(strings.Join(lines[:min(len(lines), 400)], "\n"))
		}
	}
}
