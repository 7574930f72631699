package table

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestASeatKnowsWhyItIsNotLetIn: what a seat that is away is told agrees with what the others decide of its return.
func TestASeatKnowsWhyItIsNotLetIn(t *testing.T) {
	for _, c := range []struct {
		name     string
		why      Reason
		removals uint32
		round    uint32 // removed in 100
		bar      Bar
		until    uint32
	}{
		{"the first time", Silence, 1, 101, BarNone, 0},
		{"the second time", Left, 2, 101, BarNone, 0},
		{"the third time, too soon", Silence, 3, 100 + returnDelay - 1, BarWait, 100 + returnDelay},
		{"the third time", Silence, 3, 100 + returnDelay, BarNone, 0},
		{"the last time, too soon", Lost, MaxReturns, 101, BarWait, 100 + returnDelay},
		{"the last time", Lost, MaxReturns, 100 + returnDelay, BarNone, 0},
		{"once too often", Silence, MaxReturns + 1, 100 + returnDelay, BarReturns, 0},
		{"after a fault", Cheat, 1, 100 + returnDelay, BarFault, 0},
	} {
		st := &state{choices: DefaultChoices(), stage: atPlay, round: c.round}
		st.away, st.why[1], st.removals[1], st.removedAt[1] = only(1), c.why, c.removals, 100
		tbl := &Table{st: st, me: &party{seat: 1}}
		bar, until := tbl.Barred()
		require.Equal(t, c.bar, bar, c.name)
		require.Equal(t, c.until, until, c.name)
		require.Equal(t, bar == BarNone, st.mayReturn(1) == nil, c.name)

		tbl.me.seat = 0 // a member
		bar, _ = tbl.Barred()
		require.Equal(t, BarNone, bar)
		tbl.me = nil // who looks on
		bar, _ = tbl.Barred()
		require.Equal(t, BarNone, bar)
		tbl.me, st.stage = &party{seat: 1}, atEnd
		bar, _ = tbl.Barred()
		require.Equal(t, BarNone, bar, "after the game nobody comes back")
		for members, want := range map[Seats]Bar{0b1111: BarNone, 0b111: BarNone, 0b11: BarNeeded} {
			tbl.st.members, tbl.mute = members, true
			bar, _ = tbl.Barred()
			require.Equal(t, want, bar, "a seat without its journal among %v", members.List())
		}
	}
}
