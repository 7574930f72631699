package table

import "time"

// standstill is how long a round stays open before what is held of it ends the game for who cannot tell at once.
const standstill = 20 * time.Second

// fate ends the game by what is held of the open round when that has stood still for long. A member that speaks knows
// that the round is open, for it cannot close without its seal, and ends at once by a fault or a wish that the others
// cannot go on without. Who only follows may be behind: what a seat says today of a round long closed must not stop it.
// And a seal with another state may be a lie told to this peer alone, whose other half is on its way.
func (t *Table) fate() {
	end := t.open.differs
	var last *wish
	for s, f := range t.open.faults {
		if f != nil && !t.speaks() && t.st.members.Has(s) && !t.possible(t.open.vote.guilty) {
			end = voidBy(f)
			break
		}
	}
	for s, w := range t.wish {
		if w != nil && !t.speaks() && t.st.members.Has(s) && t.st.endsBy(w.env) {
			last = w
			break
		}
	}
	switch {
	case end == nil && last == nil:
		t.fated = 0
	case t.fated == 0:
		t.fated = max(t.now, 1)
	case t.now-t.fated < standstill:
	case last != nil:
		t.endBy(last.env)
	default:
		t.stop(end)
	}
}

// endBy ends the game by the wish of a seat to leave.
func (t *Table) endBy(wish Envelope) {
	t.ended = append(t.ended, wish)
	t.stop(&End{Result: Void, Left: int(wish.Seat), Reason: t.st.roster.Joins[wish.Seat].Nick + " left"})
}

// voidBy is the end by a fault that the others cannot go on after.
func voidBy(f *Fault) *End {
	return &End{Result: Void, Left: -1, Fault: f, Reason: f.String()}
}
