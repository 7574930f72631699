package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestFigures measures what is promised of seven peers, each in a network namespace of its own, and prints it beside
// its bar; on a machine that has nothing else to do a figure above its bar is a failure. STANDOFF_FIGURES=1 asks for it.
func TestFigures(t *testing.T) {
	if os.Getenv("STANDOFF_FIGURES") != "1" {
		t.Skip("takes minutes and an idle machine: STANDOFF_FIGURES=1 asks for it")
	}
	quiet := load(t) < float64(runtime.NumCPU())
	figure := func(what string, got, bar float64, unit string) {
		t.Logf("%-70s %7.2f %s, bar %g %s", what, got, unit, bar, unit)
		if quiet && got > bar {
			t.Errorf("%s: above its bar", what)
		}
	}
	t.Logf("load of the machine before: %.2f on %d processors", load(t), runtime.NumCPU())
	build(t)
	took, lossy := fills(t, 5, 0), fills(t, 5, 5)
	figure(fmt.Sprintf("from the start of seven peers to a full table, median of %.2f", took), median(took), 1, "s")
	figure(fmt.Sprintf("the same with 5 %% of all packets lost, median of %.2f", lossy), median(lossy), 10, "s")

	g := newGathering(t, 0)
	g.seats = g.seats[:6] // so that the game does not begin
	g.full()
	time.Sleep(5 * time.Second)
	before, start := g.processor(), time.Now()
	time.Sleep(20 * time.Second)
	figure("processor time of a peer that waits for the seventh, the most of six", 100*(g.processor()-before).Seconds()/time.Since(start).Seconds(), 2, "%")
	g.close()

	g = newGathering(t, 0)
	g.war.Store(true)
	g.full()
	end, peak := g.memory()
	figure("memory of a peer at the end of a game of seven, the most of seven", end, 80, "MB")
	figure("and at its highest", peak, 80, "MB")
	t.Logf("load of the machine after: %.2f", load(t))
}

// TestFills lets seven peers come to one table again and again, in a good network and in bad ones: every one of them
// finds it and sits down. STANDOFF_FILLS says how many tables of each network there are.
func TestFills(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("STANDOFF_FILLS"))
	if n == 0 {
		t.Skip("takes seconds for a table: STANDOFF_FILLS says how many")
	}
	build(t)
	for _, loss := range []int{0, 5, 15} {
		took := fills(t, n, loss)
		t.Logf("%2d %% of all packets lost: %d tables full after %.2f s in the middle, %.2f s at most", loss, n, median(took), slices.Max(took))
	}
}

