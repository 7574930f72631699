package table

import (
	"slices"
	"time"
)

// openRound is what has come in for the round in work.
type openRound struct {
	vote     vote
	says     [MaxSeats][]*heldSay
	seals    [MaxSeats][]heldSeal
	calls    []*heldCall
	wrong    []Envelope    // that prove a fault by themselves
	mine     map[Hash]bool // what this seat has sent, whether or not it is still held
	pinned   []Envelope    // that a call names, whatever else their seat has sent
	pins     [MaxSeats]int // how many of them are there for a call of the seat
	early    [MaxSeats][]Envelope
	faults   [MaxSeats]*Fault // the first against each seat
	evidence [MaxSeats][]Envelope
	nexts    map[Hash]*state // after the round, by V
	spoiled  map[Hash]bool   // values that no honest member seals at ballot 0
	fullAt   time.Duration   // since when seals of ballot 0 are due, 0: not yet
	openedAt time.Duration
	resent   time.Duration
	differs  *End // a member has sealed the value that closes the round with another state
}

// heldSay is a say of the right shape.
type heldSay struct {
	env    Envelope
	part   part
	proved bool
}

type heldSeal struct {
	env  Envelope
	seal seal
}

type heldCall struct {
	env    Envelope
	body   call
	vote   *ballotCall
	told   bool // the vote knows it
	wishes []wish
}

// Bounds of what is kept of one seat in one round.
const (
	maxSays  = 2
	maxSeals = 16
	maxCalls = 32
	maxEarly = 4
	maxWrong = 2
	maxNamed = 16 // says, of those that calls name
	maxPins  = 16 // that calls of the seat name: a say of each other, and what proves the faults of who may go
)

// begin opens the round that the state expects.
func (t *Table) begin() {
	v := t.st.vote(t.ex)
	if t.speaks() {
		v.me = t.me.seat
	}
	t.open = openRound{vote: v, mine: map[Hash]bool{}, nexts: map[Hash]*state{}, spoiled: map[Hash]bool{}, openedAt: t.now}
}

// vote is how the members agree on a round, before anybody has said anything.
func (st *state) vote(ex Expect) vote {
	v := vote{me: -1, members: st.members, from: ex.From, keep: ex.Kind.keeps(), holders: st.holders,
		name: func(d verdict) Hash { return valueOf(st.round, d) }}
	if st.stage >= atPlay && st.stage < atEnd {
		v.most = failures(st.members.Count(), st.choices.tolerate())
	}
	if st.stage == atPlay && st.current != nil {
		v.need = int(st.current.Threshold)
	}
	return v
}

// speaks reports whether this peer is a member that keeps its promises.
func (t *Table) speaks() bool { return t.me != nil && !t.mute && t.st.members.Has(t.me.seat) }

// has reports whether this envelope is already held, and not only as a proof.
func (t *Table) has(id Hash) bool {
	for s := range MaxSeats {
		if w := t.wish[s]; w != nil && w.env.ID == id {
			return true
		}
		if _, ok := among(t.open.early[s], id); ok {
			return true
		}
	}
	e, ok := t.envelope(id)
	return ok && !t.ousted(e)
}

// ousted reports whether an envelope is a seal or a call of the open round whose place newer ones have taken. It is here as
// a proof alone, and may be what the round closes with: it has to be heard again.
func (t *Table) ousted(e Envelope) bool {
	if _, wrong := among(t.open.wrong, e.ID); wrong || e.Round != t.st.round || e.Prev != t.st.head {
		return false
	}
	switch e.Kind {
	case KindSeal:
		return !slices.ContainsFunc(t.open.seals[e.Seat], func(h heldSeal) bool { return h.env.ID == e.ID })
	case KindCall:
		return !slices.ContainsFunc(t.open.calls, func(h *heldCall) bool { return h.env.ID == e.ID })
	}
	return false
}

