package node

import (
	"net/netip"
	"testing"

	ma "github.com/multiformats/go-multiaddr"
	"github.com/stretchr/testify/require"
)

func TestAnAddressOfALinkHasItsZone(t *testing.T) {
	key := testClaim(t).key
	at := netip.MustParseAddrPort("[fe80::1%eth0]:4001")
	a, err := AddressOf(at, key)
	require.NoError(t, err)
	require.Equal(t, at, a.Place())
	require.Regexp(t, `^/ip6zone/eth0/ip6/fe80::1/tcp/4001/p2p/12D3`, a.String())
	back, err := ParseAddress(a.String())
	require.NoError(t, err)
	require.Equal(t, a, back)
	for _, bad := range []string{"/ip6zone/eth0/ip6/fd00::1/tcp/1", "/ip6zone/eth0/ip4/10.0.0.1/tcp/1", "/ip6zone/eth0/ip6zone/eth0/ip6/fe80::1/tcp/1", "/ip6zone/eth0", "/ip6zone/eth0/ip6/fe80::1"} {
		m, err := ma.NewMultiaddr(bad)
		require.NoError(t, err)
		_, err = place(m)
		require.Error(t, err, bad)
		require.Error(t, checkPlace(m, nil), bad)
	}
}

func TestWhatIsDialledIsWhatWasMeant(t *testing.T) {
	var all []ma.Multiaddr
	for _, s := range []string{"10.0.0.1:1", "[fd00::1]:2", "[fe80::1%eth0]:3", "[fe80::1%7]:4"} {
		a, err := multiaddr(netip.MustParseAddrPort(s))
		require.NoError(t, err)
		all = append(all, a)
	}
	g := &gater{}
	for i, a := range doubled(all) {
		require.True(t, all[i].Equal(undoubled(a)))
		require.True(t, zoned{}.CanDial(a))
		require.True(t, g.InterceptAddrDial("", a))
		require.Equal(t, i > 1, len(a) > len(all[i]))
	}
}

// Link-local IPv6 is for where there is nothing else: no home is told twice.
func TestWhereOneIsAtHome(t *testing.T) {
	i := Interface{Name: "eth0", Local: []netip.Prefix{netip.MustParsePrefix("fd00::5/64"), netip.MustParsePrefix("fe80::5/64")}}
	require.Equal(t, []netip.Addr{netip.MustParseAddr("fe80::5%eth0")}, i.homes())
	require.True(t, i.has(netip.MustParseAddr("fe80::5%eth0")))
	require.False(t, i.has(netip.MustParseAddr("fe80::5%eth1")))
	require.True(t, i.near(netip.MustParseAddr("fe80::6%eth0")))
	i.Local = append([]netip.Prefix{netip.MustParsePrefix("192.168.1.5/24")}, i.Local...)
	require.Equal(t, []netip.Addr{netip.MustParseAddr("192.168.1.5")}, i.homes())
	require.Empty(t, Interface{Name: "lo", Local: []netip.Prefix{netip.MustParsePrefix("::1/128")}}.homes())
}

// What is told of a link is told without the zone, and read with those of this machine.
func TestAZoneIsNobodyElsesBusiness(t *testing.T) {
	t.Parallel()
	var all []ma.Multiaddr
	for _, s := range []string{"127.0.0.1:1", "[fe80::1%eth0]:3"} {
		a, err := multiaddr(netip.MustParseAddrPort(s))
		require.NoError(t, err)
		all = append(all, a)
	}
	told := shareable(all, nil)
	require.Len(t, told, 1)
	require.Equal(t, "/ip6/fe80::1/tcp/3", told[0].String())
	require.Equal(t, "/ip4/127.0.0.1/tcp/1", shareable(all[:1], nil)[0].String())

	h, err := New(t.Context(), Config{Identity: testIdentity(t)})
	require.NoError(t, err)
	defer h.Close()
	require.Empty(t, h.seen(told), "this host is on no such link")
	require.Len(t, h.seen(all), 1, "nor is the zone believed that somebody else tells")
}
