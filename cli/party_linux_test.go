package cli

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/p2p/netns"
)

// party is a table of four machines in namespaces, and what may befall them.
type party struct {
	*network
	seats []*machine
	war   atomic.Bool
	since time.Time // the trouble began
}

// patience is how long anything may take on a busy machine.
const patience = 90 * time.Second

// sit is a game in which some turns have been played; it returns at any moment of a turn.
func (n *network) sit(ways [3]string, options ...string) *party {
	n.t.Helper()
	p := n.begin(ways, options...)
	p.goesOn(2, p.seats...)
	time.Sleep(rand.N(time.Second))
	p.since = time.Now()
	return p
}

// begin opens a table on machine 1 and lets three others sit down at it, by its name, its address or its invite code,
// until the game begins.
func (n *network) begin(ways [3]string, options ...string) *party {
	n.t.Helper()
	return n.beginWithBots(0, ways, options...)
}

// beginWithBots is begin with so many bots beside the player of machine 1.
func (n *network) beginWithBots(bots int, ways [3]string, options ...string) *party {
	n.t.Helper()
	p := &party{network: n}
	for i := range 4 {
		data := n.t.TempDir()
		require.NoError(n.t, os.Chmod(data, 0o700))
		p.seats = append(p.seats, &machine{n: n, at: i + 1, nick: [...]string{"Ana", "Bela", "Csaba", "Dora"}[i], data: data, war: &p.war})
	}
	n.t.Cleanup(func() {
		if n.t.Failed() {
			n.t.Log(p.report())
		}
	})
	args := []string{"host", "--name", "saloon", "--nick", p.seats[0].nick, "--seats", fmt.Sprint(4 + bots), "--bots", fmt.Sprint(bots), "--option", "waits=0s", "--option", "clock=none"}
	for _, o := range options {
		args = append(args, "--option", o)
	}
	p.seats[0].start(args...)
	at := map[string]string{"name": "saloon"}
	for _, kind := range []string{"address", "code"} {
		_, at[kind], _ = strings.Cut(p.until(p.seats[0], 0, "its "+kind, func(u utterance) bool { return u.Type == "lobby" && u.Kind == kind }).text(), ": ")
	}
	for i, way := range ways {
		p.seats[i+1].start("join", at[way], "--nick", p.seats[i+1].nick)
	}
	for _, m := range p.seats {
		p.until(m, 0, "that the game begins", func(u utterance) bool { return u.Type == "lobby" && u.Kind == "begun" })
	}
	p.since = time.Now()
	return p
}

// until waits until a machine says something, or has said it since the mark.
func (p *party) until(m *machine, mark int, what string, ok func(utterance) bool) utterance {
	p.t.Helper()
	for late := time.Now().Add(patience); time.Now().Before(late); time.Sleep(20 * time.Millisecond) {
		gone := m.gone()
		said := m.since(mark)
		for _, u := range said {
			if ok(u) {
				return u
			}
		}
		mark += len(said)
		if gone {
			require.Fail(p.t, "the program has ended", "%s does not say %s", m.nick, what)
		}
	}
	require.Fail(p.t, "too late", "%s does not say %s in %v", m.nick, what, patience)
	return utterance{}
}

// goesOn waits until the first of the seats has seen so many more turns begin, and the others have come as far.
func (p *party) goesOn(turns int, who ...*machine) {
	p.t.Helper()
	now := p.round()
	var at utterance
	p.until(who[0], 0, fmt.Sprintf("that %d turns have begun after round %d", turns, now), func(u utterance) bool {
		if u.Kind == "turn-started" && u.Round > now && u.Round > at.Round {
			at, turns = u, turns-1
		}
		return turns == 0
	})
	for _, m := range who[1:] {
		p.until(m, 0, fmt.Sprintf("what happened in round %d", at.Round), func(u utterance) bool { return u.Round >= at.Round })
	}
}

// round is how far anybody has come.
func (p *party) round() (round uint32) {
	for _, m := range p.seats {
		for _, u := range m.since(0) {
			round = max(round, u.Round)
		}
	}
	return round
}

// moved waits until machines have seen that a seat was taken out, "removed", or let in again, "returned", and tells how
// long that took since a moment.
func (p *party) moved(kind string, seat *machine, since time.Time, who ...*machine) {
	p.t.Helper()
	last := since
	for _, m := range who {
		u := p.until(m, 0, seat.nick+" "+kind, func(u utterance) bool { return u.Type == "news" && u.Kind == kind && u.Nick == seat.nick })
		if u.at.After(last) {
			last = u.at
		}
	}
	p.t.Logf("%s is %s after %v", seat.nick, kind, last.Sub(since).Round(10*time.Millisecond))
}

// said reports whether any machine has seen something of a kind.
func (p *party) said(kind string) bool {
	for _, m := range p.seats {
		if slices.ContainsFunc(m.since(0), func(u utterance) bool { return u.Kind == kind }) {
			return true
		}
	}
	return false
}

// but are all machines without one.
func (p *party) but(i int) (others []*machine) {
	for k, m := range p.seats {
		if k != i {
			others = append(others, m)
		}
	}
	return others
}

