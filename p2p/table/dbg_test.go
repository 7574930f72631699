package table

import "fmt"

func (t *Table) dump() string {
	d, out := t.suspects()
	s := fmt.Sprintf("seat %d round %d %v from %v members %v holders %v most %d need %d suspects %v %v absent %v now %v called@%v fullAt %v opened %v mute %v replay %v past %d started %v\n", t.me.seat, t.st.round, t.ex.Kind, t.ex.From.List(), t.st.members.List(), t.st.holders.List(), t.open.vote.most, t.open.vote.need, d.List(), out, t.patience.absent.List(), t.now, t.patience.called, t.open.fullAt, t.open.openedAt, t.mute, t.replay, len(t.me.past), t.started)
	for _, c := range t.open.calls {
		s += fmt.Sprintf("   call of %d: ballot %d out %v told %v counts %v top %v %d\n", c.vote.seat, c.vote.ballot, dropped(c.vote.out).List(), c.told, t.open.vote.counts(c.vote), c.vote.top.some, c.vote.top.ballot)
	}
	for i := range MaxSeats {
		for _, h := range t.open.seals[i] {
			s += fmt.Sprintf("   seal of %d: ballot %d %v\n", i, h.seal.Ballot, h.seal.Value)
		}
		if len(t.open.says[i]) > 0 {
			s += fmt.Sprintf("   say of %d\n", i)
		}
	}
	return s
}
