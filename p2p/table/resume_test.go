package table

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAJournalWithoutItsKeys: who has spoken and has lost its keys is told so, and nothing breaks.
func TestAJournalWithoutItsKeys(t *testing.T) {
	s := seatPlayers(t, 4, 841)
	n := newNetwork(t, s, 841, weather{})
	var journal []Record
	n.watch = append(n.watch, func(seat int, r Ready) {
		if seat == 0 {
			journal = append(journal, r.Save...)
		}
	})
	n.start()
	for len(n.tables[0].log) < 6 {
		l := n.mail[0]
		n.mail = n.mail[1:]
		n.tables[l.to].Receive(l.packet)
		n.settle(l.to)
	}
	keyless := slices.DeleteFunc(slices.Clone(journal), func(r Record) bool { return r.Kind == RecordSecret })
	_, err := Resume(Config{Rules: rulesOf, Identity: s.keys[0], Rand: source(1, 1)}, keyless)
	require.ErrorIs(t, err, ErrKeyless)
	_, err = Resume(Config{Rules: rulesOf, Identity: s.keys[0], Rand: source(1, 1)}, journal)
	require.NoError(t, err)
}
