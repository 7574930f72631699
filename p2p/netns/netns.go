// Package netns makes a local network out of network namespaces, for tests alone: a bridge in a namespace of its own,
// and a namespace with one cable to it for each seat. Nothing of it can reach the machine's network.
//
//	seat 1: eth0, .1 ──┐
//	seat 2: eth0, .2 ──┼── br0 in the hub: p1, p2, … ── nftables, table bridge f
//	…                ──┘
package netns

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
)

// Network is one such network. It ends with its test.
type Network struct {
	T      testing.TB
	Seats  int
	prefix string
	subnet string
}

var made atomic.Int32

// New makes a network of so many seats, with the addresses subnet.1, subnet.2, … of a subnet of three numbers. Where
// that cannot be, the test is skipped, and it is said why.
func New(t testing.TB, seats int, subnet string) *Network {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("network namespaces need root")
	}
	for _, tool := range []string{"ip", "nft"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("network namespaces need ip and nft (packages iproute2 and nftables)")
		}
	}
	n := &Network{T: t, Seats: seats, prefix: fmt.Sprintf("so%d-%d-", os.Getpid(), made.Add(1)), subnet: subnet}
	if out, err := exec.Command("ip", "netns", "add", n.Hub()).CombinedOutput(); err != nil {
		t.Skipf("network namespaces cannot be made here: %s", out)
	}
	t.Cleanup(func() {
		exec.Command("ip", "netns", "del", n.Hub()).Run()
		for i := 1; i <= seats; i++ {
			exec.Command("ip", "netns", "del", n.NS(i)).Run()
		}
	})
	cables := []string{"link add br0 type bridge mcast_snooping 0 forward_delay 0 stp_state 0", "link set br0 up"}
	for i := 1; i <= seats; i++ {
		n.IP("netns", "add", n.NS(i))
		cables = append(cables,
			fmt.Sprintf("link add %s type veth peer name eth0 netns %s", Port(i), n.NS(i)),
			fmt.Sprintf("link set %s master br0 up", Port(i)))
	}
	n.batch(n.Hub(), cables...)
	for i := 1; i <= seats; i++ {
		n.batch(n.NS(i), "link set lo up", "addr add "+n.Address(i)+"/24 dev eth0", "link set eth0 up")
	}
	return n
}

// batch runs commands of ip in a namespace, all at once: a program for each takes longer than what it does.
func (n *Network) batch(ns string, commands ...string) {
	n.T.Helper()
	cmd := exec.Command("ip", "-n", ns, "-batch", "-")
	cmd.Stdin = strings.NewReader(strings.Join(commands, "\n") + "\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		n.T.Fatalf("ip %q: %v: %s", commands, err, out)
	}
}

// Hub is the namespace of the bridge.
func (n *Network) Hub() string { return n.prefix + "hub" }

// NS is the namespace of a seat, counted from 1.
func (n *Network) NS(i int) string { return n.prefix + strconv.Itoa(i) }

// Port is the bridge's end of a seat's cable.
func Port(i int) string { return "p" + strconv.Itoa(i) }

// Address is where seat i is.
func (n *Network) Address(i int) string { return n.subnet + "." + strconv.Itoa(i) }

// Command runs a program in the namespace of a seat.
func (n *Network) Command(i int, program string, args ...string) *exec.Cmd {
	return exec.Command("ip", append([]string{"netns", "exec", n.NS(i), program}, args...)...)
}

// IP runs ip, which must succeed.
func (n *Network) IP(args ...string) {
	n.T.Helper()
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		n.T.Fatalf("ip %v: %v: %s", args, err, out)
	}
}

// Filter gives the bridge rules of nftables for what it passes on.
func (n *Network) Filter(rules string) {
	n.T.Helper()
	cmd := exec.Command("ip", "netns", "exec", n.Hub(), "nft", "-f", "-")
	cmd.Stdin = strings.NewReader(rules)
	if out, err := cmd.CombinedOutput(); err != nil {
		n.T.Fatalf("nft: %v: %s", err, out)
	}
}

// Packets is how many packets the counter of this name in table f has seen.
func (n *Network) Packets(counter string) int {
	n.T.Helper()
	out, err := exec.Command("ip", "netns", "exec", n.Hub(), "nft", "list", "counter", "bridge", "f", counter).Output()
	if err != nil {
		n.T.Fatalf("nft list counter: %v", err)
	}
	_, rest, _ := strings.Cut(string(out), "packets ")
	words := strings.Fields(rest)
	if len(words) == 0 {
		n.T.Fatalf("nft list counter: %s", out)
	}
	count, err := strconv.Atoi(words[0])
	if err != nil {
		n.T.Fatalf("nft list counter: %v", err)
	}
	return count
}
