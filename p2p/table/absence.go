package table

import (
	"fmt"
	"slices"

	"standoff/engine"
)

// Reason says why a seat was removed from the members.
type Reason uint8

// The reasons. Silence is nobody's fault: all remaining members attest that they did not hear the seat.
const (
	Silence Reason = 1 + iota
	Left
	Lost  // its journal: it could not keep its promises
	Cheat // a proven fault; the only reason that bars a return
)

func (r Reason) String() string {
	return [...]string{"?", "silence", "left", "lost its journal", "fault"}[min(int(r), 4)]
}

// absence is the part of a state that is about seats which are no members, or were none once.
type absence struct {
	away       Seats            // seats of the game that are no members
	why        [MaxSeats]Reason // of the last removal
	removals   [MaxSeats]uint32 // so far
	removedAt  [MaxSeats]uint32 // round of the last removal
	guarded    Seats            // gone seats for which the guard is closed
	entering   Seats            // members whose fresh layer lies on nothing yet
	told       Seats            // seats that the engine knows to be away
	holders    Seats            // members that hold shares of the current sharing
	dealings   []Dealing        // the current sharing itself
	dealingsAt Place            // of its round
	shareKeys  [MaxSeats]Point  // Z at that time
}

// Returns of one seat: at most so many, and from the third on not before so many rounds after the removal.
const (
	MaxReturns  = 5
	returnDelay = 30
)

// begun reports whether anybody was ever removed.
func (a *absence) begun() bool { return a.removals != [MaxSeats]uint32{} }

type absenceText struct {
	_        struct{} `cbor:",toarray"`
	Away     Seats
	Why      []Reason
	Removals []uint32
	At       []uint32
	Guarded  Seats
	Entering Seats
	Told     Seats
	Holders  Seats
	Needs    []extraText
}

// extraText is what a need has that only a removal can bring.
type extraText struct {
	_     struct{} `cbor:",toarray"`
	No    uint32
	Given Point
	Inner bool
}

// absenceText is hashed after the rest of the state, from the first removal on.
func (st *state) absenceText() []byte {
	a := &st.absence
	t := absenceText{Away: a.away, Why: a.why[:], Removals: a.removals[:], At: a.removedAt[:], Guarded: a.guarded,
		Entering: a.entering, Told: a.told, Holders: a.holders, Needs: []extraText{}}
	for _, n := range st.needs {
		if n.Inner || n.Given != (Point{}) {
			t.Needs = append(t.Needs, extraText{No: n.No, Given: n.Given, Inner: n.Inner})
		}
	}
	return encode(t)
}

// remove takes seats out of the members, after the says of the round that did it.
func (st *state) remove(out []removal) error {
	for _, r := range out {
		if !st.members.Has(int(r.Seat)) {
			return fmt.Errorf("seat %d is no member and cannot be removed", r.Seat)
		}
		st.members = st.members.Without(int(r.Seat))
		st.away |= only(int(r.Seat))
		st.why[r.Seat], st.removedAt[r.Seat] = r.Why, st.round
		st.removals[r.Seat]++
		st.entering = st.entering.Without(int(r.Seat))
		st.holders = st.holders.Without(int(r.Seat))
	}
	if len(out) > 0 {
		st.regroup()
	}
	return nil
}

// regroup makes everything anew that hangs on who the members are: an unfinished mix starts from its first pass, an
// unfinished sharing is dropped.
func (st *state) regroup() {
	st.pass, st.mixed, st.dealt = 0, nil, nil
	var keys []Point
	for _, s := range st.members.List() {
		keys = append(keys, st.card[s])
	}
	st.joint = st.suite.Sum(keys...)
}

// returning is what a seat shows that comes back: fresh keys, each with a proof of possession.
type returning struct {
	seat int
	x, z Point
}

// Bar says why a seat that was taken out is not let in again, though it asks.
type Bar uint8

// The bars. All but BarWait are for good.
const (
	BarNone    Bar = iota
	BarFault       // it was taken out for a proven fault
	BarReturns     // it has come back as often as a seat may: MaxReturns
	BarWait        // it has come back so often that it has to stay out for some rounds
	BarNeeded      // it has lost its journal, and the members left are too few to take it out
)

