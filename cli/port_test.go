package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/p2p/node"
)

// A program that starts again listens where it did, unless another has the port by then.
func TestAProgramListensWhereItDid(t *testing.T) {
	data := t.TempDir()
	id, err := node.LoadOrCreate(data)
	require.NoError(t, err)
	start := func() (*node.Host, string) {
		h, err := hostAt(t.Context(), data, node.Config{Identity: id})
		require.NoError(t, err)
		t.Cleanup(func() { h.Close() })
		return h, h.Addresses()[0].String()
	}
	first, at := start()
	require.NoError(t, first.Close())
	second, again := start()
	require.Equal(t, at, again)
	_, other := start() // the second still listens there
	require.NotEqual(t, at, other)
	require.NoError(t, second.Close())
	require.NoError(t, os.WriteFile(filepath.Join(data, portFile), []byte("no port\n"), 0o600))
	_, any := start()
	require.NotEmpty(t, any)
}
