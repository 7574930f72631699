package node

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/protocol"
)

// A link is the standing pair of streams between two peers of one table. Each
// side opens one, says hello on it, reads the reply, and from then on only
// writes; so neither waits for the other, and each sees by itself whether the
// other is alive.
const (
	linkProtocol protocol.ID = "/standoff/link/1"

	helloTimeout = 5 * time.Second
	writeTimeout = 5 * time.Second
	beatEvery    = time.Second
	// Two beats missed, and the half second that a busy machine may take.
	silence = 2*beatEvery + beatEvery/2
)

// The first byte of each frame after the hello says what it is.
const (
	frameBeat    = 1 // what the owner set, up to MaxBeat
	frameRecords = 2 // sealed records of peers that came or moved
	framePacket  = 3 // a packet for this peer only
	frameSees    = 4 // 1: you are in the topic as I see it; 0: no longer
)

// acceptLink answers the hello of another peer.
func (h *Host) acceptLink(s network.Stream) {
	if !h.enter() {
		s.Reset()
		return
	}
	defer h.wg.Done()
	defer s.Reset()
	p := s.Conn().RemotePeer()
	in := bufio.NewReaderSize(s, 4096)
	_ = s.SetDeadline(time.Now().Add(helloTimeout))
	b, err := readFrame(in, maxHello)
	if err != nil {
		return
	}
	hi, err := decodeHello(b)
	if err != nil {
		return
	}
	room := h.roomAt(hi.Table)
	answer := reply{Code: welcome, Version: Version}
	switch {
	case hi.Version != Version:
		answer.Code = otherVersion
	case h.stranger(p):
		answer.Code = notAdmitted
		h.offended(p)
	case room == nil:
		answer.Code = noSuchTable
	default:
		answer.Records = room.records(p)
	}
	if err := writeFrame(s, encode(answer)); err != nil {
		return
	}
	if answer.Code != welcome {
		_ = s.CloseWrite()
		// The other side closes when it has read the reply.
		_, _ = in.ReadByte()
		return
	}
	room.serve(p, s, in, hi.Records)
}

// serve reads the frames of an accepted link until it ends.
func (r *Room) serve(p peer.ID, s network.Stream, in *bufio.Reader, records [][]byte) {
	key, err := keyOf(p)
	if err != nil || !r.enter() {
		return
	}
	defer r.wg.Done()
	if !r.accepted(p, s) {
		return
	}
	r.learn(p, records)
	why := "the link ended"
	for {
		_ = s.SetReadDeadline(time.Now().Add(silence))
		b, err := readFrame(in, maxFrame)
		if errors.Is(err, os.ErrDeadlineExceeded) || isTimeout(err) {
			why = "silent"
			r.tally.silentPeers.Add(1)
			_ = r.h.host.Network().ClosePeer(p)
			break
		}
		if err != nil {
			break
		}
		if err := r.frame(p, key, b); err != nil {
			why = err.Error()
			break
		}
	}
	r.unaccepted(p, s, why)
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

// frame takes in one frame of p.
func (r *Room) frame(p peer.ID, key Key, b []byte) error {
	if len(b) == 0 {
		return errors.New("empty frame")
	}
	kind, body := b[0], b[1:]
	switch kind {
	case frameBeat:
		if len(body) > MaxBeat {
			return fmt.Errorf("beat of %d bytes: %w", len(body), ErrTooLarge)
		}
		r.tally.beats.Add(1)
		r.box.put(Beat{key, body})
	case frameRecords:
		records, err := decodeRecords(body)
		if err != nil {
			return err
		}
		r.learn(p, records)
		// Signatures cost time: who sends many records is read slower.
		select {
		case <-time.After(20 * time.Millisecond):
		case <-r.ctx.Done():
		}
	case framePacket:
		switch r.machine.Check(body) {
		case Accept:
			r.tally.direct.Add(1)
			r.box.put(Packet{key, true, body})
		case Ignore:
			r.tally.ignored.Add(1)
		default:
			r.tally.rejected.Add(1)
		}
	case frameSees:
		r.seen(p, len(body) == 1 && body[0] == 1)
	default:
		return fmt.Errorf("frame of unknown kind %d", kind)
	}
	return nil
}

// A sender writes the frames of one link, in order.
type sender struct {
	stream network.Stream
	queue  chan []byte
	gone   chan struct{} // closed when the other side has ended the link
}

// errNoAnswer is the error of a hello that got none in time.
var errNoAnswer = errors.New("no answer")

// openLink says hello to p and returns the sender of the accepted link, with the
// records p sent back.
func (r *Room) openLink(ctx context.Context, p peer.ID) (_ *sender, answer reply, err error) {
	ctx, cancel := context.WithTimeout(ctx, helloTimeout)
	defer cancel()
	defer func() {
		if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
			err = fmt.Errorf("%w: %w", errNoAnswer, err)
		}
	}()
	s, err := r.h.host.NewStream(network.WithNoDial(ctx, "links follow connections"), p, linkProtocol)
	if err != nil {
		return nil, reply{}, err
	}
	stop := context.AfterFunc(ctx, func() { s.Reset() })
	defer func() {
		if !stop() && err == nil {
			err = ctx.Err()
		}
		if err != nil || answer.Code != welcome {
			s.Reset()
		}
	}()
	_ = s.SetDeadline(time.Now().Add(helloTimeout))
	if err := writeFrame(s, encode(hello{Version: Version, Table: r.table, Records: r.records(p)})); err != nil {
		return nil, reply{}, err
	}
	b, err := readFrame(bufio.NewReaderSize(s, 4096), maxHello)
	if err != nil {
		return nil, reply{}, err
	}
	if answer, err = decodeReply(b); err != nil {
		return nil, reply{}, err
	}
	_ = s.SetDeadline(time.Time{})
	return &sender{s, make(chan []byte, 256), make(chan struct{})}, answer, nil
}

// send queues a frame; false means that the queue is full or the link gone.
func (s *sender) send(kind byte, body []byte) bool {
	frame := append(append(make([]byte, 0, 1+len(body)), kind), body...)
	select {
	case <-s.gone:
		return false
	default:
	}
	select {
	case s.queue <- frame:
		return true
	default:
		return false
	}
}

// run writes what is queued until ctx ends or the other side goes. Frames that
// wait together leave together.
func (s *sender) run(ctx context.Context) {
	defer s.stream.Reset()
	w := bufio.NewWriterSize(s.stream, 16<<10)
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.gone:
			return
		case frame := <-s.queue:
			_ = s.stream.SetWriteDeadline(time.Now().Add(writeTimeout))
			err := writeFrame(w, frame)
			for more := true; more && err == nil; {
				select {
				case frame = <-s.queue:
					err = writeFrame(w, frame)
				default:
					more = false
				}
			}
			if err != nil || w.Flush() != nil {
				return
			}
		}
	}
}

// watch waits for the end of the link: after the reply the other side sends
// nothing, so that whatever a read brings is the end.
func (s *sender) watch() {
	var b [1]byte
	_, _ = s.stream.Read(b[:])
	close(s.gone)
}
