package table

import (
	"errors"
	"fmt"

	"standoff/engine"
)

// Report is the verdict on a transcript.
type Report struct {
	Result  Result
	Table   Hash
	Name    string
	Players []Seated
	Sets    []string
	Options [][2]string
	Rounds  int // closed
	Proofs  int // verified
	Outcome engine.Outcome
	Winners []int  // roster seats; of a finished game only, for until then nobody has signed that they won
	Left    int    // void: who left, -1
	Moves   []Move // removals and returns, in order
	Faults  []Fault
	Note    string // incomplete: after which round and why
}

// Move is a seat that was taken out of the members, or came back.
type Move struct {
	Round uint32
	Seat  int
	Back  bool
	Why   Reason
	Fault string // of a cheat: what it did
	Proof *Fault // and what proves it
}

func (m Move) String() string {
	if m.Back {
		return fmt.Sprintf("round %d: seat %d returned", m.Round, m.Seat)
	}
	if m.Fault != "" {
		return fmt.Sprintf("round %d: seat %d removed: %s", m.Round, m.Seat, m.Fault)
	}
	return fmt.Sprintf("round %d: seat %d removed: %v", m.Round, m.Seat, m.Why)
}

// Seated is a player of a transcript, in roster order.
type Seated struct {
	Nick      string
	Key       []byte
	Bot       bool
	Place     int // around the table, -1 before places are drawn
	Role      engine.Role
	Character engine.Kind
}

// UnreadableError says that a file is no transcript that this program can judge.
type UnreadableError struct{ Err error }

func (e *UnreadableError) Error() string { return e.Err.Error() }
func (e *UnreadableError) Unwrap() error { return e.Err }

// AlteredError says that a transcript is not what the seats signed: where, whose message, and why.
type AlteredError struct {
	Message int // number in the file, from 0; -1 for the roster
	Round   uint32
	Seat    int // -1 when it cannot be told
	Err     error
}

func (e *AlteredError) Error() string {
	switch {
	case e.Message < 0:
		return "the roster is not as it was signed: " + e.Err.Error()
	case e.Seat < 0:
		return fmt.Sprintf("message %d, in round %d: %v", e.Message, e.Round, e.Err)
	}
	return fmt.Sprintf("round %d: seat %d: %v", e.Round, e.Seat, e.Err)
}

func (e *AlteredError) Unwrap() error { return e.Err }

// batchRounds is how many rounds' proofs are verified together.
const batchRounds = 48

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

