package table

import (
	"errors"
	"fmt"
	"slices"

	"standoff/engine"
)

// progress seals and closes as far as what is held allows, and says what is due.
func (t *Table) progress() error {
	for t.end == nil {
		t.prove()
		if t.end != nil {
			return nil
		}
		t.weigh()
		if err := t.sealDue(); err != nil || t.end != nil {
			return err
		}
		c, next, err := t.closed()
		if err != nil || next == nil || t.end != nil {
			return err
		}
		t.advance(c, next)
		if t.end == nil {
			if err := t.speak(); err != nil {
				return err
			}
		}
	}
	return nil
}

// weigh tells the vote of the calls whose reasons are borne out by what is held. What a call proves, and what a seat
// wishes in it, this peer knows from then on.
func (t *Table) weigh() {
	for _, h := range t.open.calls {
		if h.told || t.end != nil {
			continue
		}
		if w, err := t.st.supported(t.ex, h.body, t.envelope); err == nil {
			h.told, h.wishes = true, w
			t.open.vote.hearCall(h.vote)
			for _, id := range namedEvidence([]Envelope{h.env}) {
				if e, ok := t.envelope(id); ok {
					t.pin(e, only(h.vote.seat))
				}
			}
			for _, w := range w {
				if t.wish[w.env.Seat] == nil {
					t.hearWish(w.env)
				}
			}
			for _, r := range h.body.Out {
				t.learn(r)
			}
		}
	}
}

// outcomeOf gathers what a verdict names; false while something of it is not held.
func (t *Table) outcomeOf(d verdict) (outcome, bool) {
	o := outcome{parts: make([]*part, MaxSeats), out: d.out}
	for s, id := range d.says {
		if id == (Hash{}) {
			continue
		}
		i := slices.IndexFunc(t.open.says[s], func(h *heldSay) bool { return h.env.ID == id && h.proved })
		if i < 0 {
			return o, false
		}
		o.parts[s] = &t.open.says[s][i].part
		o.back = append(o.back, o.parts[s].wishes...)
	}
	for _, id := range d.calls {
		if id == (Hash{}) {
			continue
		}
		i := slices.IndexFunc(t.open.calls, func(h *heldCall) bool { return h.env.ID == id })
		if i < 0 {
			return o, false
		}
		o.back = append(o.back, t.open.calls[i].wishes...)
	}
	return o, true
}

// nextOf is the state after the round if it closes with d; nil when something is missing or wrong.
func (t *Table) nextOf(d verdict, value Hash) (*state, error) {
	if n := t.open.nexts[value]; n != nil {
		return n, nil
	}
	o, ok := t.outcomeOf(d)
	if !ok {
		return nil, nil
	}
	n, err := t.st.next(t.ex, o, value)
	if err != nil {
		return nil, err
	}
	t.open.nexts[value] = n
	return n, nil
}

// sealDue makes the seals that are due.
func (t *Table) sealDue() error {
	for t.started && !t.replay {
		s, ok := t.open.vote.due()
		if !ok || s.ballot == 0 && t.open.spoiled[s.value] {
			return nil
		}
		next, err := t.nextOf(s.verdict, s.value)
		var c *closeFault
		if errors.As(err, &c) {
			t.open.spoiled[s.value] = true
			var proof []Envelope
			for _, by := range c.by {
				proof = append(proof, t.open.says[by][0].env)
			}
			t.fault(c.seat, c.Misdeed, proof...)
			return nil
		}
		if err != nil {
			return fmt.Errorf("round %d (%v): %w", t.ex.Round, t.ex.Kind, err)
		}
		if next == nil {
			return nil
		}
		t.open.vote.seal(s)
		t.own(KindSeal, seal{Ballot: s.ballot, Value: s.value, Head: next.head})
	}
	return nil
}

// closed is what closes the round, with the state after it; nil while it is open. Nothing closes a round but the seals
// of all members of one ballot, whether this peer is a member or only follows: that a seat speaks in the round after
// shows what that seat holds, or what it wants others to believe.
func (t *Table) closed() (closing, *state, error) {
	c, ok := t.open.vote.closed()
	if !ok {
		return closing{}, nil, nil
	}
	next, err := t.nextOf(c.verdict, c.value)
	if err != nil || next == nil {
		return c, nil, ignoreFault(err)
	}
	before := t.open.differs
	t.open.differs = nil
	for _, s := range c.by.List() {
		if head := t.sealedHead(s, c, next.head); head != next.head {
			t.open.differs = &End{Result: Void, Left: -1, Reason: fmt.Sprintf("round %d: seat %d runs a program that sees the game differently (%v, here %v)",
				t.st.round, s, head, next.head)}
			if before == nil {
				t.out.Fetch = t.Want() // perhaps the seat has told others what is so here
			}
			return c, nil, nil
		}
	}
	return c, next, nil
}