// bar is the bar of a seat that is away, and of BarWait the round in which it ends.
func (st *state) bar(seat int) (Bar, uint32) {
	until := st.removedAt[seat] + returnDelay
	switch {
	case st.why[seat] == Cheat:
		return BarFault, 0
	case st.removals[seat] > MaxReturns:
		return BarReturns, 0
	case st.removals[seat] >= 3 && st.round < until:
		return BarWait, until
	}
	return BarNone, 0
}

// Barred says why this seat, which is no member any more or may not act as one, is not let in again now, and for
// [BarWait] until which round.
func (t *Table) Barred() (Bar, uint32) {
	switch st := t.st; {
	case t.me == nil || t.end != nil:
	case t.mute && st.members.Has(t.me.seat) && Quorum(st.members.Count(), st.choices.tolerate()) == st.members.Count():
		return BarNeeded, 0
	case st.stage == atPlay && st.away.Has(t.me.seat):
		return st.bar(t.me.seat)
	}
	return BarNone, 0
}

// mayReturn reports why a seat cannot come back now, nil if it can.
func (st *state) mayReturn(seat int) error {
	bar, until := st.bar(seat)
	switch {
	case st.stage != atPlay || !st.away.Has(seat):
		return fmt.Errorf("seat %d has nothing to return to", seat)
	case bar == BarFault:
		return fmt.Errorf("seat %d was removed for a fault", seat)
	case bar == BarReturns:
		return fmt.Errorf("seat %d has returned %d times", seat, MaxReturns)
	case bar == BarWait:
		return fmt.Errorf("seat %d has to wait until round %d", seat, until)
	case st.gone().Has(seat):
		return fmt.Errorf("seat %d still has layers on cards", seat)
	case st.choices.tolerate() == 0:
		return fmt.Errorf("at this table nobody is removed")
	}
	return nil
}

// admit makes seats members again. Their layers lie on nothing until they have entered. A wish that the round itself
// has overtaken does nothing.
func (st *state) admit(back []wish) {
	before := st.members
	for _, w := range back {
		b := w.back
		if w.what != WishReturn || st.mayReturn(b.seat) != nil {
			continue
		}
		st.away = st.away.Without(b.seat)
		st.members |= only(b.seat)
		st.entering |= only(b.seat)
		st.card[b.seat], st.share[b.seat] = b.x, b.z
	}
	if st.members != before {
		st.regroup()
	}
}

// gone are the seats that are no members and whose layers are still on cards or due to a coin.
func (st *state) gone() Seats {
	if st.away == 0 {
		return 0
	}
	var on Seats
	for i := range st.slots {
		on |= st.slots[i].Mask
	}
	for i := range st.needs {
		on |= st.needs[i].Mask
	}
	return on &^ st.members
}

// decideAway tells the engine who has gone and who is back, and answers for a seat that is away by the default, which
// every peer derives alike. It reports whether the engine has moved on.
func (st *state) decideAway() (bool, error) {
	for seat := range st.seatAt {
		place := st.place(seat)
		switch {
		case st.away.Has(seat) && !st.told.Has(seat):
			st.told |= only(seat)
			if st.why[seat] == Cheat || st.choices.Table["away"] == "out" {
				return true, st.game.Expel(place)
			}
			return true, st.game.StepAway(place)
		case st.members.Has(seat) && st.told.Has(seat):
			st.told = st.told.Without(seat)
			return true, st.game.StepBack(place)
		}
	}
	if st.ask.Seat == engine.None || st.members.Has(st.seat(st.ask.Seat)) {
		return false, nil
	}
	a := st.game.Default()
	var shut []engine.Slot
	for _, c := range []*engine.Card{&a.Card, &a.With} {
		if c.Slot == 0 || c.Face != 0 {
			continue
		}
		if s := st.slot(c.Slot); s != nil && s.Card == hidden {
			shut = append(shut, c.Slot)
			continue
		}
		*c = st.opened(c.Slot)
	}
	if len(shut) > 0 { // it shows the card first
		st.inner(engine.Need{Kind: engine.Open, Seat: engine.None, Owner: st.ask.Seat, Old: shut})
		return false, nil
	}
	st.byDefault = append(st.byDefault, uint8(st.seat(st.ask.Seat)))
	return true, st.game.Step(a)
}

// inner puts a need of the table's own before all others.
func (st *state) inner(n engine.Need) {
	st.needs = slices.Insert(st.needs, 0, openNeed{Need: n, No: st.count, Inner: true})
	st.count++
}
