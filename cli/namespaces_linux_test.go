package cli

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/p2p/netns"
	"standoff/p2p/node"
)

// network is a local network of namespaces that the program is played on.
type network struct {
	*netns.Network
	t *testing.T
}

func newNetwork(t *testing.T, seats int) *network {
	t.Helper()
	return &network{netns.New(t, seats, "10.78.0"), t}
}

// deaf lets no multicast through to or from a seat.
func (n *network) deaf(i int) {
	n.t.Helper()
	n.Filter(fmt.Sprintf(`add table bridge f
add chain bridge f fw { type filter hook forward priority 0; }
add rule bridge f fw iifname "p%d" ip daddr 224.0.0.0/4 drop
add rule bridge f fw oifname "p%d" ip daddr 224.0.0.0/4 drop
`, i, i))
}

// seat starts the program at a terminal in namespace i, with a data folder of its own.
func (n *network) seat(i int, data string, args ...string) *terminal {
	n.t.Helper()
	program, err := exec.LookPath("standoff")
	require.NoError(n.t, err)
	env := []string{node.OwnNamespace + "=1", "STANDOFF_DATA=" + data, "STANDOFF_CONFIG=" + filepath.Join(data, "config"), "COLUMNS=200"}
	return openTerminal(n.t, 200, env, append([]string{"ip", "netns", "exec", n.NS(i), program}, args...)...)
}

// evening plays game after game by the prompts alone until the screen asks for the last time, and then leaves.
func (x *terminal) evening(seed uint64, games int) (played int) {
	rng := rand.New(rand.NewPCG(seed, 3))
	for n := 0; ; n++ {
		require.Less(x.t, n, 2000, "it goes on and on")
		lines, more := x.prompt(40 * time.Second)
		if !more {
			return played
		}
		text := strings.Join(lines, "\n")
		played += strings.Count(text, "result: finished")
		switch last := lines[len(lines)-1]; {
		case strings.HasPrefix(last, "another game at this table?") && played < games:
			x.typed("")
		case strings.HasPrefix(last, "another game at this table?"):
			x.typed("no")
		case !strings.Contains(text, "your ") && !strings.Contains(text, "discard ") && !strings.Contains(text, "0: back"): // not in a game: are you ready?
			x.typed("")
		case seed == 0 && !strings.Contains(x.all.String(), "well met"):
			x.typed("tell well met")
		default:
			x.typed(decide(rng, lines))
		}
	}
}

var codeLine = regexp.MustCompile(`invite code: (\S+)`)

// TestNamespaces: four machines, terminals only. One opens a table, two join it by name, one, for which multicast is
// blocked, by the invite code; they play to the end, twice.
func TestNamespaces(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute: left out by -short")
	}
	t.Parallel()
	n := newNetwork(t, 4)
	n.deaf(4)
	data := []string{t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()}
	for _, d := range data {
		require.NoError(t, os.Chmod(d, 0o700))
	}
	host := n.seat(1, data[0], "host", "--name", "saloon", "--nick", "Ana", "--seats", "4", "--option", "waits=0s", "--option", "clock=none")
	first, more := host.prompt(20 * time.Second)
	require.True(t, more, host.all.String())
	m := codeLine.FindStringSubmatch(strings.Join(first, "\n"))
	require.NotNil(t, m, first)
	peers := []*terminal{
		host,
		n.seat(2, data[1], "join", "saloon", "--nick", "Boris"),
		n.seat(3, data[2], "join", "Saloon", "--nick", "Cilka"),
		n.seat(4, data[3], "join", m[1], "--nick", "Dimitris"),
	}
	host.typed("")
	const games = 2
	played := make([]int, 4)
	var all sync.WaitGroup
	for i, x := range peers {
		all.Go(func() { played[i] = x.evening(uint64(i), games) })
	}
	all.Wait()
	if t.Failed() {
		for i, x := range peers {
			t.Logf("seat %d:\n%s", i, x.all.String())
		}
	}
	var first4 [][]byte
	for i, x := range peers {
		require.NoError(t, x.cmd.Wait())
		screen := x.all.String()
		require.Equal(t, games, strings.Count(screen, "result: finished"), "seat %d:\n%s", i, screen[max(0, len(screen)-2000):])
		files, err := filepath.Glob(filepath.Join(data[i], "transcripts", "*.standoff"))
		require.NoError(t, err)
		require.Len(t, files, games)
		for k, f := range files {
			file, err := os.ReadFile(f)
			require.NoError(t, err)
			if i == 0 {
				v := judge(file)
				require.Equal(t, "finished", v.Result)
				require.Nil(t, v.problem)
				first4 = append(first4, file)
			}
			require.Equal(t, first4[k], file, "the transcripts of all are the same")
		}
	}
	require.Contains(t, host.all.String(), "Dimitris: sits down")
	for _, x := range peers[1:] {
		require.Contains(t, x.all.String(), "Ana says: well met")
		require.Contains(t, x.all.String(), "the table is closed: whoever opened it has closed it")
	}
	require.Contains(t, peers[1].all.String(), "all are ready: the game begins in 3 s")
}

