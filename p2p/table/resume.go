package table

import (
	"errors"
	"fmt"
	"slices"
)

// Resume sits down again with what the journal holds: the seat knows all that it has said and promised, says it again
// word for word where it is still wanted, and never anything else in its place. What happened since comes from the
// others. Records may be any whole beginning of what [Ready].Save has given, in its order; records of secrets may be
// read from a file of their own, before or after the others.
func Resume(c Config, records []Record) (*Table, error) {
	for _, r := range records {
		switch r.Kind {
		case RecordRoster:
			c.Roster = r.Data
		case RecordLost:
			c.Lost = true
		}
	}
	t, err := New(c)
	if err != nil {
		return nil, err
	}
	if t.me == nil {
		return nil, fmt.Errorf("an observer has no journal")
	}
	t.out = Ready{}
	t.me.past, t.me.fresh = map[uint32][]Envelope{}, map[uint32]*freshKeys{}
	var basis []Envelope // foreign ones since the last own one
	for i, r := range records {
		switch r.Kind {
		case RecordSecret:
			err = t.remember(r.Data)
		case RecordOwn, RecordForeign:
			var e Envelope
			switch e, err = parseEnvelope(r.Data); {
			case err != nil || e.Kind == KindWish:
			case r.Kind == RecordForeign:
				basis = append(basis, e)
			default:
				t.found(e, basis)
				basis = nil
			}
		}
		if err != nil {
			return nil, fmt.Errorf("record %d of the journal: %w", i, err)
		}
	}
	for _, e := range basis {
		t.me.past[e.Round] = append(t.me.past[e.Round], e)
	}
	if t.me.x == nil && !c.Lost && t.spoke() {
		return nil, ErrKeyless
	}
	t.recall()
	return t, t.progress()
}

// found notes an own envelope of the journal and the foreign ones on which it rests, each with those of its round. Calls go
// first: of a seat that has told too much only what they name is held. So is what they name of earlier rounds, for which
// there was room when the journal was written; it stands with the own envelope, too.
func (t *Table) found(own Envelope, basis []Envelope) {
	past := t.me.past
	for _, calls := range []bool{true, false} {
		for _, e := range basis {
			if calls == (e.Kind == KindCall) {
				past[e.Round] = append(past[e.Round], e)
			}
		}
	}
	named := namedEvidence(append(slices.Clone(past[own.Round]), own))
	for _, e := range basis {
		if e.Round < own.Round && slices.Contains(named, e.ID) {
			past[own.Round] = append(past[own.Round], e)
		}
	}
	past[own.Round] = append(past[own.Round], own)
}

// ErrKeyless is returned by Resume when the seat has spoken and the journal has no keys of it: the secrets are lost,
// and the seat can only sit down again as [Config].Lost.
var ErrKeyless = errors.New("the journal has no keys of this seat: its secrets are lost")

// spoke reports whether the journal has a say of this seat.
func (t *Table) spoke() bool {
	for _, list := range t.me.past {
		for _, e := range list {
			if e.Kind == KindSay && int(e.Seat) == t.me.seat {
				return true
			}
		}
	}
	return false
}

// remember takes up the secrets of one record.
func (t *Table) remember(b []byte) error {
	var s secretText
	if err := decode(b, &s); err != nil {
		return err
	}
	x, err := t.st.suite.SecretFrom(s.X)
	if err != nil {
		return err
	}
	z, err := t.st.suite.SecretFrom(s.Z)
	if err != nil {
		return err
	}
	if s.Counter == 0 {
		t.me.nonce, t.me.x, t.me.z = s.Nonce, x, z
	} else {
		t.me.fresh[s.Counter] = &freshKeys{x, z}
	}
	return nil
}

// recall brings back what the journal has of the open round: foreign envelopes, own ones with what they promise, and what
// calls name of earlier rounds. As long as it has own ones of later rounds, this round is closed already and nothing is
// said in it.
func (t *Table) recall() {
	if t.me == nil || t.me.past == nil {
		return
	}
	round := t.st.round
	list := t.me.past[round]
	delete(t.me.past, round)
	t.replay = true
	for _, e := range list {
		if e.Round < round && !t.has(e.ID) {
			t.open.pinned = append(t.open.pinned, e)
		}
		if e.Prev != t.st.head {
			continue
		}
		if !t.has(e.ID) {
			t.dispatch(e)
		}
		if int(e.Seat) == t.me.seat {
			t.open.mine[e.ID] = true
			t.promised(e)
		}
		if t.me.savedIn != round || t.me.saved == nil {
			t.me.savedIn, t.me.saved = round, map[Hash]bool{}
		}
		t.me.saved[e.ID] = true
	}
	t.replay = false
	for r := range t.me.past {
		t.replay = t.replay || r > round
	}
	if !t.replay {
		t.me.past = nil
	}
}

// promised restores what an own envelope binds this seat to.
func (t *Table) promised(e Envelope) {
	t.proveAll()
	t.weigh()
	v := &t.open.vote
	switch e.Kind {
	case KindSeal:
		var s seal
		if decode(e.Body, &s) != nil {
			return
		}
		for _, c := range v.candidates() {
			if c.value == s.Value && c.ballot == s.Ballot {
				v.own = append(v.own, ownSeal{ballot: s.Ballot, value: s.Value, verdict: c.verdict, calls: c.calls})
				return
			}
		}
		t.mute, v.me = true, -1 // the journal does not hold what the seal rests on: it is not this program's
	case KindCall:
		if c := v.call(e.ID); c != nil {
			v.called = c
			return
		}
		t.mute, v.me = true, -1
	}
}

// Conclude ends the game for a seat that has come back and finds nobody: the others have the end, and have gone. They
// cannot have it without this seat's seal of the result, and before that seal stands in the journal everybody's say of
// the result does. It reports whether the table is over; where it is not, the log of this seat is shorter than what it
// has sealed allows others to go on with, and only they know more. Should the others after all close the round without
// a say that is here, by a ballot, they have the same result: every one of them has signed it.
func (t *Table) Conclude() bool {
	if t.end != nil {
		return t.end.Result == Finished
	}
	if t.ex.Kind != RoundResult || t.replay || t.mute {
		return false
	}
	t.proveAll()
	d, full := t.open.vote.full()
	v := t.open.vote.name(d)
	sealed := slices.ContainsFunc(t.open.vote.own, func(s ownSeal) bool { return s.ballot == 0 && s.value == v })
	if !full || !sealed || t.end != nil {
		return false
	}
	next, err := t.nextOf(d, v)
	if err != nil || next == nil {
		return false
	}
	t.advance(closing{value: v, verdict: d}, next)
	return true
}
