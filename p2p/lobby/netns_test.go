package lobby_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/p2p/node"
)

// A lan is a bridge in a namespace of its own, and namespaces with one cable to it each. Nothing of it can reach the
// machine's network. A counter on the bridge counts every packet by what it is.
type lan struct {
	t      *testing.T
	prefix string
	seats  int
	peers  []*process
}

var lans atomic.Int32

func newLAN(t *testing.T, seats int) *lan {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("network namespaces need root")
	}
	for _, tool := range []string{"ip", "nft"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("network namespaces need ip and nft (packages iproute2 and nftables)")
		}
	}
	n := &lan{t: t, prefix: fmt.Sprintf("so%d-%d-", os.Getpid(), lans.Add(1)), seats: seats}
	if out, err := exec.Command("ip", "netns", "add", n.prefix+"hub").CombinedOutput(); err != nil {
		t.Skipf("network namespaces cannot be made here: %s", out)
	}
	t.Cleanup(func() {
		n.end()
		exec.Command("ip", "netns", "del", n.prefix+"hub").Run()
		for i := 1; i <= seats; i++ {
			exec.Command("ip", "netns", "del", n.ns(i)).Run()
		}
	})
	n.ip("-n", n.prefix+"hub", "link", "set", "lo", "up")
	n.ip("-n", n.prefix+"hub", "link", "add", "br0", "type", "bridge", "mcast_snooping", "0", "forward_delay", "0", "stp_state", "0")
	n.ip("-n", n.prefix+"hub", "addr", "add", "10.77.0.254/24", "dev", "br0")
	n.ip("-n", n.prefix+"hub", "link", "set", "br0", "up")
	for i := 1; i <= seats; i++ {
		n.ip("netns", "add", n.ns(i))
		n.ip("-n", n.ns(i), "link", "set", "lo", "up")
		port := fmt.Sprint("p", i)
		n.ip("-n", n.prefix+"hub", "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", n.ns(i))
		n.ip("-n", n.prefix+"hub", "link", "set", port, "master", "br0", "up")
		n.ip("-n", n.ns(i), "addr", "add", fmt.Sprintf("10.77.0.%d/24", i), "dev", "eth0")
		n.ip("-n", n.ns(i), "link", "set", "eth0", "up")
		// A way out, so that a packet that wants one is sent, and counted.
		n.ip("-n", n.ns(i), "route", "add", "default", "via", "10.77.0.254")
	}
	n.nft(`add table bridge f
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

func (n *lan) ns(i int) string { return fmt.Sprint(n.prefix, i) }

func (n *lan) ip(args ...string) {
	n.t.Helper()
	out, err := exec.Command("ip", args...).CombinedOutput()
	require.NoError(n.t, err, "ip %v: %s", args, out)
}

func (n *lan) nft(rules string) {
	n.t.Helper()
	cmd := exec.Command("ip", "netns", "exec", n.prefix+"hub", "nft", "-f", "-")
	cmd.Stdin = strings.NewReader(rules)
	out, err := cmd.CombinedOutput()
	require.NoError(n.t, err, "nft: %s", out)
}

// packets is how many packets of a kind crossed the bridge.
func (n *lan) packets(kind string) int {
	n.t.Helper()
	out, err := exec.Command("ip", "netns", "exec", n.prefix+"hub", "nft", "list", "counter", "bridge", "f", kind).Output()
	require.NoError(n.t, err)
	_, rest, _ := strings.Cut(string(out), "packets ")
	count, err := strconv.Atoi(strings.Fields(rest)[0])
	require.NoError(n.t, err)
	return count
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
	cmd := exec.Command("ip", "netns", "exec", n.ns(i), program)
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
