package cli

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Four machines, terminals only. The program of one is killed in mid-game and started again with "standoff resume" when
// the others have gone on without it: it finds them, takes its seat, plays to the end, and all have one transcript.
func TestNamespacesResume(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute: left out by -short")
	}
	t.Parallel()
	for range 3 {
		if resumed(t) {
			return
		}
	}
	require.Fail(t, "three games that were over before a seat could come back")
}

// resumed plays one such game; false when it was over before the seat was back.
func resumed(t *testing.T) bool {
	n := newNetwork(t, 4)
	data := []string{t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()}
	host := n.seat(1, data[0], "host", "--name", "saloon", "--nick", "Ana", "--seats", "4", "--private",
		"--option", "waits=0s", "--option", "clock=none", "--option", "grace=2s")
	first, more := host.prompt(20 * time.Second)
	require.True(t, more, host.all.String())
	m := codeLine.FindStringSubmatch(strings.Join(first, "\n"))
	require.NotNil(t, m, first)
	peers := []*terminal{host,
		n.seat(2, data[1], "join", m[1], "--nick", "Boris"),
		n.seat(3, data[2], "join", m[1], "--nick", "Cilka"),
		n.seat(4, data[3], "join", m[1], "--nick", "Dimitris"),
	}
	host.typed("")
	var all sync.WaitGroup
	all.Go(func() { host.evening(1, 1) })
	for _, x := range []*terminal{peers[1], peers[3]} {
		all.Go(func() { x.some(2000, 250*time.Millisecond) }) // the game is not to be over too soon
	}
	peers[2].some(3, 0)
	require.NoError(t, peers[2].cmd.Process.Kill())
	peers[2].cmd.Wait()
	time.Sleep(12 * time.Second) // the others take the seat out, on a busy machine too

	over := make(chan struct{})
	go func() {
		all.Wait()
		close(over)
	}()
	select {
	case <-over:
		return false
	default:
	}
	back := n.seat(3, data[2], "resume")
	back.evening(2, 1)
	<-over
	peers[2] = back
	var one []byte
	for i, x := range peers {
		require.NoError(t, x.cmd.Wait(), "seat %d:\n%s", i, x.all.String())
		files, err := filepath.Glob(filepath.Join(data[i], "transcripts", "*.standoff"))
		require.NoError(t, err)
		require.Len(t, files, 1)
		file, err := os.ReadFile(files[0])
		require.NoError(t, err)
		if one == nil {
			one = file
		}
		require.Equal(t, one, file, "the transcripts of all are the same")
	}
	v := judge(one)
	require.Nil(t, v.problem)
	require.Equal(t, "finished", v.Result)
	if len(v.Moves) < 2 {
		return false
	}
	require.Len(t, v.Moves, 2)
	require.Equal(t, "silence", v.Moves[0].Reason)
	require.Equal(t, "Cilka", v.Moves[0].Nick)
	require.True(t, v.Moves[1].Back)
	require.Contains(t, back.all.String(), "takes the seat of Cilka at saloon again")
	require.Contains(t, host.all.String(), "Cilka: is not heard any more; all others agree, and go on without")
	require.Contains(t, host.all.String(), "Cilka: is back, with new keys")
	code, _, errs := n.run(3, data[2], "resume")
	require.Equal(t, Failure, code)
	require.Contains(t, errs, "there is no unfinished game in ")
	return true
}

// some answers so many prompts of the game, or all there are, each after a while.
func (x *terminal) some(n int, after time.Duration) {
	for rng := rand.New(rand.NewPCG(7, 7)); n > 0; {
		lines, more := x.prompt(40 * time.Second)
		if !more {
			return
		}
		text := strings.Join(lines, "\n")
		if !strings.Contains(x.all.String(), "turn 1: ") || !strings.Contains(text, "your ") && !strings.Contains(text, "discard ") && !strings.Contains(text, "0: back") {
			x.typed("") // ready; the game has not begun
			continue
		}
		time.Sleep(after)
		x.typed(decide(rng, lines))
		n--
	}
}
