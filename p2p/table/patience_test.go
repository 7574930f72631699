package table

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestSuspicionsEnd: machines suspect one another at random and stand in ballots that the others did not hear of. Once
// they hear one another the game goes on, with one seat dead or none.
func TestSuspicionsEnd(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			n := 4 + int(seed%4)
			w := fair(t, 1000+seed, n)
			if seed/4%2 == 1 {
				w.later(3*time.Second, "gone for good", only(0), func() { w.kill(0) })
			}
			for _, at := range []time.Duration{2 * time.Second, 4 * time.Second} {
				w.later(at, "", 0, func() {
					for i, tbl := range w.tables {
						some := func() Seats { return Seats(w.rng.IntN(1 << n)).Without(i) }
						p := &tbl.patience
						p.behind, p.silent, p.contrary, p.dissent, p.asked = some(), some(), some(), some(), some()
						for j := range w.tables {
							w.deaf[i][j] = w.rng.IntN(2) == 0
						}
					}
				})
			}
			w.later(30*time.Second, "", 0, func() { w.deaf = [MaxSeats][MaxSeats]bool{} })
			w.run(time.Hour)
			w.judge()
			require.Empty(t, w.problems)
			require.Less(t, w.longest, 4*time.Minute)
		})
	}
}

// TestClocksHalfAsFastAgain: when those follow into the next ballot whose clocks run fastest, the slowest have judged
// this one, and they follow before the fastest go on again.
func TestClocksHalfAsFastAgain(t *testing.T) {
	for b := uint32(1); b <= 6; b++ {
		require.LessOrEqual(t, judgesAfter(b)*3/2, followsAfter(b))
		require.Less(t, followsAfter(b)*3/2, patienceWith(b))
	}
}

// enter has a machine call in a ballot for going on without some seats.
func (t *Table) enter(ballot uint32, d Seats) {
	v := &t.open.vote
	var out []removal
	for _, s := range d.List() {
		out = append(out, removal{Seat: uint8(s), Why: Silence})
	}
	c := v.draft(ballot, out)
	body := c.text([][]byte{})
	e := t.own(KindCall, body)
	c.id = e.ID
	t.open.calls = append(t.open.calls, &heldCall{env: e, body: body, vote: c, told: true})
	v.make(c)
	t.patience.called, t.patience.waits = t.now, t.now
}

// TestTheSlowCatchUp: two of six are dead, one of the others has just entered a ballot, and the other three at the same time
// the one before: as far behind as they can be. However fast its clock is, it does not leave each ballot just when they
// come to it.
func TestTheSlowCatchUp(t *testing.T) {
	t.Parallel()
	const fast, dead = 2, Seats(1<<1 | 1<<5)
	slow := Seats(1<<6-1) &^ dead.With(fast)
	for percent := 105; percent <= 150; percent++ {
		t.Run(fmt.Sprint(percent), func(t *testing.T) {
			t.Parallel()
			w := fair(t, 5300, 6, [2]string{"tolerate", "2"})
			for i := range w.skew {
				w.skew[i] = 0.81
			}
			w.skew[fast] = 0.81 * float64(percent) / 100
			var started, done time.Duration
			w.onRest = func(i int, tbl *Table) {
				switch {
				case w.dead == 0 && tbl.st.round >= 40:
					for _, s := range dead.List() {
						w.kill(s)
					}
					w.later(time.Second, "", 0, func() {
						started = w.now
						w.tables[fast].enter(5, dead)
						for _, s := range slow.List() {
							w.tables[s].enter(4, dead)
						}
					})
				case started != 0 && done == 0 && tbl.st.members&dead == 0:
					done = w.now
				}
			}
			w.until = func() bool { return done != 0 }
			w.run(time.Hour)
			require.Empty(t, w.problems)
			require.NotZero(t, done, w.tables[fast].dump())
			require.Less(t, done-started, time.Minute)
		})
	}
}
