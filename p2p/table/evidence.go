package table

import (
	"bytes"
	"errors"
	"fmt"
	"math"

	"standoff/engine"
)

// evidenceMagic opens every file that proves a fault.
const evidenceMagic = "standoff evidence 1\n"

// unaccused stands for the seat in a file that accuses nobody.
const unaccused = 0xff

// evidenceText is such a file after its first line: whom it accuses, what that seat, or for a bad share the one that
// was wronged, has signed, and the game up to the round in which it was signed, as a transcript. Two envelopes that
// contradict each other need no game: then Before is the roster alone. Of a stray nobody is accused, and Before is the
// roster, or the game with the round that was closed. The file claims nothing; what the seat did, in which round and why
// that is wrong follows from it.
type evidenceText struct {
	_         struct{} `cbor:",toarray"`
	Seat      uint8
	Envelopes [][]byte
	Before    []byte
}

// Proof is what a file of evidence proves, of a stray that it accuses nobody, and who sat at the table.
type Proof struct {
	Fault
	Roster *Roster
}

// UnprovenError says that a file of evidence is whole and proves nothing against the seat that it accuses, or that what
// it shows for a stray (seat -1) is none.
type UnprovenError struct {
	Seat int
	Err  error
}

func (e *UnprovenError) Error() string {
	if e.Seat == noSeat {
		return fmt.Sprintf("it shows nothing: %v", e.Err)
	}
	return fmt.Sprintf("it proves nothing against seat %d: %v", e.Seat, e.Err)
}
func (e *UnprovenError) Unwrap() error { return e.Err }

// Evidence is a file with which anybody can check a fault of this game offline, by [VerifyEvidence].
func (t *Table) Evidence(f Fault) []byte { return f.file(t.file) }

// file puts evidence together; before gives the transcript of the first rounds.
func (f *Fault) file(before func(rounds int) []byte) []byte {
	text := evidenceText{Seat: uint8(f.Seat), Envelopes: f.Evidence, Before: before(f.rounds())}
	return append([]byte(evidenceMagic), encode(text)...)
}

// rounds is how much of the game the proof of a fault needs.
func (f *Fault) rounds() int {
	switch {
	case f.Seat == noSeat && f.Kind == FaultReplay:
		if e, err := parseEnvelope(f.Evidence[0]); err == nil && e.Table == f.Table {
			return int(f.Round) + 1 // it shows that the round was closed
		}
		return 0
	case f.Seat == noSeat || f.pair():
		return 0
	}
	return int(f.Round)
}

// pair reports whether the evidence is two envelopes that prove the fault whatever the game was.
func (f *Fault) pair() bool {
	var list []Envelope
	for _, raw := range f.Evidence {
		e, err := parseEnvelope(raw)
		if err != nil {
			return false
		}
		list = append(list, e)
	}
	if len(list) != 2 {
		return false
	}
	_, ok := convictTwo(f.Seat, list[0], list[1])
	return ok
}

// IsEvidence reports whether a file says of itself that it is evidence, IsTranscript that it is a transcript.
func IsEvidence(file []byte) bool { return bytes.HasPrefix(file, []byte(evidenceMagic)) }

// IsTranscript: see [IsEvidence].
func IsTranscript(file []byte) bool { return bytes.HasPrefix(file, []byte(magic)) }

func readEvidence(file []byte) (evidenceText, error) {
	var t evidenceText
	rest, ok := bytes.CutPrefix(file, []byte(evidenceMagic))
	if !ok || len(file) > maxTranscript {
		return t, fmt.Errorf("not a standoff evidence file: it does not begin with %q", evidenceMagic)
	}
	if err := decode(rest, &t); err != nil {
		return t, fmt.Errorf("evidence: %w", err)
	}
	if t.Seat == unaccused && len(t.Envelopes) == 1 {
		return t, nil
	}
	if int(t.Seat) >= MaxSeats || len(t.Envelopes) == 0 || len(t.Envelopes) > maxEvidence {
		return t, errors.New("evidence: out of range")
	}
	return t, nil
}

// VerifyEvidence checks a file of evidence: the game before the fault, the signatures, and that what was signed breaks
// the rules at that point, or that two envelopes contradict each other.
// Errors: [*UnreadableError] for what is no such file or has not all of the game that it needs, [*AlteredError] for a game
// that was changed, [*UnprovenError] for a false accusation.
func VerifyEvidence(file []byte, rules func(sets []string) (*engine.Rules, error)) (*Proof, error) {
	return verifyEvidence(NewRistretto(nil), file, rules)
}

