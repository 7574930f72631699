package rulebook_test

import (
	"regexp"
	"strings"
	"testing"

	"standoff/engine"
	"standoff/engine/base"
	"standoff/engine/rulebook"
)

// A number states one rule.
func TestNumbersAreUnique(t *testing.T) {
	seen := map[string]string{}
	err := rulebook.Each(func(n, line string) bool {
		if other, twice := seen[n]; twice {
			t.Errorf("%s is stated twice:\n%s\n%s", n, other, line)
		}
		seen[n] = line
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(seen) < 700 {
		t.Errorf("only %d rules", len(seen))
	}
}

// What tables and options cite is in the book.
func TestCitedRulesExist(t *testing.T) {
	r, err := engine.Compile(base.Set)
	if err != nil {
		t.Fatal(err)
	}
	cited := ""
	for _, row := range r.Rows() {
		cited += " " + row.Rules
	}
	for _, o := range r.OptionTable() {
		cited += " " + o.Rule
	}
	for _, n := range strings.Fields(cited) {
		if text, ok := rulebook.Rule(n); !ok || !strings.Contains(text, n) {
			t.Errorf("%s is cited and not in the book", n)
		}
	}
}

// Rules refer to rules that exist.
func TestReferencesExist(t *testing.T) {
	number := regexp.MustCompile(`\b[BDHFGS]-\d{3}\b`)
	text := map[string]string{}
	_ = rulebook.Each(func(n, line string) bool { text[n] = line; return true })
	for n, line := range text {
		for _, ref := range number.FindAllString(line, -1) {
			if text[ref] == "" {
				t.Errorf("%s refers to %s, which is not in the book", n, ref)
			}
		}
	}
}

// Words find rules, numbers in any case do too, and what is not there is not found.
func TestLookUp(t *testing.T) {
	if found := rulebook.Search("volcanic", "limit"); len(found) == 0 || !strings.Contains(found[0], "B-101") {
		t.Errorf("found %v", found)
	}
	if text, ok := rulebook.Rule(" b-101 "); !ok || !strings.HasPrefix(text, "B-101 Limit 1") {
		t.Errorf("%q", text)
	}
	if _, ok := rulebook.Rule("B-999"); ok {
		t.Error("B-999 is in the book")
	}
}
