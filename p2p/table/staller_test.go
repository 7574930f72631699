package table

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// staller is seat 2, which calls, for going on without nobody, where it owes a say. It has said nothing and breaks no
// promise, so nothing convicts it, and it seals what the ballot closes the round with.
func staller(w *world, of func(RoundKind) bool) *liar {
	l := &liar{seat: 2, after: 6}
	calls := func(tbl *Table) {
		v := &tbl.open.vote
		if v.called != nil || len(v.own) > 0 || v.me < 0 {
			return
		}
		l.lied++
		tbl.open.says[2], v.says[2] = nil, nil
		c := v.draft(1, nil)
		body := c.text([][]byte{})
		e := tbl.own(KindCall, body)
		c.id = e.ID
		tbl.open.calls = append(tbl.open.calls, &heldCall{env: e, body: body, vote: c, told: true})
		v.make(c)
		tbl.patience.waits = tbl.now + time.Hour // it waits for the others
	}
	l.behaviour = behaviour{name: "calls instead of saying", lie: func(_ *liar, w *world, _ int, e Envelope) [][]byte {
		var s say
		if e.Kind != KindSay || decode(e.Body, &s) != nil || !of(s.Kind) {
			return [][]byte{e.Raw}
		}
		if tbl := w.tables[2]; e.Round == tbl.st.round {
			calls(tbl)
		}
		return nil
	}}
	w.onRest = func(i int, tbl *Table) {
		w.thinks = [MaxSeats][MaxSeats]time.Duration{}                        // nobody asks for the table to go on without it
		if i == 2 && tbl.st.round >= l.after && tbl.Asked() && of(RoundAct) { // the answer would be sealed with the say
			calls(tbl)
		}
	}
	w.liars[2] = l
	return l
}

// TestWhoCallsInsteadOfSayingDoesNotHoldTheTableUp: who has called cannot say any more, and the members close the round
// without it. Where a seat does so round after round they go on without it.
func TestWhoCallsInsteadOfSayingDoesNotHoldTheTableUp(t *testing.T) {
	t.Parallel()
	for i, r := range []struct {
		name string
		of   func(RoundKind) bool
	}{
		{"in every round", func(RoundKind) bool { return true }},
		{"where all or nothing is kept", func(k RoundKind) bool { return !k.keeps() }},
		{"when it is asked for a decision", func(k RoundKind) bool { return k == RoundAct }},
	} {
		t.Run(r.name, func(t *testing.T) {
			w := fair(t, uint64(990+i), 5, [2]string{"clock", "10s+2s"})
			l := staller(w, r.of)
			w.finishes(t)
			require.Positive(t, l.lied)
			require.Less(t, w.now, 20*time.Minute)
		})
	}
}

// runner is seat 2, which says nothing and calls in a later ballot than the others go on to, so that it is in none of
// theirs.
func runner(w *world) *liar {
	l := &liar{seat: 2, after: 6}
	l.behaviour = behaviour{name: "runs ahead in the ballots", lie: func(_ *liar, _ *world, _ int, e Envelope) [][]byte {
		if e.Round < l.after && e.Kind != KindWish {
			return [][]byte{e.Raw}
		}
		return nil
	}}
	stands := map[uint32]uint32{} // in which ballot, by round
	w.onRest = func(i int, tbl *Table) {
		st := tbl.st
		if i != 2 || !st.members.Has(2) {
			return
		}
		if st.round == l.after-1 && len(tbl.open.vote.own) > 0 {
			tbl.mute = true // from now on its machine only looks on
		}
		others := uint32(0)
		for _, c := range tbl.open.calls {
			if c.vote.seat != 2 {
				others = max(others, c.vote.ballot)
			}
		}
		if st.round < l.after || stands[st.round] > others+longStep || others > maxBallot-longStep-2 {
			return
		}
		l.lied++
		stands[st.round] = others + longStep + 2
		e := sealEnvelope(st.suite, tbl.me.id, text{Kind: KindCall, Table: st.roster.Table, Round: st.round, Seat: 2, Prev: st.head,
			Body: encode(call{Ballot: stands[st.round], Out: []removal{}, Held: []sayID{}, Top: topText{Calls: []sayID{}}, Wishes: [][]byte{}})})
		for _, to := range w.honest() {
			w.post(2, to, Bundle(e.Raw)[0], false)
		}
	}
	w.liars[2] = l
	return l
}

// TestWhoRunsAheadInTheBallotsDoesNotHoldTheTableUp: a seat that has called in a later ballot than all others is not
// silent, but it keeps theirs from closing the round.
func TestWhoRunsAheadInTheBallotsDoesNotHoldTheTableUp(t *testing.T) {
	t.Parallel()
	w := fair(t, 995, 5)
	l := runner(w)
	w.finishes(t)
	require.Positive(t, l.lied)
	require.Less(t, w.now, 5*time.Minute)
}
