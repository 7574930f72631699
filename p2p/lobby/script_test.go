package lobby_test

import (
	"crypto/ed25519"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/p2p/lobby"
	"standoff/p2p/table"
)

func TestAllReadyThenThreeSecondsThenTheRoster(t *testing.T) {
	s := newSaloon(t, 4)
	all := s.full()
	s.ready(all[:3]...)
	s.passes(2 * time.Second)
	require.Equal(t, lobby.Gathering, s.host.View().Phase)
	s.ready(all[3])
	for _, x := range all {
		require.NotNil(t, x.told(lobby.NewsCounting))
		require.Equal(t, lobby.Countdown, x.m.View().Left)
	}
	s.passes(2900 * time.Millisecond)
	require.Equal(t, lobby.Counting, s.host.View().Phase)
	s.passes(100 * time.Millisecond)
	for _, x := range all {
		require.NotNil(t, x.told(lobby.NewsBegun))
		r, err := table.ReadRoster(s.suite, x.m.View().Roster)
		require.NoError(t, err)
		require.Len(t, r.Joins, 4)
		k := x.Identity.Key()
		require.Equal(t, x.Nick, r.Joins[r.SeatOf(ed25519.PublicKey(k[:]))].Nick)
		require.Equal(t, s.host.View().Roster, x.m.View().Roster)
		require.Error(t, x.m.Ready(s.now, false))
	}
}

func TestAnybodyCanStopTheCountdown(t *testing.T) {
	for stopper := range 4 {
		s := newSaloon(t, 4)
		all := s.full()
		s.ready(all...)
		s.passes(2 * time.Second)
		require.NoError(t, all[stopper].m.Ready(s.now, false))
		s.settle()
		for _, x := range all {
			n := x.told(lobby.NewsStopped)
			require.NotNil(t, n)
			require.Equal(t, all[stopper].Nick, n.Seat.Nick)
		}
		s.passes(5 * time.Second)
		require.Equal(t, lobby.Gathering, s.host.View().Phase)
		s.ready(all[stopper])
		s.passes(3 * time.Second)
		require.Equal(t, lobby.Begun, s.host.View().Phase)
	}
}

func TestAChangeOfOptionsClearsReady(t *testing.T) {
	s := newSaloon(t, 4)
	all := s.full()
	s.ready(all...)
	before := s.host.View().Hash
	offer := rules(t)
	offer.Name = "other saloon"
	require.NoError(t, s.host.Offer(s.now, offer))
	s.settle()
	for _, x := range all {
		v := x.m.View()
		require.NotEqual(t, before, v.Hash)
		require.Equal(t, "other saloon", v.Offer.Name)
		require.NotNil(t, x.told(lobby.NewsOffer))
		for _, seat := range v.Seats {
			require.False(t, seat.Ready)
		}
	}
	s.passes(6 * time.Second)
	require.Equal(t, lobby.Gathering, s.host.View().Phase)
	s.ready(all...)
	s.passes(3 * time.Second)
	require.Equal(t, lobby.Begun, s.host.View().Phase)

	offer.Seats = 3
	hash := s.host.View().Hash
	require.ErrorContains(t, s.host.Offer(s.now, offer), "4 players sit here")
	require.Equal(t, hash, s.host.View().Hash)
	require.Equal(t, lobby.Begun, s.host.View().Phase)
}

func TestTableFull(t *testing.T) {
	s := newSaloon(t, 4)
	s.full()
	refused(t, s.comes(s.person("Zoe")), lobby.Full)
	require.Len(t, s.host.View().Seats, 4)
}

func TestAlreadyRunning(t *testing.T) {
	s := newSaloon(t, 4)
	s.ready(s.full()...)
	s.passes(3 * time.Second)
	refused(t, s.comes(s.person("Zoe")), lobby.Running)
	for _, x := range s.seats[:4] {
		require.Equal(t, lobby.Begun, x.m.View().Phase)
	}
}

func TestAnotherVersion(t *testing.T) {
	s := newSaloon(t, 4)
	for version, want := range map[uint64]lobby.Reason{2: lobby.OtherVersion, 0: lobby.Running} {
		g, err := lobby.NewGuest(s.person("Boris"), s.seats[0].Identity.Key(), s.now)
		require.NoError(t, err)
		g.NotLinked(s.now, identity(t).Key(), 9) // some other program
		require.Nil(t, g.End())
		g.NotLinked(s.now, s.seats[0].Identity.Key(), version)
		require.Equal(t, want, g.End().Reason)
	}
}

