package node

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/dns/dnsmessage"
)

func testClaim(t testing.TB) claim {
	id, err := Throwaway()
	require.NoError(t, err)
	return claim{
		key: id.Key(), port: 4001, network: "0011223344556677",
		homes: []netip.Addr{netip.MustParseAddr("192.168.1.20"), netip.MustParseAddr("10.0.0.7")},
		note:  []string{"table saloon = the one", "seats 3/7"},
	}
}

func TestAClaimIsReadBack(t *testing.T) {
	c := testClaim(t)
	for _, gone := range []bool{false, true} {
		c.gone = gone
		b, err := c.say()
		require.NoError(t, err)
		asked, claims, err := hear(b)
		require.NoError(t, err)
		require.Equal(t, asksNothing, asked)
		require.Equal(t, []claim{c}, claims)
	}
	for i := range maxNotes {
		c.note = append(c.note[:0:0], c.note...)
		c.note = append(c.note, string(make([]byte, maxNote-i)))
	}
	c.note = c.note[len(c.note)-maxNotes:]
	c.homes = append(c.homes, netip.MustParseAddr("10.0.0.8"), netip.MustParseAddr("10.0.0.9"))
	b, err := c.say()
	require.NoError(t, err, "the longest there can be")
	require.Less(t, len(b), maxDNS)
	c.homes = nil
	for i := range byte(maxHomes) {
		c.homes = append(c.homes, netip.AddrFrom16([16]byte{0: 0xfe, 1: 0x80, 15: i}))
	}
	b, err = c.say()
	require.NoError(t, err)
	_, claims, err := hear(b)
	require.NoError(t, err)
	require.Equal(t, []claim{c}, claims)
}

func TestQuestionsAreToldApart(t *testing.T) {
	for first, want := range map[bool]question{true: asksFirst, false: asksAll} {
		b, err := ask(first)
		require.NoError(t, err)
		asked, claims, err := hear(b)
		require.NoError(t, err)
		require.Equal(t, want, asked)
		require.Empty(t, claims)
	}
	m := dnsmessage.Message{Questions: []dnsmessage.Question{{
		Name: dnsmessage.MustNewName("_ipp._tcp.local."), Type: dnsmessage.TypePTR, Class: dnsmessage.ClassINET,
	}}}
	b, err := m.Pack()
	require.NoError(t, err)
	asked, _, err := hear(b)
	require.NoError(t, err)
	require.Equal(t, asksNothing, asked, "a printer is of no interest")
}

func TestAClaimWithoutAKeyOrAPortIsNone(t *testing.T) {
	c := testClaim(t)
	c.port = 0
	b, err := c.say()
	require.NoError(t, err)
	_, claims, err := hear(b)
	require.NoError(t, err)
	require.Empty(t, claims)
	_, _, err = hear(make([]byte, maxDNS+1))
	require.ErrorIs(t, err, ErrTooLarge)
}

func TestDiscoveryIsRefusedInATestThatHasNoNamespaceOfItsOwn(t *testing.T) {
	t.Setenv(OwnNamespace, "")
	_, err := New(t.Context(), Config{Identity: testIdentity(t), Discover: true})
	require.ErrorIs(t, err, ErrDiscoveryInTest)
}

func TestWithoutDiscoveryNothingIsSightedOrAnnounced(t *testing.T) {
	t.Parallel()
	h, err := New(t.Context(), Config{Identity: testIdentity(t)})
	require.NoError(t, err)
	defer h.Close()
	require.NoError(t, h.Announce([]string{"table x"}))
	require.ErrorIs(t, h.Announce(make([]string, maxNotes+1)), ErrTooLarge)
	require.ErrorIs(t, h.Announce([]string{string(make([]byte, maxNote+1))}), ErrTooLarge)
	h.Look()
	seen, _ := h.Sightings()
	require.Empty(t, seen)
	require.Error(t, h.Discovery())
}

// A claim counts only with addresses on the very network it came from.
func TestASightingKeepsToItsNetwork(t *testing.T) {
	t.Parallel()
	h, err := New(t.Context(), Config{Identity: testIdentity(t)})
	require.NoError(t, err)
	defer h.Close()
	d := &discovery{h: h, sighted: map[Key]Sighting{}, news: make(chan struct{}, 1)}
	h.discovery = d
	r := &reach{Interface: Interface{Local: []netip.Prefix{netip.MustParsePrefix("192.168.1.5/24")}}}
	c := testClaim(t)
	d.sight(c, r)
	seen, _ := h.Sightings()
	require.Len(t, seen, 1)
	require.True(t, seen[0].Private)
	require.Len(t, seen[0].Addresses, 1, "10.0.0.7 is not on this network")
	require.Equal(t, "192.168.1.20:4001", seen[0].Addresses[0].Place().String())
	require.Equal(t, c.note, seen[0].Note)
	c.gone = true
	d.sight(c, r)
	seen, _ = h.Sightings()
	require.Empty(t, seen)
	for range maxSighted + 20 {
		c := testClaim(t)
		d.sight(c, r)
	}
	seen, _ = h.Sightings()
	require.Len(t, seen, maxSighted)
	own := testClaim(t)
	own.key, own.gone = h.key, false
	d.sight(own, r)
	require.NotContains(t, d.sighted, h.key)
}

func FuzzHear(f *testing.F) {
	c := claim{key: Key{1}, port: 1, homes: []netip.Addr{netip.MustParseAddr("10.0.0.7")}, note: []string{"table x"}}
	if b, err := c.say(); err == nil {
		f.Add(b)
	}
	c.homes = append(c.homes, netip.MustParseAddr("fe80::7"))
	if b, err := c.say(); err == nil {
		f.Add(b)
	}
	if b, err := ask(true); err == nil {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		_, claims, err := hear(b)
		if err != nil {
			require.Empty(t, claims)
		}
		for _, c := range claims {
			require.LessOrEqual(t, len(c.note), maxNotes)
			require.LessOrEqual(t, len(c.homes), maxHomes)
			require.NotZero(t, c.port)
		}
	})
}
