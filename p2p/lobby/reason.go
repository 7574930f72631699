package lobby

import "fmt"

// A Reason says why somebody cannot sit down at a table, or sits there no longer. It is a code: the words for it
// belong to the front end.
type Reason uint8

const (
	// Before sitting down.
	Full         Reason = iota + 1 // no seat is free
	Running                        // the game has begun
	OtherVersion                   // another version of the protocol or of the rules
	NickTaken                      // somebody at the table has this name
	Private                        // a code is needed
	Unreachable                    // seen on the network, but it does not answer
	Self                           // the table is one's own: the same identity
	NoSuchTable                    // nobody offers a table of this name
	Ambiguous                      // several offer a table of this name
	BadCard                        // what was sent to be seated is malformed or not signed

	// After.
	Left       // went away on purpose
	Silent     // nothing heard for [SilentAfter]
	HostLeft   // who opened the table closed it before the start
	HostSilent // who opened the table is not heard any more
	BadHost    // who opened the table sent what cannot be true
	Kicked     // who opened the table does not want this key at it, until it says otherwise
)

var reasonNames = [...]string{
	Full: "full", Running: "running", OtherVersion: "other-version", NickTaken: "nick-taken", Private: "private",
	Unreachable: "unreachable", Self: "self", NoSuchTable: "no-such-table", Ambiguous: "ambiguous", BadCard: "bad-card",
	Left: "left", Silent: "silent", HostLeft: "host-left", HostSilent: "host-silent", BadHost: "bad-host",
	Kicked: "kicked",
}

func (r Reason) String() string {
	if int(r) < len(reasonNames) && reasonNames[r] != "" {
		return reasonNames[r]
	}
	return fmt.Sprintf("reason %d", uint8(r))
}

// A Refusal is the error of whoever does not sit at a table, or no longer.
type Refusal struct {
	Reason Reason
	Detail string // what the other side speaks, for OtherVersion; the table's name for NoSuchTable and Ambiguous
}

func (e *Refusal) Error() string {
	text := "table: " + e.Reason.String()
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	return text
}
