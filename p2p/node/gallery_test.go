package node

import (
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/stretchr/testify/require"
)

// homes counts a gallery's spectators by address: of those with a place, and of all.
func homes(g *gallery) (placed, all map[string]int) {
	placed, all = map[string]int{}, map[string]int{}
	for _, x := range g.all {
		if all[x.home.String()]++; !x.asked.IsZero() {
			placed[x.home.String()]++
		}
	}
	return placed, all
}

// Whoever comes with many keys from one address, before or after the others, asking or only there, and again and again:
// everybody else gets his share of the places, and keeps it.
func TestPlacesAreSharedOutEvenlyAmongAddresses(t *testing.T) {
	const places = 8
	g := newGallery()
	g.places = places
	keys := 0
	comes := func(home string, asks bool) (peer.ID, bool) {
		keys++
		p := peer.ID(fmt.Sprint(home, keys))
		at := netip.MustParseAddr(home)
		if lets := g.lets(p, at); !lets {
			_, ok := g.came(p, at)
			require.False(t, ok)
			return p, false
		}
		if _, ok := g.came(p, at); !ok || !asks {
			return p, ok
		}
		_, _, ok := g.ask(p)
		return p, ok
	}
	const many = "10.0.0.66"
	flood := func() {
		for i := range 100 {
			comes(many, i%3 > 0)
		}
	}
	flood()
	placed, all := homes(g)
	require.Equal(t, map[string]int{many: places}, placed)
	require.Equal(t, places+lobbyPlaces, all[many])
	_, ok := comes(many, true)
	require.False(t, ok, "nobody gives way to one from the same address")

	var others []peer.ID
	for i := 1; i < places; i++ {
		p, ok := comes(fmt.Sprint("10.0.0.", i), true)
		require.True(t, ok, "one from address %d", i)
		others = append(others, p)
		flood()
		placed, all = homes(g)
		require.Equal(t, places-i, placed[many])
		require.LessOrEqual(t, len(g.all), places+lobbyPlaces)
	}
	for _, p := range others {
		require.NotNil(t, g.all[p], "who has the only place of an address keeps it")
	}
	_, ok = comes("10.0.0.8", true)
	require.False(t, ok, "eight addresses have a place each")
	_, ok = comes("10.0.0.1", true)
	require.False(t, ok, "and nobody a second one")
}

// Of an address whoever asks goes on looking on; who is silent gives way.
func TestTheSilentGiveWay(t *testing.T) {
	g := newGallery()
	g.places = 3
	one, other := netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("fe80::2")
	var keys []peer.ID
	for i := range 3 {
		p := peer.ID(fmt.Sprint(i))
		_, ok := g.came(p, one)
		require.True(t, ok)
		_, _, ok = g.ask(p)
		require.True(t, ok)
		keys = append(keys, p)
		time.Sleep(time.Millisecond)
	}
	g.ask(keys[0])
	_, ok := g.came("new", other)
	require.True(t, ok)
	_, out, ok := g.ask("new")
	require.True(t, ok)
	require.Equal(t, keys[1], out)
	_, _, ok = g.ask(keys[1])
	require.False(t, ok, "it has no place any more")
}

// The keys of one machine that hold all places, and ask again and again, keep out nobody who comes from another.
func TestOneMachineDoesNotHoldAllPlaces(t *testing.T) {
	t.Parallel()
	s := newStage(t, 2)
	var crowd []*Host
	for range 3 {
		h := s.visitor(t)
		crowd = append(crowd, h)
		go func() {
			for t.Context().Err() == nil {
				_, _ = h.Fetch(t.Context(), s.hosts[0].Key(), [32]byte{7}, nil)
				time.Sleep(50 * time.Millisecond)
			}
		}()
	}
	asks := func(h *Host) bool {
		_, err := h.Fetch(t.Context(), s.hosts[0].Key(), [32]byte{7}, []byte("what is new?"))
		return err == nil
	}
	held := func() (n int) {
		s.hosts[0].gallery.mu.Lock()
		defer s.hosts[0].gallery.mu.Unlock()
		placed, _ := homes(s.hosts[0].gallery)
		return placed["127.0.0.1"]
	}
	require.Eventually(t, func() bool { return held() == 2 }, patience, 20*time.Millisecond)
	c := LayCable(t, s.hosts[0].Addresses()[0].Place(), "127.0.0.2")
	guest := testHost(t)
	require.NoError(t, guest.Meet(c.Address(t, s.hosts[0].key)))
	require.Eventually(t, func() bool { return asks(guest) }, patience, 20*time.Millisecond)
	require.Equal(t, 1, held())
	for range 10 {
		require.Eventually(t, func() bool { return asks(guest) }, patience, 2*spectatorPause, "it keeps its place")
	}
	require.Equal(t, 1, held())
	require.True(t, slices.ContainsFunc(crowd, func(h *Host) bool { return h.connected(s.hosts[0].id) }))
	require.Empty(t, s.rooms[0].Missing(), "the players are not disturbed")
}