// build makes the program itself, not the tests' stand-in with all that is in it, what standoff is in this test.
func build(t *testing.T) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "standoff")
	out, err := exec.Command("go", "build", "-o", program, "../cmd/standoff").CombinedOutput()
	require.NoError(t, err, "%s", out)
	t.Setenv("PATH", filepath.Dir(program)+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// fills is how many seconds each of n tables took to fill.
func fills(t *testing.T, n, loss int) (took []float64) {
	t.Helper()
	for i := range n {
		t.Run(fmt.Sprintf("%d %% lost, table %d", loss, i), func(t *testing.T) {
			g := newGathering(t, loss)
			took = append(took, g.full().Seconds())
			g.close()
		})
	}
	require.Len(t, took, n)
	return took
}

// gathering are peers that come to one table.
type gathering struct {
	*network
	seats []*machine
	war   atomic.Bool
}

// newGathering prepares for seven peers in a network that loses so many of a hundred packets.
func newGathering(t *testing.T, loss int) *gathering {
	g := &gathering{network: newNetwork(t, 7)}
	if loss > 0 {
		g.lose(loss)
	}
	for i := range 7 {
		data := t.TempDir()
		require.NoError(t, os.Chmod(data, 0o700))
		g.seats = append(g.seats, &machine{n: g.network, at: i + 1, nick: demoNicks[i], data: data, war: &g.war})
	}
	return g
}

// full starts the peers, all at once, and says how long it takes until whoever opened the table has all of them there.
func (g *gathering) full() time.Duration {
	g.t.Helper()
	start := time.Now()
	for i, m := range g.seats {
		if i == 0 {
			m.start("host", "--name", "saloon", "--nick", m.nick, "--seats", "7", "--option", "waits=0s")
		} else {
			m.start("join", "saloon", "--nick", m.nick)
		}
	}
	for late := time.Now().Add(patience); time.Now().Before(late); time.Sleep(5 * time.Millisecond) {
		sat := 0
		for _, u := range g.seats[0].since(0) {
			if u.Type == "lobby" && u.Kind == "sat" {
				if sat++; sat == len(g.seats) {
					return u.at.Sub(start)
				}
			}
		}
		if slices.ContainsFunc(g.seats, (*machine).gone) {
			g.fail("a program has ended", start)
		}
	}
	g.fail("the table does not fill", start)
	return 0
}

// fail ends the test with all that is to be known of the peers: what each has said since the start and what it does at
// this moment, and which tables are seen from where it is.
func (g *gathering) fail(why string, start time.Time) {
	g.t.Helper()
	g.t.Logf("after %v; the start was at %s", time.Since(start), start.Format("15:04:05.000"))
	for _, m := range g.seats {
		list := g.Command(m.at, "standoff", "list")
		list.Env = append(os.Environ(), "STANDOFF_DATA="+g.t.TempDir())
		seen, err := list.CombinedOutput()
		g.t.Logf("%s sees from there (%v): %s", m.nick, err, seen)
	}
	for _, m := range g.seats {
		if !m.gone() {
			m.cmd.Process.Signal(syscall.SIGQUIT) // it writes what each of its goroutines does
			<-m.ended
		}
		g.t.Log(m.report())
	}
	require.Fail(g.t, why)
}

// processor is the processor time that the busiest peer has used.
func (g *gathering) processor() (most time.Duration) {
	g.t.Helper()
	for _, m := range g.seats {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", m.cmd.Process.Pid))
		require.NoError(g.t, err)
		_, rest, _ := strings.Cut(string(b), ") ") // the fields from the third on
		f := strings.Fields(rest)
		user, err := strconv.Atoi(f[11])
		require.NoError(g.t, err)
		system, err := strconv.Atoi(f[12])
		require.NoError(g.t, err)
		most = max(most, time.Duration(user+system)*10*time.Millisecond) // Linux counts in hundredths
	}
	return most
}

// memory waits for the end of the game and says how many megabytes the largest peer had then, and at most.
func (g *gathering) memory() (end, peak float64) {
	g.t.Helper()
	last := make([]float64, len(g.seats))
	for late := time.Now().Add(5 * patience); ; time.Sleep(50 * time.Millisecond) {
		require.True(g.t, time.Now().Before(late), "the game does not end")
		gone := 0
		for i, m := range g.seats {
			if m.gone() {
				gone++
				continue
			}
			if now, most := resident(m.cmd.Process.Pid); now > 0 {
				last[i], peak = now, max(peak, most)
			}
		}
		if gone == len(g.seats) {
			return slices.Max(last), peak
		}
	}
}

// resident is the memory of a process in megabytes, now and at most; zero when it is gone.
func resident(pid int) (now, most float64) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0
	}
	for _, l := range strings.Split(string(b), "\n") {
		f := strings.Fields(l)
		if len(f) < 2 {
			continue
		}
		kilobytes, _ := strconv.ParseFloat(f[1], 64)
		switch f[0] {
		case "VmRSS:":
			now = kilobytes / 1000
		case "VmHWM:":
			most = kilobytes / 1000
		}
	}
	return now, most
}

// close ends the peers.
func (g *gathering) close() {
	for _, m := range g.seats {
		m.kill()
	}
}

// load is how many programs the machine runs at a time, as the mean of the last minute.
func load(t *testing.T) float64 {
	t.Helper()
	b, err := os.ReadFile("/proc/loadavg")
	require.NoError(t, err)
	l, err := strconv.ParseFloat(strings.Fields(string(b))[0], 64)
	require.NoError(t, err)
	return l
}

func median(all []float64) float64 {
	all = slices.Sorted(slices.Values(all))
	return all[len(all)/2]
}
