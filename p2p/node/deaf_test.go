package node

import (
	"strings"
	"testing"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/stretchr/testify/require"
)

// Gossip gives a peer up whose streams have broken a few times on a connection that stands. Then that connection is of
// no use any more, and is replaced.
func TestAPeerThatGossipHasGivenUpIsFoundAgain(t *testing.T) {
	t.Parallel()
	ids := []Identity{testIdentity(t), testIdentity(t)}
	members := []Key{ids[0].Key(), ids[1].Key()}
	var hosts []*Host
	var rooms []*Room
	heard := make(chan string, 16)
	for i, id := range ids {
		c := Config{Identity: id}
		if i == 1 {
			c.Peers = hosts[0].Addresses()
		}
		h, err := New(t.Context(), c)
		require.NoError(t, err)
		defer h.Close()
		r, err := h.Join(RoomConfig{Members: members, Machine: all{}})
		require.NoError(t, err)
		go func() {
			for e := range r.Events() {
				if p, ok := e.(Packet); ok && i == 1 {
					heard <- string(p.Bytes)
				}
			}
		}()
		hosts, rooms = append(hosts, h), append(rooms, r)
	}
	up := func() bool { return len(rooms[0].Missing()) == 0 && len(rooms[1].Missing()) == 0 }
	require.Eventually(t, up, patience, time.Millisecond)
	for late := time.Now().Add(time.Minute); rooms[0].Counters().DeafPeers+rooms[1].Counters().DeafPeers == 0; time.Sleep(20 * time.Millisecond) {
		require.True(t, time.Now().Before(late), "gossip never gives up")
		for i, h := range hosts {
			for _, c := range h.host.Network().ConnsToPeer(hosts[1-i].id) {
				for _, s := range c.GetStreams() {
					if strings.Contains(string(s.Protocol()), "meshsub") {
						s.Reset()
					}
				}
			}
		}
	}
	require.Eventually(t, up, patience, time.Millisecond)
	require.NoError(t, rooms[0].Broadcast([]byte("still there?")))
	select {
	case text := <-heard:
		require.Equal(t, "still there?", text)
	case <-time.After(patience):
		require.Fail(t, "nothing is heard")
	}
}

// cutOff connects a with b by a cable over which then nothing passes.
func cutOff(t *testing.T, a, b *Host) network.Conn {
	t.Helper()
	c := LayCable(t, b.Addresses()[0].Place(), "127.0.0.1")
	require.NoError(t, a.Meet(c.Address(t, b.key)))
	both := func() bool { return a.connected(b.id) && b.connected(a.id) }
	require.Eventually(t, both, patience, time.Millisecond)
	c.Mute.Store(true)
	c.Deaf.Store(true)
	c.Broken.Store(true)
	return a.host.Network().ConnsToPeer(b.id)[0]
}

// A connection may be of no use from its beginning: both sides take it for one, and nothing passes over it, as where a
// packet after the handshake is lost again and again or a machine falls asleep just then. Whoever gets no answer to a
// hello there gives it up, so that another is made.
func TestAConnectionOverWhichNothingPassesIsGivenUp(t *testing.T) {
	t.Parallel()
	a, b := testHost(t), testHost(t)
	before := cutOff(t, a, b)
	members := []Key{a.key, b.key}
	rooms := []*Room{testRoom(t, a, members...), testRoom(t, b, members...)}
	for _, r := range rooms {
		go func() {
			for range r.Events() {
			}
		}()
	}
	start := time.Now()
	// Without this Yamux would give it up after 40 seconds.
	require.Eventually(t, before.IsClosed, 30*time.Second, 10*time.Millisecond, "it is kept")
	require.NoError(t, b.Meet(a.Addresses()[0]))
	for _, r := range rooms {
		select {
		case <-r.Ready():
		case <-time.After(patience):
			require.Fail(t, "they do not come together", "%v", r.Missing())
		}
	}
	t.Logf("given up and linked over another after %s", time.Since(start))
	require.Positive(t, rooms[0].Counters().SilentPeers+rooms[1].Counters().SilentPeers)
}

// It is the same for one who comes to look on.
func TestAVisitOverWhichNothingPassesIsGivenUp(t *testing.T) {
	t.Parallel()
	s := newStage(t, 2)
	guest := testHost(t)
	before := cutOff(t, guest, s.hosts[0])
	_, err := guest.Visit(t.Context(), s.hosts[0].key)
	require.Error(t, err)
	require.True(t, before.IsClosed())
	require.NoError(t, guest.Meet(s.hosts[0].Addresses()[0]))
	_, err = visit(t, guest, s.hosts[0].key)
	require.NoError(t, err)
}
