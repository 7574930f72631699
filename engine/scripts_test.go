package engine_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"standoff/engine/enginetest"
)

// scripts loads the scripts of testdata whose numbers begin with one of the prefixes.
func scripts(t *testing.T, prefixes ...string) []enginetest.Script {
	t.Helper()
	all, err := enginetest.Load("testdata/*-[0-9]*.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []enginetest.Script
	for _, s := range all {
		for _, p := range prefixes {
			if strings.HasPrefix(s.ID, p) {
				out = append(out, s)
			}
		}
	}
	if len(out) == 0 {
		t.Fatalf("no scripts for %v", prefixes)
	}
	return out
}

func run(t *testing.T, prefixes ...string) {
	for _, s := range scripts(t, prefixes...) {
		t.Run(s.ID, s.Run)
	}
}

// The scenarios of the rulebook, each under its own number.
func TestScenarios(t *testing.T) { run(t, "SB-") }

// Situations that other programs got wrong, each under its own number.
func TestFieldReports(t *testing.T) { run(t, "FR-") }

// Rules that no scenario is about, under the number of the first rule.
func TestRules(t *testing.T) { run(t, "B-") }

// A script's number is unique, and so are the names of its variants.
func TestScriptNames(t *testing.T) {
	var ids []string
	for _, s := range scripts(t, "") {
		ids = append(ids, s.ID)
		var runs []string
		for _, r := range s.Runs {
			runs = append(runs, r.Name)
		}
		slices.Sort(runs)
		if len(slices.Compact(slices.Clone(runs))) != len(runs) {
			t.Errorf("%s: two variants have one name", s.ID)
		}
		if len(s.Rules) == 0 {
			t.Errorf("%s cites no rule", s.ID)
		}
	}
	slices.Sort(ids)
	if len(slices.Compact(slices.Clone(ids))) != len(ids) {
		t.Error("two scripts have one number")
	}
	for _, want := range []struct {
		prefix   string
		from, to int
		but      []int
	}{{"SB", 1, 103, nil}, {"FR", 1, 27, []int{14, 23}}, {"FR", 37, 37, nil}} {
		for n := want.from; n <= want.to; n++ {
			if id := scenarioID(want.prefix, n); !slices.Contains(want.but, n) && !slices.Contains(ids, id) {
				t.Errorf("no script for %s", id)
			}
		}
	}
}

// Rules that no script of the basic box can be about, and why.
var notScripted = map[string]string{
	"B-313": "is about cards of another box",
}

// Every rule of the basic box is cited by the title of some script, or it is said why not; and no script cites a rule
// that the rulebook does not have.
func TestRulesCited(t *testing.T) {
	book, err := os.ReadFile("rulebook/base.md")
	if err != nil {
		t.Fatal(err)
	}
	cited := map[string]string{}
	for _, s := range scripts(t, "") {
		for _, r := range s.Rules {
			cited[r] = s.ID
		}
	}
	rules := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^(?:- |\| )(B-\d{3})\b`).FindAllSubmatch(book, -1) {
		r := string(m[1])
		rules[r] = true
		_, excused := notScripted[r]
		switch {
		case cited[r] == "" && !excused:
			t.Errorf("no script cites %s", r)
		case cited[r] != "" && excused:
			t.Errorf("%s is cited by %s, but said to be out of reach", r, cited[r])
		}
	}
	if len(rules) < 200 {
		t.Errorf("the rulebook has only %d rules", len(rules))
	}
	for r, id := range cited {
		if !rules[r] {
			t.Errorf("%s cites %s, which the rulebook does not have", id, r)
		}
	}
}

func scenarioID(prefix string, n int) string {
	const digits = "0123456789"
	id := string(digits[n/10%10]) + string(digits[n%10])
	if n >= 100 {
		id = string(digits[n/100]) + id
	}
	return prefix + "-" + id
}
