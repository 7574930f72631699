package lobby_test

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/p2p/netns"
	"standoff/p2p/node"
)

// A lan is a local network of namespaces whose bridge counts every packet by what it is.
type lan struct {
	*netns.Network
	t     *testing.T
	peers []*process
}

func newLAN(t *testing.T, seats int) *lan {
	t.Helper()
	n := &lan{Network: netns.New(t, seats, "10.77.0"), t: t}
	t.Cleanup(n.end)
	n.IP("-n", n.Hub(), "link", "set", "lo", "up")
	n.IP("-n", n.Hub(), "addr", "add", n.Address(254)+"/24", "dev", "br0")
	for i := 1; i <= seats; i++ { // a way out, so that a packet that wants one is sent, and counted
		n.IP("-n", n.NS(i), "route", "add", "default", "via", n.Address(254))
	}
	n.Filter(`add table bridge f
add chain bridge f seen { type filter hook prerouting priority -300; }
add chain bridge f fw { type filter hook forward priority 0; }
add counter bridge f peers
add counter bridge f mdns
add counter bridge f groups
add counter bridge f stray
add rule bridge f seen ether type arp accept
add rule bridge f seen ip daddr 10.77.0.1-10.77.0.100 ip protocol tcp counter name peers accept
add rule bridge f seen ip daddr 224.0.0.251 udp sport 5353 udp dport 5353 counter name mdns accept
add rule bridge f seen ip daddr 10.77.0.1-10.77.0.100 udp sport 5353 udp dport 5353 counter name mdns accept
add rule bridge f seen ip protocol igmp counter name groups accept
add rule bridge f seen meta l4proto ipv6-icmp counter name groups accept
add rule bridge f seen counter name stray
`)
	return n
}

// A process is a peer in a namespace.
type process struct {
	role  role
	lines chan line
	stdin io.Closer
}

func (n *lan) start(i int, r role) *process {
	n.t.Helper()
	text, err := json.Marshal(r)
	require.NoError(n.t, err)
	program, err := os.Executable()
	require.NoError(n.t, err)
	cmd := n.Command(i, program)
	cmd.Env = append(os.Environ(), roleVariable+"="+string(text), node.OwnNamespace+"=1")
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	require.NoError(n.t, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(n.t, err)
	require.NoError(n.t, cmd.Start())
	p := &process{role: r, lines: make(chan line, 16), stdin: stdin}
	go func() {
		defer close(p.lines)
		for s := bufio.NewScanner(stdout); s.Scan(); {
			var l line
			if json.Unmarshal(s.Bytes(), &l) == nil {
				p.lines <- l
			}
		}
		cmd.Wait()
	}()
	n.peers = append(n.peers, p)
	return p
}

// end lets all peers go at once and waits until they have.
func (n *lan) end() {
	for _, p := range n.peers {
		p.stdin.Close()
	}
	for _, p := range n.peers {
		for range p.lines {
		}
	}
	n.peers = nil
}

// until waits for a line.
func (p *process) until(t *testing.T, within time.Duration, ok func(line) bool) line {
	t.Helper()
	late := time.After(within)
	for {
		select {
		case l, open := <-p.lines:
			require.True(t, open, "%s ended", p.role.Nick)
			if ok(l) {
				return l
			}
			require.Empty(t, l.Error, p.role.Nick)
		case <-late:
			require.Fail(t, "too late", "%s after %s", p.role.Nick, within)
		}
	}
}
