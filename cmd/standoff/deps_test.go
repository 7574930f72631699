package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// outside lists what the packages of a room import, directly or not, outside of the standard library and the room
// itself. Tests do not count.
func outside(t *testing.T, room string) []string {
	t.Helper()
	list := exec.Command("go", "list", "-deps", "-f", `{{if not .Standard}}{{.ImportPath}}{{end}}`, "standoff/"+room+"/...")
	list.Stderr = os.Stderr
	text, err := list.Output()
	require.NoError(t, err)
	var out []string
	all := strings.Fields(string(text))
	for _, d := range all {
		if d != "standoff/"+room && !strings.HasPrefix(d, "standoff/"+room+"/") {
			out = append(out, d)
		}
	}
	require.Greater(t, len(all), len(out), "the room %s has no package", room)
	return out
}

func TestTheEngineNeedsOnlyTheStandardLibrary(t *testing.T) {
	require.Empty(t, outside(t, "engine"))
}

func TestTheCryptographyNeedsOnlyTheStandardLibraryAndItsGroup(t *testing.T) {
	for _, d := range outside(t, "crypto") {
		require.True(t, strings.HasPrefix(d, "filippo.io/edwards25519"), "crypto imports %s", d)
	}
}

func TestThePeersNeverImportWhatShowsThem(t *testing.T) {
	for _, d := range outside(t, "p2p") {
		require.False(t, d == "standoff/cli" || strings.HasPrefix(d, "standoff/cli/") || strings.HasPrefix(d, "standoff/cmd"),
			"p2p imports %s", d)
	}
	require.Contains(t, outside(t, "p2p"), "standoff/engine")
	require.Contains(t, outside(t, "p2p"), "standoff/crypto")
}

func TestTheTableHasNoNetwork(t *testing.T) {
	for _, d := range outside(t, "p2p/table") {
		require.NotContains(t, d, "libp2p")
	}
}

func TestOnlyTheNodeSpeaksToTheNetwork(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{join .Imports "\n"}}`, "standoff/cli/...").Output()
	require.NoError(t, err)
	for _, d := range strings.Fields(string(out)) {
		require.NotContains(t, d, "libp2p", "only p2p/node speaks libp2p")
	}
}

func TestTheTopLevelHoldsTheFiveRoomsAndNothingElse(t *testing.T) {
	allowed := []string{"cmd", "p2p", "crypto", "engine", "cli", "go.mod", "go.sum", "README.md"}
	entries, err := os.ReadDir(filepath.Join("..", ".."))
	require.NoError(t, err)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || e.Name() == "standoff" && !e.IsDir() { // the program itself, ignored by .gitignore
			continue
		}
		require.True(t, slices.Contains(allowed, e.Name()), "%s has no place at the top level", e.Name())
	}
}
