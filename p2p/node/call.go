package node

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/protocol"
)

// A call is a question to a connected peer on a stream of its own, and an answer of frames that an empty one ends. A
// stream that ends before was cut off.

// call opens a stream to a peer that this host is connected with. It ends with ctx, or by hangUp.
func (h *Host) call(ctx context.Context, p peer.ID, on protocol.ID) (s network.Stream, hangUp func(), err error) {
	s, err = h.host.NewStream(network.WithNoDial(ctx, "only who is connected is asked"), p, on)
	if err != nil {
		return nil, nil, err
	}
	stop := context.AfterFunc(ctx, func() { s.Reset() })
	_ = s.SetDeadline(time.Now().Add(helloTimeout))
	return s, func() { stop(); s.Reset() }, nil
}

// readFrames reads an answer of at most n frames and so many bytes together. Each frame may take as long as pause. What
// came before an error is returned with it.
func readFrames(s network.Stream, n, size int, pause time.Duration) (list [][]byte, err error) {
	in := bufio.NewReaderSize(s, 16<<10)
	for total := 0; ; {
		_ = s.SetReadDeadline(time.Now().Add(pause))
		b, err := readFrame(in, MaxPacket)
		switch total += len(b); {
		case err == io.EOF:
			return list, io.ErrUnexpectedEOF
		case err != nil:
			return list, err
		case len(b) == 0:
			return list, nil
		case total > size || len(list) == n:
			return list, fmt.Errorf("answer: %w", ErrTooLarge)
		}
		list = append(list, b)
	}
}

// writeFrames writes an answer and waits until the asker has read it: a reset before would take back what it has not.
func writeFrames(s network.Stream, list [][]byte) {
	out := bufio.NewWriterSize(s, 32<<10)
	for _, b := range append(list, nil) {
		if writeFrame(out, b) != nil {
			return
		}
	}
	if out.Flush() != nil || s.CloseWrite() != nil {
		return
	}
	_, _ = s.Read(make([]byte, 1))
}
