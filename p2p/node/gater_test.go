package node

import (
	"context"
	"net/netip"
	"testing"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	ma "github.com/multiformats/go-multiaddr"
	"github.com/stretchr/testify/require"
)

type ends struct{ local, remote ma.Multiaddr }

func (e ends) LocalMultiaddr() ma.Multiaddr  { return e.local }
func (e ends) RemoteMultiaddr() ma.Multiaddr { return e.remote }

func TestGaterKeepsToTheLocalNetwork(t *testing.T) {
	id, err := Throwaway()
	require.NoError(t, err)
	p, err := id.Key().peerID()
	require.NoError(t, err)
	g := &gater{}
	for _, c := range []struct {
		address string
		allowed bool
	}{
		{"/ip4/127.0.0.1/tcp/1", true},
		{"/ip4/10.0.0.1/tcp/1", true},
		{"/ip4/172.16.0.1/tcp/1", true},
		{"/ip4/172.32.0.1/tcp/1", false},
		{"/ip4/192.168.0.1/tcp/1", true},
		{"/ip4/169.254.1.1/tcp/1", true},
		{"/ip6/::1/tcp/1", true},
		{"/ip6/fd12::1/tcp/1", true},
		{"/ip6/fe80::1/tcp/1", true},
		{"/ip6/::ffff:8.8.8.8/tcp/1", false},
		{"/ip6/::ffff:10.0.0.1/tcp/1", true},
		{"/ip6/2606:4700::1/tcp/1", false},
		{"/ip4/8.8.8.8/tcp/1", false},
		{"/ip4/100.64.0.1/tcp/1", false},
		{"/ip4/0.0.0.0/tcp/1", false},
		{"/ip4/224.0.0.251/tcp/1", false},
		{"/ip4/255.255.255.255/tcp/1", false},
		{"/ip4/10.0.0.1/udp/1/quic-v1", false},
		{"/ip4/10.0.0.1/tcp/1/ws", false},
		{"/dns4/localhost/tcp/1", false},
		{"/ip4/10.0.0.1/tcp/1/p2p/" + p.String() + "/p2p-circuit", false},
	} {
		a := ma.StringCast(c.address)
		require.Equal(t, c.allowed, g.InterceptAddrDial(p, a), "dial %s", a)
		require.Equal(t, c.allowed, g.InterceptAccept(ends{a, a}), "accept %s", a)
		require.Equal(t, c.allowed, g.InterceptSecured(network.DirInbound, p, ends{a, a}), "secured %s", a)
	}
	vpn := &gater{vpn: []netip.Prefix{netip.MustParsePrefix("100.64.0.0/10")}}
	require.True(t, vpn.InterceptAddrDial(p, ma.StringCast("/ip4/100.64.0.1/tcp/1")))
	require.False(t, vpn.InterceptAddrDial(p, ma.StringCast("/ip4/8.8.8.8/tcp/1")))

	admit := func(k Key) bool { return k != id.Key() }
	g.admit.Store(&admit)
	home := ma.StringCast("/ip4/127.0.0.1/tcp/1")
	require.False(t, g.InterceptPeerDial(p))
	require.False(t, g.InterceptSecured(network.DirInbound, p, ends{home, home}))
	hashed, err := peer.Decode("QmYyQSo1c1Ym7orWxLYvCrM2EmxFTANf8wXmmE7DWjhx5N")
	require.NoError(t, err)
	require.False(t, (&gater{}).InterceptPeerDial(hashed), "a peer id that is not an Ed25519 key")
}

func TestNeitherPublicAddressesNorNamesAreDialled(t *testing.T) {
	t.Parallel()
	h, other := testHost(t), testIdentity(t)
	p, err := other.Key().peerID()
	require.NoError(t, err)
	for _, address := range []string{"/ip4/8.8.8.8/tcp/1", "/dns4/localhost/tcp/1", "/dnsaddr/localhost", "/ip4/1.1.1.1/udp/1/quic-v1"} {
		start := time.Now()
		err := h.host.Connect(context.Background(), peer.AddrInfo{ID: p, Addrs: []ma.Multiaddr{ma.StringCast(address)}})
		require.Error(t, err, address)
		require.Less(t, time.Since(start), time.Second, "refused at once, not after a packet: %s", address)
		require.Error(t, h.Meet(Address{other.Key(), p, ma.StringCast(address)}))
	}
	require.Empty(t, h.book.contacts)
}

func testIdentity(t testing.TB) Identity {
	t.Helper()
	id, err := Throwaway()
	require.NoError(t, err)
	return id
}

func testHost(t testing.TB) *Host {
	t.Helper()
	h, err := New(context.Background(), Config{Identity: testIdentity(t)})
	require.NoError(t, err)
	t.Cleanup(func() { h.Close() })
	return h
}
