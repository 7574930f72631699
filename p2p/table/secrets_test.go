package table

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestKeysOfAReturnAreLost: a seat that has come back with fresh keys, starts again and has lost these but not its first
// ones, says nothing with keys that are not its own any more: that would be a false proof. It asks to be taken out, and
// comes back.
func TestKeysOfAReturnAreLost(t *testing.T) {
	n := newNetwork(t, seatToys(t, 5, 362, patient()...), 362, weather{})
	var d diary
	n.watch = append(n.watch, d.keep)
	n.at(22, func() { n.cut[2] = true })
	n.at(52, func() { n.cut[2] = false })
	again := false
	n.onStep = func() {
		st := n.tables[2].st
		if again || st.removals[2] != 1 || !st.members.Has(2) || st.entering.Has(2) {
			return
		}
		again = true
		secrets := 0
		records := slices.DeleteFunc(slices.Clone(d.records[2]), func(r Record) bool {
			if r.Kind == RecordSecret {
				secrets++
			}
			return r.Kind == RecordSecret && secrets == 2
		})
		require.Equal(t, 2, secrets)
		tbl, err := Resume(Config{Rules: rulesOf, Identity: n.seats.keys[2], Rand: source(362, 1), Suite: n.seats.suite}, records)
		require.NoError(t, err)
		n.tables[2] = tbl
		require.NoError(t, tbl.Start())
		n.settle(2)
	}
	n.run()
	require.True(t, again)
	rep := finished(t, n)
	require.Empty(t, n.faults)
	require.Len(t, rep.Moves, 4)
	require.Equal(t, Lost, rep.Moves[2].Why)
	require.True(t, rep.Moves[3].Back)
}