func verifyEvidence(suite Suite, file []byte, rules func(sets []string) (*engine.Rules, error)) (*Proof, error) {
	t, err := readEvidence(file)
	if err != nil {
		return nil, &UnreadableError{err}
	}
	r, err := openWith(suite, t.Before, rules)
	if err != nil {
		return nil, err
	}
	if t.Seat == unaccused {
		return r.stray(t.Envelopes[0])
	}
	seat := int(t.Seat)
	unproven := func(err error) (*Proof, error) { return nil, &UnprovenError{seat, err} }
	var list []Envelope
	for _, raw := range t.Envelopes {
		e, err := parseEnvelope(raw)
		switch {
		case err != nil:
			return unproven(err)
		case e.Table != r.st.roster.Table:
			return unproven(errors.New("it was signed at another table"))
		case int(e.Seat) >= len(r.st.roster.Joins) || !e.signedBy(suite, r.st.roster.Joins[e.Seat].Key):
			return unproven(ErrSignature)
		}
		list = append(list, e)
	}
	if len(list) == maxEvidence && int(list[1].Seat) != seat {
		return unproven(fmt.Errorf("seat %d has signed it", list[1].Seat))
	}
	f := Fault{Table: r.st.roster.Table, Seat: seat, Round: list[0].Round, Evidence: t.Envelopes}
	if !f.pair() {
		if err := r.advanceTo(f.Round); err != nil {
			return nil, err
		}
		if list[0].Prev != r.st.head {
			return unproven(errors.New("it continues another log"))
		}
	}
	if err := r.exhausted(); err != nil {
		return nil, err
	}
	m, ok := r.st.convict(r.st.expect(), seat, list)
	if !ok {
		return unproven(errors.New("what was signed is as the rules want it"))
	}
	f.Kind, f.Reason = m.Kind, m.Reason.Error()
	return &Proof{Fault: f, Roster: r.st.roster}, nil
}

// stray judges evidence that accuses nobody.
func (r *Replay) stray(raw []byte) (*Proof, error) {
	e, err := parseEnvelope(raw)
	if err != nil {
		return nil, &UnprovenError{noSeat, err}
	}
	f, ok := r.st.strayOf(e)
	if !ok && e.Kind != KindWish && e.Round < math.MaxUint32 {
		if err := r.advanceTo(e.Round + 1); err != nil {
			return nil, err
		}
		f, ok = r.st.strayOf(e)
	}
	if err := r.exhausted(); err != nil {
		return nil, err
	}
	if !ok {
		return nil, &UnprovenError{noSeat, errors.New("the message is in its place")}
	}
	return &Proof{Fault: *f, Roster: r.st.roster}, nil
}

// exhausted is nil when the evidence has no more of the game than was taken in.
func (r *Replay) exhausted() error {
	if r.at < len(r.frames) || r.torn != nil {
		return &AlteredError{Message: r.at, Round: r.st.round, Seat: -1, Err: errors.New("more of the game than the evidence needs")}
	}
	return nil
}

// advanceTo takes in the rounds before one, with all their proofs.
func (r *Replay) advanceTo(round uint32) error {
	for r.st.round < round {
		more, err := r.Round()
		switch {
		case err != nil:
			return err
		case more:
			continue
		case r.trailer.faults != nil:
			return &AlteredError{Message: r.at, Round: r.st.round, Seat: -1, Err: fmt.Errorf("the game breaks the rules itself: %v", r.trailer.faults[0])}
		}
		return &UnreadableError{fmt.Errorf("the game in the file ends in round %d, the evidence needs all before round %d", r.st.round, round)}
	}
	if err := r.flush(); err != nil {
		return err
	}
	if f := r.trailer.faults; f != nil {
		return &AlteredError{Message: r.at, Round: f[0].Round, Seat: -1, Err: fmt.Errorf("the game breaks the rules itself: %v", f[0])}
	}
	return nil
}

// Evidence is the file for a fault of the game that was replayed: of the report's Faults, or of its Moves.
func (r *Replay) Evidence(f Fault) []byte {
	return f.file(func(rounds int) []byte {
		out := appendFrame([]byte(magic), r.st.roster.Raw)
		for _, b := range r.frames[:r.starts[rounds]] {
			out = appendFrame(out, b)
		}
		return out
	})
}