func TestSameNickTwice(t *testing.T) {
	s := newSaloon(t, 4)
	s.comes(s.person("Boris"))
	require.Equal(t, "BORIS", refused(t, s.comes(s.person("BORIS")), lobby.NickTaken).Detail)
	refused(t, s.comes(s.person("ana")), lobby.NickTaken)
	require.Len(t, s.host.View().Seats, 2)
}

func TestWhoLeavesBeforeTheStartFreesTheSeat(t *testing.T) {
	s := newSaloon(t, 4)
	all := s.full()
	s.ready(all...)
	all[2].m.Leave(s.now)
	s.settle()
	for _, x := range []*seat{all[0], all[1], all[3]} {
		n := x.told(lobby.NewsGone)
		require.NotNil(t, n)
		require.Equal(t, all[2].Nick, n.Seat.Nick)
		require.Equal(t, lobby.Left, n.Reason)
		require.NotNil(t, x.told(lobby.NewsStopped))
	}
	refused(t, all[2], lobby.Left)
	zoe := s.comes(s.person("Zoe"))
	require.True(t, zoe.sits())
	s.ready(zoe) // the others' signatures still stand
	s.passes(3 * time.Second)
	require.Equal(t, lobby.Begun, zoe.m.View().Phase)
}

func TestTheHostLeavesBeforeTheStartAndAnotherOpensATable(t *testing.T) {
	s := newSaloon(t, 4)
	all := s.full()
	s.ready(all[1:]...)
	s.host.Leave(s.now)
	s.settle()
	for _, x := range all[1:] {
		refused(t, x, lobby.HostLeft)
	}
	require.NotNil(t, all[0].told(lobby.NewsClosed))

	offer := all[1].m.View().Offer
	next, err := lobby.NewOpener(all[1].Player, offer, 1, 0)
	require.NoError(t, err)
	s.host, s.seats = next, []*seat{{Player: all[1].Player, m: next}}
	for _, old := range all[2:] {
		require.True(t, s.comes(old.Player).sits())
	}
	s.comes(s.person("Zoe"))
	s.ready(s.seats...)
	require.Equal(t, lobby.Begun, s.host.View().Phase, "without a countdown the start is at once")
	require.Equal(t, lobby.Begun, s.seats[3].m.View().Phase)
}

func TestTheHostFallsSilent(t *testing.T) {
	s := newSaloon(t, 4)
	all := s.full()
	all[0].deaf = true
	s.passes(9 * time.Second)
	require.Nil(t, all[1].m.(*lobby.Guest).End())
	s.passes(2 * time.Second)
	for _, x := range all[1:] {
		refused(t, x, lobby.HostSilent)
	}
}

func TestNobodyAnswersAtAll(t *testing.T) {
	s := newSaloon(t, 4)
	s.seats[0].deaf = true
	x := s.comes(s.person("Boris"))
	s.passes(11 * time.Second)
	refused(t, x, lobby.Unreachable)
}

// FR-34 (a): somebody joins the lobby and closes the lid; the seat becomes free and the start possible.
func TestFR34aAClosedLidFreesTheSeat(t *testing.T) {
	s := newSaloon(t, 4)
	all := s.full()
	s.ready(all...)
	lid := all[3]
	lid.deaf = true
	s.host.Down(s.now, lid.Identity.Key())
	s.settle()
	require.NotNil(t, all[1].told(lobby.NewsAway))
	require.Equal(t, lobby.Gathering, s.host.View().Phase, "no countdown runs without somebody")
	s.passes(9 * time.Second)
	require.Zero(t, s.hostFree(), "ten seconds are not over")
	s.passes(2 * time.Second)
	for _, x := range all[:3] {
		n := x.told(lobby.NewsGone)
		require.NotNil(t, n)
		require.Equal(t, lobby.Silent, n.Reason)
		require.Equal(t, lid.Nick, n.Seat.Nick)
	}
	zoe := s.comes(s.person("Zoe"))
	s.ready(zoe)
	s.passes(3 * time.Second)
	for _, x := range append(all[:3:3], zoe) {
		require.Equal(t, lobby.Begun, x.m.View().Phase)
	}
	// The lid opens: the game has begun without that player.
	lid.deaf = false
	s.passes(2 * time.Second)
	require.True(t, lid.m.(*lobby.Guest).End() != nil)
}

