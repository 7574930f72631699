package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/cli/line"
)

// said is one object that play tells with --json.
type said struct {
	Type, Kind string
	Text       any
}

func (s said) asksForAnother() bool {
	text, _ := s.Text.(string)
	return s.Kind == "ask" && strings.HasPrefix(text, "another game")
}

// shoots is a short game's answer: shoot, and let oneself be hit.
func shoots(t *testing.T, b []byte) string {
	t.Helper()
	var a line.Ask
	require.NoError(t, json.Unmarshal(b, &a))
	c := a.Choices[len(a.Choices)-1]
	for _, d := range a.Choices {
		if d.Verb == "pass" || d.Verb == "play" && d.As == "bang" {
			c = d
		}
	}
	return fmt.Sprintf(`{"choice":%d}`, c.Choice)
}

// Whoever asks for the next game does so the moment the last is over here; the bots end it each in its own time.
// STANDOFF_EVENINGS=30 plays so many evenings of three games.
func TestGameAfterGame(t *testing.T) {
	t.Parallel()
	evenings, _ := strconv.Atoi(os.Getenv("STANDOFF_EVENINGS"))
	for n := range max(1, evenings) {
		cmd, lines, in, errs := program(t, "--bots", "3", "--nick", "robot", "--option", "simplified=on")
		games, results := 0, 0
		for lines.Scan() {
			var o said
			require.NoError(t, json.Unmarshal(lines.Bytes(), &o), lines.Text())
			answer := ""
			switch {
			case o.Type == "ask":
				answer = shoots(t, lines.Bytes())
			case o.asksForAnother():
				if answer = `{"ready":true}`; games == 2 {
					answer = `{"leave":true}`
				}
				games++
			case o.Type == "lobby" && o.Kind == "result":
				require.Equal(t, "result: finished", o.Text)
				results++
			}
			if answer != "" {
				_, err := io.WriteString(in, answer+"\n")
				require.NoError(t, err)
			}
		}
		require.NoError(t, cmd.Wait(), errs.String())
		require.Equal(t, 3, games, "evening %d", n)
		require.Equal(t, 3, results, "evening %d", n)
	}
}

// children are the processes that a process has started, in whichever thread.
func children(t *testing.T, pid int) (all []int) {
	t.Helper()
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	require.NoError(t, err)
	for _, f := range files {
		b, err := os.ReadFile(f)
		require.NoError(t, err)
		for _, word := range strings.Fields(string(b)) {
			child, err := strconv.Atoi(word)
			require.NoError(t, err)
			all = append(all, child)
		}
	}
	require.NotEmpty(t, all)
	return all
}

// A bot that ends is told at once; the game goes on without it, and the next does not begin.
func TestABotThatEndsIsTold(t *testing.T) {
	t.Parallel()
	cmd, lines, in, errs := program(t, "--bots", "4", "--option", "grace=2s")
	killed, told, results := 0, 0, 0
	for lines.Scan() {
		var o said
		require.NoError(t, json.Unmarshal(lines.Bytes(), &o), lines.Text())
		answer := ""
		switch {
		case o.Type == "ask":
			if answer = shoots(t, lines.Bytes()); killed == 0 {
				killed = children(t, cmd.Process.Pid)[0]
				require.NoError(t, syscall.Kill(killed, syscall.SIGKILL))
			}
		case o.asksForAnother():
			answer = `{"ready":true}`
		case o.Kind == "bot-gone":
			require.Contains(t, o.Text, fmt.Sprintf("process %d", killed))
			require.Zero(t, results)
			told++
		case o.Type == "lobby" && o.Kind == "result":
			require.Equal(t, "result: finished", o.Text)
			results++
		}
		if answer != "" {
			_, err := io.WriteString(in, answer+"\n")
			require.NoError(t, err)
		}
	}
	require.Error(t, cmd.Wait())
	require.Equal(t, 1, told)
	require.Equal(t, 1, results)
	require.Contains(t, errs.String(), fmt.Sprintf("process %d", killed))
}
