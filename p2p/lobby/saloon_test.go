package lobby_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/p2p/lobby"
	"standoff/p2p/node"
	"standoff/p2p/table"
)

// machine is what a saloon moves: an Opener or a Guest.
type machine interface {
	View() lobby.View
	Ready(time.Duration, bool) error
	Receive(time.Duration, node.Key, []byte)
	Heard(time.Duration, node.Key, []byte)
	Down(time.Duration, node.Key)
	Tick(time.Duration)
	Tell(time.Duration, string, ...node.Key) error
	Leave(time.Duration)
	Out() lobby.Out
}

// A seat of a saloon: one machine, its heartbeat and everything it has told.
type seat struct {
	lobby.Player
	m    machine
	beat []byte
	news []lobby.News
	deaf bool // the lid is closed: nothing goes in or out
}

// A saloon is a network without sockets: letters arrive at once, beats every second, at the word of the script.
type saloon struct {
	t      *testing.T
	now    time.Duration
	host   *lobby.Opener
	seats  []*seat
	lose   func() bool // a letter is lost
	suite  table.Suite
	seeded *rand.ChaCha8
}

func newSaloon(t *testing.T, seats int) *saloon {
	s := &saloon{t: t, suite: table.NewRistretto(nil), seeded: rand.NewChaCha8([32]byte{1}), lose: func() bool { return false }}
	ana := s.person("Ana")
	offer := rules(t)
	offer.Seats = uint8(seats)
	var err error
	s.host, err = lobby.NewOpener(ana, offer, 7, lobby.Countdown)
	require.NoError(t, err)
	s.seats = []*seat{{Player: ana, m: s.host}}
	s.settle()
	return s
}

func (s *saloon) person(nick string) lobby.Player {
	return lobby.Player{Suite: s.suite, Identity: identity(s.t), Rand: s.seeded, Nick: nick}
}

// comes lets somebody wish to sit down.
func (s *saloon) comes(p lobby.Player) *seat {
	s.t.Helper()
	g, err := lobby.NewGuest(p, s.seats[0].Identity.Key(), s.now)
	require.NoError(s.t, err)
	x := &seat{Player: p, m: g}
	s.seats = append(s.seats, x)
	s.settle()
	return x
}

func (s *saloon) by(k node.Key) []*seat {
	var out []*seat
	for _, x := range s.seats {
		if x.Identity.Key() == k {
			out = append(out, x)
		}
	}
	return out
}

// settle delivers letters until there are no more.
func (s *saloon) settle() {
	for range 200 {
		quiet := true
		for _, x := range s.seats {
			out := x.m.Out()
			x.news = append(x.news, out.News...)
			if out.Beat != nil {
				x.beat = out.Beat
			}
			for _, l := range out.Send {
				quiet = false
				for _, y := range s.seats {
					to := l.To == y.Identity.Key() || l.To == (node.Key{}) && y != x
					if to && !x.deaf && !y.deaf && !s.lose() {
						y.m.Receive(s.now, x.Identity.Key(), l.Bytes)
					}
				}
			}
		}
		if quiet {
			return
		}
	}
	require.Fail(s.t, "the letters never end")
}

// passes lets time pass in steps of 100 ms, with a beat from everybody to everybody each second.
func (s *saloon) passes(d time.Duration) {
	for end := s.now + d; s.now < end; {
		s.now += 100 * time.Millisecond
		for _, x := range s.seats {
			x.m.Tick(s.now)
			if s.now%time.Second == 0 && !x.deaf {
				for _, y := range s.seats {
					if y != x && !y.deaf && !s.lose() {
						y.m.Heard(s.now, x.Identity.Key(), x.beat)
					}
				}
			}
		}
		s.settle()
	}
}

func (s *saloon) ready(seats ...*seat) {
	s.t.Helper()
	for _, x := range seats {
		require.NoError(s.t, x.m.Ready(s.now, true))
		s.settle()
	}
}

func (s *saloon) full() (all []*seat) {
	for i := len(s.seats); i < int(s.host.View().Offer.Seats); i++ {
		s.comes(s.person(fmt.Sprintf("guest %d", i)))
	}
	require.Zero(s.t, s.hostFree())
	return s.seats
}

func (s *saloon) hostFree() int { v := s.host.View(); return v.Free() }

// told reports whether a seat was told news of a kind, and forgets what came before.
func (x *seat) told(k lobby.NewsKind) *lobby.News {
	for i, n := range x.news {
		if n.Kind == k {
			x.news = x.news[i+1:]
			return &n
		}
	}
	return nil
}

func (x *seat) sits() bool { v := x.m.View(); return v.Seat(x.Identity.Key()) != nil }

// refused asserts that a seat's machine has ended with the reason.
func refused(t *testing.T, x *seat, r lobby.Reason) *lobby.Refusal {
	t.Helper()
	end := x.m.(*lobby.Guest).End()
	require.NotNil(t, end)
	require.Equal(t, r, end.Reason)
	n := x.told(lobby.NewsClosed)
	require.NotNil(t, n)
	require.Equal(t, r, n.Reason)
	return end
}
