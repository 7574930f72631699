package engine

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
)

// The encoding of a State: every field in its order, numbers as big-endian bytes of their own size, lists with a
// 16-bit length before them. The same State has one encoding only.

const stateVersion = 1

// Hash is the SHA-256 of the encoding.
func (s *State) Hash() [32]byte {
	var buf [1024]byte
	return sha256.Sum256(s.Encode(buf[:0]))
}

// Encode appends the encoding of s to b.
func (s *State) Encode(b []byte) []byte {
	b = append(b, stateVersion)
	b = append(b, s.Options[:]...)
	b = append(b, byte(s.N))
	for i := range s.Players {
		b = s.Players[i].encode(b)
	}
	b = append(b, byte(s.Turn), byte(s.Keeper), byte(s.First))
	b = binary.BigEndian.AppendUint16(b, uint16(s.Lap))
	b = binary.BigEndian.AppendUint16(b, uint16(s.TurnNo))
	b = append(b, byte(s.Bangs), byte(s.Extra), byte(s.Event))
	for _, list := range [...][]Card{s.Deck, s.Discard, s.Table, s.Events, s.Shop, s.Store, s.Played} {
		b = appendCards(b, list)
	}
	b = binary.BigEndian.AppendUint16(b, uint16(len(s.Stack)))
	for i := range s.Stack {
		b = s.Stack[i].encode(b)
	}
	b = binary.BigEndian.AppendUint16(b, uint16(len(s.Queue)))
	for _, t := range s.Queue {
		b = append(b, byte(t.Kind), byte(t.Seat), byte(t.By), byte(t.N))
	}
	b = append(b, byte(s.Asked), byte(s.Opening), byte(s.Coin), byte(s.Over))
	b = binary.BigEndian.AppendUint16(b, uint16(len(s.Wanted)))
	for _, w := range s.Wanted {
		b = binary.BigEndian.AppendUint32(b, uint32(w))
	}
	b = append(b, byte(s.WantedPile), byte(s.Result))
	b = binary.BigEndian.AppendUint16(b, uint16(s.Flip))
	b = binary.BigEndian.AppendUint32(b, uint32(s.Duty))
	b = append(b, byte(s.Named))
	return binary.BigEndian.AppendUint32(b, uint32(s.Next))
}

func (p *Player) encode(b []byte) []byte {
	b = append(b, byte(p.Role), byte(p.Status), byte(p.Character), byte(p.Copy), byte(p.Side), flag(p.Away)|flag(p.Done)<<1|flag(p.Expelled)<<2)
	b = binary.BigEndian.AppendUint32(b, uint32(p.RoleSlot))
	b = binary.BigEndian.AppendUint32(b, uint32(p.Second))
	b = append(b, byte(p.Life), byte(p.Max), byte(p.Nuggets), byte(p.Used))
	return appendCards(appendCards(appendCards(b, p.Hand), p.Play), p.Gear)
}

func (f *Frame) encode(b []byte) []byte {
	b = append(b, byte(f.Kind), f.Step, byte(f.Seat), byte(f.From), byte(f.To), byte(f.N), byte(f.M), byte(f.Tag), byte(f.As))
	return binary.BigEndian.AppendUint32(appendCard(b, f.Card), uint32(f.At))
}

func appendCards(b []byte, list []Card) []byte {
	b = binary.BigEndian.AppendUint16(b, uint16(len(list)))
	for _, c := range list {
		b = appendCard(b, c)
	}
	return b
}

func appendCard(b []byte, c Card) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(c.Slot))
	b = binary.BigEndian.AppendUint16(b, uint16(c.Face))
	return binary.BigEndian.AppendUint16(b, uint16(c.Mark))
}

func flag(v bool) byte {
	if v {
		return 1
	}
	return 0
}

var errState = errors.New("engine: this is no encoding of a state")

