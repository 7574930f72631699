package dodge_test

import (
	"slices"
	"strings"
	"testing"

	"standoff/engine/dodge"
	"standoff/engine/enginetest"
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