// envelope finds an envelope of the open round, or of the one before, by its name.
func (t *Table) envelope(id Hash) (Envelope, bool) {
	o := &t.open
	for s := range MaxSeats {
		for _, h := range o.says[s] {
			if h.env.ID == id {
				return h.env, true
			}
		}
		for i := range o.seals[s] {
			if h := &o.seals[s][i]; h.env.ID == id {
				return h.env, true
			}
		}
		if e, ok := among(o.evidence[s], id); ok {
			return e, true
		}
	}
	for _, h := range o.calls {
		if h.env.ID == id {
			return h.env, true
		}
	}
	if e, ok := among(o.wrong, id); ok {
		return e, true
	}
	if e, ok := among(o.pinned, id); ok {
		return e, true
	}
	if n := len(t.log); n > 0 {
		return among(t.log[n-1].rest, id)
	}
	return Envelope{}, false
}

func among(list []Envelope, id Hash) (Envelope, bool) {
	for i := range list {
		if list[i].ID == id {
			return list[i], true
		}
	}
	return Envelope{}, false
}

// named are the seats of which a call names an envelope of another, as a say that it holds or as a proof. A seat that tells
// everybody other things could else fill up what is kept of it differently everywhere, and nobody could believe another's
// call.
func (t *Table) named(e Envelope) (by Seats) {
	for _, h := range t.open.calls {
		if h.vote.seat == int(e.Seat) {
			continue
		}
		if h.vote.held[e.Seat] == e.ID || slices.ContainsFunc(h.body.Out, func(r removal) bool { return slices.Contains(r.Evidence, e.ID) }) {
			by |= only(h.vote.seat)
		}
	}
	return by
}

// pin keeps an envelope that calls of some seats name until the round is closed, and reports whether it has room for it.
// Each seat has its own: one that names whatever there is takes none of the others'.
func (t *Table) pin(e Envelope, by Seats) bool {
	o := &t.open
	if _, ok := among(o.pinned, e.ID); ok {
		return true
	}
	for _, s := range by.List() {
		if o.pins[s] < maxPins {
			o.pins[s]++
			o.pinned = append(o.pinned, e)
			return true
		}
	}
	return false
}

// wrong keeps an envelope that proves a fault, so that others who name it can be believed.
func (t *Table) wrong(e Envelope) {
	n := 0
	for _, o := range t.open.wrong {
		if o.Seat == e.Seat {
			n++
		}
	}
	if n < maxWrong {
		t.open.wrong = append(t.open.wrong, e)
	}
}

// forget makes room for a newer call of a seat: its lowest goes that no other call rests on.
func (t *Table) forget(seat int, below uint32) bool {
	named := map[Hash]bool{}
	for _, h := range t.open.calls {
		for _, id := range h.vote.top.calls {
			named[id] = true
		}
	}
	old := -1
	for i, h := range t.open.calls {
		if h.vote.seat == seat && h.vote.ballot < below && !named[h.vote.id] && (old < 0 || h.vote.ballot < t.open.calls[old].vote.ballot) {
			old = i
		}
	}
	if old < 0 {
		return false
	}
	id := t.open.calls[old].vote.id
	t.open.calls = slices.Delete(t.open.calls, old, old+1)
	t.open.vote.calls = slices.DeleteFunc(t.open.vote.calls, func(c *ballotCall) bool { return c.id == id })
	return true
}

// split reports whether seals of ballot 0 differ.
func (o *openRound) split() bool {
	var first Hash
	for s := range MaxSeats {
		for _, h := range o.seals[s] {
			if h.seal.Ballot == 0 {
				if first != (Hash{}) && h.seal.Value != first {
					return true
				}
				first = h.seal.Value
			}
		}
	}
	return false
}

// proves reports whether an envelope is evidence against its seat.
func (o *openRound) proves(e Envelope) bool {
	return slices.ContainsFunc(o.evidence[e.Seat], func(p Envelope) bool { return p.ID == e.ID })
}

// possible reports whether the members could go on without some seats.
func (t *Table) possible(d Seats) bool { return t.open.vote.may(d & t.st.members) }
