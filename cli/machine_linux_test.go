package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/cli/line"
	"standoff/p2p/node"
)

// machine is one seat of a table in namespaces: the program with --json, a robot at its input, and all that it has
// said. Until there is war the robot hurts nobody, so that no game ends before the test is through with it.
type machine struct {
	n    *network
	at   int // namespace
	nick string
	data string
	war  *atomic.Bool

	mu    sync.Mutex
	said  []utterance
	cmd   *exec.Cmd
	in    io.WriteCloser
	errs  *bytes.Buffer // to be read when the process is gone
	ended chan struct{} // closed when the process is gone
	err   error         // then
	asked int           // questions so far; an answer that comes later than the next question is not given
}

// utterance is one object that the program wrote.
type utterance struct {
	at    time.Time
	Type  string          `json:"type"`
	Kind  string          `json:"kind"`
	Round uint32          `json:"round"`
	Nick  string          `json:"nick"`
	Text  json.RawMessage `json:"text"` // of an ask a list of lines, else one
}

func (u utterance) text() string {
	var one string
	if json.Unmarshal(u.Text, &one) == nil {
		return one
	}
	var lines []string
	json.Unmarshal(u.Text, &lines)
	return strings.Join(lines, " / ")
}

// start starts the program in the machine's namespace.
func (m *machine) start(args ...string) {
	m.n.t.Helper()
	program, err := exec.LookPath("standoff")
	require.NoError(m.n.t, err)
	cmd := m.n.Command(m.at, program, append([]string{args[0], "--json"}, args[1:]...)...)
	cmd.Env = append(os.Environ(), node.OwnNamespace+"=1", "STANDOFF_DATA="+m.data, "STANDOFF_CONFIG="+filepath.Join(m.data, "config"))
	errs, ended := &bytes.Buffer{}, make(chan struct{})
	cmd.Stderr = errs
	in, err := cmd.StdinPipe()
	require.NoError(m.n.t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(m.n.t, err)
	m.mu.Lock()
	m.cmd, m.in, m.errs, m.ended, m.err = cmd, in, errs, ended, nil
	m.mu.Unlock()
	require.NoError(m.n.t, cmd.Start())
	m.n.t.Cleanup(func() {
		cmd.Process.Kill()
		<-ended
	})
	go func() {
		defer close(ended)
		rng := rand.New(rand.NewPCG(uint64(m.at), 11))
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			m.hear(rng, in, lines.Bytes())
		}
		err := cmd.Wait()
		m.mu.Lock()
		m.err = err
		m.mu.Unlock()
	}()
}

// hear notes what the program writes and answers what it asks.
func (m *machine) hear(rng *rand.Rand, in io.Writer, object []byte) {
	u := utterance{at: time.Now()}
	if err := json.Unmarshal(object, &u); err != nil {
		u.Type, u.Text = "no object", object
	}
	m.mu.Lock()
	m.said = append(m.said, u)
	m.mu.Unlock()
	switch {
	case u.Type == "lobby" && u.Kind == "ask" && strings.HasPrefix(u.text(), "are you ready"):
		io.WriteString(in, `{"ready":true}`+"\n")
	case u.Type == "lobby" && u.Kind == "ask": // another game?
		io.WriteString(in, `{"leave":true}`+"\n")
	case u.Type == "ask":
		var a line.Ask
		if json.Unmarshal(object, &a) != nil || len(a.Choices) == 0 {
			return
		}
		m.mu.Lock()
		m.asked++
		n := m.asked
		m.mu.Unlock()
		choice, think := calm(a), 100*time.Millisecond
		if m.war.Load() {
			choice, think = fierce(rng, a), 0
		}
		time.AfterFunc(think, func() {
			m.mu.Lock()
			defer m.mu.Unlock()
			if m.asked == n {
				fmt.Fprintf(in, "{\"choice\":%d}\n", choice)
			}
		})
	}
}

// calm is the choice of one who never ends a game.
func calm(a line.Ask) int {
	for _, verb := range []string{"end", "pass", "discard"} {
		for _, c := range a.Choices {
			if c.Verb == verb {
				return c.Choice
			}
		}
	}
	return max(1, a.Default)
}

// fierce is the choice of one who is in a hurry to: it shoots, and lets itself be hit.
func fierce(rng *rand.Rand, a line.Ask) int {
	choice := a.Choices[rng.IntN(len(a.Choices))].Choice
	for _, c := range a.Choices {
		if c.Verb == "pass" || c.Verb == "play" && c.As == "bang" {
			choice = c.Choice
		}
	}
	return choice
}

// kill ends the program as a power cut would.
func (m *machine) kill() {
	m.n.t.Helper()
	require.NoError(m.n.t, m.cmd.Process.Kill())
	<-m.ended
}

// signal sends the program a signal.
func (m *machine) signal(s os.Signal) {
	m.n.t.Helper()
	require.NoError(m.n.t, m.cmd.Process.Signal(s))
}

// order writes a line of input.
func (m *machine) order(object string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	io.WriteString(m.in, object+"\n")
}

// mark is how much the program has said by now, in all its lives.
func (m *machine) mark() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.said)
}

// since is what it has said since then.
func (m *machine) since(mark int) []utterance {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.said[mark:len(m.said):len(m.said)]
}

// gone reports whether the process has ended.
func (m *machine) gone() bool {
	select {
	case <-m.ended:
		return true
	default:
		return false
	}
}

// waitsFor are those for whom the program says that it waits.
func (m *machine) waitsFor() (nicks []string) {
	now := map[string]bool{}
	for _, u := range m.since(0) {
		switch u.Type {
		case "silent":
			now[u.Nick] = true
		case "heard":
			delete(now, u.Nick)
		case "lobby": // a new life knows nothing of it
			if u.Kind == "resumes" {
				clear(now)
			}
		}
	}
	for _, nick := range demoNicks {
		if now[nick] {
			nicks = append(nicks, nick)
		}
	}
	return nicks
}

// still is the longest time since then in which nothing happened at the table, as this machine saw it.
func (m *machine) still(since time.Time) (longest time.Duration) {
	last := since
	for _, u := range m.since(0) {
		if u.at.Before(since) || u.Type != "event" && u.Type != "news" && u.Type != "ask" {
			continue
		}
		longest, last = max(longest, u.at.Sub(last)), u.at
	}
	return longest
}

// report is all that a machine has said, for when something has gone wrong.
func (m *machine) report() string {
	var b strings.Builder
	m.mu.Lock()
	errs, err := m.errs, m.err
	m.mu.Unlock()
	fmt.Fprintf(&b, "%s, machine %d: ended %t (%v); waits for %v\n", m.nick, m.at, m.gone(), err, m.waitsFor())
	for _, u := range m.since(0) {
		fmt.Fprintf(&b, "  %s %s %s round %d: %.150s\n", u.at.Format("15:04:05.000"), u.Type, u.Kind, u.Round, u.text())
	}
	if m.gone() {
		fmt.Fprintf(&b, "  error output: %s\n", errs)
	}
	return b.String()
}