func TestWhoComesBackInTimeKeepsTheSeat(t *testing.T) {
	s := newSaloon(t, 4)
	all := s.full()
	s.ready(all...)
	all[2].deaf = true
	s.passes(5 * time.Second)
	require.Equal(t, lobby.Gathering, s.host.View().Phase)
	all[2].deaf = false
	s.passes(time.Second)
	require.NotNil(t, all[1].told(lobby.NewsBack))
	s.passes(4 * time.Second)
	for _, x := range all {
		require.Equal(t, lobby.Begun, x.m.View().Phase)
	}
}

func TestWhoComesBackTooLateSitsDownAgainIfThereIsRoom(t *testing.T) {
	s := newSaloon(t, 4)
	all := s.full()
	s.ready(all[3])
	all[3].deaf = true
	s.passes(9 * time.Second)
	s.host.Tick(s.now + 2*time.Second) // the host's clock is ahead; its guest has not given up
	s.settle()
	require.Equal(t, 1, s.hostFree())
	all[3].deaf = false
	s.passes(2 * time.Second)
	require.Zero(t, s.hostFree())
	require.True(t, all[3].sits())
}

func TestJoiningTwiceIsOneSeat(t *testing.T) {
	s := newSaloon(t, 4)
	boris := s.comes(s.person("Boris"))
	s.ready(boris)
	s.seats = s.seats[:1]
	again := s.comes(boris.Player) // the same player from a program started anew
	require.True(t, again.sits())
	require.Len(t, s.host.View().Seats, 2)
	renamed := boris.Player
	renamed.Nick = "Boris II"
	s.seats = []*seat{s.seats[0]}
	s.comes(renamed)
	v := s.host.View()
	require.Len(t, v.Seats, 2)
	require.Equal(t, "Boris II", v.Seats[1].Nick)
	require.False(t, v.Seats[1].Ready, "what was signed under the old name does not count")

	_, err := lobby.NewGuest(s.seats[0].Player, s.seats[0].Identity.Key(), 0)
	require.ErrorContains(t, err, "self")
}

func TestABotsSeatSaysWhoseMachineRunsIt(t *testing.T) {
	s := newSaloon(t, 4)
	boris := s.comes(s.person("Boris"))
	bot := s.person("Rusty")
	bot.Bot, bot.Auto, bot.Owner = true, true, boris.Identity.Key()
	_, err := lobby.NewGuest(bot, s.seats[0].Identity.Key(), s.now)
	require.ErrorContains(t, err, "has not vouched")
	bot.Vouch = lobby.Vouch(s.suite, boris.Identity, lobby.RoomOf(s.seats[0].Identity.Key()), bot.Identity.Key())
	x := s.comes(bot)
	for _, y := range s.seats {
		v := y.m.View()
		rusty := v.Seat(bot.Identity.Key())
		require.NotNil(t, rusty)
		require.True(t, rusty.Bot)
		require.True(t, rusty.Ready)
		require.Equal(t, boris.Identity.Key(), rusty.Owner)
	}
	// The word holds for this bot alone.
	other := s.person("Dusty")
	other.Bot, other.Owner, other.Vouch = true, bot.Owner, bot.Vouch
	_, err = lobby.NewGuest(other, s.seats[0].Identity.Key(), s.now)
	require.ErrorContains(t, err, "has not vouched")
	require.True(t, x.sits())
}

func TestAnotherGameAtTheSameTable(t *testing.T) {
	s := newSaloon(t, 4)
	all := s.full()
	s.ready(all...)
	s.passes(3 * time.Second)
	first, err := table.ReadRoster(s.suite, s.host.View().Roster)
	require.NoError(t, err)
	s.passes(time.Minute) // nobody is put out while they play
	all[3].deaf = true    // and one goes home at the end

	offer := rules(t)
	offer.Former = &table.Former{Table: first.Table, Sheriff: -1}
	for _, j := range first.Joins {
		offer.Former.Keys, offer.Former.Characters = append(offer.Former.Keys, j.Key), append(offer.Former.Characters, 0)
	}
	all[1].m.(*lobby.Guest).Again(s.now) // one is back before the offer, the other only after it
	s.passes(time.Second)
	require.Nil(t, all[1].m.(*lobby.Guest).End())
	require.NoError(t, s.host.Offer(s.now, offer))
	s.settle()
	all[2].m.(*lobby.Guest).Again(s.now)
	require.Equal(t, first.Table, all[2].m.View().Offer.Former.Table)
	s.passes(12 * time.Second)
	zoe := s.comes(s.person("Zoe"))
	require.True(t, zoe.sits())
	s.ready(all[0], all[1], all[2], zoe)
	s.passes(3 * time.Second)
	for _, x := range []*seat{all[0], all[1], all[2], zoe} {
		r, err := table.ReadRoster(s.suite, x.m.View().Roster)
		require.NoError(t, err)
		require.NotEqual(t, first.Table, r.Table)
		require.Equal(t, first.Table, r.Offer.Former.Table)
	}
}

