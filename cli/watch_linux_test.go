package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// On a network: a table is listed as running with how to look on; somebody does by its name, has the transcript of the
// players in the end, and the players are told that somebody looks on. Who comes before the start waits for it. A
// private table takes its code.
func TestNamespacesWatch(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute: left out by -short")
	}
	t.Parallel()
	n := newNetwork(t, 2)
	for _, private := range []bool{false, true} {
		data := []string{t.TempDir(), t.TempDir()}
		args := []string{"host", "--name", "saloon", "--nick", "Ana", "--seats", "4", "--bots", "3", "--option", "waits=0s", "--option", "clock=none"}
		where, listed := "saloon", `running; watch it with standoff watch "saloon"`
		if private {
			args, listed = append(args, "--private"), "running and private; watch it with standoff watch CODE"
		}
		host := n.seat(1, data[0], args...)
		host.shows("invite code: ")
		host.shows("Dimitris: sits down")
		if private {
			where = codeLine.FindStringSubmatch(host.all.String())[1]
		}
		played := make(chan int)
		var w *terminal
		if !private {
			w = n.seat(2, data[1], "watch", where)
			w.shows("no game has begun there")
		}
		host.typed("")
		host.shows("the game begins; ")
		_, out, _ := n.run(2, data[1], "list")
		require.Contains(t, sorted(out), listed)
		if private {
			code, _, errs := n.run(2, data[1], "watch", "saloon")
			require.Equal(t, Failure, code)
			require.Equal(t, "standoff: error: it is private: an invite code is needed\nstandoff: hint: ask for the invite code and run \"standoff watch CODE\"\n", errs)
		}
		if private {
			w = n.seat(2, data[1], "watch", where)
		}
		w.shows("looks on at saloon")
		w.shows("Ana: key ")
		w.shows("turn 1: ")
		host.shows("1 spectator looks on")
		go func() { played <- host.evening(7, 1) }()
		w.shows("result: finished")
		w.shows("check it: ")
		require.Equal(t, 1, <-played)
		require.NoError(t, host.cmd.Wait())
		require.NoError(t, w.cmd.Wait())
		var files [2][]byte
		for i := range data {
			found, err := filepath.Glob(filepath.Join(data[i], "transcripts", "*.standoff"))
			require.NoError(t, err)
			require.Len(t, found, 1)
			files[i], err = os.ReadFile(found[0])
			require.NoError(t, err)
		}
		require.Equal(t, files[0], files[1])
		v := judge(files[1])
		require.Equal(t, "finished", v.Result)
		require.Empty(t, v.Moves)
		require.NoFileExists(t, filepath.Join(data[1], "identity"))
	}
}
