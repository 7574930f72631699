package table

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/fxamacker/cbor/v2"

	"standoff/engine"
)

// stateText is the table's own part of the state, as it is hashed. The long lists of points are made without reflection:
// they are hashed after every round.
type stateText struct {
	_       struct{} `cbor:",toarray"`
	Members Seats
	Card    cbor.RawMessage // points, see pointsText
	Share   cbor.RawMessage
	Places  []int8
	Sharing cbor.RawMessage // see sharing.text
	Needs   []needText
	Pass    uint8
	Mixed   []pile
	Slots   cbor.RawMessage // see slotsText
	Stage   stage
}

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

// hash is the hash of the state that every h covers.
func (st *state) hash() Hash {
	t := stateText{
		Members: st.members, Card: pointsText(st.card[:]), Share: pointsText(st.share[:]), Places: st.seatAt, Sharing: st.current.text(),
		Pass: uint8(st.pass), Mixed: st.mixed, Slots: slotsText(st.slots), Stage: st.stage,
	}
	for _, n := range st.needs {
		t.Needs = append(t.Needs, needText{No: n.No, Kind: n.Kind, Pile: n.Pile, Seat: n.Seat, Owner: n.Owner,
			Old: n.Old, New: n.New, N: n.N, Face: n.Face, Mask: n.Mask})
	}
	var game Hash
	if st.game != nil {
		game = st.game.State().Hash()
	}
	h := sha256.New()
	h.Write(game[:])
	h.Write(encode(&t))
	if st.absence.begun() {
		h.Write(st.absenceText())
	}
	return Hash(h.Sum(nil))
}

// text is encode(s).
func (s *sharing) text() []byte {
	if s == nil {
		return []byte{0xf6}
	}
	b := cborHead(nil, 4, 3)
	b = cborHead(b, 0, uint64(s.Members))
	b = cborHead(b, 0, uint64(s.Threshold))
	b = cborHead(b, 4, uint64(len(s.Commitments)))
	for _, list := range s.Commitments {
		b = append(b, pointsText(list)...)
	}
	return b
}

// pointsText is encode(points).
func pointsText(points []Point) []byte {
	if points == nil {
		return []byte{0xf6}
	}
	b := cborHead(make([]byte, 0, 8+len(points)*34), 4, uint64(len(points)))
	for i := range points {
		b = appendPoint(b, &points[i])
	}
	return b
}

func appendPoint(b []byte, p *Point) []byte { return append(cborHead(b, 2, uint64(len(p))), p[:]...) }

// slotsText is encode(slots).
func slotsText(slots []slot) []byte {
	if slots == nil {
		return []byte{0xf6}
	}
	b := cborHead(make([]byte, 0, 16+len(slots)*96), 4, uint64(len(slots)))
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
		b = appendPoint(appendPoint(b, &s.C.C1), &s.C.C2)
	}
	return b
}

// cborHead appends the head of a CBOR item, in the shortest form: major type, and number or length.
func cborHead(b []byte, major byte, n uint64) []byte {
	major <<= 5
	switch {
	case n < 24:
		return append(b, major|byte(n))
	case n < 1<<8:
		return append(b, major|24, byte(n))
	case n < 1<<16:
		return binary.BigEndian.AppendUint16(append(b, major|25), uint16(n))
	case n < 1<<32:
		return binary.BigEndian.AppendUint32(append(b, major|26), uint32(n))
	}
	return binary.BigEndian.AppendUint64(append(b, major|27), n)
}

