package table

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
	"slices"

	"standoff/engine"
)

// Former is what a rematch takes over from the game before (B-450 ff.). It is part of the offer, so everybody who
// sits down signs it, and everybody who played that game compares it with what it remembers (see [Table.Former]).
type Former struct {
	_          struct{}      `cbor:",toarray"`
	Table      Hash          // T of that game
	Keys       [][]byte      // its players, by place around the table
	Characters []engine.Kind // by place: the character of who was alive at the end, 0 of who was out
	Sheriff    int8          // place, -1 where there was none
}

func (f *Former) check() error {
	n := len(f.Keys)
	switch {
	case n < 3 || n > MaxSeats || len(f.Characters) != n:
		return fmt.Errorf("offer: a former game of %d players and %d characters", n, len(f.Characters))
	case f.Sheriff < -1 || int(f.Sheriff) >= n:
		return errors.New("offer: the former Sheriff had no place")
	}
	for i, k := range f.Keys {
		if len(k) != ed25519.PublicKeySize || f.place(k) != i {
			return errors.New("offer: a former player has no key of its own")
		}
		if c := f.Characters[i]; c != 0 && slices.Index(f.Characters, c) != i {
			return errors.New("offer: two former players with one character")
		}
	}
	return nil
}

// place is where the holder of a key sat in that game, -1 for somebody who did not play it.
func (f *Former) place(key []byte) int {
	return slices.IndexFunc(f.Keys, func(k []byte) bool { return bytes.Equal(k, key) })
}

// known checks the characters against the rules.
func (f *Former) known(rules *engine.Rules) error {
	for _, c := range f.Characters {
		if row := rules.Row(c); c != 0 && (row == nil || row.Colour != engine.CharacterCard) {
			return fmt.Errorf("the former game had a character %d, which these boxes do not have", c)
		}
	}
	return nil
}

// seating is the roster seat by place: as in the former game when the same players sit down again, else as the joint
// seed shuffles them.
func (r *Roster) seating(seed []byte) []int8 {
	order := places(len(r.Joins), seed)
	f := r.Offer.Former
	if f == nil || len(f.Keys) != len(r.Joins) {
		return order
	}
	again := make([]int8, len(f.Keys))
	for p, k := range f.Keys {
		s := r.SeatOf(k)
		if s < 0 {
			return order
		}
		again[p] = int8(s)
	}
	return again
}

// former is the game before as the engine takes it: by the places of this game.
func (r *Roster) former(seatAt []int8) *engine.Former {
	f := r.Offer.Former
	if f == nil {
		return nil
	}
	e := &engine.Former{Sheriff: engine.None}
	for p, s := range seatAt {
		was := f.place(r.Joins[s].Key)
		if was < 0 {
			continue
		}
		e.Characters[p], e.Alive[p] = f.Characters[was], f.Characters[was] != 0
		if was == int(f.Sheriff) {
			e.Sheriff = engine.Seat(p)
		}
	}
	return e
}

// Former is what a rematch of this game takes over from it; nil unless the game was finished.
func (t *Table) Former() *Former {
	if t.end == nil || t.end.Result != Finished || t.st.game == nil {
		return nil
	}
	g := t.st.game.Former()
	f := &Former{Table: t.st.roster.Table, Sheriff: int8(g.Sheriff)}
	for p, s := range t.st.seatAt {
		f.Keys = append(f.Keys, t.st.roster.Joins[s].Key)
		c := engine.Kind(0)
		if g.Alive[p] {
			c = g.Characters[p]
		}
		f.Characters = append(f.Characters, c)
	}
	return f
}
