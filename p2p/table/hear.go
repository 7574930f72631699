package table

import (
	"errors"
	"fmt"
	"slices"
)

// ErrSignature says that an envelope is not signed by the seat it names; whoever passed it on made it up.
var ErrSignature = errors.New("signature does not verify")

func (t *Table) receive(e Envelope) error {
	st := t.st
	if e.Table != st.roster.Table || int(e.Seat) >= len(st.roster.Joins) || t.end != nil {
		t.stray(e)
		return ErrStray
	}
	if e.Kind != KindWish && e.Round > st.round+1 && t.speaks() && int(e.Seat) == t.me.seat && !t.replay && e.signedBy(st.suite, st.roster.Joins[e.Seat].Key) {
		return t.hearOwn(e)
	}
	if e.Kind != KindWish && (e.Round+1 < st.round && t.named(e) == 0 || e.Round > st.round+1 || !st.members.Has(int(e.Seat)) && e.Round <= st.round) {
		if e.Round+1 < st.round {
			t.stray(e)
		}
		return ErrStray
	}
	if e.Round < st.round && e.Kind != KindWish {
		return t.hearLate(e)
	}
	if !e.signedBy(st.suite, st.roster.Joins[e.Seat].Key) {
		t.stray(e)
		return fmt.Errorf("seat %d: %w", e.Seat, ErrSignature)
	}
	t.patience.heard[e.Seat] = t.now
	if t.me != nil && int(e.Seat) == t.me.seat && !t.replay && e.Kind != KindWish && t.speaks() {
		return t.hearOwn(e)
	}
	return t.dispatch(e)
}

// dispatch takes in an envelope whose signature is right.
func (t *Table) dispatch(e Envelope) error {
	st := t.st
	switch {
	case e.Kind == KindWish:
		return t.hearWish(e)
	case e.Round == st.round+1:
		if l := t.open.early[e.Seat]; len(l) < maxEarly {
			t.open.early[e.Seat] = append(l, e)
		}
		return nil
	case e.Prev != st.head:
		return fmt.Errorf("seat %d continues another log in round %d: %w", e.Seat, e.Round, ErrStray)
	case e.Kind == KindSay:
		t.hearSay(e)
	case e.Kind == KindSeal:
		t.hearSeal(e)
	default:
		t.hearCall(e)
	}
	t.pin(e, t.named(e))
	return nil
}

func (t *Table) hearSay(e Envelope) {
	seat := int(e.Seat)
	p, wrong := t.st.readSay(t.ex, e)
	if wrong != nil {
		t.wrong(e)
		t.fault(seat, wrong, e)
	} else if !t.holdSay(e, p) {
		return
	}
	if o, ok := t.otherSay(e); ok {
		t.fault(seat, bad(FaultEquivocation, "two says"), o, e)
	}
}

// holdSay keeps a say, if there is room for it.
func (t *Table) holdSay(e Envelope, p part) bool {
	list := t.open.says[e.Seat]
	if len(list) >= maxSays && (len(list) >= maxNamed || t.named(e) == 0) && !t.open.vote.sealedWith(int(e.Seat), e.ID) {
		return false
	}
	t.open.says[e.Seat] = append(list, &heldSay{env: e, part: p})
	t.moved = t.now
	return true
}

// otherSay is another say of the same seat in the open round, right or wrong.
func (t *Table) otherSay(e Envelope) (Envelope, bool) {
	for _, h := range t.open.says[e.Seat] {
		if h.env.ID != e.ID {
			return h.env, true
		}
	}
	for _, o := range t.open.wrong {
		if o.Kind == KindSay && o.Seat == e.Seat && o.ID != e.ID {
			return o, true
		}
	}
	return Envelope{}, false
}

func (t *Table) hearSeal(e Envelope) {
	seat := int(e.Seat)
	s, wrong := readSeal(e)
	if wrong != nil {
		t.wrong(e)
		t.fault(seat, wrong, e)
		return
	}
	if l := t.open.seals[seat]; len(l) >= maxSeals { // the first and the newest are of use
		t.open.seals[seat] = slices.Delete(l, 1, 2)
		t.open.vote.seals = slices.DeleteFunc(t.open.vote.seals, func(o ballotSeal) bool { return o.seat == seat })
		for _, o := range t.open.seals[seat] {
			t.open.vote.hearSeal(ballotSeal{seat, o.seal.Ballot, o.seal.Value})
		}
	}
	for _, o := range t.open.seals[seat] {
		if o.seal.Ballot == s.Ballot {
			t.fault(seat, bad(FaultEquivocation, "two seals"), o.env, e)
		}
	}
	t.open.seals[seat] = append(t.open.seals[seat], heldSeal{e, s})
	t.patience.behind = t.patience.behind.Without(seat)
	t.open.vote.hearSeal(ballotSeal{seat, s.Ballot, s.Value})
	t.moved = t.now
	t.promise(seat)
}

