package table

import "sync/atomic"

// Verdict is what a [Gate] thinks of a packet at first sight.
type Verdict uint8

// The verdicts: pass on and deliver; drop without blame (old, or too early); drop as nobody's or malformed.
const (
	Accept Verdict = 1 + iota
	Ignore
	Reject
)

// Gate judges packets before they reach a table: length, shape, table, seat and signature, and whether the round
// is near the open one. It may be used by many goroutines while the table goes on.
type Gate struct {
	roster *Roster
	suite  Suite
	round  atomic.Uint32
	turned atomic.Pointer[Envelope] // one that was turned away, until the table has looked at it
}

// Gate is the gate of this table. It follows the open round by itself.
func (t *Table) Gate() *Gate { return t.gate }

// Look judges one packet. A packet with one bad envelope is bad as a whole, for honest peers pass on none.
func (g *Gate) Look(packet []byte) Verdict {
	all, err := unbundle(packet)
	if err != nil {
		return Reject
	}
	useful := false
	round := g.round.Load()
	for _, raw := range all {
		e, err := parseEnvelope(raw)
		if err != nil {
			return Reject
		}
		if e.Table != g.roster.Table || int(e.Seat) >= len(g.roster.Joins) {
			g.turnAway(e)
			return Reject
		}
		if e.Kind != KindWish && (e.Round+1 < round || e.Round > round+1) {
			if e.Round < round {
				g.turnAway(e)
			}
			continue // not worth the check of a signature
		}
		if !e.signedBy(g.suite, g.roster.Joins[e.Seat].Key) {
			g.turnAway(e)
			return Reject
		}
		useful = true
	}
	if !useful {
		return Ignore
	}
	return Accept
}

// turnAway leaves an envelope that is not let in for the table to look at, unless another waits there: strays are
// samples.
func (g *Gate) turnAway(e Envelope) { g.turned.CompareAndSwap(nil, &e) }
