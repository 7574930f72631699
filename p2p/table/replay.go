package table

import (
	"errors"
	"fmt"

	"standoff/engine"
)

// Replay is an observer fed from a file: it follows the rules round by round, as every peer did.
type Replay struct {
	st      *state
	rules   *engine.Rules
	frames  [][]byte
	torn    *tear
	at      int // next message
	checks  []Check
	owners  []checkOwner
	pending int // rounds in checks
	proofs  int
	trailer trailer
	moves   []Move
	proved  [MaxSeats]*Fault // what the round's calls prove
	starts  []int            // the first message of each round
}

// Open reads a transcript. Errors: [*UnreadableError], [*AlteredError].
func Open(file []byte, rules func(sets []string) (*engine.Rules, error)) (*Replay, error) {
	return openWith(NewRistretto(nil), file, rules)
}

func openWith(suite Suite, file []byte, rules func(sets []string) (*engine.Rules, error)) (*Replay, error) {
	raw, frames, torn, err := readFrames(file)
	if err != nil {
		return nil, &UnreadableError{err}
	}
	roster, err := ReadRoster(suite, raw)
	if err != nil {
		return nil, &AlteredError{Message: -1, Seat: -1, Err: err}
	}
	boxes, err := rules(roster.Offer.Sets)
	if err != nil {
		return nil, &UnreadableError{fmt.Errorf("the sets of the game: %w", err)}
	}
	st, err := newState(suite, &roster, boxes)
	if err != nil {
		return nil, &UnreadableError{err}
	}
	return &Replay{st: st, rules: boxes, frames: frames, torn: torn, trailer: trailer{left: -1}}, nil
}

// Round takes in the next complete round and reports whether there was one. After the last, what is left of the
// file is the trailer.
func (r *Replay) Round() (bool, error) {
	st := r.st
	ex := st.expect()
	if ex.From == 0 || r.trailer.faults != nil {
		return false, nil
	}
	start := r.at
	if len(r.starts) == int(st.round) {
		r.starts = append(r.starts, start)
	}
	o, d, err := r.says(ex)
	if err != nil {
		return false, err
	}
	calls, err := r.calls(ex)
	if err != nil {
		return false, err
	}
	r.proved = [MaxSeats]*Fault{}
	if len(calls) > 0 {
		fail := func(err error) (bool, error) {
			return false, &AlteredError{Message: r.at - 1, Round: st.round, Seat: int(calls[len(calls)-1].Seat), Err: err}
		}
		fresh, err := r.fresh(ex, calls, &o)
		if err != nil {
			return fail(err)
		}
		if fresh.says != d.says {
			return fail(errors.New("the round does not keep what its calls say"))
		}
		d, o.out = fresh, fresh.out
	} else if listed := len(listed(d.says)); listed < ex.From.Count() {
		r.at = start
		return false, nil // not closed: the trailer tells
	}
	end := r.owe(o, ex.Kind, start)
	next, err := st.next(ex, o, valueOf(st.round, d))
	var c *closeFault
	if errors.As(err, &c) {
		r.blame(c)
		return false, nil
	}
	if err != nil {
		if f := r.flush(); f != nil {
			return false, f
		}
		return false, &AlteredError{Message: end, Round: st.round, Seat: -1, Err: err}
	}
	r.note(next)
	r.st = next
	if r.pending++; r.pending >= batchRounds {
		return r.trailer.faults == nil, r.flush()
	}
	return true, nil
}

// calls reads the calls that closed the round, if a ballot did.
func (r *Replay) calls(ex Expect) ([]Envelope, error) {
	st := r.st
	var calls []Envelope
	var out Seats // who goes: calls of such a seat are evidence
	for st.vote(ex).most > 0 && r.next(KindCall) {
		e, err := r.envelope(r.at)
		if err != nil {
			return nil, err
		}
		if e.Prev != st.head || out.Has(int(e.Seat)) {
			break
		}
		if n := len(calls); n > 0 && e.Seat <= calls[n-1].Seat {
			return nil, &AlteredError{Message: r.at, Round: st.round, Seat: int(e.Seat), Err: errors.New("the calls are not in the order of seats")}
		}
		if _, c, wrong := readCall(e); wrong == nil && len(calls) == 0 {
			out = dropped(c.out)
		}
		calls = append(calls, e)
		r.at++
	}
	return calls, nil
}

// owe puts the proofs of the round's says, the first of which is message at, with those that are still to be verified.
func (r *Replay) owe(o outcome, kind RoundKind, at int) (after int) {
	for s, p := range o.parts {
		if p == nil {
			continue
		}
		for _, c := range p.checks {
			r.checks = append(r.checks, c)
			r.owners = append(r.owners, checkOwner{s, r.st.round, kind, r.frames[at]})
		}
		at++
	}
	return at
}

// note keeps who was taken out by the round that leads to a state, and who came back.
func (r *Replay) note(next *state) {
	st := r.st
	for s := range MaxSeats {
		if next.removals[s] > st.removals[s] {
			m := Move{Round: st.round, Seat: s, Why: next.why[s], Proof: r.proved[s]}
			if m.Proof != nil {
				m.Fault = fmt.Sprintf("%v: %s", m.Proof.Kind, m.Proof.Reason)
			}
			r.moves = append(r.moves, m)
		}
		if next.members.Has(s) && !st.members.Has(s) {
			r.moves = append(r.moves, Move{Round: st.round, Seat: s, Back: true})
		}
	}
}