func (t *Table) hearCall(e Envelope) {
	seat := int(e.Seat)
	b, c, wrong := readCall(e)
	if wrong != nil {
		t.wrong(e)
		t.fault(seat, wrong, e)
		return
	}
	n := 0
	for _, o := range t.open.calls {
		if o.vote.seat != seat {
			continue
		}
		if n++; o.vote.ballot == c.ballot {
			t.fault(seat, bad(FaultEquivocation, "two calls"), o.env, e)
		}
	}
	if n >= maxCalls && !t.forget(seat, c.ballot) && !t.open.vote.closedWith(c) {
		return
	}
	t.open.calls = append(t.open.calls, &heldCall{env: e, body: b, vote: c})
	t.moved = t.now
	t.promise(seat)
	for _, r := range b.Out {
		t.answer(int(r.Seat))
		if t.me != nil && int(r.Seat) == t.me.seat && r.Why == Left {
			t.heeded = true
		}
	}
}

// promise looks for a seal that a call of the same seat denies.
func (t *Table) promise(seat int) {
	for _, s := range t.open.seals[seat] {
		for _, c := range t.open.calls {
			if top := &c.vote.top; c.vote.seat == seat && c.vote.ballot > s.seal.Ballot && (!top.some || top.ballot < s.seal.Ballot) {
				m, _ := convictTwo(seat, s.env, c.env)
				t.fault(seat, m, s.env, c.env)
				return
			}
		}
	}
}

// answer passes on what this peer has of a seat that somebody wants to go on without.
func (t *Table) answer(seat int) {
	if t.now-t.open.resent < repeatAfter && t.open.resent != 0 {
		return
	}
	t.open.resent = max(t.now, 1)
	for _, h := range t.open.says[seat] {
		t.queue = append(t.queue, h.env.Raw)
	}
	for _, h := range t.open.seals[seat] {
		t.queue = append(t.queue, h.env.Raw)
	}
}

// hearLate looks at an envelope of a closed round: one that a call names as a proof is held from then on, and a second one
// in the round closed last is still a proof.
func (t *Table) hearLate(e Envelope) error {
	if len(t.log) == 0 {
		return ErrStray // nothing is closed yet, as far as this table holds the log
	}
	st, last := t.st, &t.log[len(t.log)-1]
	use := ErrStray
	if by := t.named(e); by != 0 && e.signedBy(st.suite, st.roster.Joins[e.Seat].Key) && t.pin(e, by) {
		use = nil // a call may count now that did not: without another look at what is held the round stays open
	}
	if e.Seat >= MaxSeats || !st.members.Has(int(e.Seat)) || t.open.faults[e.Seat] != nil {
		return use
	}
	if last.sealedBy(e) && e.signedBy(st.suite, st.roster.Joins[e.Seat].Key) {
		t.patience.behind = t.patience.behind.Without(int(e.Seat))
	}
	for _, o := range last.rest {
		if m, ok := convictTwo(int(e.Seat), o, e); ok && e.signedBy(st.suite, st.roster.Joins[e.Seat].Key) {
			t.fault(int(e.Seat), m, o, e)
			return nil
		}
	}
	return use
}

// sealedBy reports whether an envelope seals what the round was closed with.
func (r *closedRound) sealedBy(e Envelope) bool {
	var closed, s seal
	return e.Kind == KindSeal && len(r.seals) > 0 && decode(r.seals[0].Body, &closed) == nil && decode(e.Body, &s) == nil &&
		s.Value == closed.Value && s.Head == closed.Head
}

// hearOwn takes in an envelope of this seat that came from another peer, of whatever round. One that this peer does not
// hold means that its journal is behind: it must not speak any more, for it does not know what it has promised.
func (t *Table) hearOwn(e Envelope) error {
	if e.Round < t.st.round || e.Round == t.st.round && e.Prev != t.st.head {
		return ErrStray
	}
	if t.open.mine[e.ID] {
		return nil
	}
	t.mute = true
	t.open.vote.me = -1
	return nil
}

// fault holds a proof against a seat. The members will remove it; where the table cannot go on without it, it ends.
func (t *Table) fault(seat int, m *Misdeed, evidence ...Envelope) {
	t.open.vote.guilty |= only(seat)
	if t.open.faults[seat] != nil && pair(evidence) && !pair(t.open.evidence[seat]) {
		t.open.evidence[seat] = evidence // the first may prove nothing when the round is closed
	}
	if t.open.faults[seat] != nil || !t.st.members.Has(seat) {
		return
	}
	f := faultOf(seat, m, evidence...)
	t.open.faults[seat], t.open.evidence[seat] = f, evidence
	t.out.Faults = append(t.out.Faults, *f)
	if t.speaks() && !t.possible(t.open.vote.guilty) {
		t.stop(voidBy(f))
	}
}
