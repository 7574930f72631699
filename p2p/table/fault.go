package table

import "fmt"

// FaultKind says what a seat did wrong.
type FaultKind uint8

// The kinds of fault. Silence is none of them.
const (
	FaultNone FaultKind = iota
	FaultShape
	FaultSignature
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
	FaultChain
	FaultPromise
)

func (k FaultKind) String() string {
	names := [...]string{"no fault", "malformed message", "bad signature", "bad key", "bad share", "false complaint", "bad shuffle",
		"bad layer", "bad retarget", "illegal action", "two different messages for one round", "false key at the end",
		"wrong result", "broken chain", "broken promise"}
	return names[min(int(k), len(names)-1)]
}

// Fault is a misdeed that a third party can check: Evidence are the offending envelopes, and the log up to their
// head shows what they should have been.
type Fault struct {
	Table    Hash
	Seat     int
	Kind     FaultKind
	Round    uint32
	Reason   string
	Evidence [][]byte
}

// faultOf is the fault that envelopes prove against a seat.
func faultOf(seat int, m *Misdeed, evidence ...Envelope) *Fault {
	f := &Fault{Table: evidence[0].Table, Seat: seat, Kind: m.Kind, Round: evidence[0].Round, Reason: m.Reason.Error()}
	for _, e := range evidence {
		f.Evidence = append(f.Evidence, e.Raw)
	}
	return f
}

func (f Fault) String() string {
	return fmt.Sprintf("round %d: seat %d: %v: %s", f.Round, f.Seat, f.Kind, f.Reason)
}

// closeFault is a misdeed that only shows when a round is closed, of a seat that said nothing wrong in it.
type closeFault struct {
	seat int
	by   []int // the seats whose says prove it
	*Misdeed
}

func (c *closeFault) Error() string { return fmt.Sprintf("seat %d: %v", c.seat, c.Misdeed) }
