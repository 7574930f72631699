package table

import (
	"crypto/ed25519"
	"fmt"
)

// FaultKind says what a seat did wrong, or, of a stray, what is out of place about a message that accuses no seat.
type FaultKind uint8

// The kinds of fault. Silence is none of them.
const (
	FaultNone FaultKind = iota
	FaultShape
	FaultStranger // a stray
	FaultPossession
	FaultDealing
	FaultComplaint
	FaultShuffle
	FaultLayers
	FaultRetarget
	FaultIllegal
	FaultEquivocation
	FaultKey
	FaultResult
	FaultReplay // a stray
	FaultPromise
	faultKinds
)

func (k FaultKind) String() string {
	names := [faultKinds]string{"no fault", "malformed message", "message of a stranger", "bad key", "bad share", "false complaint", "bad shuffle",
		"bad layer", "bad retarget", "illegal action", "two different messages for one round", "false key at the end",
		"wrong result", "message of another table or round", "broken promise"}
	return names[min(k, faultKinds-1)]
}

// noSeat is the seat of a fault that accuses none.
const noSeat = -1

// Fault is a misdeed that a third party can check: Evidence are the offending envelopes, and the log up to their
// head shows what they should have been.
type Fault struct {
	Table    Hash
	Seat     int // -1: nobody, for what came in could have been sent by anybody
	Kind     FaultKind
	Round    uint32 // of the table that the evidence names
	Reason   string
	Evidence [][]byte
	Signer   ed25519.PublicKey // of a stray: the key of this table that has signed it, nil: none
}

// faultOf is the fault that envelopes prove against a seat.
func faultOf(seat int, m *Misdeed, evidence ...Envelope) *Fault {
	f := &Fault{Table: evidence[0].Table, Seat: seat, Kind: m.Kind, Round: evidence[0].Round, Reason: m.Reason.Error()}
	for _, e := range evidence {
		f.Evidence = append(f.Evidence, e.Raw)
	}
	return f
}

// Stray reports whether the fault is a message without a place at the table, which accuses nobody.
func (f Fault) Stray() bool { return f.Seat == noSeat }

func (f Fault) String() string {
	if f.Stray() {
		return fmt.Sprintf("%v: %s", f.Kind, f.Reason)
	}
	return fmt.Sprintf("round %d: seat %d: %v: %s", f.Round, f.Seat, f.Kind, f.Reason)
}

// closeFault is a misdeed that only shows when a round is closed, of a seat that said nothing wrong in it.
type closeFault struct {
	seat int
	by   []int // the seats whose says prove it
	*Misdeed
}

func (c *closeFault) Error() string { return fmt.Sprintf("seat %d: %v", c.seat, c.Misdeed) }