// decoder reads an encoding; after the first error it reads zeros.
type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) next(n int) []byte {
	if d.bad || len(d.b) < n {
		d.bad = true
		return make([]byte, n)
	}
	out := d.b[:n]
	d.b = d.b[n:]
	return out
}

func (d *decoder) u8() byte    { return d.next(1)[0] }
func (d *decoder) u16() uint16 { return binary.BigEndian.Uint16(d.next(2)) }
func (d *decoder) u32() uint32 { return binary.BigEndian.Uint32(d.next(4)) }

// count reads a length and refuses one that the rest cannot hold.
func (d *decoder) count(size int) int {
	n := int(d.u16())
	if n*size > len(d.b) {
		d.bad = true
		return 0
	}
	return n
}

func (d *decoder) card() Card {
	return Card{Slot: Slot(d.u32()), Face: Face(d.u16()), Mark: int16(d.u16())}
}

func (d *decoder) cards() []Card {
	n := d.count(8)
	if n == 0 {
		return nil
	}
	out := make([]Card, n)
	for i := range out {
		out[i] = d.card()
	}
	return out
}

// DecodeState reads what Encode wrote, and nothing else. Whether the position makes sense is [FromState]'s question.
func DecodeState(b []byte) (State, error) {
	d := &decoder{b: b}
	var s State
	if v := d.u8(); v != stateVersion {
		return State{}, fmt.Errorf("%w: version %d", errState, v)
	}
	copy(s.Options[:], d.next(len(s.Options)))
	s.N = int8(d.u8())
	for i := range s.Players {
		p := &s.Players[i]
		p.Role, p.Status, p.Character, p.Copy, p.Side = Role(d.u8()), Status(d.u8()), Kind(d.u8()), Kind(d.u8()), Role(d.u8())
		flags := d.u8()
		d.bad = d.bad || flags > 7 || flags&5 == 4
		p.Away, p.Done, p.Expelled = flags&1 != 0, flags&2 != 0, flags&4 != 0
		p.RoleSlot, p.Second = Slot(d.u32()), Slot(d.u32())
		p.Life, p.Max, p.Nuggets, p.Used = int8(d.u8()), int8(d.u8()), int8(d.u8()), int8(d.u8())
		p.Hand, p.Play, p.Gear = d.cards(), d.cards(), d.cards()
	}
	s.Turn, s.Keeper, s.First = Seat(d.u8()), Seat(d.u8()), Seat(d.u8())
	s.Lap, s.TurnNo = int16(d.u16()), int16(d.u16())
	s.Bangs, s.Extra, s.Event = int8(d.u8()), int8(d.u8()), Kind(d.u8())
	for _, list := range [...]*[]Card{&s.Deck, &s.Discard, &s.Table, &s.Events, &s.Shop, &s.Store, &s.Played} {
		*list = d.cards()
	}
	for range d.count(21) {
		f := Frame{Kind: FrameKind(d.u8()), Step: d.u8(), Seat: Seat(d.u8()), From: Seat(d.u8()), To: Seat(d.u8()),
			N: int8(d.u8()), M: int8(d.u8()), Tag: Tag(d.u8()), As: Kind(d.u8())}
		f.Card, f.At = d.card(), Slot(d.u32())
		s.Stack = append(s.Stack, f)
	}
	for range d.count(4) {
		s.Queue = append(s.Queue, Trigger{Kind: Kind(d.u8()), Seat: Seat(d.u8()), By: Seat(d.u8()), N: int8(d.u8())})
	}
	s.Asked, s.Opening, s.Coin, s.Over = Seat(d.u8()), int8(d.u8()), int8(d.u8()), Outcome(d.u8())
	for range d.count(4) {
		s.Wanted = append(s.Wanted, Slot(d.u32()))
	}
	s.WantedPile, s.Result = Pile(d.u8()), int8(d.u8())
	s.Flip, s.Duty, s.Named, s.Next = Face(d.u16()), Slot(d.u32()), Suit(d.u8()), Slot(d.u32())
	if d.bad || len(d.b) != 0 {
		return State{}, errState
	}
	return s, nil
}

