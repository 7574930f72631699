//go:build unix

package node_test

import (
	"context"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/p2p/node"
)

// BenchmarkDelivery measures what one packet of 300 bytes costs, in processor
// time per peer that receives it, among seven hosts over loopback: by Broadcast,
// and for comparison by a Send to each. All hosts share the process, so that the
// time is that of sender and receiver together.
func BenchmarkDelivery(b *testing.B) {
	const seats, burst = 7, 1
	ids := identities(b, seats)
	var rooms []*node.Room
	var arrived atomic.Int64
	var first []node.Address
	for _, id := range ids {
		host, err := node.New(context.Background(), node.Config{Identity: id, Peers: first})
		require.NoError(b, err)
		defer host.Close()
		if first == nil {
			first = host.Addresses()
		}
		room, err := host.Join(node.RoomConfig{Members: keys(ids), Machine: acceptAll{}})
		require.NoError(b, err)
		rooms = append(rooms, room)
		go func() {
			for e := range room.Events() {
				if _, ok := e.(node.Packet); ok {
					arrived.Add(1)
				}
			}
		}()
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	for _, r := range rooms {
		require.NoError(b, r.Wait(ctx))
	}
	packet := make([]byte, 300)
	for _, way := range []struct {
		name string
		send func(from int) error
	}{
		{"Broadcast", func(from int) error { return rooms[from].Broadcast(packet) }},
		{"Send", func(from int) error {
			for to, id := range ids {
				if to == from {
					continue
				}
				if err := rooms[from].Send(id.Key(), packet); err != nil {
					return err
				}
			}
			return nil
		}},
	} {
		b.Run(way.name, func(b *testing.B) {
			cpu, want := processor(), arrived.Load()
			var sent [seats]int64
			for i := 0; i < b.N; i += seats * burst {
				for range burst {
					for from := range rooms {
						require.NoError(b, way.send(from))
						sent[from]++
					}
				}
				want += seats * burst * (seats - 1)
				for end := time.Now().Add(10 * time.Second); arrived.Load() < want; {
					require.True(b, time.Now().Before(end), "%d packets are missing", want-arrived.Load())
					time.Sleep(200 * time.Microsecond)
				}
			}
			deliveries := float64(seats-1) * float64(sent[0]) * seats
			b.ReportMetric(float64((processor()-cpu).Microseconds())/deliveries, "cpu-µs/delivery")
			b.ReportMetric(deliveries/b.Elapsed().Seconds(), "deliveries/s")
		})
	}
	var total node.Counters
	for _, r := range rooms {
		c := r.Counters()
		total.Duplicates += c.Duplicates
		total.Delivered += c.Delivered
		total.DroppedIn += c.DroppedIn
		total.DroppedOut += c.DroppedOut
		total.Repaired += c.Repaired
	}
	b.Logf("delivered %d, duplicates %d, dropped %d in %d out, asked for %d",
		total.Delivered, total.Duplicates, total.DroppedIn, total.DroppedOut, total.Repaired)
}

// processor is the processor time this process has used.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
