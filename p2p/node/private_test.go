package node_test

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/p2p/node"
)

// lone joins the room 1 on a host of its own.
func lone(t *testing.T, c node.Config) (*node.Host, *node.Room) {
	t.Helper()
	id, err := node.Throwaway()
	require.NoError(t, err)
	c.Identity = id
	h, err := node.New(t.Context(), c)
	require.NoError(t, err)
	t.Cleanup(func() { h.Close() })
	r, err := h.Join(node.RoomConfig{Table: [32]byte{1}, Machine: acceptAll{}})
	require.NoError(t, err)
	return h, r
}

type acceptAll struct{}

func (acceptAll) Check([]byte) node.Verdict { return node.Accept }

// beats reports whether a heartbeat comes within the time given.
func beats(r *node.Room, within time.Duration) bool {
	late := time.After(within)
	for {
		select {
		case e, ok := <-r.Events():
			if _, is := e.(node.Beat); is || !ok {
				return ok
			}
		case <-late:
			return false
		}
	}
}

func TestAPrivateNetworkIsClosedToWhoLacksItsSecret(t *testing.T) {
	t.Parallel()
	secret, other := [32]byte{1, 2, 3}, [32]byte{1, 2, 4}
	home, room := lone(t, node.Config{Network: &secret})
	_, open := lone(t, node.Config{Peers: home.Addresses()})
	_, wrong := lone(t, node.Config{Peers: home.Addresses(), Network: &other})
	require.False(t, beats(open, 1500*time.Millisecond), "somebody without a secret got in")
	require.False(t, beats(wrong, 500*time.Millisecond), "somebody with another secret got in")
	_, right := lone(t, node.Config{Peers: home.Addresses(), Network: &secret})
	require.True(t, beats(right, patience))
	require.True(t, beats(room, patience))
}

func TestAnAddressIsMadeOfPlaceAndKey(t *testing.T) {
	id, err := node.Throwaway()
	require.NoError(t, err)
	a, err := node.AddressOf(netip.MustParseAddrPort("192.168.1.20:4001"), id.Key())
	require.NoError(t, err)
	b, err := node.ParseAddress(a.String())
	require.NoError(t, err)
	require.Equal(t, a, b)
	require.Equal(t, "192.168.1.20:4001", a.Place().String())
	text, err := a.MarshalText()
	require.NoError(t, err)
	var c node.Address
	require.NoError(t, c.UnmarshalText(text))
	require.Equal(t, a, c)
	_, err = node.AddressOf(netip.MustParseAddrPort("8.8.8.8:4001"), id.Key())
	require.ErrorIs(t, err, node.ErrNotLAN)
	_, err = node.AddressOf(netip.MustParseAddrPort("10.0.0.1:0"), id.Key())
	require.ErrorContains(t, err, "port")

	key, err := node.ParseKey(id.Key().String())
	require.NoError(t, err)
	require.Equal(t, id.Key(), key)
	_, err = node.ParseKey("12")
	require.Error(t, err)
}

func TestInterfacesOfThisMachine(t *testing.T) {
	t.Parallel()
	all, err := node.Interfaces()
	require.NoError(t, err)
	loops := 0
	for _, i := range all {
		if i.Loopback {
			loops++
		}
	}
	require.Positive(t, loops)
	lan, err := node.LAN(4001)
	require.NoError(t, err)
	for _, at := range lan {
		require.False(t, at.Addr().IsLoopback())
		require.EqualValues(t, 4001, at.Port())
	}
	_, err = node.LAN(0, "no such interface")
	require.ErrorContains(t, err, "there are ")
	_, err = node.New(t.Context(), node.Config{Identity: mustIdentity(t), Roam: &node.Roam{}, Listen: []netip.AddrPort{netip.MustParseAddrPort("127.0.0.1:0")}})
	require.ErrorContains(t, err, "either Listen or Roam")
}

func mustIdentity(t *testing.T) node.Identity {
	id, err := node.Throwaway()
	require.NoError(t, err)
	return id
}
