package cli

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/engine/boxes"
	"standoff/p2p/table"
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

// The roles of every number of players are told with the roles, with the players, and with the rule that speaks of them.
func TestTheRolesOfEveryNumberOfPlayersAreTold(t *testing.T) {
	table := "3 players: 1 Deputy, 1 Outlaw, 1 Renegade\n" +
		"4 players: Sheriff, 2 Outlaws, 1 Renegade\n" +
		"5 players: Sheriff, 1 Deputy, 2 Outlaws, 1 Renegade\n" +
		"6 players: Sheriff, 1 Deputy, 3 Outlaws, 1 Renegade\n" +
		"7 players: Sheriff, 2 Deputies, 3 Outlaws, 1 Renegade\n" +
		"8 players: Sheriff, 2 Deputies, 3 Outlaws, 2 Renegades\n"
	for _, word := range []string{"roles", "players", "number of players", "B-020"} {
		require.Equal(t, 1, strings.Count("\n"+lookedUp(t, word), "\n"+table), word)
	}
	code, out, errs := run("rules", "players", "--sets", "base")
	require.Equal(t, OK, code, errs)
	require.Equal(t, strings.Join(strings.SplitAfter(table, "\n")[1:5], ""), out)
}

// Every sentence of a rule begins with a capital, also where it begins with a source.
func TestSentencesBeginWithACapital(t *testing.T) {
	small := regexp.MustCompile(`\S+\. [a-z]`)
	for _, r := range rulings() {
		for _, m := range small.FindAllString(r.Text, -1) {
			require.Regexp(t, `(e\.g|ff)\. `, m, r.Number+": "+r.Text)
		}
	}
	require.Contains(t, lookedUp(t, "B-164"), ". The publisher's answers tie responsibility to who played the card")
}

// A rule that an option names speaks of nothing that is not in this program.
func TestOptionsNameRulesThatCanBeRead(t *testing.T) {
	rules, err := compile(boxes.Names())
	require.NoError(t, err)
	number := regexp.MustCompile(`\b[A-Z]-\d{3}\b`)
	looked := 0
	for _, o := range optionRows(rules) {
		for _, n := range number.FindAllString(o.rule+" "+o.help, -1) {
			r, ok := ruleByNumber(n)
			require.True(t, ok && r.present(), o.name)
			for _, m := range number.FindAllString(r.Text, -1) {
				other, ok := ruleByNumber(m)
				require.True(t, !ok || other.present(), "%s: %s names %s", o.name, n, m)
			}
			looked++
		}
	}
	require.Greater(t, looked, 10)
}

// What is shuffled is counted, and how the Sheriff is chosen is told.
func TestWhatIsShuffledIsTold(t *testing.T) {
	rules, err := compile([]string{"base"})
	require.NoError(t, err)
	g, err := engine.New(rules, engine.Setup{Seats: 4})
	require.NoError(t, err)
	all := 0
	out := lookedUp(t, "shuffle")
	for _, p := range g.Packs() {
		all += len(p.Faces)
		if p.Pile != engine.RolePile {
			require.Contains(t, out, fmt.Sprintf("(%d", len(p.Faces)))
		}
	}
	require.Contains(t, out, fmt.Sprintf("with 4 players these are %d cards", all))
	sheriff := lookedUp(t, "sheriff")
	require.Contains(t, sheriff, "Sheriff: ")
	require.Contains(t, sheriff, "sheriff: a joint number of all players, ")
}

// Whoever chooses a clock that cannot be is told what can; the bounds that the help names are those that hold.
func TestTheBoundsOfTheClockAreTold(t *testing.T) {
	_, help, _ := run("rules", "options")
	bounds := "none, or BANK+INCREMENT with a bank of 10s to 3600s or 1m to 120m and an increment of 0s to 600s"
	require.Contains(t, help, bounds)
	rules, err := compile([]string{"base"})
	require.NoError(t, err)
	choices := table.DefaultChoices()
	for _, v := range []string{"none", "10s+0s", "3600s+600s", "1m+0s", "120m+600s"} {
		require.NoError(t, choices.Set(rules, "clock", v), v)
	}
	for _, v := range []string{"3s+1s", "9s+0s", "3601s+0s", "0m+0s", "121m+0s", "10s+601s", "10s", "5m"} {
		code, _, errs := run("demo", "--option", "clock="+v)
		require.Equal(t, Usage, code)
		require.Contains(t, errs, bounds, v)
	}
}
