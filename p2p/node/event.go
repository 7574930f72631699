package node

import (
	"fmt"
	"sync/atomic"
)

// A Verdict is what a table's Machine thinks of a packet at first sight.
type Verdict uint8

// Accept delivers a packet and passes it on. Ignore drops it without blame: it
// is of a round that is over or not yet begun. Reject drops it as malformed or
// not signed by a seat.
const (
	Accept Verdict = iota + 1
	Ignore
	Reject
)

// A Machine judges the packets of one table.
type Machine interface {
	// Check is called once for every packet that arrives, before it is
	// delivered or passed on. It must be cheap, must not keep or change the
	// packet, and is called from other goroutines than the owner's.
	Check(packet []byte) Verdict
}

// An Event is what a Room tells its owner: a Packet, an Up, Down, Beat, Refused
// or Lost, a Request to answer, or the Answer to a request of its own.
type Event interface{ event() }

type (
	// A Packet has arrived and Check accepted it. From is the last hop; who
	// wrote the packet, the packet's own signature says.
	Packet struct {
		From   Key
		Direct bool // by Send, not by Broadcast
		Bytes  []byte
	}

	// Up: from now on what this peer broadcasts is heard here, and what is
	// broadcast here is heard there.
	Up struct{ Peer Key }

	// Down: the end of Up. What either side sent in the last seconds may be
	// lost and is fetched by catch-up when the peer is back.
	Down struct {
		Peer Key
		Why  string
	}

	// A Beat comes from every linked peer once a second, and once as the link
	// begins. It is the sign of life; Blob is what the peer's owner set.
	Beat struct {
		Peer Key
		Blob []byte
	}

	// Refused: the peer is there but will not play at this table with us, for
	// instance because its program speaks another version.
	Refused struct {
		Peer    Key
		Why     string
		Version uint64 // that of its program, when that is why
	}

	// Lost: so many packets were dropped on the way in, because more came than
	// the owner took. They are fetched by catch-up.
	Lost struct{ Packets int }

	// An Answer ends an Ask. With an error the packets are those that came
	// before it; they have not been through Check.
	Answer struct {
		From    Key
		Request []byte
		Packets [][]byte
		Err     error
	}
)

// A Request is another peer's Ask. The owner answers it with Reply, once, at its
// convenience within ten seconds.
type Request struct {
	From    Key
	Body    []byte
	reply   chan<- [][]byte
	replied *atomic.Bool
}

// Reply sends the packets to the asker, in this order. It does not block and
// does not keep the slice, but the packets themselves must stay unchanged. It
// fails, and answers nothing, when the packets are beyond MaxPackets, MaxAnswer
// or MaxPacket; a further Reply does nothing.
func (r Request) Reply(packets [][]byte) error {
	total := 0
	for i, p := range packets {
		if total += len(p); len(p) == 0 || len(p) > MaxPacket {
			return fmt.Errorf("packet %d of %d bytes: %w", i, len(p), ErrTooLarge)
		}
	}
	if len(packets) > MaxPackets || total > MaxAnswer {
		return fmt.Errorf("answer of %d packets, %d bytes: %w", len(packets), total, ErrTooLarge)
	}
	if r.replied.CompareAndSwap(false, true) {
		r.reply <- append([][]byte(nil), packets...)
	}
	return nil
}

func (Packet) event()  {}
func (Up) event()      {}
func (Down) event()    {}
func (Beat) event()    {}
func (Refused) event() {}
func (Lost) event()    {}
func (Request) event() {}
func (Answer) event()  {}
