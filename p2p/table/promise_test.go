package table

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestABrokenPromise: who has sealed at a ballot and calls above it as if it had not is proved guilty by these two, in
// whatever order they come, before whoever hears them and before anybody who reads the file. What the rules allow is none.
func TestABrokenPromise(t *testing.T) {
	t.Parallel()
	c := newCrowd(t)
	for _, row := range []struct {
		name               string
		sealed, calls, top uint32 // ballots
		some               bool   // there is a top
		broken             bool
	}{
		{"a call that has no seal", 0, 1, 0, false, true},
		{"a later call that has no seal", 0, 7, 0, false, true},
		{"a call that has a seal before the last", 2, 3, 1, true, true},
		{"a call that has only the first seal", 2, 5, 0, true, true},
		{"a call that names the seal", 2, 3, 2, true, false},
		{"a call that names the first seal", 0, 1, 0, true, false},
		{"a call that names a later seal", 2, 5, 4, true, false},
		{"a call in the ballot of the seal", 3, 3, 2, true, false},
		{"a call without a seal, before the ballot of the seal", 3, 2, 0, false, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			b := filled(call{Ballot: row.calls})
			if row.some {
				b.Top.Ballot, b.Top.Value = row.top, Hash{7}
			}
			pair := []Envelope{c.sign(talker, KindSeal, 0, encode(seal{Ballot: row.sealed, Value: Hash{7}, Head: Hash{8}})),
				c.sign(talker, KindCall, 0, encode(b))}
			for _, kind := range []string{"member", "observer", "journal lost"} {
				for first := range pair {
					what := fmt.Sprintf("%s, first the %v", kind, pair[first].Kind)
					tbl := c.listener(t, kind)
					tbl.Receive(Bundle(pair[first].Raw)[0])
					require.Empty(t, tbl.Ready().Faults, what)
					tbl.Receive(Bundle(pair[1-first].Raw)[0])
					faults := tbl.Ready().Faults
					if !row.broken {
						require.Empty(t, faults, what)
						require.Zero(t, tbl.open.vote.guilty, what)
						text := evidenceText{Seat: talker, Envelopes: [][]byte{pair[first].Raw, pair[1-first].Raw}, Before: tbl.file(int(tbl.st.round))}
						_, err := verifyEvidence(toy{}, append([]byte(evidenceMagic), encode(text)...), rulesOf)
						require.ErrorContains(t, err, "as the rules want it", what)
						continue
					}
					require.Len(t, faults, 1, what)
					require.Equal(t, talker, faults[0].Seat)
					require.Equal(t, FaultPromise, faults[0].Kind)
					require.Equal(t, only(talker), tbl.open.vote.guilty)
					proof, err := verifyEvidence(toy{}, tbl.Evidence(faults[0]), rulesOf)
					require.NoError(t, err)
					require.Equal(t, faults[0], proof.Fault)
				}
			}
		})
	}
}
