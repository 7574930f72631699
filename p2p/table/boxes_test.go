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
			n := newNetwork(t, seatWith(t, boxes.Names(), players, uint64(i)), uint64(i), weather{})
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
