package node_test

import (
	"bytes"
	"io"
	"net"
	"net/netip"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/p2p/node"
)

// A cable carries one connection to a host. Cut off for what the host sends, and later for what it gets, it never tells
// the host of the other side's end, as when that has another address now.
type cable struct {
	listener   net.Listener
	mute, deaf atomic.Bool
}

func newCable(t *testing.T, to string) *cable {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	c := &cable{listener: l}
	go func() {
		near, err := l.Accept()
		l.Close()
		if err != nil {
			return
		}
		t.Cleanup(func() { near.Close() })
		far, err := net.Dial("tcp4", to)
		if err != nil {
			near.Close()
			return
		}
		t.Cleanup(func() { far.Close() })
		go carry(far, near, &c.deaf)
		carry(near, far, &c.mute)
	}()
	return c
}

func carry(to io.Writer, from io.Reader, cut *atomic.Bool) {
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		if err != nil {
			return
		}
		if !cut.Load() {
			_, _ = to.Write(buf[:n])
		}
	}
}

func TestAConnectionThatOnlyTheOtherSideHasGivenUpIsReplaced(t *testing.T) {
	t.Parallel()
	ids := identities(t, 2)
	first, second := ids[0].Key(), ids[1].Key()
	if bytes.Compare(first[:], second[:]) > 0 {
		ids[0], ids[1] = ids[1], ids[0] // the lower key dials again without a pause
	}
	b := sit(t, ids[1], keys(ids), seatConfig{})
	c := newCable(t, b.host.Addresses()[0].Place().String())
	through, err := node.AddressOf(netip.MustParseAddrPort(c.listener.Addr().String()), b.id.Key())
	require.NoError(t, err)
	a := sit(t, ids[0], keys(ids), seatConfig{peers: []node.Address{through}})
	ready(t, a, b)
	c.mute.Store(true)
	time.Sleep(1200 * time.Millisecond) // b hears a for longer than a hears b
	c.deaf.Store(true)
	eventually(t, 15*time.Second, "a misses b", func() bool { return a.hasMissed(b.id.Key()) })
	start := time.Now()
	eventually(t, 15*time.Second, "both are back", func() bool { return a.hasUp(b.id.Key()) && b.hasUp(a.id.Key()) })
	t.Logf("back after %s", time.Since(start))
	b.write(t, "can you hear me?")
	agree(t, 1, a, b)
}
