package lobby_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/p2p/lobby"
	"standoff/p2p/table"
)

// A diner is a seat that plays game after game, and reads its news and ends its games when it pleases.
type diner struct {
	*seat
	games   [][]byte // rosters
	playing bool
}

// Those who play with bots, and the bots, each learn at a moment of their own that the game is over. Whoever is late
// is waited for: every game has everybody, and what a seat reads when it gets round to it is the game to play.
func TestEverybodyIsInEveryGameThoughEachEndsItInItsOwnTime(t *testing.T) {
	t.Parallel()
	const games = 8
	for seed := range uint64(24) {
		dice := rand.New(rand.NewPCG(seed, 2))
		s := newSaloon(t, 4)
		for i := range 3 {
			p := s.person(fmt.Sprint("guest ", i))
			p.Auto = seed%2 == 0 || i > 0
			s.comes(p)
		}
		if seed%3 == 0 {
			s.lose = func() bool { return dice.IntN(4) == 0 }
		}
		var all []*diner
		for _, x := range s.seats {
			all = append(all, &diner{seat: x})
		}
		for step := 0; !finished(all, games); step++ {
			require.Less(t, step, 5000, "seed %d: they wait for one another", seed)
			switch x := all[dice.IntN(len(all))]; {
			case dice.IntN(3) == 0:
				s.passes(time.Duration(dice.IntN(12)) * 100 * time.Millisecond)
			case x.playing:
				x.ends(t, s, all)
			default:
				x.looks(t, s, seed)
			}
		}
		for _, x := range all[1:] {
			require.Equal(t, all[0].games, x.games, "seed %d", seed)
		}
	}
}

func finished(all []*diner, games int) bool {
	for _, x := range all {
		if len(x.games) < games {
			return false
		}
	}
	return true
}

// looks reads the news, and gets ready where nobody does that for it.
func (x *diner) looks(t *testing.T, s *saloon, seed uint64) {
	if x.told(lobby.NewsBegun) != nil {
		v := x.m.View()
		require.Equal(t, lobby.Begun, v.Phase, "seed %d", seed)
		r, err := table.ReadRoster(s.suite, v.Roster)
		require.NoError(t, err, "seed %d", seed)
		require.Len(t, r.Joins, 4)
		x.games, x.playing = append(x.games, v.Roster), true
		return
	}
	if v := x.m.View(); !x.Auto && v.Phase == lobby.Gathering && v.Seat(v.Me) != nil {
		require.NoError(t, x.m.Ready(s.now, true))
		s.settle()
	}
}

// ends is the end of the game for this seat; that cannot come before everybody was there.
func (x *diner) ends(t *testing.T, s *saloon, all []*diner) {
	if !finished(all, len(x.games)) {
		return
	}
	x.playing = false
	switch m := x.m.(type) {
	case *lobby.Guest:
		m.Again(s.now)
	case *lobby.Opener:
		require.NoError(t, m.Offer(s.now, m.View().Offer))
	}
	s.settle()
}
