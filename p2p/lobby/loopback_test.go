package lobby_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/engine/boxes"
	"standoff/p2p/lobby"
	"standoff/p2p/node"
	"standoff/p2p/table"
)

func rules(t testing.TB) table.Offer {
	r, err := boxes.Compile("base")
	require.NoError(t, err)
	c := table.DefaultChoices()
	return table.Offer{Name: "saloon", Rules: table.RulesVersion, Sets: []string{"base"}, Options: c.List(r), Seats: 4}
}

func identity(t testing.TB) node.Identity {
	id, err := node.Throwaway()
	require.NoError(t, err)
	return id
}

func player(t testing.TB, nick string) lobby.Player {
	return lobby.Player{Suite: table.NewRistretto(rand.Reader), Identity: identity(t), Rand: rand.Reader, Nick: nick}
}

func hostOf(t testing.TB, p lobby.Player, network *[32]byte, peers ...node.Address) *node.Host {
	h, err := node.New(t.Context(), node.Config{Identity: p.Identity, Peers: peers, Network: network})
	require.NoError(t, err)
	t.Cleanup(func() { h.Close() })
	return h
}

// reads waits for a news of the kind and returns it.
func reads(t testing.TB, tb *lobby.Table, kind lobby.NewsKind) lobby.News {
	t.Helper()
	late := time.After(15 * time.Second)
	for {
		select {
		case n, ok := <-tb.News():
			if ok && n.Kind == kind {
				return n
			}
			require.True(t, ok, "the news ended before one of kind %d", kind)
		case <-late:
			require.Fail(t, "no such news", "kind %d, view %+v", kind, tb.View())
		}
	}
}

func TestFourPeersSitDownGetReadyAndBegin(t *testing.T) {
	t.Parallel()
	start := time.Now()
	first := player(t, "Ana")
	home := hostOf(t, first, nil)
	l, err := lobby.Enter(home)
	require.NoError(t, err)
	offer := rules(t)
	opened, err := lobby.Open(l, lobby.OpenConfig{Player: first, Offer: offer, Countdown: -1})
	require.NoError(t, err)
	tables := []*lobby.Table{opened}
	hosts := []*node.Host{home}
	for i := range 3 {
		p := player(t, fmt.Sprintf("guest %d", i))
		p.Bot, p.Auto = i == 2, i == 2
		if p.Bot {
			p.Owner = first.Identity.Key()
			p.Vouch = lobby.Vouch(p.Suite, first.Identity, lobby.RoomOf(first.Identity.Key()), p.Identity.Key())
		}
		h := hostOf(t, p, nil, home.Addresses()...)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		in, err := lobby.Enter(h)
		require.NoError(t, err)
		li, err := in.Find(ctx, "Saloon")
		require.NoError(t, err)
		require.Equal(t, home.Key(), li.Host)
		require.Equal(t, offer.Sets, li.Sets)
		require.EqualValues(t, i+1, li.Taken)
		s, err := lobby.Sit(ctx, h, li.Host, p, nil)
		require.NoError(t, err)
		require.Equal(t, offer.Options, s.View().Offer.Options)
		tables, hosts = append(tables, s), append(hosts, h)
	}
	t.Logf("four seated %s after the start", time.Since(start))
	require.Eventually(t, func() bool { return len(tables[1].View().Seats) == 4 }, 20*time.Second, 10*time.Millisecond)
	require.Equal(t, first.Identity.Key(), tables[1].View().Seats[3].Owner)
	require.NoError(t, tables[1].Tell("howdy\x1b[2J"))
	told := reads(t, opened, lobby.NewsTold)
	require.Equal(t, "howdy[2J", told.Text)
	require.Equal(t, "guest 0", told.Seat.Nick)
	for _, s := range tables[:3] {
		require.NoError(t, s.Ready(true))
	}
	var raw []byte
	for i, s := range tables {
		reads(t, s, lobby.NewsBegun)
		v := s.View()
		require.Equal(t, lobby.Begun, v.Phase)
		r, err := table.ReadRoster(table.NewRistretto(rand.Reader), v.Roster)
		require.NoError(t, err)
		k := hosts[i].Key()
		require.GreaterOrEqual(t, r.SeatOf(k[:]), 0)
		if i == 0 {
			raw = v.Roster
		}
		require.Equal(t, raw, v.Roster)
	}

	// A stranger is not admitted any more, and the list has said why before the door closed.
	late := player(t, "late")
	h := hostOf(t, late, nil, home.Addresses()...)
	time.Sleep(400 * time.Millisecond)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	_, err = lobby.Sit(ctx, h, home.Key(), late, nil)
	require.ErrorIs(t, err, context.DeadlineExceeded)

	// Another game of the same players, with a chat line in between.
	offer.Former = &table.Former{Table: table.Hash{1, 2, 3}, Sheriff: -1}
	for _, s := range opened.View().Seats {
		offer.Former.Keys, offer.Former.Characters = append(offer.Former.Keys, s.Key[:]), append(offer.Former.Characters, 0)
	}
	for _, s := range tables[1:] {
		require.NoError(t, s.Again())
	}
	require.NoError(t, opened.Offer(offer, nil))
	for _, s := range tables[1:] {
		reads(t, s, lobby.NewsOffer)
		require.Equal(t, offer.Former.Table, s.View().Offer.Former.Table)
		require.Len(t, s.View().Seats, 4)
	}
	for _, s := range tables[:3] {
		require.NoError(t, s.Ready(true))
	}
	for _, s := range tables {
		reads(t, s, lobby.NewsBegun)
		require.NotEqual(t, raw, s.View().Roster)
	}
	tables[3].Leave()
	opened.Leave()
	require.NoError(t, tables[1].Again())
	require.Equal(t, lobby.HostLeft, reads(t, tables[1], lobby.NewsClosed).Reason)
}

