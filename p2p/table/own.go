package table

import (
	"fmt"

	"standoff/engine"
)

// ownPart holds, for each need of the round in order, what the owner does with its cards.
type ownPart struct {
	_     struct{} `cbor:",toarray"`
	Needs []ownNeed
}

// ownNeed serves one need: a Remask has all its outputs under one proof, a Give one Retarget per hidden card, a
// Find the layer of the slot that shows the face.
type ownNeed struct {
	_      struct{} `cbor:",toarray"`
	Out    []Cipher
	Proofs [][]byte
	Index  uint8
	Layer  []Point
}

func (st *state) remaskInput(n openNeed, seat int) []Cipher {
	var in []Cipher
	for _, id := range n.Old {
		in = append(in, st.input(st.slot(id), st.key(seat)))
	}
	return in
}

// held reports whether seat alone can serve the need: every hidden card of it lies under its layer only.
func (st *state) held(n openNeed, seat int) error {
	for _, id := range n.Old {
		s := st.slot(id)
		if s == nil {
			return fmt.Errorf("slot %d is not live", id)
		}
		if s.Card == hidden && (int(s.Owner) != seat || s.Mask != only(seat)) {
			return fmt.Errorf("slot %d is not in the possession of seat %d", id, seat)
		}
	}
	return nil
}

// target is the key under which a given card comes to lie, and whose layers that is.
func (st *state) target(n openNeed) (owner int, mask Seats, key Point) {
	to := st.seat(n.Seat)
	if st.members.Has(to) {
		return to, only(to), st.key(to)
	}
	return to, st.members, st.joint // back to a pile, or into the custody of all for a seat that is away
}

// hiddenOf lists the hidden slots of a need: the only ones that a Give has to turn.
func (st *state) hiddenOf(n openNeed) []engine.Slot {
	var h []engine.Slot
	for _, id := range n.Old {
		if st.slot(id).Card == hidden {
			h = append(h, id)
		}
	}
	return h
}

func speakOwn(st *state, ex Expect, p Place, me *party) (any, error) {
	work := st.clone()
	me.ahead = nil // of an attempt that a ballot has dropped: its slots hold other cards now
	var b ownPart
	for _, n := range st.needs[:ex.needs] {
		if err := work.held(n, me.seat); err != nil {
			return nil, err
		}
		at := mixPlace(p, n)
		var o ownNeed
		switch n.Kind {
		case engine.Remask:
			out, proof, err := work.suite.Shuffle(me.rand, at, uint8(n.Pile), work.key(me.seat),
				slotIDs(n.Old), fresh(n.New, len(n.Old)), work.remaskInput(n, me.seat))
			if err != nil {
				return nil, err
			}
			o.Out, o.Proofs = out, [][]byte{proof}
		case engine.Give:
			_, _, key := work.target(n)
			for _, id := range work.hiddenOf(n) {
				out, proof, err := work.suite.Retarget(me.rand, at, me.x, uint32(id), work.slot(id).C, key)
				if err != nil {
					return nil, err
				}
				o.Out, o.Proofs = append(o.Out, out), append(o.Proofs, proof)
			}
		case engine.Find:
			i, err := me.find(work, n)
			if err != nil {
				return nil, err
			}
			o.Index = uint8(i)
			if s := work.slot(n.Old[i]); s.Card == hidden {
				layers, proof, err := work.suite.Layers(me.rand, at, me.x, []uint32{uint32(s.ID)}, []Point{s.C.C1})
				if err != nil {
					return nil, err
				}
				o.Layer, o.Proofs = layers, [][]byte{proof}
			}
		}
		b.Needs = append(b.Needs, o)
		if _, err := work.applyOwn(n, o, p); err != nil {
			return nil, err
		}
		me.lookAhead(work)
	}
	return b, nil
}

func readOwn(st *state, ex Expect, p Place, body []byte) (part, *Misdeed) {
	var b ownPart
	if err := decode(body, &b); err != nil {
		return part{}, bad(FaultShape, "own: %v", err)
	}
	if len(b.Needs) != ex.needs {
		return part{}, bad(FaultShape, "own: %d needs served, not %d", len(b.Needs), ex.needs)
	}
	pt := part{body: b}
	work := st.clone()
	for i, n := range st.needs[:ex.needs] {
		checks, err := work.applyOwn(n, b.Needs[i], p)
		if err != nil {
			return part{}, err
		}
		pt.checks = append(pt.checks, checks...)
	}
	return pt, nil
}

