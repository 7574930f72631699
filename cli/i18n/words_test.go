package i18n_test

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/p2p/lobby"
	"standoff/p2p/node"
)

var bracketed = regexp.MustCompile(`\{(\w+)(:[^}]*)?\}`)

// words calls f with every text of a struct of words.
func words(v reflect.Value, name string, f func(name, text string)) {
	switch v.Kind() {
	case reflect.String:
		f(name, v.String())
	case reflect.Struct:
		for i := range v.NumField() {
			words(v.Field(i), v.Type().Field(i).Name, f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			words(v.Index(i), name, f)
		}
	}
}

func TestEveryPromptHasWords(t *testing.T) {
	count := 0
	check := func(name, text string) {
		count++
		require.NotEmpty(t, text, name)
		require.NotContains(t, text, "\n", name)
		require.Equal(t, strings.Count(text, "{"), len(bracketed.FindAllString(text, -1)), name)
		require.False(t, strings.HasSuffix(text, "."), "%s ends with a full stop", name)
		require.False(t, strings.ContainsFunc(text, func(r rune) bool { return r >= 0x2500 && r < 0x2580 }), "%s draws boxes", name)
	}
	words(reflect.ValueOf(i18n.English.Prompts), "", check)
	words(reflect.ValueOf(i18n.English.Lobby), "", check)
	words(reflect.ValueOf(i18n.English.Report), "", check)
	require.Greater(t, count, 150)
}

func TestEveryReasonHasWords(t *testing.T) {
	c := &i18n.English
	for r := lobby.Full; r <= lobby.Kicked; r++ {
		require.NotEmpty(t, c.Lobby.Reasons[r], "reason %d of the lobby", r)
	}
	for r := engine.NotOffered; r <= engine.Forbidden; r++ {
		require.NotEmpty(t, c.Reason(r))
		require.NotContains(t, c.Reason(r), "unknown")
	}
	require.Contains(t, c.Why(99), "99", "a reason of a later version is told by its number")
}

func TestEveryFindingHasWordsAndBadOnesAdvice(t *testing.T) {
	for s, f := range i18n.English.Findings {
		require.NotEmpty(t, f.What, s)
		text, advice := i18n.English.Finding(node.Finding{Symptom: s, Subject: "eth0", Detail: "because"})
		require.NotContains(t, text, "{", s)
		require.Equal(t, f.Advice, advice)
	}
	for _, s := range []node.Symptom{node.NoLAN, node.MulticastAbsent, node.MulticastSilent, node.PortInUse, node.PortRefused,
		node.FirewallDrops, node.ClockOdd, node.FolderClosed, node.FolderOpen, node.KeyBad} {
		_, advice := i18n.English.Finding(node.Finding{Symptom: s})
		require.NotEmpty(t, advice, s)
	}
	text, _ := i18n.English.Finding(node.Finding{Symptom: "of-a-later-version", Detail: "x"})
	require.Contains(t, text, "of-a-later-version")
}

func TestPut(t *testing.T) {
	c := &i18n.English
	require.Equal(t, "Ana: 1 card of 3 cards", c.Put("{seat}: {n} {n:card|cards} of {m} {m:card|cards}", i18n.With{"seat": "Ana", "n": 1, "m": 3}))
	require.Equal(t, "{who} stays visible", c.Put("{who} stays visible", nil))
}

func TestEveryComplaintHasWords(t *testing.T) {
	for code, f := range i18n.English.Complaints {
		if code == int(i18n.Worded) {
			continue
		}
		require.NotEmpty(t, f.What, "complaint %d", code)
		for _, text := range []string{f.What, f.Advice} {
			require.NotContains(t, text, "\n", text)
			require.False(t, strings.HasSuffix(text, "."), text)
			require.Equal(t, strings.Count(text, "{"), len(bracketed.FindAllString(text, -1)), text)
		}
	}
	what, advice := i18n.English.Complain(i18n.NoCard, i18n.With{"what": `"bert"`})
	require.Equal(t, `no card, character or role is called "bert"`, what)
	require.Equal(t, `run "standoff cards" for all names`, advice)
}

// The terms stand in the order of the alphabet, and no word is explained twice.
func TestTheGlossaryIsInOrder(t *testing.T) {
	said := map[string]bool{}
	for i, term := range i18n.English.Glossary {
		require.NotEmpty(t, term.Text)
		require.False(t, strings.HasSuffix(term.Text, "."), term.Text)
		if i > 0 {
			require.Less(t, i18n.English.Glossary[i-1].Words[0], term.Words[0])
		}
		for _, w := range term.Words {
			require.False(t, said[w], w)
			said[w] = true
			found, ok := i18n.English.Term(strings.ToUpper(w), strings.ToLower)
			require.True(t, ok)
			require.Equal(t, term, found)
		}
	}
	_, ok := i18n.English.Term("nonsense", strings.ToLower)
	require.False(t, ok)
}

// Every command that takes a word or a number has its form, and no other has one.
func TestFormsBelongToCommands(t *testing.T) {
	commands := map[string]bool{}
	for _, c := range i18n.English.Prompts.Words {
		commands[c] = true
	}
	for c, form := range i18n.English.Prompts.Forms {
		require.True(t, commands[c], c)
		require.True(t, strings.HasPrefix(form, c), form)
	}
}

// A negation stands once: without anybody, not without nobody.
func TestNothingIsDeniedTwice(t *testing.T) {
	twice := regexp.MustCompile(`(?i)\b(without|not|never|nobody|no)\s+(no|nobody|none|nothing|never)\b`)
	check := func(name, text string) { require.NotRegexp(t, twice, text, name) }
	for code, f := range i18n.English.Complaints {
		check(fmt.Sprint("complaint ", code), f.What+"; "+f.Advice)
	}
	for name, text := range texts(&i18n.English) {
		check(name, text)
	}
	words(reflect.ValueOf(i18n.English.Prompts), "", check)
	words(reflect.ValueOf(i18n.English.Lobby), "", check)
	words(reflect.ValueOf(i18n.English.Report), "", check)
	words(reflect.ValueOf(i18n.English.Watch), "", check)
}