// Who has come back to a running game is heard by all who play it, and hears them.
func TestWhoComesBackToAGameTalksToItsPlayers(t *testing.T) {
	t.Parallel()
	ana := player(t, "Ana")
	host := hostOf(t, ana, nil)
	l, err := lobby.Enter(host)
	require.NoError(t, err)
	all := make([]*lobby.Table, 4)
	all[0], err = lobby.Open(l, lobby.OpenConfig{Player: ana, Offer: rules(t), Countdown: -1})
	require.NoError(t, err)
	var hosts []*node.Host
	var players []lobby.Player
	for i, nick := range []string{"Bela", "Csaba", "Dora"} {
		p := player(t, nick)
		players = append(players, p)
		hosts = append(hosts, hostOf(t, p, nil, host.Addresses()[0]))
		all[i+1], err = lobby.Sit(t.Context(), hosts[i], host.Key(), p, nil)
		require.NoError(t, err)
	}
	for _, x := range all {
		require.Eventually(t, func() bool { return len(x.View().Seats) == 4 }, 15*time.Second, 5*time.Millisecond)
		require.NoError(t, x.Ready(true))
	}
	for _, x := range all {
		reads(t, x, lobby.NewsBegun)
	}
	r, err := table.ReadRoster(ana.Suite, all[3].View().Roster)
	require.NoError(t, err)
	require.NoError(t, hosts[2].Close())
	again := hostOf(t, players[2], nil, host.Addresses()[0], hosts[0].Addresses()[0], hosts[1].Addresses()[0])
	dora, err := lobby.Return(again, &r)
	require.NoError(t, err)
	require.NoError(t, dora.Tell("here I am"))
	for _, x := range all[:3] {
		n := reads(t, x, lobby.NewsTold)
		require.Equal(t, "Dora", n.Seat.Nick)
		require.Equal(t, "here I am", n.Text)
	}
	for _, x := range all[:3] {
		require.NoError(t, x.Tell("at last"))
		require.Equal(t, "at last", reads(t, dora, lobby.NewsTold).Text)
	}
	require.ErrorIs(t, dora.Ready(true), lobby.ErrGameOnly)
	dora.Leave()
	require.Error(t, dora.Tell("anybody?"))
}
