package peer

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestTheQuickestToComeAreNotAll: a seat that comes back speaks early only when most others have shown what they have of it.
// Whoever is there first, be it a cheater that shows nothing, does not stand for those who are on their way.
func TestTheQuickestToComeAreNotAll(t *testing.T) {
	const brief, long = settleFor / 4, settleFor / 2
	for others := 2; others <= 7; others++ {
		require.True(t, shown(others, others, 0, 0, false), "all have answered")
		require.False(t, shown(others, 0, 0, long, true), "nobody has")
		require.True(t, shown(others, 1, 1, time.Second, true), "one has after a while")
		cheaters := others / 2 // as T-01 bears: fewer than half of the members
		require.False(t, shown(others, cheaters, 0, long, false))
		for most := others/2 + 1; most < others; most++ {
			require.Greater(t, most, cheaters)
			require.True(t, shown(others, most, 0, long, false))
			require.False(t, shown(others, most, 1, long, false), "one that is there has not answered")
			require.False(t, shown(others, most, 0, brief, false), "one has just come")
		}
	}
}
