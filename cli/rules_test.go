package cli

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/cli/i18n"
	"standoff/engine/boxes"
)

// told counts the rules that an answer prints.
func told(out string) int {
	return len(regexp.MustCompile(`(?m)^[A-Z]-\d{3}: `).FindAllString(out, -1))
}

// lookedUp is the answer to a question about the rules.
func lookedUp(t *testing.T, words ...string) string {
	t.Helper()
	rules, err := compile(boxes.Names())
	require.NoError(t, err)
	var b strings.Builder
	asked := &shell{out: &sink{w: &b}, err: io.Discard, text: &i18n.English}
	require.NoError(t, asked.lookUp(rules, strings.Join(words, " ")), words)
	return b.String()
}

// No printed rule names a source by its mark, and every mark that is left is explained.
func TestRulesAreReadWithoutMarks(t *testing.T) {
	// What looks like a mark and is a word on a card.
	cards := map[string]bool{"BANG": true}
	mark := regexp.MustCompile(`\b[A-Z]{2,}[A-Z-]*\b|\b[A-Z][0-9]+\b`)
	looked := 0
	for _, r := range rulings() {
		if !r.present() {
			continue
		}
		looked++
		require.NotRegexp(t, `[\[\]*|`+"`"+`]`, r.Text, r.Number)
		require.NotRegexp(t, `\b(Third|Fourth|IMPL|BLOG|DIZED|OWN|EN|FAQ)\b|[^e] Bullet\b`, r.Text, r.Number)
		for _, m := range mark.FindAllString(r.Text, -1) {
			if !cards[m] {
				require.NotEmpty(t, steps()[m], "%s: %s", r.Number, m)
				require.Contains(t, lookedUp(t, m), m+" is a step of a")
			}
		}
	}
	require.Greater(t, looked, 300)
	require.Contains(t, lookedUp(t, "B-154"), "E4 is a step of an elimination: All cards of the hand ")
	require.NotContains(t, lookedUp(t, "B-153"), "is a step")
}

// The words that the rules have made up are explained, in the singular and the plural, in letters large and small.
func TestTheWordsOfTheRulesAreExplained(t *testing.T) {
	for _, word := range []string{"unit", "units", "end of the unit", "resolution unit", "lethal window", "trigger", "triggers", "active player",
		"responsible player", "zone", "slot", "re-masked", "coin", "editions", "EDITIONS", "Editions", "RULING", "rulings", "The Bullet",
		"green", "blue", "brown", "equipment", "suit", "suits", "heart", "hearts", "Spades", "symbol", "symbols", "limit", "hand limit", "hand limits",
		"missed effect", "Missed! effects", "round", "rounds", "transcripts", "weapons", "barrels", "keys", "identity key", "card key"} {
		first, _, _ := strings.Cut(lookedUp(t, word), "\n")
		require.Regexp(t, `^[\w!. ]+: .{10}`, first, word)
	}
	key := lookedUp(t, "key")
	require.Contains(t, key, "The identity key is who you are")
	require.Contains(t, key, "The card keys ")
}

// No word brings a wall of rules: a few, and how to see the others.
func TestFewRulesAreToldAtOnce(t *testing.T) {
	rules, err := compile(boxes.Names())
	require.NoError(t, err)
	words := []string{"distance", "victory", "elimination", "characters", "cards", "5", "roles", "drawing", "setup"}
	for _, term := range i18n.English.Glossary {
		words = append(words, term.Words...)
	}
	for _, o := range optionRows(rules) {
		words = append(words, o.name)
	}
	for _, row := range rules.Rows() {
		words = append(words, row.Name)
	}
	more := regexp.MustCompile(`(?m)^(\d+) more rules?: standoff rules (.+) --all$`)
	capped := 0
	for _, word := range words {
		short := lookedUp(t, word)
		require.LessOrEqual(t, told(short), few, word)
		if m := more.FindStringSubmatch(short); m != nil {
			capped++
			all := lookedUp(t, m[2]+everything)
			require.Equal(t, m[1], fmt.Sprint(told(all)-told(short)), word)
			require.NotContains(t, all, " more rule", word)
		}
	}
	require.Greater(t, capped, 5)
	code, out, errs := run("rules", "weapons", "--all")
	require.Equal(t, OK, code, errs)
	require.Equal(t, lookedUp(t, "weapons all"), out)
	life := lookedUp(t, "life")
	require.Contains(t, life, "\nB-001: Life is ")
	require.LessOrEqual(t, strings.Count(life, "\n"), 6, life)
	e := (&shell{in: strings.NewReader(""), out: &sink{w: &strings.Builder{}}}).newEvening(&i18n.English, false)
	lines := e.rulesOf("life")
	require.Regexp(t, `^\d+ more rules: rules life all$`, lines[len(lines)-1])
	require.Greater(t, told(strings.Join(e.rulesOf("life all"), "\n")), 50)
}

// A box has one name, that of --sets.
func TestBoxesHaveOneName(t *testing.T) {
	for _, words := range [][]string{nil, {"D-103"}, {"cards", "all"}, {"green", "all"}, {"three players"}} {
		require.NotContains(t, lookedUp(t, words...), "dodge-city", words)
	}
	require.Contains(t, lookedUp(t, "D-103"), "dodge, 4. Cards")
}

// An option is defined once, with its values.
func TestAnOptionIsDefinedOnce(t *testing.T) {
	rules, err := compile(boxes.Names())
	require.NoError(t, err)
	for _, o := range optionRows(rules) {
		out := lookedUp(t, o.name)
		require.Equal(t, 1, strings.Count("\n"+out, "\n"+o.name+": "), out)
		require.Contains(t, out, "; values "+o.values+"; default "+o.standard, o.name)
		if term, ok := i18n.English.Term(o.name, plain); ok {
			require.Equal(t, 1, strings.Count(out, term.Text), o.name)
			require.NotContains(t, out, o.help, o.name)
		}
	}
}
