package storage_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/p2p/internal/storage"
)

// TestMain is also the other program of TestALockEndsWithItsProgram.
func TestMain(m *testing.M) {
	path := os.Getenv("STANDOFF_TEST_LOCK")
	if path == "" {
		os.Exit(m.Run())
	}
	if _, err := storage.Lock(path); err != nil {
		os.Exit(1)
	}
	os.Stdout.WriteString("locked\n")
	bufio.NewReader(os.Stdin).ReadByte()
}

func TestALockEndsWithItsProgram(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	other := exec.Command(os.Args[0])
	other.Env = append(os.Environ(), "STANDOFF_TEST_LOCK="+path)
	in, err := other.StdinPipe()
	require.NoError(t, err)
	defer in.Close()
	out, err := other.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, other.Start())
	said, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "locked\n", said)
	_, err = storage.Lock(path)
	require.ErrorIs(t, err, storage.ErrLocked)
	require.NoError(t, other.Process.Kill())
	_ = other.Wait()
	f, err := storage.Lock(path)
	require.NoError(t, err)
	_, err = storage.Lock(path)
	require.ErrorIs(t, err, storage.ErrLocked, "also for the same program")
	require.NoError(t, f.Close())
	f, err = storage.Lock(path)
	require.NoError(t, err)
	require.NoError(t, f.Close())
}

func TestFolders(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, storage.SyncFolder(dir))
	_, err := storage.Lock(filepath.Join(dir, "none", "lock"))
	require.ErrorIs(t, err, os.ErrNotExist)
}
