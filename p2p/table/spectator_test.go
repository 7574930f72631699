package table

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// Who looks on at a table that is shown later gets no envelope of a round that is not to be seen yet, however it asks;
// once everything may be seen it has the players' transcript.
func TestASpectatorGetsNoRoundBeforeItsTime(t *testing.T) {
	n := recorded(t).net
	o, err := New(Config{Roster: n.tables[0].st.roster.Raw, Rules: rulesOf, Rand: source(1, 2)})
	require.NoError(t, err)
	ask := func(question []byte, before uint32) (got int) {
		answer, err := n.tables[2].ServeSpectator(question, before)
		require.NoError(t, err)
		size := 0
		for _, p := range answer {
			size += len(p)
			for _, raw := range must(unbundle(p)) {
				e := must(parseEnvelope(raw))
				require.Less(t, e.Round, before)
				got++
			}
			o.Receive(p)
		}
		require.LessOrEqual(t, size, maxServedBytes/4+MaxSay*3*MaxSeats)
		return got
	}
	last := n.tables[2].st.round
	for before := uint32(0); before <= last; before += 7 {
		for range 3 {
			ask(o.Want(), before)
		}
		require.LessOrEqual(t, o.st.round, before)
		require.GreaterOrEqual(t, o.st.round+8, before, "what may be seen is shown")
		require.Zero(t, ask(encode(wantText{Table: o.st.roster.Table, Round: before}), before))
		ask(encode(wantText{Table: o.st.roster.Table}), before) // everything
	}
	for range last {
		if o.end == nil {
			ask(o.Want(), math.MaxUint32)
		}
	}
	require.NotNil(t, o.end)
	require.Equal(t, n.tables[2].Transcript(), o.Transcript())
}
