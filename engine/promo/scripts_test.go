package promo_test

import (
	"slices"
	"strings"
	"testing"

	"standoff/engine/dodge"
	"standoff/engine/enginetest"
	"standoff/engine/promo"
	"standoff/engine/rulebook"
)

func run(t *testing.T, prefix string) {
	all, err := enginetest.Load("testdata/*.txt", promo.Set, dodge.Set)
	if err != nil {
		t.Fatal(err)
	}
	ran := false
	for _, s := range all {
		if strings.HasPrefix(s.ID, prefix) {
			ran = t.Run(s.ID, s.Run) || ran
		}
	}
	if !ran {
		t.Fatalf("no script for %q has passed", prefix)
	}
}

// The scenarios of the rulebook that are about these three, each under its own number.
func TestScenarios(t *testing.T) { run(t, "SD-") }

// Rules that no scenario is about, under the number of the first rule.
func TestRules(t *testing.T) { run(t, "D-") }

// Characters that meet: what one does when the other is there.
func TestPairs(t *testing.T) { run(t, "P-") }

// Every rule of the promo characters is cited by the title of some script.
func TestRulesCited(t *testing.T) {
	all, err := enginetest.Load("testdata/*.txt", promo.Set, dodge.Set)
	if err != nil {
		t.Fatal(err)
	}
	cited := enginetest.Cited(all)
	for _, r := range cited {
		if _, ok := rulebook.Rule(r); !ok {
			t.Errorf("%s is cited and not in the book", r)
		}
	}
	n := 0
	err = rulebook.Each(func(number, line string) bool {
		if strings.HasPrefix(number, "D-3") || number == "D-405" {
			n++
			if !slices.Contains(cited, number) {
				t.Errorf("no script cites %s", number)
			}
		}
		return true
	})
	if err != nil || n < 10 {
		t.Errorf("%d rules, %v", n, err)
	}
}
