package node_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/p2p/chaos"
	"standoff/p2p/node"
)

// Game after game is played in a room of its own, beside the room in which the players talk. Each comes from the
// former room when it pleases, and connections fall all the time; all the same everybody is linked with everybody in
// every room.
func TestRoomAfterRoomAmongTheSameHosts(t *testing.T) {
	t.Parallel()
	const seats, rooms = 4, 20
	ids := identities(t, seats)
	var hosts []*node.Host
	for _, id := range ids {
		c := node.Config{Identity: id}
		if hosts != nil {
			c.Peers = hosts[0].Addresses()
		}
		h, err := node.New(t.Context(), c)
		require.NoError(t, err)
		t.Cleanup(func() { h.Close() })
		hosts = append(hosts, h)
		talk, err := h.Join(node.RoomConfig{Machine: acceptAll{}})
		require.NoError(t, err)
		go drain(talk)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	chaos.Play(t, hosts, rooms, func(i, n int) func() {
		room, err := hosts[i].Join(node.RoomConfig{Table: sha256.Sum256(fmt.Append(nil, n)), Members: keys(ids), Machine: acceptAll{}})
		if err != nil {
			t.Errorf("room %d: %v", n, err)
			return nil
		}
		go drain(room)
		if err := room.Wait(ctx); err != nil {
			t.Errorf("host %d in room %d: %v", i, n, err)
		}
		return room.Close
	})
}

func drain(r *node.Room) {
	for range r.Events() {
	}
}
