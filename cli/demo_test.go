package cli

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// running is a demonstration in a process of its own, of which the seats have said their process ids.
type running struct {
	t     *testing.T
	cmd   *exec.Cmd
	lines *bufio.Scanner
	errs  bytes.Buffer
	seats []int // process ids
}

var seatLine = regexp.MustCompile(`^\w+: process (\d+), `)

// startDemo starts a demonstration and waits until the game goes on.
func startDemo(t *testing.T) *running {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("signals are sent here, which this system does not have")
	}
	r := &running{t: t, cmd: exec.Command("standoff", "demo", "--players", "4", "--out", filepath.Join(t.TempDir(), "game"))}
	r.cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir()) // whoever is killed leaves its folder there
	r.cmd.Stderr = &r.errs
	out, err := r.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, r.cmd.Start())
	t.Cleanup(func() { r.cmd.Process.Kill() })
	r.lines = bufio.NewScanner(out)
	r.until(`^turn 1: `)
	require.Len(t, r.seats, 4)
	return r
}

// until reads lines up to one that matches.
func (r *running) until(pattern string) {
	r.t.Helper()
	for re := regexp.MustCompile(pattern); r.lines.Scan(); {
		if m := seatLine.FindStringSubmatch(r.lines.Text()); m != nil {
			n, err := strconv.Atoi(m[1])
			require.NoError(r.t, err)
			r.seats = append(r.seats, n)
		}
		if re.MatchString(r.lines.Text()) {
			return
		}
	}
	r.t.Fatalf("no line matches %s: %s", pattern, r.errs.String())
}

// ended waits for the end and returns the exit code.
func (r *running) ended() int {
	r.t.Helper()
	for r.lines.Scan() {
	}
	var exit *exec.ExitError
	if err := r.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		r.t.Fatal(err)
	}
	return r.cmd.ProcessState.ExitCode()
}

// alone checks that no seat outlives the demonstration.
func (r *running) alone() {
	r.t.Helper()
	require.Eventually(r.t, func() bool {
		for _, id := range r.seats {
			if p, err := os.FindProcess(id); err == nil && p.Signal(syscall.Signal(0)) == nil && !zombie(id) {
				return false
			}
		}
		return true
	}, 10*time.Second, 50*time.Millisecond, "a seat outlives the demonstration")
}

// zombie reports whether a process is dead but not yet waited for, as far as the system tells.
func zombie(id int) bool {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(id) + "/stat")
	return err == nil && bytes.Contains(b, []byte(") Z "))
}

func TestAnInterruptEndsTheDemonstration(t *testing.T) {
	r := startDemo(t)
	require.NoError(t, r.cmd.Process.Signal(os.Interrupt))
	require.Equal(t, Failure, r.ended())
	require.Equal(t, "standoff: error: interrupted\nstandoff: hint: the game is void; start again with the same command\n", r.errs.String())
	r.alone()
}

func TestTheSeatsEndWithTheirParent(t *testing.T) {
	r := startDemo(t)
	require.NoError(t, r.cmd.Process.Kill())
	r.ended()
	r.alone()
}

func TestASeatThatDiesEndsTheDemonstration(t *testing.T) {
	r := startDemo(t)
	p, err := os.FindProcess(r.seats[2])
	require.NoError(t, err)
	require.NoError(t, p.Kill())
	require.Equal(t, Failure, r.ended())
	require.Regexp(t, `^standoff: error: Cilka, process \d+ has ended before the game did \(signal: killed\)\nstandoff: hint: .+\n$`, r.errs.String())
	r.alone()
}
