package cli

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// terminal is a program at a pseudo-terminal, and a reader that sees nothing but its screen.
type terminal struct {
	t      *testing.T
	master *os.File
	cmd    *exec.Cmd
	screen chan string // what comes, piece by piece; closed at the end
	all    strings.Builder
	rest   string // what came and is not read yet
}

// openTerminal starts a command line at a terminal of so many columns.
func openTerminal(t *testing.T, columns int, env []string, args ...string) *terminal {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("this machine has no pseudo-terminals: %v", err)
	}
	require.NoError(t, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	require.NoError(t, unix.IoctlSetWinsize(int(master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: uint16(columns)}))
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	require.NoError(t, err)
	x := &terminal{t: t, master: master, cmd: exec.Command(args[0], args[1:]...), screen: make(chan string, 1024)}
	x.cmd.Stdin, x.cmd.Stdout, x.cmd.Stderr = slave, slave, slave
	x.cmd.Env = append(os.Environ(), env...)
	x.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	require.NoError(t, x.cmd.Start())
	slave.Close()
	t.Cleanup(func() {
		x.cmd.Process.Kill()
		x.cmd.Wait()
		master.Close()
	})
	go func() {
		defer close(x.screen)
		for b := make([]byte, 4096); ; {
			n, err := master.Read(b)
			if n > 0 {
				x.screen <- string(b[:n])
			}
			if err != nil {
				return
			}
		}
	}()
	return x
}

// typed writes a line as a person does.
func (x *terminal) typed(s string) {
	_, err := x.master.WriteString(s + "\n")
	require.NoError(x.t, err)
}

// prompt reads until the program waits for input, or has ended (false), and returns the lines before it, with those
// put together again that were broken for the width. It may show nothing at all for so long at most: who is out of the
// game is asked nothing while the others play on.
func (x *terminal) prompt(quiet time.Duration) ([]string, bool) {
	x.t.Helper()
	late := time.NewTimer(quiet)
	defer late.Stop()
	for {
		text := strings.ReplaceAll(x.rest, "\r\n", "\n")
		if strings.HasSuffix(text, "\n> ") || text == "> " {
			x.rest = ""
			return unbroken(strings.TrimSuffix(text, "> ")), true
		}
		select {
		case s, ok := <-x.screen:
			x.all.WriteString(s)
			x.rest += s
			if !ok {
				return unbroken(text), false
			}
			late.Reset(quiet)
		case <-late.C:
			all := x.all.String()
			require.Fail(x.t, "no prompt", all[max(0, len(all)-3000):])
		}
	}
}

func unbroken(text string) []string {
	return strings.Split(strings.TrimSpace(strings.ReplaceAll(text, "\n  ", " ")), "\n")
}

var (
	numberLine  = regexp.MustCompile(`^([1-9]\d*): `)
	countedLine = regexp.MustCompile(`discard (\d+), chosen (\d+)$`)
)

// decide is what a program that can only read types at a prompt.
func decide(rng *rand.Rand, lines []string) string {
	// The question is what came last: it begins with a line that ends the log.
	start := 0
	for i, l := range lines {
		if strings.HasPrefix(l, "your ") || strings.HasPrefix(l, "end of your turn") || countedLine.MatchString(l) || strings.HasSuffix(l, "?") {
			start = i
		}
	}
	var keys []string
	enter, complete := false, false
	for _, l := range lines[start:] {
		if m := countedLine.FindStringSubmatch(l); m != nil {
			complete = m[1] == m[2]
		}
		if m := numberLine.FindStringSubmatch(l); m != nil && !strings.HasSuffix(l, ", chosen") {
			keys = append(keys, m[1])
		}
		enter = enter || strings.HasPrefix(l, "Enter: ")
		if strings.Contains(l, "yes plays it all the same") {
			return "0"
		}
	}
	if complete || enter && (len(keys) == 0 || rng.IntN(4) == 0) {
		return ""
	}
	// Who only defends plays for ever: shoot where that is offered, and mostly let oneself be hit.
	if enter && strings.HasPrefix(lines[start], "your answer") && rng.IntN(3) > 0 {
		return ""
	}
	for _, l := range lines[start:] {
		if m := numberLine.FindStringSubmatch(l); m != nil && strings.Contains(l, "1 life") {
			return m[1]
		}
	}
	if len(keys) == 0 {
		return "0"
	}
	return keys[rng.IntN(len(keys))]
}

// A program plays a whole game against bots at a pseudo-terminal of 40 columns, by the prompts alone, and a second one
// at the same table.
func TestTerminalGame(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	x := openTerminal(t, 40, []string{"STANDOFF_DATA=" + data, "STANDOFF_CONFIG=" + filepath.Join(data, "config"), "NO_COLOR=1", "COLUMNS="},
		"standoff", "play", "--bots", "3", "--nick", "Ana")
	rng := rand.New(rand.NewPCG(7, 7))
	games := 0
	decisions := 0
	for {
		lines, more := x.prompt(60 * time.Second)
		if !more {
			break
		}
		if strings.Contains(strings.Join(lines, "\n"), "another game at this table?") {
			if games++; games == 2 {
				x.typed("no")
			} else {
				x.typed("")
			}
			continue
		}
		decisions++
		require.Less(t, decisions, 5000)
		x.typed(decide(rng, lines))
	}
	require.NoError(t, x.cmd.Wait())
	all := strings.ReplaceAll(x.all.String(), "\r\n", "\n")
	require.Equal(t, 2, games)
	require.Positive(t, decisions)
	for _, l := range strings.Split(all, "\n") {
		if !strings.Contains(l, "/") { // a path is one word
			require.LessOrEqual(t, len([]rune(l)), 42, l) // two for the prompt before what was typed
		}
	}
	require.NotContains(t, all, "\x1b", "no escape sequences")
	joined := strings.Join(unbroken(all), "\n")
	require.Regexp(t, `(?m)^your role: \w+`, joined)
	require.Regexp(t, `(?m)^Ana: shuffles 99 cards, \d of 4, proof checked$`, joined)
	require.Contains(t, joined, "your turn: play a card or end the turn")
	require.Equal(t, 2, strings.Count(joined, "the game is over: "))
	require.Equal(t, 2, strings.Count(joined, "result: finished"))
	files, err := filepath.Glob(filepath.Join(data, "transcripts", "*.standoff"))
	require.NoError(t, err)
	require.Len(t, files, 2)
	for _, f := range files {
		file, err := os.ReadFile(f)
		require.NoError(t, err)
		v := judge(file)
		require.Equal(t, "finished", v.Result)
		require.Nil(t, v.problem)
	}
	require.Contains(t, joined, "line by line: a number chooses")
}