func closeOwn(st *state, ex Expect, parts []*part) error {
	seat := ex.From.List()[0]
	b := parts[seat].body.(ownPart)
	served := st.needs[:ex.needs]
	p := st.at(seat, ex)
	for i, n := range served {
		if _, err := st.applyOwn(n, b.Needs[i], p); err != nil {
			return err
		}
	}
	last, found := served[len(served)-1], b.Needs[len(served)-1]
	st.needs = st.needs[ex.needs:]
	if last.Kind == engine.Find {
		r := engine.Reply{N: int8(found.Index), Faces: st.faces(last.Old[found.Index : found.Index+1])}
		if err := st.game.Supply(r); err != nil {
			return err
		}
	}
	return st.settle()
}

// applyOwn changes the slots as o says and returns the proofs that make it right. On a misdeed st may be half
// changed, so callers work on a copy.
func (st *state) applyOwn(n openNeed, o ownNeed, p Place) ([]Check, *Misdeed) {
	seat, at := int(p.Seat), mixPlace(p, n)
	if err := st.held(n, seat); err != nil {
		return nil, bad(FaultShape, "%v", err)
	}
	if err := st.freshCiphers(o.Out); err != nil {
		return nil, bad(FaultShape, "%v", err)
	}
	switch n.Kind {
	case engine.Remask:
		return st.applyRemask(n, o, at)
	case engine.Give:
		return st.applyGive(n, o, at)
	case engine.Find:
		return st.applyFind(n, o, at)
	}
	return nil, bad(FaultShape, "need %d is not an owner's", n.Kind)
}

func (st *state) applyRemask(n openNeed, o ownNeed, at Place) ([]Check, *Misdeed) {
	seat := int(at.Seat)
	if len(o.Out) != len(n.Old) || len(o.Proofs) != 1 || len(o.Layer) != 0 || o.Index != 0 {
		return nil, bad(FaultShape, "remask of %d cards, not %d", len(o.Out), len(n.Old))
	}
	check := st.suite.CheckShuffle(at, uint8(n.Pile), st.key(seat), slotIDs(n.Old), fresh(n.New, len(n.Old)),
		st.remaskInput(n, seat), o.Out, o.Proofs[0])
	st.drop(n.Old)
	for i, c := range o.Out {
		st.add(slot{ID: n.New + engine.Slot(i), Pile: n.Pile, Card: hidden, Owner: int8(seat), Mask: only(seat), C: c})
	}
	sortSlots(st.slots)
	return []Check{check}, nil
}

func (st *state) applyGive(n openNeed, o ownNeed, at Place) ([]Check, *Misdeed) {
	ids := st.hiddenOf(n)
	if len(o.Out) != len(ids) || len(o.Proofs) != len(ids) || len(o.Layer) != 0 || o.Index != 0 {
		return nil, bad(FaultShape, "%d cards given, not %d", len(o.Out), len(ids))
	}
	owner, mask, key := st.target(n)
	var checks []Check
	for i, id := range ids {
		s := st.slot(id)
		checks = append(checks, st.suite.CheckRetarget(at, st.key(int(at.Seat)), uint32(id), s.C, o.Out[i], key, o.Proofs[i]))
		s.C, s.Owner, s.Mask = o.Out[i], int8(owner), mask
	}
	return checks, nil
}

func (st *state) applyFind(n openNeed, o ownNeed, at Place) ([]Check, *Misdeed) {
	if int(o.Index) >= len(n.Old) || len(o.Out) != 0 {
		return nil, bad(FaultShape, "card %d of %d found", o.Index, len(n.Old))
	}
	s := st.slot(n.Old[o.Index])
	var checks []Check
	if s.Card == hidden {
		if len(o.Layer) != 1 || len(o.Proofs) != 1 {
			return nil, bad(FaultShape, "the card found is not shown")
		}
		checks = append(checks, st.suite.CheckLayers(at, st.key(int(at.Seat)), []uint32{uint32(s.ID)},
			[]Point{s.C.C1}, o.Layer, o.Proofs[0]))
		s.C.C2 = st.suite.Minus(s.C.C2, o.Layer[0])
		if err := st.reveal(s); err != nil {
			return nil, bad(FaultLayers, "%v", err)
		}
	} else if len(o.Layer) != 0 || len(o.Proofs) != 0 {
		return nil, bad(FaultShape, "the card found lies open")
	}
	if st.face(s.Pile, s.Card) != n.Face {
		return nil, bad(FaultIllegal, "the card shown is not the one asked for")
	}
	return checks, nil
}
