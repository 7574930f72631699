package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/cli/i18n"
	"standoff/cli/line"
)

// program starts play with --json and gives its objects and its input.
func program(t *testing.T, args ...string) (*exec.Cmd, *bufio.Scanner, io.WriteCloser, *bytes.Buffer) {
	t.Helper()
	cmd := exec.Command("standoff", append([]string{"play", "--json"}, args...)...)
	data := t.TempDir()
	cmd.Env = append(os.Environ(), "STANDOFF_DATA="+data, "STANDOFF_CONFIG="+filepath.Join(data, "config"))
	errs := &bytes.Buffer{}
	cmd.Stderr = errs
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	stop := time.AfterFunc(90*time.Second, func() { cmd.Process.Kill() })
	t.Cleanup(func() {
		stop.Stop()
		cmd.Process.Kill()
		cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	return cmd, lines, in, errs
}

// A program in any language plays: it reads one object a line and answers every ask, by number or by fields.
func TestAProgramPlaysInJSON(t *testing.T) {
	t.Parallel()
	cmd, lines, in, errs := program(t, "--bots", "3", "--nick", "robot")
	rng := rand.New(rand.NewPCG(1, 2))
	write := func(s string) {
		_, err := io.WriteString(in, s+"\n")
		require.NoError(t, err)
	}
	kinds := map[string]int{}
	wrong, asks := 0, 0
	for lines.Scan() {
		var o struct {
			Type, Kind string
			Text       any
		}
		require.NoError(t, json.Unmarshal(lines.Bytes(), &o), lines.Text())
		kinds[o.Type]++
		switch {
		case o.Type == "lobby" && o.Kind == "ask" && strings.HasPrefix(o.Text.(string), "another game"):
			write(`{"leave":true}`)
		case o.Type == "error":
			wrong++
		}
		if o.Type != "ask" {
			continue
		}
		asks++
		require.Less(t, asks, 3000)
		var a line.Ask
		require.NoError(t, json.Unmarshal(lines.Bytes(), &a))
		require.NotEmpty(t, a.Choices)
		require.Len(t, a.State.Players, 4)
		require.NotEmpty(t, a.State.Role)
		require.Equal(t, "robot", a.State.Players[a.State.Seat].Nick)
		require.Len(t, a.State.Hand, a.State.Players[a.State.Seat].Hand)
		if asks == 1 {
			write("this is no object")
			write(`{"choice":999}`)
			write(`{"verb":"dance"}`)
			write(`{"colour":"red"}`)
		}
		c := a.Choices[rng.IntN(len(a.Choices))]
		for _, d := range a.Choices { // a short game: shoot, and let oneself be hit
			if d.Verb == "pass" || d.Verb == "play" && d.As == "bang" {
				c = d
			}
		}
		if rng.IntN(2) == 0 {
			b, err := json.Marshal(map[string]int{"choice": c.Choice})
			require.NoError(t, err)
			write(string(b))
			continue
		}
		fields := map[string]any{"verb": c.Verb}
		if c.As != "" {
			fields["as"] = c.As
		}
		if c.Card != "" {
			fields["card"] = c.Card
		}
		if c.To != nil {
			fields["to"] = *c.To
		}
		fields["at"] = c.At
		fields["n"] = c.N
		b, err := json.Marshal(fields)
		require.NoError(t, err)
		write(string(b))
	}
	require.NoError(t, cmd.Wait(), errs.String())
	require.Equal(t, 4, wrong)
	require.Positive(t, asks)
	for _, k := range []string{"event", "news", "ask", "lobby"} {
		require.Positive(t, kinds[k], k)
	}
}

// FR-34: whoever does not answer in time is answered for by the own program, with what the rules have for that; the log
// says so at everybody's, the seat stays, and the game comes to its end.
func TestFieldReportsFlagFall(t *testing.T) {
	t.Parallel()
	t.Run("FR-34 Nobody can hold up the table", func(t *testing.T) {
		cmd, lines, in, errs := program(t, "--bots", "3", "--nick", "robot", "--option", "clock=10s+0s")
		byDefault := strings.Replace(i18n.English.ByDefault, "{seat}", "robot", 1)
		asks, defaults, file := 0, 0, ""
		for lines.Scan() {
			var o struct{ Type, Kind, Text string }
			json.Unmarshal(lines.Bytes(), &o) // an ask has other fields: it is counted and not answered
			switch {
			case strings.HasPrefix(lines.Text(), `{"type":"ask"`):
				asks++
			case strings.Contains(o.Text, byDefault):
				defaults++
			case strings.HasPrefix(o.Text, "the transcript lies in "):
				file = strings.TrimPrefix(o.Text, "the transcript lies in ")
			case o.Kind == "ask" && strings.HasPrefix(o.Text, "another game"):
				io.WriteString(in, `{"leave":true}`+"\n")
			}
		}
		require.NoError(t, cmd.Wait(), errs.String())
		require.Positive(t, asks)
		require.Positive(t, defaults)
		b, err := os.ReadFile(file)
		require.NoError(t, err)
		v := judge(b)
		require.Nil(t, v.problem)
		require.Equal(t, "finished", v.Result)
		require.Empty(t, v.Moves, "who answers by default keeps the seat")
		_, told, _ := run("show", file)
		require.Equal(t, defaults, strings.Count(told, byDefault))
	})
}

// When the input of a person ends, the game against bots stops, and says so.
func TestTheEndOfTheInputStopsTheGame(t *testing.T) {
	t.Parallel()
	cmd, lines, in, _ := program(t, "--bots", "3")
	var said []string
	for lines.Scan() {
		said = append(said, lines.Text())
		if strings.Contains(lines.Text(), `"type":"ask"`) {
			in.Close()
		}
	}
	require.NoError(t, cmd.Wait())
	all := strings.Join(said, "\n")
	require.Contains(t, all, `"text":"the input has ended"`)
	require.Contains(t, all, "the game stands where it is: ")
	require.NotContains(t, all, "the transcript lies in ")
}

// An interrupt stops in order: the journals are kept, and nothing is left running. The end of the terminal and of the
// machine does the same.
func TestAnInterruptStopsTheGame(t *testing.T) {
	t.Parallel()
	for _, sign := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(sign.String(), func(t *testing.T) { stopsBy(t, sign) })
	}
}

func stopsBy(t *testing.T, sign os.Signal) {
	cmd, lines, _, errs := program(t, "--bots", "3")
	for lines.Scan() {
		if strings.Contains(lines.Text(), `"type":"ask"`) {
			require.NoError(t, cmd.Process.Signal(sign))
			break
		}
	}
	said := false
	for lines.Scan() {
		said = said || strings.Contains(lines.Text(), "the game stops; Ctrl-C again quits at once")
	}
	require.True(t, said)
	require.NoError(t, cmd.Wait())
	require.Empty(t, errs.String())
}

// The second interrupt does not wait for anything.
func TestASecondInterruptEndsTheProgram(t *testing.T) {
	cmd, lines, _, _ := program(t, "--bots", "3")
	for lines.Scan() {
		if strings.Contains(lines.Text(), `"type":"ask"`) {
			require.NoError(t, cmd.Process.Signal(os.Interrupt))
		}
		if strings.Contains(lines.Text(), "Ctrl-C again quits at once") {
			require.NoError(t, cmd.Process.Signal(os.Interrupt))
			break
		}
	}
	for lines.Scan() {
	}
	var exit *exec.ExitError
	require.True(t, errors.As(cmd.Wait(), &exit))
	status, ok := exit.Sys().(syscall.WaitStatus)
	require.True(t, ok)
	require.True(t, status.Signaled() && status.Signal() == syscall.SIGINT)
}

// A transcript that cannot be written where it belongs is not lost.
func TestATranscriptFindsAnotherPlace(t *testing.T) {
	cmd, lines, in, _ := program(t, "--bots", "3")
	var data string
	for _, v := range cmd.Env {
		if d, ok := strings.CutPrefix(v, "STANDOFF_DATA="); ok {
			data = d
		}
	}
	var said []string
	for lines.Scan() {
		said = append(said, lines.Text())
		var a line.Ask
		switch err := json.Unmarshal(lines.Bytes(), &a); {
		case err == nil && a.Type == "ask":
			keep := filepath.Join(data, "transcripts")
			require.NoError(t, os.RemoveAll(keep))
			require.NoError(t, os.WriteFile(keep, nil, 0o644))
			fmt.Fprintf(in, "{\"choice\":%d}\n", max(1, a.Default))
		case strings.Contains(lines.Text(), "another game at this table?"):
			in.Close()
		}
	}
	require.NoError(t, cmd.Wait())
	all := strings.Join(said, "\n")
	require.Contains(t, all, "the transcript cannot be written where it belongs: ")
	_, rest, found := strings.Cut(all, "the transcript lies in ")
	require.True(t, found)
	path, _, _ := strings.Cut(rest, `"`)
	defer os.Remove(path)
	require.Equal(t, filepath.Clean(os.TempDir()), filepath.Dir(path))
	code, _, errs := run("verify", path)
	require.Zero(t, code, errs)
}
