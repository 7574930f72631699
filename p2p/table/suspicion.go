package table

// ground is why a seat is suspected, the best founded first.
type ground uint8

const (
	certain  ground = iota // a proof against it, or its own wish
	silent                 // it owes what it could have sent long ago, or does not call in a ballot
	contrary               // it takes part in ballots so that they lead nowhere
	grounds
)

// doubts are the seats suspected on each ground but the first.
type doubts struct{ silent, contrary, dissent Seats }

// suspects are the seats that this peer would go on without, each with its reason. Where they are more than may go, the
// worse founded suspicions are not acted on: either the table waits, or a ballot shows who is there.
func (t *Table) suspects(u doubts) (d Seats, out []removal) {
	by := [grounds]Seats{silent: u.silent, contrary: u.contrary}
	why := [MaxSeats]removal{}
	for _, s := range t.st.members.List() {
		why[s] = removal{Seat: uint8(s), Why: Silence}
		if r, ok := t.certainly(s); ok {
			by[certain] |= only(s)
			why[s] = r
		}
	}
	for _, more := range by {
		if t.me != nil {
			more = more.Without(t.me.seat)
		}
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

// certainly is the reason to go on without a seat that nothing takes back.
func (t *Table) certainly(seat int) (removal, bool) {
	r := removal{Seat: uint8(seat)}
	switch w := t.wish[seat]; {
	case t.open.faults[seat] != nil:
		r.Why = Cheat
		for _, e := range t.open.evidence[seat] {
			r.Evidence = append(r.Evidence, e.ID)
		}
	case w != nil && w.what == WishLeave:
		r.Why = Left
	case w != nil && w.what == WishLost:
		r.Why = Lost
	}
	return r, r.Why != 0
}

// doubts are the suspicions of now. Before its first call a peer suspects who is overdue; later those that kept the
// ballot from closing in which it stands, once that had half its time, else those of the ballot before. Nothing is
// remembered for longer: in a ballot in which all hear all, nobody suspects anybody without cause.
func (t *Table) doubts() doubts {
	p := &t.patience
	if t.open.vote.called == nil {
		u := doubts{contrary: p.behind}
		for _, s := range t.st.members.List() {
			if what, _ := t.owes(s); t.overdue(s) && !t.calls(s) || what != "" && p.asked.Has(s) {
				u.silent |= only(s)
			}
		}
		return u
	}
	if t.now-p.called < patienceWith(t.open.vote.called.ballot)/2 {
		return doubts{p.silent, p.contrary, p.dissent}
	}
	return t.lookBack()
}

// lookBack finds out who keeps this peer's ballot from closing the round: who has not called, who calls for something
// else than all others for the second time, who does not seal what all calls make. Only calls that count are heard: one
// that names what its caller keeps to itself is none.
func (t *Table) lookBack() (u doubts) {
	v := &t.open.vote
	b, mine := v.called.ballot, dropped(v.called.out)
	with, here, other := only(t.me.seat), only(t.me.seat), Seats(0)
	for _, c := range t.open.calls {
		if c.vote.ballot < b || !c.told || !v.counts(c.vote) {
			continue
		}
		s := only(c.vote.seat)
		here |= s
		switch {
		case c.vote.ballot > b:
		case dropped(c.vote.out) == mine:
			with |= s
		default:
			other |= s
		}
	}
	rest := v.members &^ mine
	u.silent = v.members &^ here
	if rest&^with == 0 {
		for _, set := range v.sets(b, mine) {
			if w, ok := v.decide(set); ok {
				u.contrary = rest &^ v.sealed(b, v.name(w)).With(t.me.seat)
			}
		}
		return u
	}
	if other &= rest &^ with; rest == with|other && v.may(mine|other) {
		u.dissent = other
		u.contrary = other & t.patience.dissent
	}
	return u
}
