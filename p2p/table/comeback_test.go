package table

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// comeback is what happens to one table: more seats die in a round of a kind than may be missing, and after a while so
// many are back that the table can go on without the others.
type comeback struct {
	kind  RoundKind
	at    moment
	dead  []int         // in this order
	gap   time.Duration // from the first to the last of them
	gone  Seats         // for good; all others are back
	after time.Duration // the first died, one after the other
	skew  []float64     // of the clocks
}

func (c comeback) String() string {
	s := fmt.Sprintf("%v_%v_%v_in_%v_but_%v_back_after_%v", c.kind, c.at, c.dead, c.gap, c.gone.List(), c.after)
	if c.skew != nil {
		s += "_clocks_differ"
	}
	return s
}

// standstill plays a table until it has gone on with those that are back and without those that are gone. It gives the
// time since the last of them died or was back, and what happened in it.
func (c comeback) standstill(t *testing.T, seed uint64, options ...[2]string) (long time.Duration, diary []string) {
	w := fair(t, seed, 6, options...)
	if c.skew != nil {
		w.skew = c.skew
	}
	var start, last, done time.Duration
	seen := map[string]bool{}
	note := func(key, format string, args ...any) {
		if !seen[key] {
			seen[key] = true
			diary = append(diary, fmt.Sprintf("%8v  ", (w.now-start).Round(time.Millisecond))+fmt.Sprintf(format, args...))
		}
	}
	happen := func() {
		for i, s := range c.dead {
			w.later(c.gap*time.Duration(i)/time.Duration(max(1, len(c.dead)-1)), "", 0, func() {
				note(fmt.Sprint("die ", s), "seat %d dies", s)
				last = w.now
				if c.gone.Has(s) {
					w.kill(s)
				}
				w.off[s] = true
			})
			if !c.gone.Has(s) {
				w.later(max(c.gap, c.after)+time.Duration(i)*100*time.Millisecond, "", 0, func() {
					note(fmt.Sprint("back ", s), "seat %d is back", s)
					last = w.now
					w.start(s, true)
				})
			}
		}
	}
	w.onRest = func(i int, tbl *Table) {
		m := tbl.st.members
		switch {
		case w.off[i]:
		case start == 0 && tbl.st.round >= 12 && tbl.ex.Kind == c.kind && c.at.reached(tbl, only(c.dead[0])):
			start = w.now
			happen()
		case start > 0:
			key := fmt.Sprint(i, tbl.st.round)
			note(key, "seat %d in round %d (%v from %v) of %v", i, tbl.st.round, tbl.ex.Kind, tbl.ex.From.List(), m.List())
			if v := tbl.open.vote.called; v != nil {
				note(fmt.Sprint(key, " ", v.ballot), "seat %d calls in ballot %d to go on without %v", i, v.ballot, dropped(v.out).List())
			}
			if kind, _ := tbl.st.repair(); len(w.plan) == 0 && kind == 0 && done == 0 &&
				m&c.gone == 0 && (m|c.gone).Count() == 6 && tbl.st.holders == m {
				done = w.now
			}
		}
	}
	w.until = func() bool { return done != 0 }
	w.run(30 * time.Minute)
	require.Empty(t, w.problems)
	require.NotZero(t, start, "the game has no such round")
	require.NotZero(t, done, "%v", strings.Join(diary, "\n"))
	return done - last, diary
}

// TestComeback: when more seats have died than may be missing and some are back, the table goes on with them and without
// the others as soon as the silence of those has lasted: who is back takes the word of those who were there all the time,
// and no ballot was wasted before.
func TestComeback(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	for i, c := range comebacks() {
		t.Run(c.String(), func(t *testing.T) {
			t.Parallel()
			long, diary := c.standstill(t, uint64(4000+i%5), [2]string{"tolerate", fmt.Sprint(c.gone.Count())})
			require.LessOrEqual(t, long, 4*time.Second, "%v", strings.Join(diary, "\n"))
		})
	}
}

// comebacks are the cases: every kind of round, dead that return soon, as their silence is noticed, and late.
func comebacks() (list []comeback) {
	const ms = time.Millisecond
	i := 0
	for _, kind := range []RoundKind{RoundStrip, RoundOwn, RoundAct} {
		for at := range whenCalled {
			for _, c := range []comeback{
				{dead: []int{2, 4}, gone: only(4)}, {dead: []int{2, 4}, gone: only(2)},
				{dead: []int{1, 2, 4}, gone: only(1) | only(4)}, {dead: []int{3, 1, 0}, gone: only(3) | only(1)},
				{dead: []int{0, 1, 2, 3, 4, 5}, gone: only(3)}, {dead: []int{5, 0, 1, 2, 3, 4}, gone: only(5) | only(2)},
			} {
				c.kind, c.at, c.gap = kind, at, []time.Duration{ms, 300 * ms, 1200 * ms}[i%3]
				c.after = []time.Duration{2500 * ms, 6 * time.Second, 3000 * ms, 70 * time.Second, 3500 * ms, 15 * time.Second, 4000 * ms}[i%7]
				if i%4 >= 2 {
					c.skew = []float64{1.03, 0.97, 1, 0.95, 1.05, 0.99}
				}
				list = append(list, c)
				i++
			}
		}
	}
	return list
}

// TestWhoIsHeardBeforeTheClockStays: a seat was cut off, the others call for going on without it, and one of them is down. It
// is there again, and who was down hears it and all others before it speaks and its clock begins, as package peer does it:
// it does not take their word that the seat is silent.
func TestWhoIsHeardBeforeTheClockStays(t *testing.T) {
	t.Parallel()
	const cut, down = 4, 2
	w := fair(t, 5600, 6)
	w.skew[down] = 0.9 // it suspects nobody yet when the others call
	out, _ := w.doubted()
	var started, called time.Duration
	w.onRest = func(i int, tbl *Table) {
		v := tbl.open.vote.called
		switch {
		case started == 0 && i == 0 && tbl.st.round >= 20 && tbl.ex.Kind == RoundStrip && tbl.ex.From.Has(cut) && w.tables[cut].st.round < tbl.st.round:
			started = w.now
			w.cut(only(cut), true)
		case started != 0 && called == 0 && i == 0 && v != nil && dropped(v.out) == only(cut):
			called = w.now
			w.off[down] = true
			w.later(200*time.Millisecond, "", 0, func() { w.cut(only(cut), false) })
			w.later(1200*time.Millisecond, "", 0, func() { w.settles(down) })
		}
	}
	w.until = func() bool { return called != 0 && w.now > called+30*time.Second }
	w.run(time.Hour)
	require.Empty(t, w.problems)
	require.NotZero(t, called)
	require.Zero(t, *out)
}

// settles puts a machine on again that hears everybody before it speaks.
func (w *world) settles(i int) {
	w.off[i] = false
	w.restarts++
	tbl := must(Resume(w.config(i, w.restarts), w.diary.records[i]))
	w.tables[i] = tbl
	for s, other := range w.tables {
		if s != i && !w.off[s] {
			w.hearBeat(parcel{from: s, to: i, beat: &beat{round: other.st.round}})
			for _, p := range must(other.Serve(tbl.Want())) {
				tbl.Receive(p)
			}
		}
	}
	require.NoError(w.t, tbl.Start())
	w.settle(i)
}
