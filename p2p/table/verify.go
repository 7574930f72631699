package table

import (
	"errors"
	"fmt"

	"standoff/engine"
)

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

// batchRounds is how many rounds' proofs are verified together.
const batchRounds = 48

type checkOwner struct {
	seat  int
	round uint32
	kind  RoundKind
	raw   []byte
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
