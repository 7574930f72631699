package dealer

import (
	"fmt"

	"standoff/engine"
)

// Carry carries out one need. For Open, Coin and Find it returns the reply which the engine waits for; the slice in
// it is the dealer's own, valid until the next call. [Dealer.Serve] does this for all needs in turn.
func (d *Dealer) Carry(n engine.Need) (r engine.Reply, answers bool, err error) {
	for _, s := range n.Old {
		if d.Number(s) < 0 {
			return r, false, fmt.Errorf("no card lies in slot %d", s)
		}
	}
	switch n.Kind {
	case engine.Shuffle, engine.Remask:
		return r, false, d.mix(n)
	case engine.Deal:
		d.Tell(n.Seat, n.Old...)
		return r, false, nil
	case engine.Give:
		if n.Seat != engine.None {
			d.Tell(n.Seat, n.Old...)
		}
		return r, false, nil
	case engine.Open:
		d.faces = d.faces[:0]
		for _, s := range n.Old {
			d.faces = append(d.faces, d.Face(s))
		}
		return engine.Reply{Faces: d.faces}, true, nil
	case engine.Coin:
		c, err := d.chance.Below(int(n.N))
		return engine.Reply{N: int8(c)}, true, err
	case engine.Find:
		for i, s := range n.Old {
			if d.Face(s) == n.Face {
				d.faces = append(d.faces[:0], n.Face)
				return engine.Reply{Faces: d.faces, N: int8(i)}, true, nil
			}
		}
		return r, false, fmt.Errorf("none of the slots shows face %#x", n.Face)
	}
	return r, false, fmt.Errorf("unknown need")
}

// mix moves the cards of Old to fresh slots in an order of luck. The owner of a remask knows the new slots at
// once, for the permutation is its own; everybody else loses what it knew.
func (d *Dealer) mix(n engine.Need) error {
	size := len(n.Old)
	if cap(d.perm) < size {
		d.perm, d.moved = make([]int, size+size/2), make([]int16, size+size/2)
	}
	p, moved := d.perm[:size], d.moved[:size]
	if err := d.chance.Perm(p); err != nil {
		return err
	}
	for i, j := range p {
		moved[i] = d.cards[n.Old[j]]
	}
	for _, s := range n.Old {
		d.cards[s] = gone
	}
	d.reach(n.New + engine.Slot(size))
	copy(d.cards[n.New:], moved)
	for s := range d.known {
		d.drop(engine.Seat(s))
	}
	if n.Kind == engine.Remask {
		k := &d.known[n.Seat]
		for i := range p {
			s := n.New + engine.Slot(i)
			*k = append(*k, engine.Known{Slot: s, Face: d.Face(s)})
		}
	}
	return nil
}

// Tell lets a seat know the faces of slots, for a position in the middle of a game.
func (d *Dealer) Tell(seat engine.Seat, slots ...engine.Slot) {
	k := &d.known[seat]
	if len(*k) >= tidyAt {
		d.tidy(seat)
	}
	for _, s := range slots {
		k.Learn(s, d.Face(s))
	}
}

// drop removes what a seat knows about slots that are gone.
func (d *Dealer) drop(seat engine.Seat) {
	k := d.known[seat][:0]
	for _, c := range d.known[seat] {
		if d.cards[c.Slot] != gone {
			k = append(k, c)
		}
	}
	d.known[seat] = k
}

// tidy removes what everybody knows by now: cards that lie open somewhere.
func (d *Dealer) tidy(seat engine.Seat) {
	st := d.g.State()
	k := d.known[seat][:0]
	for _, c := range d.known[seat] {
		if !open(st, c.Slot) {
			k = append(k, c)
		}
	}
	d.known[seat] = k
}

// open tells whether the card in a slot lies face up in the discard pile or in play.
func open(st *engine.State, s engine.Slot) bool {
	for i := range st.Discard {
		if st.Discard[i].Slot == s {
			return st.Discard[i].Face != 0
		}
	}
	for i := range st.Players[:st.N] {
		for _, c := range st.Players[i].Play {
			if c.Slot == s {
				return true
			}
		}
	}
	return false
}
