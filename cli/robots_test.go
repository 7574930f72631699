package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/cli/line"
	"standoff/p2p/journal"
	"standoff/p2p/node"
	"standoff/p2p/table"
)

// A game against bots stands where it is when the program of the person ends, whatever ends it, and goes on with all
// bots as often as it is taken up again.
func TestAGameAgainstBotsIsGoneOnWith(t *testing.T) {
	t.Parallel()
	data := dataWithBots(t)
	require.NoError(t, os.Chmod(data, 0o700))
	entries := func(folder string) int {
		list, err := os.ReadDir(filepath.Join(data, folder))
		if !os.IsNotExist(err) {
			require.NoError(t, err)
		}
		return len(list)
	}
	for i, stop := range []func(*exec.Cmd, func(string)){
		func(c *exec.Cmd, _ func(string)) { c.Process.Kill() },
		func(c *exec.Cmd, _ func(string)) { c.Process.Signal(os.Interrupt) },
		func(_ *exec.Cmd, write func(string)) { write(`{"leave":true}`) },
		nil,
	} {
		args := []string{"resume", "--json"}
		if i == 0 {
			args = []string{"play", "--json", "--bots", "3"}
		}
		cmd := exec.Command("standoff", args...)
		cmd.Env = append(os.Environ(), "STANDOFF_DATA="+data, "STANDOFF_CONFIG="+filepath.Join(data, "config"))
		errs := &tail{}
		cmd.Stderr = errs
		in, err := cmd.StdinPipe()
		require.NoError(t, err)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		late := time.AfterFunc(90*time.Second, func() { cmd.Process.Kill() })
		write := func(s string) { fmt.Fprintln(in, s) }
		asks := 0
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var a line.Ask
			if json.Unmarshal(lines.Bytes(), &a) != nil || a.Type != "ask" || len(a.Choices) == 0 {
				continue
			}
			if asks++; asks == 3 && stop != nil {
				stop(cmd, write)
			} else {
				write(fmt.Sprintf(`{"choice":%d}`, max(1, a.Default)))
			}
		}
		cmd.Wait()
		require.True(t, late.Stop(), "it takes too long: %s", errs)
		if stop != nil && entries("transcripts") == 0 { // the game was not over before it could be stopped
			require.Equal(t, 3, entries("bots"), "the bots' journals are there: %s", errs)
		}
	}
	require.Equal(t, 1, entries("transcripts"))
	require.Equal(t, 1, entries("journals/tables"), "it was one game")
	marks, err := filepath.Glob(filepath.Join(data, "journals", "tables", "*", "*"))
	require.NoError(t, err)
	require.Len(t, marks, 2, "of a game that is over only the mark and the lock stay")
	require.Zero(t, entries("bots"), "what belongs to a game that is over is gone")
	files, err := filepath.Glob(filepath.Join(data, "transcripts", "*"))
	require.NoError(t, err)
	file, err := os.ReadFile(files[0])
	require.NoError(t, err)
	v := judge(file)
	require.Nil(t, v.problem)
	require.Equal(t, "finished", v.Result)
	require.Empty(t, v.Moves)
	require.Empty(t, v.Faults)
}

// dataWithBots is a data folder of which bots may go on writing for a moment when their owner has been killed.
func dataWithBots(t *testing.T) string {
	data := t.TempDir()
	require.NoError(t, os.Chmod(data, 0o700))
	t.Cleanup(func() {
		require.Eventually(t, func() bool { return os.RemoveAll(robotsFolder(data)) == nil }, 30*time.Second, 50*time.Millisecond)
	})
	return data
}

// TestRobotsOf: the bots of a game are found whatever the name of the data folder is.
func TestRobotsOf(t *testing.T) {
	for _, name := range []string{"plain", "[a-b]", "[", "two words"} {
		data := filepath.Join(t.TempDir(), name)
		require.Empty(t, robotsOf(data, table.Hash{1}))
		var want []string
		for _, bot := range []string{"1", "2"} {
			dir := filepath.Join(robotsFolder(data), bot)
			j, err := journal.Create(dir, table.Hash{1})
			require.NoError(t, err)
			require.NoError(t, j.Close())
			want = append(want, dir)
		}
		require.NoError(t, os.MkdirAll(filepath.Join(robotsFolder(data), "3"), 0o700))
		require.Equal(t, want, robotsOf(data, table.Hash{1}), name)
		require.Empty(t, robotsOf(data, table.Hash{2}), name)
	}
}

// TestFoldersOfBotsThatNeverPlayedAreSwept: what a killed bot has left goes, but no journal ever, and nothing young.
func TestFoldersOfBotsThatNeverPlayedAreSwept(t *testing.T) {
	data := t.TempDir()
	sweepRobots(data) // no folder yet
	for _, name := range []string{"old", "young", "played"} {
		dir := filepath.Join(robotsFolder(data), name)
		_, err := node.LoadOrCreate(dir)
		require.NoError(t, err)
		if name == "played" {
			j, err := journal.Create(dir, table.Hash{1})
			require.NoError(t, err)
			require.NoError(t, j.Close())
		}
		if name != "young" {
			long := time.Now().Add(-2 * robotsKept)
			require.NoError(t, os.Chtimes(dir, long, long))
		}
	}
	sweepRobots(data)
	require.NoDirExists(t, filepath.Join(robotsFolder(data), "old"))
	require.DirExists(t, filepath.Join(robotsFolder(data), "young"))
	require.DirExists(t, filepath.Join(robotsFolder(data), "played"))
}

// TestABotWaitsForItsFormerProcess: a bot that is started again while its process of before still ends takes its place.
func TestABotWaitsForItsFormerProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	former, err := node.LockIdentity(dir)
	require.NoError(t, err)
	late := time.AfterFunc(closeLimit/10, func() { former.Close() })
	defer late.Stop()
	lock, err := lockSoon(dir)
	require.NoError(t, err)
	_, err = lockSoon(dir)
	require.ErrorIs(t, err, node.ErrIdentityInUse, "one that stays is not waited for")
	require.NoError(t, lock.Close())
}