// finish lets them fight it out. All who play on have the same transcript of a finished game, which verifies; none is
// blamed of anything. It tells how long the table stood still since the trouble began, as the first of them saw it.
func (p *party) finish(who ...*machine) *verdict {
	p.t.Helper()
	still := who[0].still(p.since)
	p.war.Store(true)
	for _, m := range who {
		select {
		case <-m.ended:
			require.NoError(p.t, m.err, "%s: %s", m.nick, m.errs)
		case <-time.After(2 * patience):
			require.Fail(p.t, "the game does not end", m.nick)
		}
	}
	var one []byte
	for _, m := range who {
		files, err := filepath.Glob(filepath.Join(m.data, "transcripts", "*.standoff"))
		require.NoError(p.t, err)
		require.Len(p.t, files, 1, m.nick)
		file, err := os.ReadFile(files[0])
		require.NoError(p.t, err)
		if one == nil {
			one = file
			out, err := exec.Command("standoff", "verify", files[0]).CombinedOutput()
			require.NoError(p.t, err, "%s", out)
		}
		require.Equal(p.t, one, file, "the transcripts of %s and %s are the same", who[0].nick, m.nick)
	}
	v := judge(one)
	require.Nil(p.t, v.problem)
	require.Equal(p.t, "finished", v.Result)
	require.Empty(p.t, v.Faults)
	moves := "nobody was taken out"
	for i, m := range v.Moves {
		if i == 0 {
			moves = ""
		}
		if m.Back {
			moves += fmt.Sprintf("%s back from round %d, ", m.Nick, m.Round)
		} else {
			moves += fmt.Sprintf("%s out from round %d for %s, ", m.Nick, m.Round, m.Reason)
		}
	}
	p.t.Logf("the table stood still for %v at most; %s; %d rounds, %d the same transcripts",
		still.Round(10*time.Millisecond), strings.TrimSuffix(moves, ", "), v.Rounds, len(who))
	return v
}

func (p *party) report() string {
	var b strings.Builder
	for _, m := range p.seats {
		if m.cmd != nil {
			b.WriteString(m.report())
		}
	}
	return b.String()
}

// hub runs a command on the machine with the bridge.
func (n *network) hub(args ...string) {
	n.t.Helper()
	n.IP(append([]string{"-n", n.Hub()}, args...)...)
}

// cut unplugs the cable of a seat; heal plugs it in again.
func (n *network) cut(i int)  { n.hub("link", "set", netns.Port(i), "down") }
func (n *network) heal(i int) { n.hub("link", "set", netns.Port(i), "up") }

// lose drops so many of a hundred packets, whosever they are.
func (n *network) lose(percent int) {
	n.t.Helper()
	n.Filter(fmt.Sprintf(`add table bridge f
add chain bridge f fw { type filter hook forward priority 0; }
add counter bridge f lost
add rule bridge f fw numgen random mod 100 < %d counter name lost drop
`, percent))
}

// lost is how many packets were dropped.
func (n *network) lost() int { return n.Packets("lost") }

// between drops what two groups of seats say to each other, until connect.
func (n *network) between(some, others []int) {
	n.t.Helper()
	ports := func(seats []int) string {
		var names []string
		for _, i := range seats {
			names = append(names, fmt.Sprintf("%q", netns.Port(i)))
		}
		return strings.Join(names, ", ")
	}
	n.Filter(fmt.Sprintf(`add table bridge f
add chain bridge f fw { type filter hook forward priority 0; }
add rule bridge f fw iifname { %[1]s } oifname { %[2]s } drop
add rule bridge f fw iifname { %[2]s } oifname { %[1]s } drop
`, ports(some), ports(others)))
}

func (n *network) connect() { n.Filter("flush chain bridge f fw\n") }

// second gives every seat a second cable to another network, and an interface of the kind that container programs
// make, with the same address everywhere.
func (n *network) second(seats int) {
	n.t.Helper()
	n.hub("link", "add", "br1", "type", "bridge", "mcast_snooping", "0", "forward_delay", "0", "stp_state", "0")
	n.hub("link", "set", "br1", "up")
	for i := 1; i <= seats; i++ {
		port := fmt.Sprint("q", i)
		n.hub("link", "add", port, "type", "veth", "peer", "name", "eth1", "netns", n.NS(i))
		n.hub("link", "set", port, "master", "br1", "up")
		n.IP("-n", n.NS(i), "addr", "add", fmt.Sprintf("10.79.0.%d/24", i), "dev", "eth1")
		n.IP("-n", n.NS(i), "link", "set", "eth1", "up")
		n.IP("-n", n.NS(i), "link", "add", "docker0", "type", "bridge")
		n.IP("-n", n.NS(i), "addr", "add", "172.17.0.1/16", "dev", "docker0")
		n.IP("-n", n.NS(i), "link", "set", "docker0", "up")
	}
}

// moveTo gives a seat another address, as a new lease does.
func (n *network) moveTo(i, number int) {
	n.t.Helper()
	n.IP("-n", n.NS(i), "addr", "flush", "dev", "eth0")
	n.IP("-n", n.NS(i), "addr", "add", fmt.Sprintf("10.78.0.%d/24", number), "dev", "eth0")
}
