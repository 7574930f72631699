package node

import (
	"io"
	"net"
	"net/netip"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// A Cable carries connections to a host, from another address of this machine if need be. Cut off for what the host
// sends, and for what it gets, it never tells either side of the other's end: as when a machine sleeps or has another
// address now.
type Cable struct {
	Mute, Deaf atomic.Bool
	Broken     atomic.Bool // no new connection gets through
	listener   net.Listener
}

// LayCable lays a cable to where a host listens. What comes through it comes from the address given.
func LayCable(t *testing.T, to netip.AddrPort, from string) *Cable {
	t.Helper()
	d := net.Dialer{LocalAddr: net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(from), 0))}
	if c, err := d.Dial("tcp4", to.String()); err != nil {
		t.Skipf("%s is no address of this machine: %v", from, err)
	} else {
		c.Close()
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	c := &Cable{listener: l}
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { near.Close() })
			far, err := d.Dial("tcp4", to.String())
			if err != nil || c.Broken.Load() {
				near.Close()
				continue
			}
			t.Cleanup(func() { far.Close() })
			go carry(far, near, &c.Deaf)
			go carry(near, far, &c.Mute)
		}
	}()
	return c
}

// Address is where the host with a key is reached through the cable.
func (c *Cable) Address(t *testing.T, key Key) Address {
	t.Helper()
	a, err := AddressOf(netip.MustParseAddrPort(c.listener.Addr().String()), key)
	require.NoError(t, err)
	return a
}

// carry takes what comes from one side to the other until it ends; what is cut off is lost.
func carry(to net.Conn, from net.Conn, cut *atomic.Bool) {
	_, _ = io.Copy(gate{to, cut}, from)
	if !cut.Load() {
		to.Close()
	}
}

type gate struct {
	net.Conn
	cut *atomic.Bool
}

func (g gate) Write(b []byte) (int, error) {
	if g.cut.Load() {
		return len(b), nil
	}
	return g.Conn.Write(b)
}
