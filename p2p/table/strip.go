package table

import (
	"fmt"

	"standoff/engine"
)

// stripPart holds the layers that a seat takes off in one strip round, in the order of layersDue.
type stripPart struct {
	_      struct{} `cbor:",toarray"`
	Layers []Point
	Proof  []byte
}

// layer is one layer that one seat owes in a strip round.
type layer struct {
	seat int
	need int         // index among the open needs
	slot engine.Slot // 0 for a coin
	base Point       // c1 of the slot, or the point of the coin
}

// layersDue lists which layers the first count needs want, in order: of each slot of a Deal, or of a Give out
// of custody, all but the receiver's, of each slot of an Open all that are still on it, of a Coin everybody's. A layer that an earlier
// need of the round takes off is not due again.
func (st *state) layersDue(count int) []layer {
	var due []layer
	off := map[engine.Slot]Seats{}
	for i, n := range st.needs[:count] {
		if n.Kind == engine.Coin {
			for _, s := range n.Mask.List() {
				due = append(due, layer{s, i, 0, n.Coin})
			}
			continue
		}
		for _, id := range n.Old {
			s := st.slot(id)
			if s == nil || s.Card != hidden {
				continue
			}
			want := s.Mask &^ off[id]
			if n.Kind == engine.Deal || n.Kind == engine.Give {
				to := st.seat(n.Seat)
				if !st.members.Has(to) { // it stays hidden from all, in a pile or in custody
					continue
				}
				want = want.Without(to)
			}
			off[id] |= want
			for _, seat := range want.List() {
				due = append(due, layer{seat, i, id, s.C.C1})
			}
		}
	}
	return due
}

// layersOf are the slots and base points of the layers that seat owes.
func layersOf(due []layer, seat int) (slots []uint32, bases []Point) {
	for _, l := range due {
		if l.seat == seat {
			slots = append(slots, uint32(l.slot))
			bases = append(bases, l.base)
		}
	}
	return slots, bases
}

func speakStrip(st *state, ex Expect, p Place, me *party) (any, error) {
	slots, bases := layersOf(st.layersDue(ex.needs), me.seat)
	layers, proof, err := st.suite.Layers(me.rand, p, me.x, slots, bases)
	return stripPart{Layers: layers, Proof: proof}, err
}

func readStrip(st *state, ex Expect, p Place, body []byte) (part, *Misdeed) {
	var b stripPart
	if err := decode(body, &b); err != nil {
		return part{}, bad(FaultShape, "strip: %v", err)
	}
	slots, bases := layersOf(st.layersDue(ex.needs), int(p.Seat))
	if len(b.Layers) != len(slots) {
		return part{}, bad(FaultShape, "%d layers, not %d", len(b.Layers), len(slots))
	}
	return part{body: b, checks: []Check{
		st.suite.CheckLayers(p, st.key(int(p.Seat)), slots, bases, b.Layers, b.Proof),
	}}, nil
}

func closeStrip(st *state, ex Expect, parts []*part) error {
	var next [MaxSeats]int
	take := map[engine.Slot][]Point{} // layers per slot; a Coin has slot 0 and comes last
	gone := map[engine.Slot]Seats{}
	for _, l := range st.layersDue(ex.needs) {
		b := parts[l.seat].body.(stripPart)
		take[l.slot] = append(take[l.slot], b.Layers[next[l.seat]])
		gone[l.slot] |= only(l.seat)
		next[l.seat]++
	}
	served := st.needs[:ex.needs]
	for _, n := range served {
		for _, id := range n.Old {
			s := st.slot(id)
			if s == nil {
				return fmt.Errorf("slot %d is not live", id)
			}
			if layers := take[id]; layers != nil {
				s.C.C2 = st.suite.Minus(s.C.C2, st.suite.Sum(layers...))
				s.Mask &^= gone[id]
				delete(take, id)
			}
			st.handOver(&n, s)
			if s.Mask == 0 && s.Card == hidden {
				if err := st.reveal(s); err != nil {
					return err
				}
			}
		}
	}
	last := served[len(served)-1]
	st.needs = st.needs[ex.needs:]
	var err error
	switch {
	case last.Inner:
	case last.Kind == engine.Open:
		err = st.game.Supply(engine.Reply{Faces: st.faces(last.Old)})
	case last.Kind == engine.Coin:
		layers := take[0]
		if last.Given != (Point{}) {
			layers = append(layers, last.Given)
		}
		err = st.game.Supply(engine.Reply{N: int8(st.suite.CoinNumber(st.suite.Sum(layers...), int(last.N)))})
	}
	if err != nil {
		return err
	}
	return st.settle()
}

// reveal makes a slot open whose layers are all off.
func (st *state) reveal(s *slot) error {
	card, ok := st.packs.card[s.C.C2]
	if !ok || int(card) >= len(st.packs.face[s.Pile]) || st.suite.CardPoint(uint8(s.Pile), uint16(card)) != s.C.C2 {
		return fmt.Errorf("slot %d opens to no card of its pile", s.ID)
	}
	s.Card, s.Owner, s.Mask, s.C = card, -1, 0, Cipher{}
	return nil
}
