package table

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// A seat that comes back with an old copy of its journal does not know what it has said since. However far the others
// are, they show it that it is behind; it says nothing else in the place of what it has said, is taken out as one that
// has lost its journal where that is needed, and comes back.
func TestAnOldJournal(t *testing.T) {
	t.Parallel()
	for _, behind := range []int{1, 5, 60} {
		for seed := range uint64(2) {
			t.Run(fmt.Sprintf("%d rounds behind, seed %d", behind, seed), func(t *testing.T) {
				t.Parallel()
				oldJournal(t, behind, 700+seed)
			})
		}
	}
}

func oldJournal(t *testing.T, behind int, seed uint64) {
	s := seatToys(t, 4, seed, patient()...)
	n := newNetwork(t, s, seed, weather{})
	who := int(seed % 4)
	var journal []Record
	var at []int // rounds closed when a record was written
	n.watch = append(n.watch, func(seat int, r Ready) {
		if seat == who {
			for _, j := range r.Save {
				journal, at = append(journal, j), append(at, len(n.tables[who].log))
			}
		}
	})
	back := false
	from := 10 + n.rng.IntN(30)
	n.onStep = func() {
		if back || len(n.tables[who].log) < from+behind {
			return
		}
		back = true
		var first, last int // records written in the round in which the copy was made
		for i, r := range at {
			if r < from {
				first = i + 1
			}
			if r <= from {
				last = i + 1
			}
		}
		copied := journal[:first+n.rng.IntN(last-first+1)]
		tbl, err := Resume(Config{Rules: rulesOf, Identity: s.keys[who], Rand: source(seed, 77), Suite: s.suite}, copied)
		require.NoError(t, err)
		n.tables[who] = tbl
		tbl.Ready()
		for i, other := range n.tables { // what it is told before it speaks again
			if i != who {
				answer, err := other.Serve(tbl.Want())
				require.NoError(t, err)
				for _, p := range answer {
					tbl.Receive(p)
				}
			}
		}
		require.NoError(t, tbl.Start())
		n.settle(who)
	}
	n.run()
	if !back {
		t.Skip("the game of this seed was over before the seat was back")
	}
	require.Empty(t, n.faults)
	for _, m := range finished(t, n).Moves {
		require.Equal(t, who, m.Seat)
		require.True(t, m.Back || m.Why == Lost, m)
	}
}
