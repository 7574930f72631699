package lobby_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/p2p/chaos"
	"standoff/p2p/lobby"
	"standoff/p2p/node"
	"standoff/p2p/table"
)

// The same over real connections, which fall all the time: four players and a game's room for each game, which each of
// them enters and leaves in its own time.
func TestGameAfterGameWhileConnectionsFall(t *testing.T) {
	t.Parallel()
	const games = 12
	ana := player(t, "Ana")
	home := hostOf(t, ana, nil)
	l, err := lobby.Enter(home)
	require.NoError(t, err)
	opened, err := lobby.Open(l, lobby.OpenConfig{Player: ana, Offer: rules(t), Countdown: -1})
	require.NoError(t, err)
	hosts, tables := []*node.Host{home}, []*lobby.Table{opened}
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	for i := range 3 {
		p := player(t, fmt.Sprint("guest ", i))
		p.Auto = true
		h := hostOf(t, p, nil, home.Addresses()...)
		s, err := lobby.Sit(ctx, h, home.Key(), p, nil)
		require.NoError(t, err)
		hosts, tables = append(hosts, h), append(tables, s)
	}
	chaos.Play(t, hosts, games, func(i, n int) func() {
		tb := tables[i]
		room := enters(ctx, t, hosts[i], tb, i == 0)
		if room == nil {
			t.Errorf("player %d is not in game %d", i, n)
			return nil
		}
		return func() {
			room.Close()
			next := tb.Again
			if i == 0 {
				next = func() error { return tb.Offer(tb.View().Offer, nil) }
			}
			if err := next(); err != nil {
				t.Errorf("player %d after game %d: %v", i, n, err)
			}
		}
	})
}

// enters gets ready for a game, where nobody does that by itself, and waits in its room for the others; nil when there
// is none in time.
func enters(ctx context.Context, t *testing.T, h *node.Host, tb *lobby.Table, asks bool) *node.Room {
	for {
		if asks {
			if v := tb.View(); v.Phase == lobby.Gathering && v.Free() == 0 {
				_ = tb.Ready(true)
			}
		}
		select {
		case n, ok := <-tb.News():
			if !ok || n.Kind == lobby.NewsClosed {
				t.Errorf("the table is closed: %v", n.Reason)
				return nil
			}
			if n.Kind != lobby.NewsBegun {
				continue
			}
		case <-ctx.Done():
			t.Errorf("no game begins; the table: %+v", tb.View().Seats)
			return nil
		}
		r, err := table.ReadRoster(table.NewRistretto(nil), tb.View().Roster)
		if err != nil {
			t.Errorf("no roster: %v", err)
			return nil
		}
		c := node.RoomConfig{Table: r.Table, Machine: deaf{}}
		for _, j := range r.Joins {
			c.Members = append(c.Members, node.Key(j.Key))
		}
		room, err := h.Join(c)
		if err != nil {
			t.Error(err)
			return nil
		}
		go func() {
			for range room.Events() {
			}
		}()
		if err := room.Wait(ctx); err != nil {
			t.Error(err)
			room.Close()
			return nil
		}
		return room
	}
}