// clone is a copy that shares nothing.
func (s *State) clone() State {
	c := *s
	for i := range c.Players {
		p := &c.Players[i]
		p.Hand, p.Play, p.Gear = copyCards(p.Hand), copyCards(p.Play), copyCards(p.Gear)
	}
	for _, list := range [...]*[]Card{&c.Deck, &c.Discard, &c.Table, &c.Events, &c.Shop, &c.Store, &c.Played} {
		*list = copyCards(*list)
	}
	c.Stack = append(make([]Frame, 0, len(s.Stack)+8), s.Stack...)
	c.Queue = append([]Trigger(nil), s.Queue...)
	c.Wanted = append([]Slot(nil), s.Wanted...)
	return c
}

func copyCards(list []Card) []Card {
	if len(list) == 0 {
		return nil
	}
	return append(make([]Card, 0, len(list)+2), list...)
}

// check looks at the shape of a position: everything that could lead an index astray.
func (s *State) check(r *Rules) error {
	if s.N < 2 || s.N > MaxSeats || r.roles[s.N] == nil {
		return fmt.Errorf("these boxes have no game for %d seats", s.N)
	}
	if err := r.checkOptions(s.Options); err != nil {
		return err
	}
	seat := func(x Seat) bool { return x >= None && x < Seat(s.N) }
	waits := 0
	for _, w := range []bool{s.Asked != None, s.Opening != 0, s.Coin != 0, s.Over != NotOver} {
		if w {
			waits++
		}
	}
	switch {
	case !seat(s.Turn) || !seat(s.Keeper) || !seat(s.First) || !seat(s.Asked):
		return errors.New("a seat is out of range")
	case waits > 1 || s.Opening < 0 || s.Coin < 0:
		return errors.New("it waits for several things at once")
	case int(s.Opening) != len(s.Wanted):
		return errors.New("the faces awaited and their slots differ")
	case len(s.Stack) == 0 || len(s.Stack) >= maxStack:
		return errors.New("the number of open questions is out of range")
	}
	for i := range s.Stack {
		f := &s.Stack[i]
		if f.Kind == NoFrame || f.Kind == AtAside || f.Kind >= frameKinds || !seat(f.Seat) || !seat(f.From) || !seat(f.To) {
			return fmt.Errorf("open question %d is malformed", i)
		}
		if (f.Kind == AtRow || f.Kind == AtPlay || f.Kind == AtEach) && r.rows[f.As] == nil {
			return fmt.Errorf("open question %d belongs to no row", i)
		}
	}
	for _, t := range s.Queue {
		if !seat(t.Seat) || t.Seat == None || !seat(t.By) {
			return errors.New("a waiting ability has no seat")
		}
	}
	return s.checkCards(r)
}

// checkCards refuses a slot that lies in two places and a face that no pack has.
func (s *State) checkCards(r *Rules) error {
	seen := map[Slot]bool{}
	lists := [][]Card{s.Deck, s.Discard, s.Table, s.Events, s.Shop, s.Store, s.Played}
	for i := range s.N {
		p := &s.Players[i]
		if p.Status > Ghost || p.Role > Renegade {
			return fmt.Errorf("seat %d is malformed", i)
		}
		lists = append(lists, p.Hand, p.Play, p.Gear)
		for _, c := range append(append([]Card(nil), p.Play...), p.Gear...) {
			if r.rows[c.Face.Kind()] == nil {
				return fmt.Errorf("a card in play before seat %d is no card", i)
			}
		}
	}
	for _, list := range lists {
		for _, c := range list {
			if c.Slot == 0 || c.Slot >= s.Next || seen[c.Slot] {
				return fmt.Errorf("slot %d is out of range or lies in two places", c.Slot)
			}
			seen[c.Slot] = true
		}
	}
	return nil
}