type checkOwner struct {
	seat    int
	round   uint32
	message int
	kind    RoundKind
	raw     []byte
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

// Verify judges a whole transcript: signatures, chain, every proof, every rule. A report with Faults names who
// cheated. Errors: [*UnreadableError] for what is no transcript, [*AlteredError] for one that was changed.
func Verify(file []byte, rules func(sets []string) (*engine.Rules, error)) (*Report, error) {
	r, err := Open(file, rules)
	if err != nil {
		return nil, err
	}
	for {
		more, err := r.Round()
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
	}
	return r.Report()
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
	var calls []Envelope
	var out Seats // who goes: calls of such a seat are evidence
	for st.vote(ex).most > 0 && r.next(KindCall) {
		e, err := r.envelope(r.at)
		if err != nil {
			return false, err
		}
		if e.Prev != st.head || out.Has(int(e.Seat)) {
			break
		}
		if n := len(calls); n > 0 && e.Seat <= calls[n-1].Seat {
			return false, &AlteredError{Message: r.at, Round: st.round, Seat: int(e.Seat), Err: errors.New("the calls are not in the order of seats")}
		}
		if _, c, wrong := readCall(e); wrong == nil && len(calls) == 0 {
			out = dropped(c.out)
		}
		calls = append(calls, e)
		r.at++
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
	for s, p := range o.parts {
		if p == nil {
			continue
		}
		for _, c := range p.checks {
			r.checks = append(r.checks, c)
			r.owners = append(r.owners, checkOwner{s, st.round, start, ex.Kind, r.frames[start]})
		}
		start++
	}
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
		return false, &AlteredError{Message: start, Round: st.round, Seat: -1, Err: err}
	}
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
	r.st = next
	if r.pending++; r.pending >= batchRounds {
		return r.trailer.faults == nil, r.flush()
	}
	return true, nil
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
		return e, &AlteredError{Message: i, Round: st.round, Seat: -1, Err: fmt.Errorf("message %d of the file is none: %w", i, err)}
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

// flush verifies the proofs gathered so far; a false one becomes a fault of its seat.
func (r *Replay) flush() error {
	checks, owners := r.checks, r.owners
	r.checks, r.owners, r.pending = nil, nil, 0
	i, err := r.st.suite.VerifyAll(checks)
	if err == nil {
		r.proofs += len(checks)
		return nil
	}
	if i < 0 {
		return err
	}
	o := owners[i]
	r.proofs += i
	r.trailer.faults = append(r.trailer.faults, Fault{Table: r.st.roster.Table, Seat: o.seat, Kind: proofFault(o.kind),
		Round: o.round, Reason: err.Error(), Evidence: [][]byte{o.raw}})
	return nil
}

// Report reads the trailer and sums up. It is called when Round has no more.
func (r *Replay) Report() (*Report, error) {
	if err := r.flush(); err != nil {
		return nil, err
	}
	if r.trailer.faults == nil && r.st.stage != atEnd {
		if err := r.readTrailer(); err != nil {
			return nil, err
		}
	} else if r.trailer.faults == nil && r.at < len(r.frames) {
		return nil, &AlteredError{Message: r.at, Round: r.st.round, Seat: -1, Err: errors.New("messages after the end of the game")}
	}
	if r.torn != nil {
		lost := AlteredError{Message: len(r.frames), Round: r.st.round, Seat: -1, Err: r.torn.err}
		switch {
		case r.torn.altered:
			return nil, &lost
		case r.st.stage == atEnd || r.trailer.left >= 0:
			lost.Err = fmt.Errorf("after the end of the game: %w", r.torn.err)
			return nil, &lost
		}
	}
	return r.sum(), nil
}

func (r *Replay) sum() *Report {
	st, o := r.st, r.st.roster.Offer
	rep := &Report{Table: st.roster.Table, Name: o.Name, Sets: o.Sets, Options: o.Options, Rounds: int(st.round),
		Proofs: r.proofs, Left: r.trailer.left, Moves: r.moves, Faults: r.trailer.faults}
	for i, j := range st.roster.Joins {
		p := Seated{Nick: j.Nick, Key: j.Key, Bot: j.Bot, Place: -1}
		if st.game != nil {
			p.Place = int(st.place(i))
			pl := st.game.State().Players[p.Place]
			p.Role, p.Character = pl.Role, pl.Character
		}
		rep.Players = append(rep.Players, p)
	}
	switch {
	case len(rep.Faults) > 0 || rep.Left >= 0:
		rep.Result = Void
	case st.stage == atEnd:
		rep.Result = Finished
	default:
		rep.Note = fmt.Sprintf("incomplete after round %d", int(st.round)-1)
		switch {
		case r.torn != nil:
			rep.Note += ": " + r.torn.err.Error()
		case st.game != nil && st.game.State().Over != engine.NotOver:
			rep.Note += ", before all had signed the result"
		}
	}
	if rep.Result == Finished {
		res := st.result()
		rep.Outcome = res.Outcome
		for _, w := range res.Winners {
			rep.Winners = append(rep.Winners, int(w))
		}
	}
	return rep
}

// Game is the game as it stands after the rounds taken in, and the events of the last of them; nil before there
// is a game.
func (r *Replay) Game() (*engine.Game, []engine.Event) { return r.st.game, r.st.events }

// Defaults are the roster seats whose decision in the round before was the default: their time had run out, or they are
// away.
func (r *Replay) Defaults() []int {
	var list []int
	for _, s := range r.st.byDefault {
		list = append(list, int(s))
	}
	return list
}

// Progress is what the last round was, for a reader who follows: its number and what it brought.
func (r *Replay) Progress() (closed int, roster *Roster) { return int(r.st.round), r.st.roster }

// SeatAt turns a place of the engine into a roster seat.
func (r *Replay) SeatAt(p engine.Seat) int { return r.st.seat(p) }
