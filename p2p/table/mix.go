package table

import (
	"cmp"
	"slices"

	"standoff/engine"
)

type mixPart struct {
	_     struct{} `cbor:",toarray"`
	Piles []mixedPile
}

type mixedPile struct {
	_     struct{} `cbor:",toarray"`
	Out   []Cipher
	Proof []byte
}

func sortSlots(s []slot) {
	slices.SortFunc(s, func(a, b slot) int { return cmp.Compare(a.ID, b.ID) })
}

func slotIDs(ids []engine.Slot) []uint32 {
	out := make([]uint32, len(ids))
	for i, id := range ids {
		out[i] = uint32(id)
	}
	return out
}

func fresh(first engine.Slot, n int) []uint32 {
	out := make([]uint32, n)
	for i := range out {
		out[i] = uint32(first) + uint32(i)
	}
	return out
}

// mixInput is what goes into the open pass of pile i: the piles as the state has them, open cards trivially
// encrypted, or the outputs of the pass before.
func (st *state) mixInput(i int) []Cipher {
	if st.pass > 0 {
		return st.mixed[i].Out
	}
	var in []Cipher
	for _, id := range st.needs[i].Old {
		in = append(in, st.input(st.slot(id), st.joint))
	}
	return in
}

// mixPlace tells the piles of one say apart by the numbers of their needs.
func mixPlace(p Place, n openNeed) Place {
	p.Need = n.No
	return p
}

func speakMix(st *state, ex Expect, p Place, me *party) (any, error) {
	var b mixPart
	for i, n := range st.needs[:ex.needs] {
		out, proof, err := st.suite.Shuffle(me.rand, mixPlace(p, n), uint8(n.Pile), st.joint,
			slotIDs(n.Old), fresh(n.New, len(n.Old)), st.mixInput(i))
		if err != nil {
			return nil, err
		}
		b.Piles = append(b.Piles, mixedPile{Out: out, Proof: proof})
	}
	return b, nil
}

func readMix(st *state, ex Expect, p Place, body []byte) (part, *Misdeed) {
	var b mixPart
	if err := decode(body, &b); err != nil {
		return part{}, bad(FaultShape, "mix: %v", err)
	}
	if len(b.Piles) != ex.needs {
		return part{}, bad(FaultShape, "mix of %d piles, not %d", len(b.Piles), ex.needs)
	}
	var all []Cipher
	for i, n := range st.needs[:ex.needs] {
		if m := b.Piles[i]; len(m.Out) != len(n.Old) {
			return part{}, bad(FaultShuffle, "%d cards in, %d out", len(n.Old), len(m.Out))
		}
		all = append(all, b.Piles[i].Out...)
	}
	if err := st.freshCiphers(all); err != nil {
		return part{}, bad(FaultShuffle, "%v", err)
	}
	var pt part
	for i, n := range st.needs[:ex.needs] {
		m := b.Piles[i]
		pt.checks = append(pt.checks, st.suite.CheckShuffle(mixPlace(p, n), uint8(n.Pile), st.joint,
			slotIDs(n.Old), fresh(n.New, len(n.Old)), st.mixInput(i), m.Out, m.Proof))
	}
	pt.body = b
	return pt, nil
}

func closeMix(st *state, ex Expect, parts []*part) error {
	b := parts[ex.From.List()[0]].body.(mixPart)
	st.mixed = nil
	for _, m := range b.Piles {
		st.mixed = append(st.mixed, pile{Out: m.Out})
	}
	st.pass++
	if st.pass < st.members.Count() {
		return nil
	}
	for i, n := range st.needs[:ex.needs] {
		st.drop(n.Old)
		for k, c := range st.mixed[i].Out {
			owner := int8(-1)
			if n.Kind == engine.Remask { // of a hand that the members keep for its owner
				owner = int8(st.seat(n.Owner))
			}
			st.add(slot{ID: n.New + engine.Slot(k), Pile: n.Pile, Card: hidden, Owner: owner, Mask: st.members, C: c})
		}
	}
	sortSlots(st.slots)
	st.needs, st.mixed, st.pass = st.needs[ex.needs:], nil, 0
	return st.settle()
}
