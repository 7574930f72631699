package promo_test

import (
	"testing"

	"standoff/engine/dodge"
	"standoff/engine/enginetest"
	"standoff/engine/promo"
)

// The scenarios of the rulebook about these three, each under its own number.
func TestScenarios(t *testing.T) {
	all, err := enginetest.Load("testdata/SD-*.txt", promo.Set, dodge.Set)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("no scripts")
	}
	for _, s := range all {
		t.Run(s.ID, s.Run)
	}
}
