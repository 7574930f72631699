package node

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/protocol"
)

// A peer that has lost all but its key asks others at which tables it sits:
//
//	asker   nothing: whose seats are asked for is the key that the connection has proved
//	server  a frame for each of its rooms of which the asker is a member, with RoomConfig.Seating, then an empty frame
const seatsProtocol protocol.ID = "/standoff/seats/1"

// maxSeatings bounds the rooms of one answer.
const maxSeatings = 16

// Seatings asks whoever is connected, or comes to be, at which tables this host's key has a seat, until somebody knows
// of one or ctx ends. The answers are what the owners of the rooms have set as RoomConfig.Seating, each once; what is
// in them is for the caller to check.
func (h *Host) Seatings(ctx context.Context) [][]byte {
	asked := map[peer.ID]bool{}
	for {
		var found [][]byte
		for _, p := range h.host.Network().Peers() {
			if asked[p] {
				continue
			}
			list, err := h.askSeats(ctx, p)
			if err != nil {
				continue // it is asked again
			}
			asked[p] = len(list) > 0
			for _, s := range list {
				if !slices.ContainsFunc(found, func(o []byte) bool { return slices.Equal(o, s) }) {
					found = append(found, s)
				}
			}
		}
		if len(found) > 0 {
			return found
		}
		select {
		case <-ctx.Done():
			return nil
		case <-h.ctx.Done():
			return nil
		case <-time.After(firstPause):
		}
	}
}

func (h *Host) askSeats(ctx context.Context, p peer.ID) (list [][]byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, helloTimeout)
	defer cancel()
	s, hangUp, err := h.call(ctx, p, seatsProtocol)
	if err != nil {
		return nil, fmt.Errorf("ask for seats: %w", err)
	}
	defer hangUp()
	if err = s.CloseWrite(); err == nil {
		list, err = readFrames(s, maxSeatings, maxSeatings*MaxPacket, helloTimeout)
	}
	if err != nil {
		return nil, fmt.Errorf("ask for seats: %w", err)
	}
	return list, nil
}

func (h *Host) acceptSeats(s network.Stream) {
	if !h.enter() {
		s.Reset()
		return
	}
	defer h.wg.Done()
	defer s.Reset()
	p := s.Conn().RemotePeer()
	if !h.gater.admits(p) {
		return
	}
	_ = s.SetDeadline(time.Now().Add(helloTimeout))
	var list [][]byte
	for _, r := range h.all() {
		if _, member := r.members[p]; member && len(r.seating) > 0 && len(list) < maxSeatings {
			list = append(list, r.seating)
		}
	}
	writeFrames(s, list)
}
