package table

import (
	"fmt"
	"slices"
)

// dump is where a table stands, for a failure that has to be understood.
func (t *Table) dump() string {
	d, out := t.suspects(t.doubts())
	s := fmt.Sprintf("seat %d round %d %v from %v members %v holders %v most %d need %d suspects %v %v now %v mute %v replay %v\n",
		t.me.seat, t.st.round, t.ex.Kind, t.ex.From.List(), t.st.members.List(), t.st.holders.List(), t.open.vote.most,
		t.open.vote.need, d.List(), out, t.now, t.mute, t.replay)
	calls := slices.Clone(t.open.calls)
	slices.SortStableFunc(calls, func(a, b *heldCall) int { return int(a.vote.ballot) - int(b.vote.ballot) })
	for _, c := range calls[max(0, len(calls)-16):] {
		s += fmt.Sprintf("   call of %d: ballot %d out %v counts %v top %v %d\n", c.vote.seat, c.vote.ballot,
			dropped(c.vote.out).List(), t.open.vote.counts(c.vote), c.vote.top.some, c.vote.top.ballot)
	}
	for i := range MaxSeats {
		for _, h := range t.open.seals[i] {
			s += fmt.Sprintf("   seal of %d: ballot %d %v\n", i, h.seal.Ballot, h.seal.Value)
		}
	}
	return s
}
