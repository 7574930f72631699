package node

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/multiformats/go-varint"
)

// Sizes in bytes. A packet is what one Broadcast carries; the other limits
// follow from it or are ample for what they hold.
const (
	MaxPacket  = 63 << 10 // TABLE limit: gossip's own limit is 64 KiB with its framing
	MaxBeat    = 1 << 10  // what a heartbeat may carry
	MaxRequest = 4 << 10  // the question of a catch-up
	MaxAnswer  = 8 << 20  // all packets of one answer together
	MaxPackets = 1 << 14  // packets in one answer

	maxHello  = 64 << 10
	maxRecord = 2 << 10
	maxFrame  = MaxPacket + 1 // kind and packet
)

// ErrTooLarge marks a packet, beat or request beyond its limit. It was not sent.
var ErrTooLarge = errors.New("too large")

// writeFrame writes b with its length before it, an unsigned varint in its
// shortest form.
func writeFrame(w io.Writer, b []byte) error {
	buf := make([]byte, 0, varint.UvarintSize(uint64(len(b)))+len(b))
	buf = append(buf, varint.ToUvarint(uint64(len(b)))...)
	_, err := w.Write(append(buf, b...))
	return err
}

// readFrame reads one frame of at most limit bytes. Nothing is allocated for a
// length beyond the limit. io.EOF means an end between two frames, any other
// error a frame that is malformed, too long or cut off.
func readFrame(r *bufio.Reader, limit int) ([]byte, error) {
	size, err := varint.ReadUvarint(r)
	if err != nil {
		return nil, err
	}
	if size > uint64(limit) {
		return nil, fmt.Errorf("frame of %d bytes, limit %d: %w", size, limit, ErrTooLarge)
	}
	b := make([]byte, size)
	if _, err := io.ReadFull(r, b); err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return b, nil
}
