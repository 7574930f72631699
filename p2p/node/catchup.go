package node

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/protocol"
)

// A catch-up is one question and its answer on a stream of its own:
//
//	asker   frame: table id (32 bytes) and the question
//	server  a frame per packet, then an empty frame
const (
	catchupProtocol protocol.ID = "/standoff/catchup/1"

	answerTimeout = 10 * time.Second // for the server's owner, and for each frame
	askTimeout    = 30 * time.Second // for all of it
)

// Ask asks a linked peer's owner for packets. The request, at most MaxRequest
// bytes, says which, in words that only the owners know. The Answer comes as an
// Event, always, within half a minute. One request per peer at a time.
func (r *Room) Ask(peer Key, request []byte) error {
	if len(request) > MaxRequest {
		return fmt.Errorf("ask with %d bytes, limit %d: %w", len(request), MaxRequest, ErrTooLarge)
	}
	id, err := peer.peerID()
	if err != nil {
		return fmt.Errorf("ask: %w", err)
	}
	request = append([]byte(nil), request...)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch l := r.links[id]; {
	case r.closed:
		return fmt.Errorf("ask: room %w", ErrClosed)
	case l == nil || l.out == nil:
		return fmt.Errorf("ask %s: %w", peer.Short(), ErrNotLinked)
	case r.asking[id]:
		return fmt.Errorf("ask %s: %w", peer.Short(), ErrBusy)
	}
	r.asking[id] = true
	r.wg.Add(1)
	go func() {
		defer r.wg.Done()
		packets, err := r.h.fetch(r.ctx, id, r.table, request)
		r.tally.caughtUp.Add(uint64(len(packets)))
		r.mu.Lock()
		delete(r.asking, id)
		r.mu.Unlock()
		r.box.put(Answer{peer, request, packets, err})
	}()
	return nil
}

func (h *Host) fetch(ctx context.Context, p peer.ID, table [32]byte, request []byte) (packets [][]byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	s, hangUp, err := h.call(ctx, p, catchupProtocol)
	if err != nil {
		return nil, fmt.Errorf("catch up: %w", err)
	}
	defer hangUp()
	if err = writeFrame(s, append(table[:], request...)); err == nil {
		// The server's owner may take its time, and then the stream does.
		packets, err = readFrames(s, MaxPackets, MaxAnswer, answerTimeout+time.Second)
	}
	if err != nil {
		return packets, fmt.Errorf("catch up: %w", err)
	}
	return packets, nil
}

// acceptCatchup serves the question of another peer, one per peer at a time and
// eight in all, each within askTimeout however slowly the asker reads. Strangers
// wait for each other, and each for the pace at which it is served.
func (h *Host) acceptCatchup(s network.Stream) {
	if !h.enter() {
		s.Reset()
		return
	}
	defer h.wg.Done()
	defer s.Reset()
	p := s.Conn().RemotePeer()
	_ = s.SetDeadline(time.Now().Add(helloTimeout))
	b, err := readFrame(bufio.NewReaderSize(s, 512), len(Room{}.table)+MaxRequest)
	if err != nil || len(b) < len(Room{}.table) {
		return
	}
	room := h.roomAt([32]byte(b[:32]))
	key, err := keyOf(p)
	stranger := h.stranger(p)
	if room == nil || err != nil || stranger && room.spectators == 0 || !room.startServing(p) {
		if stranger {
			h.offended(p)
		}
		return
	}
	defer room.stopServing(p)
	serves, pause := h.serves, time.Duration(0)
	if stranger {
		var ok bool
		if pause, ok = h.placed(p); !ok {
			return
		}
		serves = h.gallery.serves
	}
	_ = s.SetDeadline(time.Now().Add(askTimeout))
	if !room.rest(pause) {
		return
	}
	select {
	case serves <- struct{}{}:
		defer func() { <-serves }()
	case <-time.After(answerTimeout):
		return
	case <-room.ctx.Done():
		return
	}
	packets, err := room.question(key, b[32:])
	if err != nil {
		return
	}
	if stranger {
		size := 0
		for _, packet := range packets {
			size += len(packet)
		}
		h.gallery.answered(p, size)
	}
	writeFrames(s, packets)
}

// rest waits a while; false means that the room is closing.
func (r *Room) rest(d time.Duration) bool {
	if d <= 0 {
		return true
	}
	select {
	case <-time.After(d):
		return true
	case <-r.ctx.Done():
		return false
	}
}

func (r *Room) startServing(p peer.ID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed || r.asked[p] {
		return false
	}
	r.asked[p] = true
	return true
}

func (r *Room) stopServing(p peer.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.asked, p)
}

// question puts a request to the owner and waits for the answer.
func (r *Room) question(from Key, body []byte) ([][]byte, error) {
	reply := make(chan [][]byte, 1)
	r.box.put(Request{From: from, Body: body, reply: reply, replied: new(atomic.Bool)})
	select {
	case packets := <-reply:
		return packets, nil
	case <-time.After(answerTimeout):
		return nil, errors.New("the owner did not answer")
	case <-r.ctx.Done():
		return nil, ErrClosed
	}
}
