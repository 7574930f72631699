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
