package table

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/engine"
	"standoff/engine/boxes"
)

// TestWhatLeavingWillDoIsForetold lets one seat after the other leave, or fall silent, at tables of all sizes and of
// every tolerance, the eliminated first: the table goes on without whoever leaves exactly where [Table.Spares] says so.
func TestWhatLeavingWillDoIsForetold(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for i := range uint64(24) {
		players, tolerate := 3+int(i%6), int(i/6)
		sets := []string{"base"}
		if players == 3 || players == engine.MaxSeats {
			sets = boxes.Names()
		}
		seed := 4200 + i
		n := newNetwork(t, seatWith(t, toy{}, sets, players, seed, patient([2]string{"tolerate", strconv.Itoa(tolerate)},
			[2]string{"away", []string{"defaults", "out"}[i/2%2]})...), seed, weather{})
		var gone []int
		spared, kind := true, ""
		next := uint32(30)
		before := n.onRound
		n.onRound = func(seat int, tbl *Table) {
			if before != nil {
				before(seat, tbl)
			}
			if seat != 0 || !spared || tbl.end != nil || tbl.st.round < next || tbl.st.stage != atPlay || tbl.st.game.State().Over != engine.NotOver {
				return
			}
			who := leaver(tbl.st)
			if who == 0 {
				return
			}
			x := n.tables[who]
			out := x.st.game.State().Players[x.st.place(who)].Status == engine.Out
			spared = x.Spares(who)
			kind = fmt.Sprintf("spared %v, out %v, lost before %v", spared, out, tbl.st.away != 0)
			seen[kind]++
			gone, next = append(gone, who), tbl.st.round+25
			if spared && len(gone)%2 == 0 {
				n.cut[who] = true // silent, not gone in order
				return
			}
			x.Leave()
			n.settle(who)
		}
		n.watch = append(n.watch, func(_ int, r Ready) {
			for _, w := range r.News {
				if w.Kind == NewsDefault { // there is no clock
					require.NotZero(t, w.Why, "the default of a seat that is away")
					seen["default"]++
				}
			}
		})
		n.run()
		name := fmt.Sprintf("%d players, tolerate %d, %v left, %s", players, tolerate, gone, kind)
		require.NotNil(t, n.tables[0].end, name)
		if spared {
			require.Equal(t, Finished, n.tables[0].end.Result, name)
			continue
		}
		require.Equal(t, Void, n.tables[0].end.Result, name)
		require.Equal(t, gone[len(gone)-1], n.tables[0].end.Left, name)
	}
	require.Positive(t, seen["default"])
	for _, kind := range []string{"spared true, out false, lost before false", "spared true, out false, lost before true", "spared true, out true",
		"spared false, out false, lost before false", "spared false, out false, lost before true", "spared false, out true"} {
		require.True(t, slices.ContainsFunc(keysOf(seen), func(k string) bool { return len(k) >= len(kind) && k[:len(kind)] == kind }), "%s: %v", kind, seen)
	}
}

// leaver is the member that leaves next: one that has been eliminated, where there is one, else any; never seat 0.
func leaver(st *state) (who int) {
	for _, s := range st.members.List() {
		if s != 0 && (who == 0 || st.game.State().Players[st.place(s)].Status == engine.Out) {
			who = s
		}
	}
	return who
}

func keysOf(m map[string]int) (list []string) {
	for k := range m {
		list = append(list, k)
	}
	return list
}
