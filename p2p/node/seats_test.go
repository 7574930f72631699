package node_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/p2p/node"
)

// nobodysMachine judges no packet, for none comes.
type nobodysMachine struct{}

func (nobodysMachine) Check([]byte) node.Verdict { return node.Reject }

// Only who has the key of a seat is told at which tables it sits.
func TestAKeyIsToldWhereItSits(t *testing.T) {
	t.Parallel()
	ids := identities(t, 3)
	seats := keys(ids[:2])
	a, err := node.New(t.Context(), node.Config{Identity: ids[0]})
	require.NoError(t, err)
	defer a.Close()
	for i, text := range []string{"saloon", "jail"} {
		_, err := a.Join(node.RoomConfig{Table: [32]byte{byte(i)}, Members: seats, Machine: nobodysMachine{}, Seating: []byte(text)})
		require.NoError(t, err)
	}
	_, err = a.Join(node.RoomConfig{Table: [32]byte{9}, Members: keys(ids[:1]), Machine: nobodysMachine{}, Seating: []byte("elsewhere")})
	require.NoError(t, err)
	seatings := func(id node.Identity, within time.Duration) (list []string) {
		h, err := node.New(t.Context(), node.Config{Identity: id, Peers: a.Addresses()})
		require.NoError(t, err)
		defer h.Close()
		ctx, cancel := context.WithTimeout(t.Context(), within)
		defer cancel()
		for _, b := range h.Seatings(ctx) {
			list = append(list, string(b))
		}
		return list
	}
	require.ElementsMatch(t, []string{"saloon", "jail"}, seatings(ids[1], 20*time.Second))
	require.Empty(t, seatings(ids[2], time.Second))
}