func TestAHostThatLeavesTheGameIsMissedOnlyAfterIt(t *testing.T) {
	s := newSaloon(t, 4)
	all := s.full()
	s.ready(all...)
	s.passes(3 * time.Second)
	s.host.Leave(s.now)
	s.settle()
	for _, x := range all[1:] {
		require.Nil(t, x.m.(*lobby.Guest).End(), "the game goes on")
		require.Equal(t, lobby.Begun, x.m.View().Phase)
		x.m.(*lobby.Guest).Again(s.now)
		s.settle()
		refused(t, x, lobby.HostLeft)
	}
}

func TestAStartThatCrossesWithAStopCounts(t *testing.T) {
	s := newSaloon(t, 4)
	all := s.full()
	s.ready(all...)
	s.passes(2900 * time.Millisecond)
	s.host.Tick(s.now + 100*time.Millisecond) // signed, but not yet delivered
	require.NoError(t, all[2].m.Ready(s.now, false))
	s.settle()
	require.Equal(t, lobby.Begun, all[2].m.View().Phase)
}

func TestChatIsRatedAndCleaned(t *testing.T) {
	s := newSaloon(t, 4)
	all := s.full()
	for i := range 8 {
		err := all[1].m.Tell(s.now, fmt.Sprint("line ", i))
		require.Equal(t, i >= 5, err != nil)
	}
	require.Error(t, all[1].m.Tell(s.now, "\x1b\x07"))
	require.Error(t, all[2].m.Tell(s.now, string(make([]byte, lobby.MaxTell+1))+"x"+fmt.Sprintf("%0*d", lobby.MaxTell, 1)))
	require.NoError(t, all[2].m.Tell(s.now, "psst", all[3].Identity.Key()))
	s.settle()
	for i, want := range []int{5, 0, 5, 6} {
		got := 0
		for all[i].told(lobby.NewsTold) != nil {
			got++
		}
		require.Equal(t, want, got, "seat %d", i)
	}
	s.passes(2 * time.Second)
	require.NoError(t, all[1].m.Tell(s.now, "again"))
}

func TestEverythingArrivesThoughHalfOfTheLettersAreLost(t *testing.T) {
	alive, begun := 0, 0
	for seed := range uint64(20) {
		s := newSaloon(t, 5)
		dice := rand.New(rand.NewPCG(seed, 1))
		s.lose = func() bool { return dice.IntN(2) == 0 }
		for i := range 4 {
			s.comes(s.person(fmt.Sprint("guest ", i)))
		}
		s.passes(8 * time.Second)
		for _, x := range s.seats {
			if v := x.m.View(); v.Seat(x.Identity.Key()) != nil && v.Phase == lobby.Gathering {
				require.NoError(t, x.m.Ready(s.now, true))
			}
		}
		s.passes(30 * time.Second)
		s.lose = func() bool { return false }
		s.passes(2 * time.Second)
		for _, x := range s.seats {
			if v := x.m.View(); x.sits() && v.Phase == lobby.Gathering {
				require.NoError(t, x.m.Ready(s.now, true), "seed %d", seed)
			}
		}
		s.passes(6 * time.Second)
		for _, x := range s.seats {
			if g, ok := x.m.(*lobby.Guest); ok && g.End() != nil {
				continue // ten seconds without a word can happen at this loss
			}
			alive++
			require.Equal(t, s.host.View().Phase, x.m.View().Phase, "seed %d", seed)
			require.Equal(t, s.host.View().Seats, x.m.View().Seats, "seed %d", seed)
			require.Equal(t, s.host.View().Roster, x.m.View().Roster, "seed %d", seed)
		}
		if s.host.View().Phase == lobby.Begun {
			begun++
		}
	}
	require.Greater(t, alive, 80)
	require.Greater(t, begun, 15)
}
