package peer

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/p2p/journal"
	"standoff/p2p/table"
)

// TestTheClockOutlivesTheProgram: what is kept of the thinking time is read again, less nothing and plus the time since.
func TestTheClockOutlivesTheProgram(t *testing.T) {
	data, id := t.TempDir(), table.Hash{1}
	now := time.UnixMilli(1_700_000_000_000)
	require.Zero(t, spentOf(data, id, now), "nothing is kept yet")
	j, err := journal.Create(data, id)
	require.NoError(t, err)
	defer j.Close()
	keep := func(b string) { require.NoError(t, j.Keep(clockFile, []byte(b))) }

	keep(clock{bank: 90 * time.Second}.text())
	require.Equal(t, table.Spent{Bank: 90 * time.Second}, spentOf(data, id, now))
	keep(clock{bank: 90 * time.Second, round: 17, asked: now.Add(-8 * time.Second)}.text())
	require.Equal(t, table.Spent{Bank: 90 * time.Second, Round: 17, Open: 8 * time.Second}, spentOf(data, id, now))
	require.Equal(t, table.Spent{Bank: 90 * time.Second, Round: 17}, spentOf(data, id, now.Add(-time.Minute)), "the machine's clock was set back")

	for _, rubbish := range []string{"", "\n", "1", "1 2", "a b c", "-1 2 3", "1 -2 3", "1 2 -3", "1 99999999999 3", "\xff\x00"} {
		keep(rubbish)
		require.Zero(t, spentOf(data, id, now), "%q", rubbish)
	}
	keep("9223372036854775807 1 9223372036854775807")
	s := spentOf(data, id, now)
	require.Equal(t, maxBank, s.Bank)
	require.Zero(t, s.Open)
}
