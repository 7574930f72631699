package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A teletype is the program in a process of its own whose lines are read as they come.
type teletype struct {
	t    *testing.T
	cmd  *exec.Cmd
	in   io.WriteCloser
	data string
	errs bytes.Buffer
	done chan struct{}

	mu    sync.Mutex
	lines []string
	at    []time.Time
}

func teletypeOf(t *testing.T, args ...string) *teletype {
	t.Helper()
	r := &teletype{t: t, cmd: exec.Command("standoff", args...), data: t.TempDir(), done: make(chan struct{})}
	r.cmd.Env = append(os.Environ(), "STANDOFF_DATA="+r.data, "STANDOFF_CONFIG="+filepath.Join(r.data, "config"))
	r.cmd.Stderr = &r.errs
	out, err := r.cmd.StdoutPipe()
	require.NoError(t, err)
	r.in, err = r.cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, r.cmd.Start())
	stop := time.AfterFunc(150*time.Second, func() { r.cmd.Process.Kill() })
	t.Cleanup(func() {
		stop.Stop()
		r.cmd.Process.Kill()
		<-r.done
	})
	go func() {
		defer close(r.done)
		for s := bufio.NewScanner(out); s.Scan(); {
			r.mu.Lock()
			r.lines, r.at = append(r.lines, s.Text()), append(r.at, time.Now())
			r.mu.Unlock()
		}
	}()
	return r
}

// says waits for a line and returns what the pattern's group matches, and when it came.
func (r *teletype) says(pattern string) (string, time.Time) {
	r.t.Helper()
	p := regexp.MustCompile(pattern)
	for n, start := 0, time.Now(); ; {
		r.mu.Lock()
		lines, at := r.lines[n:], r.at[n:]
		n = len(r.lines)
		r.mu.Unlock()
		for i, l := range lines {
			if m := p.FindStringSubmatch(l); m != nil {
				return m[len(m)-1], at[i]
			}
		}
		require.Less(r.t, time.Since(start), 120*time.Second, "%q is not said:\n%s", pattern, r.all())
		select {
		case <-r.done:
			r.mu.Lock()
			over := len(r.lines) == n
			r.mu.Unlock()
			require.False(r.t, over, "%q was not said before the end:\n%s", pattern, r.all())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (r *teletype) all() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.lines, "\n") + "\n" + r.errs.String()
}

// ends waits for the end and returns the exit code and the one transcript.
func (r *teletype) ends() (code int, transcript []byte) {
	r.t.Helper()
	<-r.done
	r.cmd.Wait()
	files, err := filepath.Glob(filepath.Join(r.data, "transcripts", "*.standoff"))
	require.NoError(r.t, err)
	if len(files) > 0 {
		require.Len(r.t, files, 1, r.all())
		transcript, err = os.ReadFile(files[0])
		require.NoError(r.t, err)
	}
	return r.cmd.ProcessState.ExitCode(), transcript
}

// Somebody comes in the middle of a game of four processes and looks on by the address of any of them; a program does
// by another's. Both have the players' transcript in the end, and one who is interrupted has none of the players' time.
func TestAGameIsWatchedInAProcessOfItsOwn(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	demo := teletypeOf(t, "demo", "--players", "4", "--out", out)
	first, _ := demo.says(`^Ana: .*(/ip4\S+)`)
	last, _ := demo.says(`^Dimitris: .*(/ip4\S+)`)
	demo.says(`^turn 2: `)
	person := teletypeOf(t, "watch", first)
	machine := teletypeOf(t, "watch", last, "--json")
	short := teletypeOf(t, "watch", first)
	person.says(`^catches up with `) // the game may be over any moment: what there is to type is typed at once
	for _, l := range []string{"seats", "tell I saw that", "hand", "help", "leave", "no"} {
		_, err := io.WriteString(person.in, l+"\n")
		require.NoError(t, err)
	}
	require.NoError(t, machine.in.Close()) // the end of the input is not the end
	short.says(`^turn 1: `)
	require.NoError(t, short.cmd.Process.Signal(os.Interrupt))
	code, cut := short.ends()
	require.Equal(t, OK, code, short.all())
	require.Contains(t, short.all(), "you look on no more; the table goes on")
	require.Equal(t, "incomplete", judge(cut).Result)

	person.says(`^who looks on is not heard at the table$`)
	person.says(`^if you leave you look on no more`)
	person.says(`^turn 1: `)

	code, kept := demo.ends()
	require.Equal(t, OK, code, demo.all())
	require.Nil(t, kept)
	want, err := os.ReadFile(filepath.Join(out, "seat-0.standoff"))
	require.NoError(t, err)
	for _, r := range []*teletype{person, machine} {
		code, got := r.ends()
		require.Equal(t, OK, code, r.all())
		require.Equal(t, want, got)
	}
	v := judge(want)
	require.Equal(t, "finished", v.Result)
	require.Empty(t, v.Moves)
	require.Contains(t, person.all(), "\nresult: finished\n")
	require.NotContains(t, person.all(), "your ")

	// A program is told what the players' programs are told, in the same objects.
	kinds := map[string]int{}
	machine.mu.Lock()
	defer machine.mu.Unlock()
	for _, l := range machine.lines {
		var o struct{ Type, Kind, Card string }
		require.NoError(t, json.Unmarshal([]byte(l), &o), l)
		kinds[o.Type]++
		if (o.Kind == "drew" || o.Kind == "dealt") && !strings.Contains(l, "shown to all") {
			require.Empty(t, o.Card, "a card that only its holder knows: %s", l)
		}
	}
	for _, k := range []string{"lobby", "news", "event"} {
		require.Positive(t, kinds[k], k)
	}
	require.Zero(t, kinds["ask"])
}

// A table that is shown a minute late shows nothing of a game of seconds until that is over, and then all of it.
func TestALateTableIsShownWhenItIsOver(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	demo := teletypeOf(t, "demo", "--players", "4", "--out", out, "--option", "delay=1m")
	at, _ := demo.says(`^Boris: .*(/ip4\S+)`)
	w := teletypeOf(t, "watch", at)
	w.says(`^the table is shown 1 minute late`)
	_, shown := w.says(`^all players have sat down`)
	_, started := demo.says(`^all players have sat down`)
	_, over := demo.says(`^all keys are shown for the audit`)
	// What a seat does and what the demonstration reads of it are some moments apart.
	require.Greater(t, shown.Sub(started), over.Sub(started)*3/4, "the table was shown while it was played")
	code, _ := demo.ends()
	require.Equal(t, OK, code, demo.all())
	want, err := os.ReadFile(filepath.Join(out, "seat-0.standoff"))
	require.NoError(t, err)
	code, got := w.ends()
	require.Equal(t, OK, code, w.all())
	require.Equal(t, want, got)
}
