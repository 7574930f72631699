package table

import "time"

// ground is why a seat is suspected, the best founded first.
type ground uint8

const (
	certain  ground = iota // a proof against it, or its own wish
	silent                 // it owes what it could have sent long ago, or does not follow a ballot
	contrary               // it takes part in ballots so that they lead nowhere
	grounds
)

// suspects are the seats that this peer would go on without, each with its reason. Where they are more than may go, the
// worse founded suspicions are not acted on: either the table waits, or a ballot shows who is there.
func (t *Table) suspects() (d Seats, out []removal) {
	var by [grounds]Seats
	why := [MaxSeats]removal{}
	for _, s := range t.st.members.List() {
		if t.me != nil && s == t.me.seat {
			continue
		}
		if g, r, ok := t.suspected(s); ok {
			by[g] |= only(s)
			why[s] = r
		}
	}
	for _, more := range by {
		if !t.open.vote.may(d | more) {
			break
		}
		d |= more
	}
	for _, s := range d.List() {
		out = append(out, why[s])
	}
	return d, out
}

// suspected is the ground on which this peer would go on without a seat; false: none.
func (t *Table) suspected(seat int) (ground, removal, bool) {
	r := removal{Seat: uint8(seat), Why: Silence}
	p := &t.patience
	what, _ := t.owes(seat)
	odd := p.against | p.unsealed | p.behind
	if t.open.vote.called != nil {
		odd |= t.open.vote.wrong()
	}
	switch w := t.wish[seat]; {
	case t.open.faults[seat] != nil:
		r.Why = Cheat
		for _, e := range t.open.evidence[seat] {
			r.Evidence = append(r.Evidence, e.ID)
		}
		return certain, r, true
	case w != nil && w.what == WishLeave:
		r.Why = Left
		return certain, r, true
	case w != nil && w.what == WishLost:
		r.Why = Lost
		return certain, r, true
	case t.overdue(seat) && !t.calls(seat), what != "" && p.asked.Has(seat), p.absent.Has(seat):
		return silent, r, true
	case odd.Has(seat):
		return contrary, r, true
	}
	return 0, r, false
}

// followers finds out who has not followed this peer's ballots in time, who has come round, and who goes on calling
// for something else when all others agree. Only calls that count are heard: one that names what its caller keeps to
// itself is none.
func (t *Table) followers() {
	v, p := &t.open.vote, &t.patience
	if v.called == nil {
		return
	}
	b, mine := v.called.ballot, dropped(v.called.out)
	with, here, other := only(t.me.seat), only(t.me.seat), Seats(0)
	var last [MaxSeats]time.Duration // that the seat called
	for _, c := range t.open.calls {
		s := c.vote.seat
		if !c.told || !v.counts(c.vote) {
			continue
		}
		last[s] = max(last[s], c.at)
		switch same := dropped(c.vote.out) == mine; {
		case c.vote.ballot < b:
			continue
		case c.vote.ballot == b && same:
			with |= only(s)
		case c.vote.ballot == b:
			other |= only(s)
		}
		here |= only(s)
		if dropped(c.vote.out) == mine.Without(s) {
			p.against = p.against.Without(s)
		}
	}
	p.absent &^= here
	if b >= p.flagged+2 { // a quarrel is not for ever
		p.against, p.unsealed, p.behind = 0, 0, 0
	}
	rest := v.members &^ mine
	if with&rest == rest {
		t.sealers(b, rest)
		return
	}
	for _, s := range (rest &^ here).List() {
		if t.now-max(p.first, last[s]) >= patienceWith(b) {
			p.absent |= only(s)
		}
	}
	if other &= rest &^ with; t.now-p.first >= 2*longBallot && rest == with|other && v.may(mine|other) {
		p.against |= other
		p.flagged = b
	}
}

// sealers finds out who does not seal what the calls of all the rest make. Time runs on from ballot to ballot: who only
// calls again does not get more of it.
func (t *Table) sealers(b uint32, rest Seats) {
	p := &t.patience
	sealed := only(t.me.seat)
	for _, s := range t.open.vote.seals {
		if s.ballot == b {
			sealed |= only(s.seat)
		}
	}
	p.unsealed &^= sealed
	for _, s := range rest.List() {
		switch {
		case sealed.Has(s):
			p.owing[s] = 0
		case p.owing[s] == 0:
			p.owing[s] = max(t.now, 1)
		case t.now-p.owing[s] >= patienceWith(b):
			p.unsealed |= only(s)
			p.flagged = b
		}
	}
}
