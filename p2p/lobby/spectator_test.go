package lobby_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/p2p/lobby"
	"standoff/p2p/table"
)

// Once the game has begun nobody sits down any more, whatever he wishes, says or takes back; and what he says to the
// players reaches none of them: the living hear neither the dead nor those who look on.
func TestWhoComesAfterTheStartIsNoSeat(t *testing.T) {
	s := newSaloon(t, 4)
	s.ready(s.full()...)
	s.passes(lobby.Countdown + time.Second)
	for _, x := range s.seats {
		require.NotNil(t, x.told(lobby.NewsBegun))
	}
	before := s.host.View()
	roster, err := table.ReadRoster(s.suite, before.Roster)
	require.NoError(t, err)

	hana := s.comes(s.person("Hana"))
	refused(t, hana, lobby.Running)
	k := hana.Identity.Key()
	require.Negative(t, roster.SeatOf(k[:]))
	require.NoError(t, hana.m.Tell(s.now, "Boris holds a Bang!"))
	s.settle()
	hana.m.Leave(s.now)
	s.passes(30 * time.Second)
	for _, x := range s.seats[:4] {
		require.Nil(t, x.told(lobby.NewsTold))
		require.Nil(t, x.told(lobby.NewsSat))
		require.Nil(t, x.told(lobby.NewsGone))
		require.Equal(t, before.Roster, x.m.View().Roster)
	}
	require.Len(t, s.host.View().Seats, 4)
}
