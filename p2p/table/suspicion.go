package table

// ground is why a seat is suspected, the best founded first.
type ground uint8

const (
	certain  ground = iota // a proof against it, or its own wish
	silent                 // it owes what it could have sent long ago, or does not call in a ballot
	still                  // it owes nothing, and its peer has shown no sign of life for as long
	contrary               // it takes part in ballots so that they lead nowhere
	grounds
)

// doubts are the seats suspected on each ground but the first.
type doubts struct {
	silent, still, contrary Seats
	dissent                 Seats // called for something else than all others in the last ballot, or only in a later one
}

// suspects are the seats that this peer would go on without, each with its reason. Where they are more than may go, the
// worse founded suspicions are not acted on: either the table waits, or a ballot shows who is there.
func (t *Table) suspects(u doubts) (d Seats, out []removal) {
	by := [grounds]Seats{silent: u.silent, still: u.still, contrary: u.contrary}
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
// ballot from closing in which it stands, once that had time or can lead nowhere, else those of the ballot
// before. Nothing is remembered for longer: in a ballot in which all hear all, nobody suspects anybody without cause.
func (t *Table) doubts() doubts {
	p := &t.patience
	switch {
	case t.open.vote.called == nil:
		return t.lookAround()
	case !t.hadTime() && !t.fruitless():
		return p.doubts
	}
	return t.lookBack()
}

// hadTime reports whether this peer's ballot can be judged: what has not come by now is not on its way.
func (t *Table) hadTime() bool {
	return t.now-t.patience.waits >= judgesAfter(t.open.vote.called.ballot)
}

// lookAround finds out for whom the table waits. Once there is somebody to go on without, those are doubted too whose
// peers have shown no sign of life for as long: they will not call either. A seat that has called cannot say any more,
// and is not doubted for it, as it may have had cause to call; but if it does so again when its say is next wanted, the
// table would wait for it for ever.
func (t *Table) lookAround() doubts {
	u := doubts{contrary: t.patience.behind}
	for _, s := range t.st.members.List() {
		what, _ := t.owes(s)
		switch {
		case t.overdue(s) && (!t.calls(s) || t.patience.failed.Has(s)), what != "" && t.patience.asked.Has(s), t.seconds(s):
			u.silent |= only(s)
		case t.still(s, 1):
			u.still |= only(s)
		}
	}
	if u.silent|u.contrary|t.knows() == 0 && !t.callerWaits() {
		u.still = 0
	}
	return u
}

// seconds reports whether this peer follows more calls to go on without a seat than there may be seats missing: when it
// has waited for it for half of what it may, as the clocks of two peers never run out together, or when its own clock
// tells nothing, because it is just back and the seat has shown no sign of life since its program was started.
func (t *Table) seconds(seat int) bool {
	v := &t.open.vote
	var last [MaxSeats]*ballotCall // of each other seat
	for _, c := range t.open.calls {
		if s := c.vote.seat; s != v.me && (last[s] == nil || last[s].ballot < c.vote.ballot) {
			last[s] = c.vote
		}
	}
	by := 0
	for _, c := range last {
		if c != nil && dropped(c.out).Has(seat) {
			by++
		}
	}
	what, since := t.owes(seat)
	return by > v.most && (what != "" && t.now-since > t.limit(seat, what)/2 || t.still(seat, 2) || t.sign(seat) == t.patience.began && !t.patience.lives.Has(seat))
}

// answers are the seats that stand in this peer's ballot or a later one: all of them, and those that want the same in
// it. Only calls that count are heard: one that names what its caller keeps to itself is none.
func (t *Table) answers() (here, with Seats) {
	v := &t.open.vote
	here, with = only(t.me.seat), only(t.me.seat)
	for _, c := range t.open.calls {
		if c.vote.ballot < v.called.ballot || !c.told || !v.counts(c.vote) {
			continue
		}
		s := only(c.vote.seat)
		here |= s
		if c.vote.ballot == v.called.ballot && dropped(c.vote.out) == dropped(v.called.out) {
			with |= s
		}
	}
	return here, with
}

// tooFew reports whether more members show no sign of life than may be missing, or have not come into this peer's
// ballot: none leads anywhere before some of them are back, and who went on alone would only run away from them.
func (t *Table) tooFew() bool {
	var gone Seats
	for _, s := range t.open.vote.members.Without(t.me.seat).List() {
		if t.still(s, 1) {
			gone |= only(s)
		}
	}
	if t.open.vote.called != nil {
		here, _ := t.answers()
		if missing := t.open.vote.members &^ here; missing != 0 && !t.open.vote.may(missing) {
			return true
		}
	}
	return gone != 0 && !t.open.vote.may(gone)
}

// fruitless reports whether nothing more can come of this peer's ballot: all others have called in it but some that may
// be missing and whose peers show no sign of life, and not all want the same. Only of the first ballots: where the
// others still do not agree, they need time to hear one another.
func (t *Table) fruitless() bool {
	v := &t.open.vote
	if v.called.ballot > quickBallots {
		return false
	}
	here, with := t.answers()
	missing := v.members &^ here
	for _, s := range missing.List() {
		if !t.still(s, 1) && !t.seconds(s) {
			return false
		}
	}
	return missing != 0 && v.may(missing) && v.members&^dropped(v.called.out)&^with != 0
}

// lookBack finds out who keeps this peer's ballot from closing the round: who has not called, who calls for something
// else than all others for the second time, or only in a later ballot, who does not seal what all calls make. A ballot
// that ended early left no time to agree, and is not held against who did not. Who has fallen silent since its grace
// began, and may be back before it is over, is not held for silent yet.
func (t *Table) lookBack() (u doubts) {
	v, p := &t.open.vote, &t.patience
	b, mine := v.called.ballot, dropped(v.called.out)
	here, with := t.answers()
	rest := v.members &^ mine
	for _, s := range (v.members &^ here).List() {
		if mine.Has(s) || p.asked.Has(s) || !p.told || t.sign(s) > p.called || t.still(s, 1) || t.seconds(s) {
			u.silent |= only(s)
		}
	}
	if rest&^with == 0 {
		for _, set := range v.sets(b, mine) {
			if w, ok := v.decide(set); ok {
				u.contrary = rest &^ v.sealed(b, v.name(w)).With(t.me.seat)
			}
		}
		return u
	}
	if other := rest & here &^ with; rest == with|other && v.may(mine|other) && t.hadTime() {
		u.dissent = other
		u.contrary = other & p.dissent
	}
	return u
}
