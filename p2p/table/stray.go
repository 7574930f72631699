package table

import (
	"bytes"
	"fmt"
	"time"
)

// A stray is a message without a place at this table: in the name of a seat that has not signed it, of another table, or
// of a round closed long ago. It is dropped, and no seat answers for it, for anybody can make up the first and repeat the
// others; so it is a fault of nobody, which no vote and no state ever sees. What came in can be shown all the same: the
// first of each sort in the name of each seat is noted, no more than maxStrays of a game, and nothing but the first is
// looked at, so that a flood of them costs no signature.
const maxStrays = 8

// staleAfter is how long a round must have been closed here before a message of it is a stray: late answers, a seat that
// starts again, and a slow network bring earlier ones among honest peers.
const staleAfter = 2 * time.Minute

// straySort tells strays apart before any signature is checked.
type straySort uint8

const (
	strayName  straySort = iota // of this table and about the open round
	strayTable                  // of another table
	strayRound                  // of a round closed long ago
	straySorts
)

// strays is what a table has noted of them.
type strays struct {
	looked [straySorts]Seats // in whose name one was looked at
	noted  int
}

// stray looks at an envelope that has no place here.
func (t *Table) stray(e Envelope) {
	if t.end != nil || t.replay || t.strays.noted == maxStrays {
		return
	}
	sort := strayName
	switch {
	case e.Table != t.st.roster.Table:
		sort = strayTable
	case e.Kind != KindWish && e.Round+1 < t.st.round:
		if !t.stale(e) {
			return
		}
		sort = strayRound
	}
	if t.strays.looked[sort].Has(int(e.Seat)) {
		return
	}
	t.strays.looked[sort] |= only(int(e.Seat))
	e.Raw = bytes.Clone(e.Raw) // the packet it came in goes
	if f, ok := t.st.strayOf(e); ok {
		t.strays.noted++
		t.out.Strays = append(t.out.Strays, *f)
	}
}

// stale reports whether the round of an envelope was closed so long ago that its seat cannot be late. A seat that was
// taken out may be: it starts again where it stood.
func (t *Table) stale(e Envelope) bool {
	return t.st.members.Has(int(e.Seat)) && uint64(e.Round) < uint64(len(t.log)) && t.now-t.log[e.Round].at >= staleAfter
}

// strayOf is what is out of place about an envelope, as far as the table and the rounds that are closed show it.
func (st *state) strayOf(e Envelope) (*Fault, bool) {
	f := &Fault{Table: st.roster.Table, Seat: noSeat, Round: e.Round, Evidence: [][]byte{e.Raw}}
	by, here := st.signer(e), e.Table == st.roster.Table
	what := fmt.Sprintf("a %v of round %d of table %v in the name of seat %d", e.Kind, e.Round, e.Table, e.Seat)
	switch {
	case by < 0:
		f.Kind, f.Reason = FaultStranger, what+", signed with no key of this table"
	case !here:
		f.Kind, f.Reason = FaultReplay, fmt.Sprintf("%s there, signed with the key of seat %d here", what, by)
	case by != int(e.Seat):
		f.Kind, f.Reason = FaultStranger, fmt.Sprintf("%s, signed with the key of seat %d", what, by)
	case st.passed(e):
		f.Kind, f.Reason = FaultReplay, what+", which has signed it, when the round was closed"
	default:
		return nil, false
	}
	if by >= 0 {
		f.Signer = st.roster.Joins[by].Key
	}
	return f, true
}

// passed reports whether an envelope is of a round that is closed. A wish is of none.
func (st *state) passed(e Envelope) bool { return e.Kind != KindWish && e.Round < st.round }

// signer is the seat with whose key an envelope is signed, first of all the one that it names; -1: none.
func (st *state) signer(e Envelope) int {
	if int(e.Seat) < len(st.roster.Joins) && e.signedBy(st.suite, st.roster.Joins[e.Seat].Key) {
		return int(e.Seat)
	}
	for s, j := range st.roster.Joins {
		if s != int(e.Seat) && e.signedBy(st.suite, j.Key) {
			return s
		}
	}
	return noSeat
}
