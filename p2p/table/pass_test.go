package table

import (
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/engine"
)

// FR-32, as the others see it: what goes over the network for a pass is the same, bit for bit but for who signs it
// and when, whether the hand held an answer or not.
func TestAPassTellsNothing(t *testing.T) {
	n := newNetwork(t, seatToys(t, 4, 77), 77, weather{})
	had := map[int]bool{} // by seat that is about to pass
	sent := map[bool]map[string]int{true: {}, false: {}}
	decisions := 0
	n.choose = func(v engine.View, legal []engine.Action) (engine.Action, bool) {
		decisions++
		last := legal[len(legal)-1]
		k := v.Ask().On.Kind
		if last.Verb != engine.Pass || k != engine.AtDodge && k != engine.AtRaid && k != engine.AtDuel || v.Needed() > 1 || len(v.Hand()) == 0 {
			return engine.Action{}, false
		}
		seat := n.tables[0].st.seat(v.Seat)
		had[seat] = len(legal) > 1
		return last, true
	}
	n.filter = func(from int, raw []byte) [][]byte {
		has, passes := had[from]
		if !passes {
			return [][]byte{raw}
		}
		all, err := unbundle(raw)
		require.NoError(t, err)
		for _, one := range all {
			e, err := parseEnvelope(one)
			require.NoError(t, err)
			if e.Kind != KindSay {
				continue
			}
			delete(had, from)
			sent[has][string(e.Body)]++
			require.Equal(t, 1, len(sent[has]), "one form of pass")
		}
		return [][]byte{raw}
	}
	n.run()
	require.NotEmpty(t, sent[true])
	require.NotEmpty(t, sent[false])
	for body := range sent[true] {
		require.Contains(t, sent[false], body)
	}
}
