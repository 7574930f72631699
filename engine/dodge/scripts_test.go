package dodge_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"standoff/engine/dodge"
	"standoff/engine/enginetest"
	"standoff/engine/rulebook"
)

// scripts loads the scripts of testdata whose numbers begin with prefix.
func scripts(t *testing.T, prefix string) []enginetest.Script {
	t.Helper()
	all, err := enginetest.Load("testdata/*.txt", dodge.Set)
	if err != nil {
		t.Fatal(err)
	}
	out := slices.DeleteFunc(all, func(s enginetest.Script) bool { return !strings.HasPrefix(s.ID, prefix) })
	if len(out) == 0 {
		t.Fatalf("no scripts for %q", prefix)
	}
	return out
}

func run(t *testing.T, prefix string) {
	for _, s := range scripts(t, prefix) {
		t.Run(s.ID, s.Run)
	}
}

// The scenarios of the rulebook, each under its own number.
func TestScenarios(t *testing.T) { run(t, "SD-") }

// Situations that other programs got wrong, each under its own number.
func TestFieldReports(t *testing.T) { run(t, "FR-") }

// Rules that no scenario is about, under the number of the first rule.
func TestRules(t *testing.T) { run(t, "D-") }

// Characters that meet: what one does when the other is there.
func TestPairs(t *testing.T) { run(t, "P-") }

// elsewhere are the rules and scenarios of the promo characters, whose scripts lie in their own folder.
var elsewhere = regexp.MustCompile(`^(D-3\d\d|D-405|SD-(23|24|25|49))$`)

// A script's number is unique, and every scenario of the box has one.
func TestScriptNames(t *testing.T) {
	ids := map[string]bool{}
	for _, s := range scripts(t, "") {
		if ids[s.ID] {
			t.Errorf("two scripts are %s", s.ID)
		}
		if len(s.Rules) == 0 {
			t.Errorf("%s cites no rule", s.ID)
		}
		ids[s.ID] = true
	}
	for n := 1; n <= 49; n++ {
		if id := fmt.Sprintf("SD-%02d", n); ids[id] == elsewhere.MatchString(id) {
			t.Errorf("%s: a script of this box: %t", id, ids[id])
		}
	}
}

// Every rule of the box is cited by the title of some script, and no script cites a rule that is not in the book.
func TestRulesCited(t *testing.T) {
	cited := map[string]bool{}
	for _, s := range scripts(t, "") {
		for _, r := range s.Rules {
			if _, ok := rulebook.Rule(r); !ok {
				t.Errorf("%s cites %s, which is not in the book", s.ID, r)
			}
			cited[r] = true
		}
	}
	rules := 0
	err := rulebook.Each(func(number, line string) bool {
		if strings.HasPrefix(number, "D-") {
			rules++
			if !cited[number] && !elsewhere.MatchString(number) {
				t.Errorf("no script cites %s", number)
			}
		}
		return true
	})
	if err != nil || rules < 100 {
		t.Errorf("%d rules, %v", rules, err)
	}
}
