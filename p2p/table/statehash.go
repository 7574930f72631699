package table

import (
	"crypto/sha256"

	"standoff/engine"
)

type needText struct {
	_           struct{} `cbor:",toarray"`
	No          uint32
	Kind        engine.NeedKind
	Pile        engine.Pile
	Seat, Owner engine.Seat
	Old         []engine.Slot
	New         engine.Slot
	N           int8
	Face        engine.Face
	Mask        Seats
}

// hash is the hash of the state that every h covers: of the game, of the table's own part, and of what a removal has
// brought. It is made after every round, so its long lists are written without reflection.
func (st *state) hash() Hash {
	var game Hash
	if st.game != nil {
		game = st.game.State().Hash()
	}
	h := sha256.New()
	h.Write(game[:])
	h.Write(st.text())
	if st.absence.begun() {
		h.Write(st.absenceText())
	}
	return Hash(h.Sum(nil))
}

// text is the table's own part of the state, a record.
func (st *state) text() []byte {
	var needs []needText
	for _, n := range st.needs {
		needs = append(needs, needText{No: n.No, Kind: n.Kind, Pile: n.Pile, Seat: n.Seat, Owner: n.Owner,
			Old: n.Old, New: n.New, N: n.N, Face: n.Face, Mask: n.Mask})
	}
	b := cborHead(make([]byte, 0, 4096+len(st.slots)*96), 4, 10)
	b = cborHead(b, 0, uint64(st.members))
	b = appendPoints(b, st.card[:])
	b = appendPoints(b, st.share[:])
	b = append(b, encode(st.seatAt)...) // places
	b = st.current.append(b)
	b = append(b, encode(needs)...)
	b = cborHead(b, 0, uint64(st.pass))
	b = append(b, encode(st.mixed)...)
	b = appendSlots(b, st.slots)
	return cborHead(b, 0, uint64(st.stage))
}

// append appends encode(s).
func (s *sharing) append(b []byte) []byte {
	if s == nil {
		return append(b, 0xf6)
	}
	b = cborHead(b, 4, 3)
	b = cborHead(b, 0, uint64(s.Members))
	b = cborHead(b, 0, uint64(s.Threshold))
	b = cborHead(b, 4, uint64(len(s.Commitments)))
	for _, list := range s.Commitments {
		b = appendPoints(b, list)
	}
	return b
}

// appendPoints appends encode(points).
func appendPoints(b []byte, points []Point) []byte {
	if points == nil {
		return append(b, 0xf6)
	}
	b = cborHead(b, 4, uint64(len(points)))
	for i := range points {
		b = append32(b, (*[32]byte)(&points[i]))
	}
	return b
}

// appendSlots appends encode(slots).
func appendSlots(b []byte, slots []slot) []byte {
	if slots == nil {
		return append(b, 0xf6)
	}
	b = cborHead(b, 4, uint64(len(slots)))
	number := func(n int64) {
		if n < 0 {
			b = cborHead(b, 1, uint64(-1-n))
		} else {
			b = cborHead(b, 0, uint64(n))
		}
	}
	for i := range slots {
		s := &slots[i]
		b = cborHead(b, 4, 6)
		number(int64(s.ID))
		number(int64(s.Pile))
		number(int64(s.Card))
		number(int64(s.Owner))
		number(int64(s.Mask))
		b = cborHead(b, 4, 2)
		b = append32(append32(b, (*[32]byte)(&s.C.C1)), (*[32]byte)(&s.C.C2))
	}
	return b
}
