package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/cli/i18n"
	"standoff/engine/boxes"
)

// Every term that the program prints can be asked for, and so can every option.
func TestEveryWordIsExplained(t *testing.T) {
	terms := []string{"waits", "bank", "clock", "grace", "audit", "any-time ability", "phase 1", "range", "distance", "default", "key", "shuffle",
		"seal", "tolerate", "away", "spectators", "transcript", "proof", "peer", "seat", "life", "draw!", "in play", "preset", "result", "void",
		"incomplete", "invite code", "journal", "evidence", "round", "ruling", "weapon", "character", "auto", "in", "delay"}
	for _, term := range i18n.English.Glossary {
		terms = append(terms, term.Words...)
	}
	rules, err := compile(boxes.Names())
	require.NoError(t, err)
	for _, o := range optionRows(rules) {
		terms = append(terms, o.name)
	}
	for _, term := range terms {
		code, out, errs := run("rules", term)
		require.Equal(t, OK, code, "%s: %s", term, errs)
		require.NotContains(t, out, "{", term)
		if explained, ok := i18n.English.Term(term, plain); ok {
			require.Contains(t, out, explained.Text, term)
		}
	}
}

// An option that a table has chosen is shown with its meaning.
func TestOptionsAreShownWithTheirMeaning(t *testing.T) {
	rules, err := compile(boxes.Names())
	require.NoError(t, err)
	w := &i18n.English.Report
	for _, o := range optionRows(rules) {
		require.Equal(t, "option: "+o.name+" = "+o.standard+": "+o.help, i18n.English.Put(chosen(w, rules, [2]string{o.name, o.standard})))
		require.Equal(t, "option: "+o.name+" = x, usually "+o.standard+": "+o.help, i18n.English.Put(chosen(w, rules, [2]string{o.name, "x"})))
	}
	require.Equal(t, "option: of-later = 1", i18n.English.Put(chosen(w, rules, [2]string{"of-later", "1"})))
}

// In a game the rules are asked without the name of the program, and what is not found is told without it.
func TestTheRulesAreAskedInAGame(t *testing.T) {
	e := (&shell{in: strings.NewReader(""), out: &sink{w: &bytes.Buffer{}}}).newEvening(&i18n.English, false)
	ask := func(what string) string { return strings.Join(e.rulesOf(what), "\n") }
	require.Contains(t, ask(""), "\nask for a word of this program: rules bank; ")
	require.NotContains(t, ask(""), "standoff")
	require.Equal(t, `the rules know no "bnak"; did you mean bank?`, ask("bnak"))
	require.Equal(t, `the rules know no "qwertyuiop"; rules alone lists the topics`, ask("qwertyuiop"))
	require.Equal(t, "there is no rule B-999", ask("b999"))
	require.Contains(t, ask("barrel"), "Barrel: ")
}

// Who has only bots beside oneself is not sent to another player for the rest of a game.
func TestNobodyIsAskedForMoreOfAGameAgainstBots(t *testing.T) {
	for people, want := range map[int]i18n.Complaint{0: i18n.NotWhole, 1: i18n.NotWholeBots, 2: i18n.NotWhole} {
		v := &verdict{Players: make([]playerVerdict, 4)}
		for i := range v.Players {
			v.Players[i].Bot = i >= people
		}
		require.Equal(t, want, v.cutShort())
	}
}

// A first game against bots, by a person who reads: what is said at the beginning, at a question, and on the way out.
func TestAFirstGame(t *testing.T) {
	t.Parallel()
	p := teletypeOf(t, "play", "--bots", "3", "--nick", "Gita")
	types := func(line string) {
		_, err := p.in.Write([]byte(line + "\n"))
		require.NoError(t, err)
	}
	p.says("^your role: ")
	types("rules bank")
	p.says("^bank: the thinking time of a player")
	types("log x")
	p.says("^x is not understood; the form is: log for this turn, or log N for turn N, N up to ")
	types("options")
	p.says("^option: waits = 0s, usually 3s: ")
	p.says("^option: tolerate = 1: how many seats")
	types("tell well met")
	p.says("^Gita says: well met$")
	types("in on")
	p.says("^you come in at every chance|has no ability to come in with")
	types("leave")
	p.says("^if you leave, the game stands where it is, and you can go on with it later; yes or y leaves, anything else stays$")
	types("yes")
	code, _ := p.ends()
	require.Equal(t, OK, code, p.all())
	text := p.all()
	for what, times := range map[string]int{
		"the game begins": 1, "option: waits = 0s, usually 3s: ": 2, "option: tolerate": 1, "the game stands where it is: ": 1, ".standoff\n": 0, "Gita: shuffles 99 cards, ": 1, "to look on from another terminal": 1,
		"(rules tolerate)": 0, "take that back": 0,
	} {
		require.Equal(t, times, strings.Count(text, what), "%q in\n%s", what, text)
	}
	require.Less(t, strings.Index(text, "that is you"), strings.Index(text, "to look on"), "what is for others comes late")
	before, _, _ := strings.Cut(text, "\nyour role: ")
	require.LessOrEqual(t, strings.Count(before, "\n"), 26, before)
}