// run runs a command line in namespace i to its end and gives its exit code and what it wrote.
func (n *network) run(i int, data string, args ...string) (code int, out, errs string) {
	n.t.Helper()
	program, err := exec.LookPath("standoff")
	require.NoError(n.t, err)
	var o, e strings.Builder
	cmd := n.Command(i, program, args...)
	cmd.Env = append(os.Environ(), node.OwnNamespace+"=1", "STANDOFF_DATA="+data, "STANDOFF_CONFIG="+filepath.Join(data, "config"))
	cmd.Stdout, cmd.Stderr = &o, &e
	late := time.AfterFunc(40*time.Second, func() { cmd.Process.Kill() })
	defer late.Stop()
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		n.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), o.String(), e.String()
}

// shows waits until a text stands on the screen.
func (x *terminal) shows(text string) {
	x.t.Helper()
	late := time.After(30 * time.Second)
	for !strings.Contains(x.all.String(), text) {
		select {
		case s, ok := <-x.screen:
			x.all.WriteString(s)
			x.rest += s
			require.True(x.t, ok, "%q is not shown:\n%s", text, x.all.String())
		case <-late:
			require.Fail(x.t, "not shown", "%q:\n%s", text, x.all.String())
		}
	}
}

// What stands in the way of a seat is told with what to do about it.
func TestNamespacesWhatAGuestIsTold(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute: left out by -short")
	}
	t.Parallel()
	n := newNetwork(t, 3)
	data := []string{t.TempDir(), t.TempDir(), t.TempDir()}
	host := n.seat(1, data[0], "host", "--name", "saloon", "--nick", "Ana", "--seats", "4", "--bots", "2", "--option", "reshuffle=lazy")
	host.shows("Boris: sits down, bot on your machine")
	host.shows("Cilka: sits down, bot on your machine")
	guest := n.seat(2, data[1], "join", "saloon", "--nick", "Gita")
	guest.shows("option: reshuffle = lazy")
	guest.shows("Boris: sits down, bot on the machine of Ana, which could read its cards")
	guest.shows("Gita: that is you")

	code, out, _ := n.run(3, data[2], "list")
	require.Equal(t, OK, code)
	require.Equal(t, "saloon: 4 of 4 seats taken, base reshuffle=lazy, players Ana, Boris, Cilka, Gita; not open to you: no seat is free\n", sorted(out))
	code, _, errs := n.run(3, data[2], "join", "saloon", "--nick", "Hana")
	require.Equal(t, Failure, code)
	require.Equal(t, "standoff: error: no seat is free\nstandoff: hint: wait for a seat, or open a table with \"standoff host\"\n", errs)
	code, _, errs = n.run(3, data[2], "join", "nowhere")
	require.Equal(t, Failure, code)
	require.Contains(t, errs, "standoff: error: nobody offers a table of this name: nowhere\nstandoff: hint: run \"standoff list\"")

	guest.typed("leave")
	host.shows("Gita: seat free again, left")
	require.NoError(t, guest.cmd.Wait())
	code, _, errs = n.run(3, data[2], "join", "saloon", "--nick", "ana")
	require.Equal(t, Failure, code)
	require.Equal(t, "standoff: error: somebody there has this nick: ana\nstandoff: hint: choose another with --nick NAME\n", errs)
	code, out, _ = n.run(3, data[2], "list", "--json")
	require.Equal(t, OK, code)
	require.Contains(t, out, `"joinable": true`)
	require.Contains(t, out, `"reshuffle": "lazy"`)

	// The program alone lists the tables and lets one be chosen; a change of the options is shown; who opened the
	// table leaves before the start.
	guest = n.seat(3, data[2], "--nick", "Hana")
	guest.shows("type the name of a table to join it")
	guest.typed("Saloon")
	guest.shows("Hana: that is you")
	host.typed("option brownDiscard=after")
	guest.shows("option: brownDiscard = after")
	guest.typed("tell howdy")
	host.shows("Hana says: howdy")
	guest.typed("ready")
	host.shows("Hana: ready")
	host.typed("wait")
	host.typed("leave")
	guest.shows("standoff: error: the table is closed: whoever opened it has closed it")
	guest.shows("standoff: hint: run \"standoff list\"")
	require.NoError(t, host.cmd.Wait())
	require.Error(t, guest.cmd.Wait())
	code, out, _ = n.run(2, data[1])
	require.Equal(t, OK, code)
	require.Contains(t, out, "no table found")
	require.Contains(t, out, "standoff play: against bots on this machine")
}

// sorted puts the names after "players" in order: who sat down first is not settled.
func sorted(line string) string {
	before, rest, _ := strings.Cut(line, "players ")
	names, after, _ := strings.Cut(rest, ";")
	list := strings.Split(names, ", ")
	slices.Sort(list)
	return before + "players " + strings.Join(list, ", ") + ";" + after
}
