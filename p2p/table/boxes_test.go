package table

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/engine"
	"standoff/engine/boxes"
)

// TestGamesOfAllBoxesAgreeWithTheTrustedDealer is the same comparison with all boxes and with tables of every size that
// they bring, the smallest and the largest first. STANDOFF_TABLE_GAMES sets how many games (200 in full).
func TestGamesOfAllBoxesAgreeWithTheTrustedDealer(t *testing.T) {
	t.Parallel()
	rules, err := rulesOf(boxes.Names())
	require.NoError(t, err)
	var sizes []int
	for n := engine.MaxSeats; n > 0; n-- {
		if rules.Roles(n) != nil {
			sizes = append(sizes, n)
		}
	}
	sizes = append(sizes[len(sizes)-1:], sizes[:len(sizes)-1]...)
	kinds := map[string]int{}
	games := count(t, "STANDOFF_TABLE_GAMES", 200)
	for i := range games {
		players := sizes[i%len(sizes)]
		t.Run(fmt.Sprintf("%d_players_seed_%d", players, i), func(t *testing.T) {
			n := newNetwork(t, seatWith(t, NewRistretto(nil), boxes.Names(), players, uint64(i)), uint64(i), weather{})
			known := record(n)
			n.run()
			sameTranscripts(t, n)
			for k, c := range compare(t, n, known).kinds {
				kinds[k] += c
			}
		})
	}
	t.Logf("hidden transfers in %d games: %v", games, kinds)
	for _, k := range []string{"shuffle", "deal", "open", "coin", "remask", "give to a seat", "open of an owner"} {
		require.Positive(t, kinds[k], "%s never occurred", k)
	}
	if games >= 60 {
		require.Positive(t, kinds["give to the deck"])
	}
}

// TestOptionsOfAllBoxes plays a game of three with every option at its other value, and with the characters of two.
func TestOptionsOfAllBoxes(t *testing.T) {
	rules, err := rulesOf(boxes.Names())
	require.NoError(t, err)
	var options [][2]string
	for _, o := range rules.OptionTable() {
		options = append(options, [2]string{o.Name, o.Values[1]})
	}
	n := newNetwork(t, seatWith(t, toy{}, boxes.Names(), 3, 70, options...), 70, weather{})
	known := record(n)
	n.run()
	require.Subset(t, sameTranscripts(t, n).Options, options)
	compare(t, n, known)
}

// TestBadNetworksOfThreeAndEight: the smallest and the largest table over networks that lose, repeat and reorder.
func TestBadNetworksOfThreeAndEight(t *testing.T) {
	t.Parallel()
	for players, w := range map[int]weather{3: {loss: 15, twice: 15, late: 60}, 8: {loss: 10}} {
		t.Run(fmt.Sprintf("%d_players", players), func(t *testing.T) {
			n := newNetwork(t, seatWith(t, toy{}, boxes.Names(), players, 80), 80, w)
			n.run()
			sameTranscripts(t, n)
			require.Empty(t, n.faults)
		})
	}
}

// TestSilenceAmongThree: one of three is cut off at a table that tolerates nobody missing; the other two wait for it, blame nobody, and go on when it is back.
func TestSilenceAmongThree(t *testing.T) {
	n := newNetwork(t, seatWith(t, toy{}, boxes.Names(), 3, 81, [2]string{"tolerate", "0"}), 81, weather{})
	cut := false
	n.onRound = func(seat int, tbl *Table) {
		if seat == 0 && tbl.st.round == 25 && !cut {
			cut, n.cut[1] = true, true
		}
	}
	n.run()
	require.True(t, cut)
	for _, seat := range []int{0, 2} {
		require.Nil(t, n.tables[seat].end)
		missing := n.tables[seat].Missing()
		require.Len(t, missing, 1)
		require.Equal(t, 1, missing[0].Seat)
	}
	require.Empty(t, n.faults)
	n.cut[1] = false
	n.resume()
	sameTranscripts(t, n)
}
