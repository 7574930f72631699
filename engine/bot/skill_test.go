package bot_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/engine"
	"standoff/engine/bot"
	"standoff/engine/dealer"
)

// playSides plays a game in which bots sit where smart says so; the other seats do anything that is legal.
func playSides(t *testing.T, seats int, seed uint64, smart func(r engine.Role) bool) engine.Outcome {
	g, err := engine.New(rules, engine.Setup{Seats: seats})
	require.NoError(t, err)
	d := dealer.New(g, seed)
	require.NoError(t, d.Serve())
	h := bot.NewHistory()
	luck := rand.New(rand.NewPCG(seed, 1))
	for steps := 0; g.State().Over == engine.NotOver; steps++ {
		require.Less(t, steps, bot.MaxSteps)
		h.Watch(d.Events())
		v := d.View(g.State().Asked)
		legal := v.Legal()
		a := legal[luck.IntN(len(legal))]
		if smart(v.Role()) {
			a = bot.Share(seed, h).Act(v, legal)
		}
		require.NoError(t, d.Step(a))
	}
	return g.State().Over
}

// Bots play to win: each side wins far more often when bots sit on it than when anybody does anything.
func TestSkill(t *testing.T) {
	const n = 100
	law := func(r engine.Role) bool { return r == engine.Sheriff || r == engine.Deputy }
	for _, side := range []struct {
		name  string
		wins  engine.Outcome
		on    func(r engine.Role) bool
		least [2]int // of n games with 5 and 7 seats
	}{
		{"law", engine.LawWins, law, [2]int{85, 80}},
		{"outlaws", engine.OutlawsWin, func(r engine.Role) bool { return r == engine.Outlaw }, [2]int{85, 85}},
		{"renegade", engine.RenegadeWins, func(r engine.Role) bool { return r == engine.Renegade }, [2]int{25, 20}},
	} {
		for i, seats := range []int{5, 7} {
			var with, without, all int
			for seed := range uint64(n) {
				if playSides(t, seats, seed, side.on) == side.wins {
					with++
				}
				if playSides(t, seats, seed, func(engine.Role) bool { return false }) == side.wins {
					without++
				}
				if playSides(t, seats, seed, func(engine.Role) bool { return true }) == side.wins {
					all++
				}
			}
			t.Logf("%s of %d seats: wins %d of %d games, %d without bots, %d among bots", side.name, seats, with, n, without, all)
			require.GreaterOrEqual(t, with, side.least[i])
			require.Greater(t, with, without+n/10)
		}
	}
}
