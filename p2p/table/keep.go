package table

import "slices"

// keep puts the closed round on the log.
func (t *Table) keep(c closing, head Hash) {
	if t.speaks() {
		t.saveHeld()
	}
	r := closedRound{at: t.now, voted: c.ballot > 0}
	for _, id := range c.verdict.says {
		if id != (Hash{}) {
			e, _ := t.envelope(id)
			r.says = append(r.says, e)
		}
	}
	for _, id := range c.verdict.calls {
		if id != (Hash{}) {
			e, _ := t.envelope(id)
			r.calls = append(r.calls, e)
		}
	}
	for _, id := range namedEvidence(r.calls) {
		e, _ := t.envelope(id)
		r.evidence = append(r.evidence, e)
	}
	for _, s := range c.by.List() {
		for _, h := range t.open.seals[s] {
			if h.seal.Ballot == c.ballot && h.seal.Value == c.value && h.seal.Head == head {
				r.seals = append(r.seals, h.env)
				break
			}
		}
	}
	for _, e := range r.seals { // what closed the round must be there for others after all have started again
		if t.me != nil && int(e.Seat) != t.me.seat && !t.me.saved[e.ID] {
			t.save(RecordForeign, e.Raw)
		}
	}
	r.rest = t.heldEnvelopes()
	t.log = append(t.log, r)
	if n := len(t.log) - 4; n >= 0 && !t.log[n].voted && !t.log[n+1].voted {
		t.log[n].rest = nil
	}
}

// heldEnvelopes is all that is held of the open round, in a fixed order: calls before what they name. Of a seat that has
// said many things, and of an older round, nobody holds what is not named.
func (t *Table) heldEnvelopes() []Envelope {
	list := make([]Envelope, 0, 2*MaxSeats)
	for _, h := range t.open.calls {
		list = append(list, h.env)
	}
	for s := range MaxSeats {
		for _, h := range t.open.says[s] {
			list = append(list, h.env)
		}
	}
	list = append(list, t.open.wrong...)
	for _, e := range t.open.pinned {
		if !slices.ContainsFunc(list, func(o Envelope) bool { return o.ID == e.ID }) {
			list = append(list, e)
		}
	}
	for s := range MaxSeats {
		list = append(list, t.open.evidence[s]...)
	}
	for s := range MaxSeats {
		for _, h := range t.open.seals[s] {
			list = append(list, h.env)
		}
	}
	return list
}

// own signs an envelope of this seat, holds it, and queues it for journal and network.
func (t *Table) own(k Kind, body any) Envelope {
	e := sealEnvelope(t.st.suite, t.me.id, text{
		Kind: k, Table: t.st.roster.Table, Round: t.st.round, Seat: uint8(t.me.seat), Prev: t.st.head, Body: encode(body),
	})
	t.open.mine[e.ID] = true
	switch k {
	case KindSay:
		t.hearSay(e)
	case KindSeal, KindCall:
		t.saveHeld()
		if k == KindSeal {
			t.hearSeal(e)
		}
	}
	t.save(RecordOwn, e.Raw)
	t.queue = append(t.queue, e.Raw)
	return e
}

// saveHeld puts what an own seal or call rests on into the journal. Seals of others are not among it, but as evidence:
// this seat's own, and what the calls that it counts name.
func (t *Table) saveHeld() {
	for _, e := range t.heldEnvelopes() {
		if int(e.Seat) == t.me.seat || e.Kind == KindSeal && !t.open.proves(e) && t.named(e) == 0 || t.me.saved[e.ID] {
			continue
		}
		if t.me.savedIn != t.st.round || t.me.saved == nil {
			t.me.savedIn, t.me.saved = t.st.round, map[Hash]bool{}
		}
		t.me.saved[e.ID] = true
		t.save(RecordForeign, e.Raw)
	}
}