// sealers are the seats that have sealed a value of the open round with a head, at whatever ballot.
func (t *Table) sealers(value, head Hash) (by Seats) {
	for s := range MaxSeats {
		for _, h := range t.open.seals[s] {
			if h.seal.Value == value && h.seal.Head == head {
				by |= only(s)
			}
		}
	}
	return by
}

// sealedHead is the head that a seat has sealed with what closes the round: the wanted one if it has sealed that.
func (t *Table) sealedHead(seat int, c closing, want Hash) (head Hash) {
	for _, h := range t.open.seals[seat] {
		if h.seal.Ballot == c.ballot && h.seal.Value == c.value {
			if head = h.seal.Head; head == want {
				break
			}
		}
	}
	return head
}

func ignoreFault(err error) error {
	var c *closeFault
	if errors.As(err, &c) {
		return nil
	}
	return err
}

// advance makes the next state the state.
func (t *Table) advance(c closing, next *state) {
	t.keep(c, next.head)
	t.tell(t.ex, next)
	again := t.me != nil && t.ex.Kind == RoundAct && t.ex.Asked == t.me.seat && c.verdict.says[t.me.seat] == (Hash{}) && len(t.open.says[t.me.seat]) > 0
	t.patience.spent(t)
	t.patience.behind = t.st.members & next.members &^ t.sealers(c.value, next.head)
	early, faults, evidence := t.open.early, t.open.faults, t.open.evidence
	before := t.st.members
	t.st = next
	t.ex = next.expect()
	t.begin()
	t.gate.round.Store(next.round)
	t.moved, t.wait, t.fated = t.now, repeatAfter, 0
	for s := range MaxSeats {
		if next.members != before {
			t.wish[s] = t.stillWished(s)
		}
		if f := faults[s]; f != nil && next.members.Has(s) {
			if _, ok := next.convict(t.ex, s, evidence[s]); ok { // it is a proof in this round too
				t.open.faults[s], t.open.evidence[s] = f, evidence[s]
				t.open.vote.guilty |= only(s)
			}
		}
	}
	if t.me != nil {
		t.rekey()
		t.me.read(next)
		t.me.ahead = nil
		if !again || !t.repeatAction() {
			t.me.action = engine.Action{}
		}
	}
	if next.stage == atEnd {
		r := next.result()
		e := &End{Result: Finished, Outcome: r.Outcome, Left: -1}
		for _, w := range r.Winners {
			e.Winners = append(e.Winners, int(w))
		}
		t.stop(e)
		return
	}
	t.recall()
	for _, list := range early {
		for _, e := range list {
			if e.Prev == next.head && next.members.Has(int(e.Seat)) && !t.has(e.ID) {
				t.dispatch(e)
			}
		}
	}
}

// pair reports whether evidence is two envelopes: they prove a fault in every later round too.
func pair(evidence []Envelope) bool { return len(evidence) == 2 }

func (t *Table) stillWished(seat int) *wish {
	w := t.wish[seat]
	if w == nil {
		return nil
	}
	if _, _, err := t.st.readWish(w.env); err != nil {
		return nil
	}
	return w
}

// rekey takes up the fresh keys of this seat once it is a member with them. One that has come back with keys that its
// journal does not have any more has lost them: whatever it said with others would be a false proof.
func (t *Table) rekey() {
	seat := t.me.seat
	f := t.me.fresh[t.st.removals[seat]]
	if f == nil && t.st.removals[seat] > 0 && t.st.members.Has(seat) {
		t.mute, t.open.vote.me = true, -1
	}
	if f != nil && t.st.members.Has(seat) && t.st.card[seat] == f.x.Public() && t.me.x != f.x {
		t.me.x, t.me.z = f.x, f.z
		t.mute = false
		t.open.vote.me = seat
	}
}

// repeatAction says a decision again that a ballot has dropped, if it is still legal.
func (t *Table) repeatAction() bool {
	if !t.Asked() || t.st.game.Clone().Step(t.me.action) != nil {
		return false
	}
	return t.contribute() == nil
}
