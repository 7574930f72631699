package table

import (
	"bytes"
	"errors"
	"fmt"

	"standoff/engine"
)

// evidenceMagic opens every file that proves a fault.
const evidenceMagic = "standoff evidence 1\n"

// evidenceText is such a file after its first line: the fault with the envelopes that prove it, and the game up to
// the round in which it happened, as a transcript.
type evidenceText struct {
	_      struct{} `cbor:",toarray"`
	Fault  faultText
	Before []byte
}

type faultText struct {
	_        struct{} `cbor:",toarray"`
	Table    Hash
	Seat     uint8
	Kind     FaultKind
	Round    uint32
	Reason   string
	Evidence [][]byte
}

// Encode is the fault alone, for a journal or the wire. [Table.Evidence] adds what a stranger needs to judge it.
func (f Fault) Encode() []byte { return encode(f.text()) }

func (f Fault) text() faultText {
	t := faultText{Table: f.Table, Seat: uint8(f.Seat), Kind: f.Kind, Round: f.Round, Reason: f.Reason, Evidence: f.Evidence}
	if t.Evidence == nil {
		t.Evidence = [][]byte{}
	}
	return t
}

// ReadFault is the inverse of Encode. It says nothing about whether the fault is true.
func ReadFault(b []byte) (Fault, error) {
	var t faultText
	if err := decode(b, &t); err != nil {
		return Fault{}, fmt.Errorf("fault: %w", err)
	}
	if int(t.Seat) >= MaxSeats || len(t.Evidence) > maxEvidence {
		return Fault{}, errors.New("fault: out of range")
	}
	return Fault{Table: t.Table, Seat: int(t.Seat), Kind: t.Kind, Round: t.Round, Reason: t.Reason, Evidence: t.Evidence}, nil
}

// Evidence is a file with which anybody can check a fault of this game offline, by [VerifyFault].
func (t *Table) Evidence(f Fault) []byte {
	before := t.file(int(f.Round))
	return append([]byte(evidenceMagic), encode(evidenceText{Fault: f.text(), Before: before})...)
}

// VerifyFault checks a file that Evidence made: the game before the fault, the signatures of the envelopes, and that
// they break the rules at that point. The fault it returns is what was proved, whatever the file claims.
// Errors: [*UnreadableError] for what is no such file, [*AlteredError] for a game that was changed; any other says why
// the envelopes prove nothing against that seat.
func VerifyFault(file []byte, rules func(sets []string) (*engine.Rules, error)) (Fault, error) {
	rest, ok := bytes.CutPrefix(file, []byte(evidenceMagic))
	if !ok || len(file) > maxTranscript {
		return Fault{}, &UnreadableError{errors.New("not a standoff evidence file")}
	}
	var t evidenceText
	if err := decode(rest, &t); err != nil {
		return Fault{}, &UnreadableError{fmt.Errorf("evidence: %w", err)}
	}
	r, err := Open(t.Before, rules)
	if err != nil {
		return Fault{}, err
	}
	for r.st.round < t.Fault.Round {
		more, err := r.Round()
		if err != nil {
			return Fault{}, err
		}
		if !more {
			return Fault{}, fmt.Errorf("the game in the file ends before round %d", t.Fault.Round)
		}
	}
	if err := r.flush(); err != nil {
		return Fault{}, err
	}
	if r.trailer.faults != nil {
		return Fault{}, fmt.Errorf("the game in the file breaks the rules itself: %v", r.trailer.faults[0])
	}
	if t.Fault.Table != r.st.roster.Table {
		return Fault{}, errors.New("the evidence is of another game")
	}
	var evidence []Envelope
	for _, raw := range t.Fault.Evidence {
		e, err := parseEnvelope(raw)
		if err != nil {
			return Fault{}, fmt.Errorf("evidence: %w", err)
		}
		if !e.signedBy(r.st.suite, r.st.seatKey(e.Seat)) {
			return Fault{}, fmt.Errorf("evidence: %w", ErrSignature)
		}
		evidence = append(evidence, e)
	}
	m, ok := r.st.convict(r.st.expect(), int(t.Fault.Seat), evidence)
	if !ok {
		return Fault{}, fmt.Errorf("the evidence proves nothing against seat %d", t.Fault.Seat)
	}
	return Fault{Table: t.Fault.Table, Seat: int(t.Fault.Seat), Kind: m.Kind, Round: t.Fault.Round,
		Reason: m.Reason.Error(), Evidence: t.Fault.Evidence}, nil
}

// seatKey is the identity key of a seat, nil for none.
func (st *state) seatKey(seat uint8) []byte {
	if int(seat) >= len(st.roster.Joins) {
		return nil
	}
	return st.roster.Joins[seat].Key
}
