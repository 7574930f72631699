package cli

import (
	"context"
	"encoding/json"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/engine"
)

func TestSimCountsEveryGameOnce(t *testing.T) {
	for _, players := range []string{"4", "5", "6", "7"} {
		code, out, errs := run("sim", "--players", players, "--games", "60", "--json")
		require.Equal(t, OK, code, errs)
		keys := map[string]any{}
		require.NoError(t, json.Unmarshal([]byte(out), &keys))
		require.Len(t, keys, 5)
		var c tally
		require.NoError(t, json.Unmarshal([]byte(out), &c))
		require.Equal(t, 60, c.Games)
		require.Equal(t, 60, c.Finished)
		require.Zero(t, c.Endless)
		require.Positive(t, c.GamesPerSecond)
		require.Len(t, c.Wins, 3)
		sum := 0
		for _, n := range c.Wins {
			sum += n
		}
		require.Equal(t, 60, sum)
	}
}

func TestSimIsTheSameOnAnyNumberOfCores(t *testing.T) {
	rules, err := compile([]string{"base"})
	require.NoError(t, err)
	count := func(cores int, seed uint64) map[string]int {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		c, err := simulate(context.Background(), rules, engine.Setup{Seats: 5}, 80, seed)
		require.NoError(t, err)
		return c.Wins
	}
	one := count(1, 7)
	require.Equal(t, one, count(3, 7))
	require.NotEqual(t, one, count(3, 90000), "another seed is other games")
}

func TestSimStopsWhenItIsTold(t *testing.T) {
	rules, err := compile([]string{"base"})
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	stop()
	_, err = simulate(ctx, rules, engine.Setup{Seats: 7}, 1<<30, 1)
	require.ErrorContains(t, err, "stopped before all games were played")
}
