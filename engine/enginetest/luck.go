package enginetest

import (
	"fmt"
	"slices"
	"strconv"

	"standoff/engine"
)

// shuffle puts the cards of Old into a bag.
func (d *dealer) shuffle(n engine.Need) error {
	b := &bag{pile: n.Pile}
	for _, s := range n.Old {
		f := d.face(s)
		if f == 0 {
			return fmt.Errorf("shuffle: no card lies in slot %d", s)
		}
		b.faces = append(b.faces, f)
		d.forget(s)
	}
	slices.Sort(b.faces)
	var first []engine.Face
	switch {
	case n.Pile == engine.CharacterPile:
		d.pool = slices.Clone(b.faces)
		first = d.characters()
	case n.Pile == engine.PlayingPile && d.whole:
		first, d.whole = d.setup.deck, false
	case n.Pile == engine.PlayingPile && len(d.setup.shuffles) > 0:
		first, d.setup.shuffles = d.setup.shuffles[0], d.setup.shuffles[1:]
	}
	mixed := slices.Clone(first)
	for _, f := range first {
		i := slices.Index(b.faces, f)
		if i < 0 {
			return fmt.Errorf("the shuffled pile does not have all the cards that the script wants on top: face %04x is missing", uint16(f))
		}
		b.faces = slices.Delete(b.faces, i, i+1)
	}
	for x := uint32(len(b.faces)); len(b.faces) > 0; { // the rest in an order that nobody should rely on
		x = x*1664525 + 1013904223
		i := int(x>>16) % len(b.faces)
		mixed = append(mixed, b.faces[i])
		b.faces = slices.Delete(b.faces, i, i+1)
	}
	b.faces = mixed
	for i := range mixed {
		d.bags[n.New+engine.Slot(i)] = b
	}
	return nil
}

// characters are the ones that the script wants dealt, clockwise from the seat that begins: to all who keep none.
func (d *dealer) characters() []engine.Face {
	if d.setup.choices != nil {
		return d.setup.choices
	}
	var out []engine.Face
	seats := d.setup.seats
	first := max(0, slices.IndexFunc(seats, func(l seatLine) bool { return l.role == beginner(d.g.Rules(), len(seats)) }))
	for i := range seats {
		if s := (first + i) % len(seats); d.g.State().Players[s].Character == 0 {
			out = append(out, engine.MakeFace(seats[s].character, 0, engine.NoSuit))
		}
	}
	return out
}

// forget ends a slot.
func (d *dealer) forget(s engine.Slot) {
	delete(d.truth, s)
	delete(d.bags, s)
	delete(d.public, s)
	for i := range d.known {
		d.known[i].Forget(s)
	}
}

// remask gives the cards of Old fresh slots; only their owner can follow.
func (d *dealer) remask(n engine.Need, f []engine.Face) error {
	order := slices.Clone(f)
	if len(d.setup.remasks) > 0 {
		order, d.setup.remasks = d.setup.remasks[0], d.setup.remasks[1:]
		a, b := slices.Clone(f), slices.Clone(order)
		slices.Sort(a)
		slices.Sort(b)
		if !slices.Equal(a, b) {
			return fmt.Errorf("the script's remask has other cards than the hand")
		}
	}
	d.fresh = nil
	for i, s := range n.Old {
		d.forget(s)
		fresh := n.New + engine.Slot(i)
		d.fresh = append(d.fresh, fresh)
		d.truth[fresh] = order[i]
		d.known[n.Seat].Learn(fresh, order[i])
	}
	return nil
}

// coin is the next laid-down number: itself, a seat, or the place of a card among the slots just remasked.
func (d *dealer) coin(n engine.Need) (int8, error) {
	if len(d.setup.coins) == 0 {
		return 0, fmt.Errorf("a coin below %d is wanted, but the script has no coin left", n.N)
	}
	c := d.setup.coins[0]
	d.setup.coins = d.setup.coins[1:]
	if s, ok := seatOf(c); ok {
		return int8(s), nil
	}
	if i, err := strconv.Atoi(c); err == nil {
		return int8(i), nil
	}
	f, err := d.g.Rules().ParseFace(c)
	if err != nil {
		return 0, fmt.Errorf("coin: %w", err)
	}
	for i, s := range d.fresh {
		if d.truth[s] == f {
			return int8(i), nil
		}
	}
	return 0, fmt.Errorf("the coin should hit %s, which is not among the cards just remasked", c)
}
