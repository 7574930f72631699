package peer

import (
	"bytes"
	"maps"
	"slices"
	"time"

	"github.com/fxamacker/cbor/v2"

	"standoff/p2p/node"
	"standoff/p2p/table"
)

// beat is what the heartbeat carries: where this peer's log stands, and whom it hears itself.
type beat struct {
	_     struct{} `cbor:",toarray"`
	Round uint32
	Head  table.Hash
	Hears table.Seats
}

// blob is the beat as it is now.
func (s *Seat) blob() []byte {
	s.beat.Round, s.beat.Head = s.t.Round()
	b, err := cbor.Marshal(s.beat)
	if err != nil {
		panic("peer: internal error: a beat cannot be encoded: " + err.Error())
	}
	return b
}

// tell changes what the heartbeat carries when it is no longer so.
func (s *Seat) tell() {
	before := s.beat
	s.beat.Hears = 0
	for seat, at := range s.beats {
		if time.Since(at) < freshBeat {
			s.beat.Hears |= 1 << seat
		}
	}
	if b := s.blob(); s.beat != before {
		s.room.SetBeat(b)
	}
}

func (s *Seat) tick() {
	s.t.Tick(time.Since(s.start))
	s.note()
	s.noteClock()
	s.count()
	s.bar()
}

// bar tells why this seat is not let in again, as soon as its log is about as long as those of the others: what it has
// read of earlier rounds may be over.
func (s *Seat) bar() {
	bar, until := s.t.Barred()
	round, _ := s.t.Round()
	for _, at := range s.behind {
		if at > round+1 {
			return
		}
	}
	if s.leaving || bar == s.barred || bar != table.BarNone && len(s.behind) == 0 {
		return
	}
	s.barred = bar
	if bar != table.BarNone && s.Barred != nil {
		s.Barred(bar, round, until)
	}
}

// ask puts a question to a peer, each in its turn. A refusal is as good as no answer: the table asks again.
func (s *Seat) ask(question []byte) {
	round, _ := s.t.Round()
	if list := helpers(s.behind, round); len(list) > 0 {
		s.room.Ask(list[s.asked%len(list)], question)
		s.asked++
	}
}

// helpers are the peers that may have what is missing in a round, in a fixed order: those that stand there or further on,
// else all. None comes before another: who only says that it is far ahead, and answers nothing, keeps nobody from asking
// the others.
func helpers(stands map[node.Key]uint32, round uint32) (list []node.Key) {
	for k, at := range stands {
		if at >= round {
			list = append(list, k)
		}
	}
	if len(list) == 0 {
		list = slices.Collect(maps.Keys(stands))
	}
	slices.SortFunc(list, func(a, b node.Key) int { return bytes.Compare(a[:], b[:]) })
	return list
}

func (s *Seat) hear(e node.Event) {
	switch e := e.(type) {
	case node.Packet:
		s.t.Receive(e.Bytes) // strays are of no interest
	case node.Answer:
		before, _ := s.t.Round()
		for _, p := range e.Packets {
			s.t.Receive(p)
		}
		if round, _ := s.t.Round(); round > before && s.behind[e.From] > round {
			s.room.Ask(e.From, s.t.Want()) // one answer was not enough
		}
	case node.Request:
		s.answer(e)
	case node.Beat:
		s.hearBeat(e)
	case node.Down:
		delete(s.behind, e.Peer)
		if seat := s.t.Roster().SeatOf(e.Peer[:]); seat >= 0 {
			s.beats[seat] = time.Time{} // nor is it told any more that it lives
		}
	case node.Lost:
		s.ask(s.t.Want())
	}
}

// hearBeat is a sign of life, of the peer itself and of those whom it hears; and it shows who is further ahead.
func (s *Seat) hearBeat(e node.Beat) {
	var b beat
	if cbor.Unmarshal(e.Blob, &b) != nil {
		return
	}
	if seat := s.t.Roster().SeatOf(e.Peer[:]); seat >= 0 {
		s.beats[seat] = time.Now()
		s.stands[seat] = b.Round
		s.t.Alive(seat)
		for _, other := range b.Hears.List() {
			s.t.Alive(other)
		}
	}
	s.behind[e.Peer] = b.Round
	if round, _ := s.t.Round(); b.Round > round {
		s.room.Ask(e.Peer, s.t.Want())
	}
}

// slowest is the round of the peer that is furthest behind, of those that are there.
func (s *Seat) slowest() uint32 {
	least, _ := s.t.Round()
	for _, b := range s.behind {
		least = min(least, b)
	}
	return least
}

// allThere reports whether every other peer has told that its log is as long as this one, or has gone.
func (s *Seat) allThere() bool {
	round, _ := s.t.Round()
	return s.slowest() >= round
}

// allHave reports whether every other seat has told that its log is as long as this one, whether or not it is still
// there. With of, only seats of which it is true matter.
func (s *Seat) allHave(of func(seat int) bool) bool {
	round, _ := s.t.Round()
	for seat := range s.t.Roster().Joins {
		if seat != s.t.Seat() && s.stands[seat] < round && (of == nil || of(seat)) {
			return false
		}
	}
	return true
}