// next reports whether the next message is one of that kind for the open round, or none that can be read.
func (r *Replay) next(k Kind) bool {
	if r.at >= len(r.frames) {
		return false
	}
	e, err := parseEnvelope(r.frames[r.at])
	return err != nil || e.Kind == k && e.Round == r.st.round
}

// says reads the says of the round that the file has.
func (r *Replay) says(ex Expect) (outcome, verdict, error) {
	o := outcome{parts: make([]*part, MaxSeats)}
	var d verdict
	last := -1
	for r.next(KindSay) {
		e, err := r.envelope(r.at)
		if err != nil {
			return o, d, err
		}
		seat := int(e.Seat)
		if seat <= last || !ex.From.Has(seat) {
			break
		}
		p, wrong := r.readSay(e)
		if wrong != nil {
			break // the trailer tells
		}
		o.parts[seat], d.says[seat], last = &p, e.ID, seat
		o.back = append(o.back, p.wishes...)
		r.at++
	}
	return o, d, nil
}

// fresh checks the calls that closed a round, with the evidence that follows them, and gives the value they make.
func (r *Replay) fresh(ex Expect, calls []Envelope, o *outcome) (verdict, error) {
	st := r.st
	evidence := map[Hash]Envelope{}
	for _, id := range namedEvidence(calls) {
		if r.at >= len(r.frames) {
			return verdict{}, errors.New("the evidence that a call names is missing")
		}
		e, err := parseEnvelope(r.frames[r.at])
		if err != nil || e.ID != id {
			return verdict{}, errors.New("the evidence is not what the calls name")
		}
		evidence[id] = e
		r.at++
	}
	v := st.vote(ex)
	for _, e := range calls {
		b, c, wrong := readCall(e)
		if wrong != nil {
			return verdict{}, wrong
		}
		wishes, err := st.supported(ex, b, func(id Hash) (Envelope, bool) { e, ok := evidence[id]; return e, ok })
		if err != nil {
			return verdict{}, err
		}
		o.back = append(o.back, wishes...)
		v.calls = append(v.calls, c)
		for _, w := range b.Out {
			if w.Why == Cheat {
				var list []Envelope
				for _, id := range w.Evidence {
					list = append(list, evidence[id])
				}
				if m, ok := st.convict(ex, int(w.Seat), list); ok {
					r.proved[w.Seat] = faultOf(int(w.Seat), m, list...)
				}
			}
		}
	}
	switch d := dropped(v.calls[0].out); {
	case st.stage < atPlay || !v.may(d) || !v.complete(v.calls) || len(v.calls) != (v.members&^d).Count():
		return verdict{}, errors.New("the calls do not close the round")
	case v.quarrel(v.calls, v.members&^d) || v.adopted(v.calls) != nil:
		return verdict{}, errors.New("the calls make another value")
	}
	return v.fresh(v.calls), nil
}

// envelope reads message i and checks whose it is.
func (r *Replay) envelope(i int) (Envelope, error) {
	st := r.st
	e, err := parseEnvelope(r.frames[i])
	if err != nil {
		return e, &AlteredError{Message: i, Round: st.round, Seat: -1, Err: fmt.Errorf("message %d of the file cannot be read: %w", i, err)}
	}
	fail := func(err error) (Envelope, error) {
		return e, &AlteredError{Message: i, Round: st.round, Seat: int(e.Seat), Err: err}
	}
	switch {
	case int(e.Seat) >= len(st.roster.Joins):
		return e, &AlteredError{Message: i, Round: st.round, Seat: -1, Err: fmt.Errorf("seat %d is not at the table", e.Seat)}
	case !e.signedBy(st.suite, st.roster.Joins[e.Seat].Key):
		return fail(ErrSignature)
	case e.Table != st.roster.Table:
		return fail(errors.New("the message is of another table"))
	case e.Kind == KindSay && e.Round == st.round && e.Prev != st.head:
		return fail(fmt.Errorf("the message continues another log (%v) than this one (%v)", e.Prev, st.head))
	}
	return e, nil
}

func (r *Replay) readSay(e Envelope) (part, *Misdeed) {
	return r.st.readSay(r.st.expect(), e)
}

// Game is the game as it stands after the rounds taken in, and the events of the last of them; nil before there
// is a game.
func (r *Replay) Game() (*engine.Game, []engine.Event) { return r.st.game, r.st.events }

// Defaults are the roster seats for which the default was played in the round before because their time had run out. For
// who is away it always is.
func (r *Replay) Defaults() []int {
	var list []int
	for _, s := range r.st.byDefault {
		if !r.st.told.Has(int(s)) {
			list = append(list, int(s))
		}
	}
	return list
}

// Progress is what the last round was, for a reader who follows: its number and what it brought.
func (r *Replay) Progress() (closed int, roster *Roster) { return int(r.st.round), r.st.roster }

// SeatAt turns a place of the engine into a roster seat.
func (r *Replay) SeatAt(p engine.Seat) int { return r.st.seat(p) }
