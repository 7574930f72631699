package node_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/p2p/node"
)

// Game after game is played in a room of its own, beside the room in which the players talk. Each comes from the
// former room when it pleases, and connections fall all the time; all the same everybody is linked with everybody in
// every room.
func TestRoomAfterRoomAmongTheSameHosts(t *testing.T) {
	t.Parallel()
	const seats, rooms = 4, 25
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
		talk, err := h.Join(node.RoomConfig{Machine: everything{}})
		require.NoError(t, err)
		go drain(talk)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cuts := make(chan struct{}, 3) // some for each room, so that even a slow machine is not cut off for ever
	falls := 0
	var chaos, all sync.WaitGroup
	chaos.Go(func() {
		for range cuts {
			time.Sleep(rand.N(150 * time.Millisecond))
			a, b := rand.IntN(seats), ids[rand.IntN(seats)].Key()
			hosts[a].Admit(func(k node.Key) bool { return k != b })
			hosts[a].Admit(func(node.Key) bool { return true })
			falls++
		}
	})
	together := make([]sync.WaitGroup, rooms) // whoever leaves a room earlier is missed there for ever
	for i := range together {
		together[i].Add(seats)
	}
	for i, h := range hosts {
		all.Go(func() {
			for n := range together {
				for more := i == 0; more; {
					select {
					case cuts <- struct{}{}:
					default:
						more = false
					}
				}
				room, err := h.Join(node.RoomConfig{Table: sha256.Sum256(fmt.Append(nil, n)), Members: keys(ids), Machine: everything{}})
				if err != nil {
					t.Errorf("room %d: %v", n, err)
				} else {
					go drain(room)
					if err = room.Wait(ctx); err != nil {
						t.Errorf("host %d in room %d: %v", i, n, err)
					}
				}
				together[n].Done()
				together[n].Wait()
				if err == nil {
					time.Sleep(rand.N(150 * time.Millisecond))
					room.Close()
				}
			}
		})
	}
	all.Wait()
	close(cuts)
	chaos.Wait()
	t.Logf("%d rooms, %d connections cut", rooms, falls)
}

func drain(r *node.Room) {
	for range r.Events() {
	}
}

type everything struct{}

func (everything) Check([]byte) node.Verdict { return node.Accept }
