package lobby_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/p2p/lobby"
)

func TestWhomTheHostKicksIsGoneForAllAndStaysOut(t *testing.T) {
	s := newSaloon(t, 4)
	all := s.full()
	s.ready(all...)
	zoe := all[2]
	require.NoError(t, s.host.Kick(s.now, zoe.Identity.Key()))
	s.settle()
	for _, x := range []*seat{all[0], all[1], all[3]} {
		n := x.told(lobby.NewsGone)
		require.NotNil(t, n)
		require.Equal(t, zoe.Nick, n.Seat.Nick)
		require.Equal(t, lobby.Kicked, n.Reason)
		require.NotNil(t, x.told(lobby.NewsStopped), "no countdown runs any more")
		require.False(t, x.m.View().Seats[0].Key == zoe.Identity.Key())
	}
	refused(t, zoe, lobby.Kicked)
	require.Equal(t, []lobby.Seat{{Key: zoe.Identity.Key(), Nick: zoe.Nick}}, s.host.View().Kicked)

	again := zoe.Player
	again.Nick = "somebody else" // another name does not help: the key counts
	refused(t, s.comes(again), lobby.Kicked)
	require.Equal(t, 1, s.hostFree())
	s.seats = append(all[:2:2], all[3])
	yan := s.comes(s.person("Yan"))
	require.True(t, yan.sits())
	s.ready(yan)
	s.passes(3 * time.Second)
	for _, x := range []*seat{all[0], all[1], all[3], yan} {
		require.Equal(t, lobby.Begun, x.m.View().Phase)
	}
	require.Error(t, s.host.Kick(s.now, yan.Identity.Key()), "whoever opened the table has no power over the game")
	require.Equal(t, lobby.Begun, s.host.View().Phase)
}

func TestWhomTheHostLetsInAgainSitsDown(t *testing.T) {
	s := newSaloon(t, 4)
	boris := s.comes(s.person("Boris"))
	key := boris.Identity.Key()
	require.NoError(t, s.host.Kick(s.now, key))
	s.settle()
	refused(t, boris, lobby.Kicked)
	require.Error(t, s.host.Let(s.now, s.seats[0].Identity.Key()), "who was never kicked")
	require.NoError(t, s.host.Let(s.now, key))
	require.Empty(t, s.host.View().Kicked)
	s.seats = s.seats[:1]
	require.True(t, s.comes(boris.Player).sits())
}

func TestKickingIsHeardThoughTheWordOfItIsLost(t *testing.T) {
	s := newSaloon(t, 4)
	boris := s.comes(s.person("Boris"))
	s.lose = func() bool { return true }
	require.NoError(t, s.host.Kick(s.now, boris.Identity.Key()))
	s.settle()
	require.Nil(t, boris.m.(*lobby.Guest).End())
	s.lose = func() bool { return false }
	s.passes(2 * time.Second)
	refused(t, boris, lobby.Kicked)
}

func TestOnlyAGuestWhoSitsThereCanBeKicked(t *testing.T) {
	s := newSaloon(t, 4)
	require.ErrorContains(t, s.host.Kick(s.now, s.seats[0].Identity.Key()), "oneself")
	require.ErrorContains(t, s.host.Kick(s.now, identity(t).Key()), "does not sit here")
	require.Empty(t, s.host.View().Kicked)
	require.Len(t, s.host.View().Seats, 1)
}

func TestTheBotsOfWhoIsKickedGoToo(t *testing.T) {
	s := newSaloon(t, 5)
	boris := s.comes(s.person("Boris"))
	rusty := func(nick string) lobby.Player {
		bot := s.person(nick)
		bot.Bot, bot.Auto, bot.Owner = true, true, boris.Identity.Key()
		bot.Vouch = lobby.Vouch(s.suite, boris.Identity, lobby.RoomOf(s.seats[0].Identity.Key()), bot.Identity.Key())
		return bot
	}
	bot := s.comes(rusty("Rusty"))
	require.True(t, bot.sits())
	require.NoError(t, s.host.Kick(s.now, boris.Identity.Key()))
	s.settle()
	refused(t, bot, lobby.Kicked)
	require.Len(t, s.host.View().Seats, 1)
	refused(t, s.comes(rusty("Dusty")), lobby.Kicked)
	require.NoError(t, s.host.Let(s.now, boris.Identity.Key()))
	s.seats = s.seats[:1]
	require.True(t, s.comes(rusty("Musty")).sits())
}

func TestAfterAGameTheHostCanKickAgain(t *testing.T) {
	s := newSaloon(t, 4)
	all := s.full()
	s.ready(all...)
	s.passes(3 * time.Second)
	require.NoError(t, s.host.Offer(s.now, rules(t)))
	require.NoError(t, s.host.Kick(s.now, all[1].Identity.Key()))
	s.settle()
	all[1].m.(*lobby.Guest).Again(s.now)
	s.settle()
	refused(t, all[1], lobby.Kicked)
	require.Equal(t, 1, s.hostFree())
}
