package node

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	pubsub "github.com/libp2p/go-libp2p-pubsub"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/stretchr/testify/require"
)

// counting is a machine that counts what gets as far as its check.
type counting struct{ checks atomic.Int32 }

func (c *counting) Check([]byte) Verdict { c.checks.Add(1); return Accept }

// A stage is two hosts at a table that has begun and can be watched. Their owners answer every question with its body.
type stage struct {
	hosts    []*Host
	rooms    []*Room
	machine  *counting
	asked    atomic.Int32
	packets  atomic.Int32
	answered []byte // in place of the body
}

func newStage(t *testing.T, places int) *stage {
	t.Helper()
	a, b := testHost(t), testHost(t)
	s := &stage{hosts: []*Host{a, b}, machine: &counting{}}
	require.NoError(t, b.Meet(a.Addresses()[0]))
	keys := []Key{a.Key(), b.Key()}
	for _, h := range s.hosts {
		h.Admit(func(k Key) bool { return slices.Contains(keys, k) })
		r, err := h.Join(RoomConfig{Table: [32]byte{7}, Machine: s.machine, Members: keys, Spectators: places})
		require.NoError(t, err)
		s.rooms = append(s.rooms, r)
		go func() {
			for e := range r.Events() {
				switch e := e.(type) {
				case Request:
					s.asked.Add(1)
					body := e.Body
					if s.answered != nil {
						body = s.answered
					}
					_ = e.Reply([][]byte{body})
				case Packet:
					s.packets.Add(1)
				}
			}
		}()
	}
	for _, r := range s.rooms {
		select {
		case <-r.Ready():
		case <-time.After(patience):
			t.Fatal("the two do not come together")
		}
	}
	return s
}

// visitor is a host that knows the first of the stage.
func (s *stage) visitor(t *testing.T) *Host {
	t.Helper()
	h := testHost(t)
	require.NoError(t, h.Meet(s.hosts[0].Addresses()[0]))
	return h
}

func visit(t *testing.T, h *Host, at Key) (table [32]byte, err error) {
	t.Helper()
	require.Eventually(t, func() bool {
		table, err = h.Visit(t.Context(), at)
		return err == nil || errorsIsAny(err, ErrNothingToWatch, ErrNoPlace)
	}, patience, 20*time.Millisecond)
	return table, err
}

func errorsIsAny(err error, list ...error) bool {
	return slices.ContainsFunc(list, func(target error) bool { return errors.Is(err, target) })
}

func TestASpectatorAsksAnyMemberAndSeesNothingElse(t *testing.T) {
	t.Parallel()
	s := newStage(t, 2)
	h := s.visitor(t)
	id, err := visit(t, h, s.hosts[0].Key())
	require.NoError(t, err)
	require.Equal(t, [32]byte{7}, id)
	for _, at := range s.hosts { // the second is known by what the first has told
		require.Eventually(t, func() bool {
			got, err := h.Fetch(t.Context(), at.Key(), id, []byte("from 3"))
			return err == nil && len(got) == 1 && string(got[0]) == "from 3"
		}, patience, 20*time.Millisecond)
	}
	_, err = h.Fetch(t.Context(), s.hosts[0].Key(), [32]byte{8}, nil)
	require.Error(t, err, "another table")
	_, err = h.Fetch(t.Context(), s.hosts[0].Key(), id, make([]byte, MaxRequest+1))
	require.ErrorIs(t, err, ErrTooLarge)
	_, err = h.Fetch(t.Context(), testIdentity(t).Key(), id, nil)
	require.ErrorIs(t, err, ErrNotLinked)

	// A link is refused, and the topic is as if the spectator were not there, whatever it says of itself.
	raw, _ := rough(t, s.hosts[0])
	st, in := stream(t, raw, s.hosts[0], linkProtocol)
	require.Equal(t, notAdmitted, say(t, st, in, hello{Version: Version, Table: [32]byte{7}}).Code)
	gossip, err := pubsub.NewGossipSub(t.Context(), raw, pubsub.WithMessageSignaturePolicy(pubsub.StrictNoSign), pubsub.WithNoAuthor())
	require.NoError(t, err)
	topic, err := gossip.Join(topicName([32]byte{7}))
	require.NoError(t, err)
	sub, err := topic.Subscribe()
	require.NoError(t, err)
	checks := s.machine.checks.Load()
	for range 5 {
		require.NoError(t, topic.Publish(t.Context(), append(make([]byte, nonceSize), "I move"...)))
	}
	for range 20 {
		require.NoError(t, s.rooms[0].Broadcast([]byte("a secret of the players")))
	}
	require.Eventually(t, func() bool { return s.packets.Load() == 20 }, patience, 10*time.Millisecond, "the players hear each other")
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	for {
		m, err := sub.Next(ctx)
		if err != nil {
			break
		}
		require.Equal(t, raw.ID(), m.ReceivedFrom, "it has heard a player")
	}
	require.EqualValues(t, checks+20, s.machine.checks.Load(), "what it publishes does not get as far as the table's gate")
}

func TestATableThatCannotBeWatchedLetsNobodyIn(t *testing.T) {
	t.Parallel()
	s := newStage(t, 0)
	h := s.visitor(t)
	for range 20 { // it dials again and again, and may take a connection for one before it is closed
		time.Sleep(25 * time.Millisecond)
		_, err := h.Visit(t.Context(), s.hosts[0].Key())
		require.Error(t, err)
	}

	// Before the start a host admits everybody; there is nothing to watch yet.
	open := testHost(t)
	testRoom(t, open)
	guest := testHost(t)
	require.NoError(t, guest.Meet(open.Addresses()[0]))
	_, err := visit(t, guest, open.Key())
	require.ErrorIs(t, err, ErrNothingToWatch)
}

func TestPlacesForSpectatorsAreCounted(t *testing.T) {
	t.Parallel()
	s := newStage(t, 2)
	var inside []*Host
	for range 2 {
		h := s.visitor(t)
		_, err := visit(t, h, s.hosts[0].Key())
		require.NoError(t, err)
		inside = append(inside, h)
	}
	third := s.visitor(t)
	_, err := visit(t, third, s.hosts[0].Key())
	require.ErrorIs(t, err, ErrNoPlace)
	_, err = third.Fetch(t.Context(), s.hosts[0].Key(), [32]byte{7}, nil)
	require.Error(t, err)
	asked := s.asked.Load()
	require.NoError(t, inside[0].Close())
	_, err = visit(t, third, s.hosts[0].Key())
	for errors.Is(err, ErrNoPlace) { // until the place is seen to be free
		time.Sleep(50 * time.Millisecond)
		_, err = visit(t, third, s.hosts[0].Key())
	}
	require.NoError(t, err)
	require.Equal(t, asked, s.asked.Load())

	// Who asks nothing takes no place and does not stay.
	raw, _ := rough(t, s.hosts[0])
	require.Eventually(t, func() bool { return len(raw.Network().Peers()) == 0 }, patience, 20*time.Millisecond)

	// When the table is over nobody is let in any more, and who is there has to go.
	s.rooms[0].Close()
	require.Eventually(t, func() bool { return !inside[1].connected(s.hosts[0].id) && !third.connected(s.hosts[0].id) }, patience, 20*time.Millisecond)
}

func TestConnectionsOfStrangersAreBounded(t *testing.T) {
	t.Parallel()
	s := newStage(t, 2)
	var in int
	for range 2 + lobbyPlaces + 5 {
		id := testIdentity(t)
		raw, err := newLibp2p(id, &gater{}, nil)
		require.NoError(t, err)
		t.Cleanup(func() { raw.Close() })
		_ = raw.Connect(t.Context(), peer.AddrInfo{ID: s.hosts[0].id, Addrs: s.hosts[0].where()})
	}
	s.hosts[0].gallery.mu.Lock()
	in = len(s.hosts[0].gallery.all)
	s.hosts[0].gallery.mu.Unlock()
	require.LessOrEqual(t, in, 2+lobbyPlaces)
	select {
	case <-s.rooms[0].Ready():
	default:
		t.Fatal("the players are apart")
	}
	require.Empty(t, s.rooms[0].Missing(), "the players are not disturbed")
}

func TestASpectatorWhoFloodsIsServedAtItsPaceAndThenShownOut(t *testing.T) {
	t.Parallel()
	s := newStage(t, 2)
	s.answered = make([]byte, MaxPacket)
	h := s.visitor(t)
	_, err := visit(t, h, s.hosts[0].Key())
	require.NoError(t, err)
	// One after the other: as fast as the pause allows, and no faster.
	start := time.Now()
	for served := 0; served < 10; {
		require.Less(t, time.Since(start), patience)
		if _, err := h.Fetch(t.Context(), s.hosts[0].Key(), [32]byte{7}, nil); err == nil {
			served++
		}
		time.Sleep(20 * time.Millisecond) // the question before is settled there a moment after it is here
	}
	require.GreaterOrEqual(t, time.Since(start), 9*spectatorPause)

	// Many at a time: the owner is asked no more often, and the flooder is out.
	asked := s.asked.Load()
	start = time.Now()
	for n := 0; h.connected(s.hosts[0].id); n++ {
		require.Less(t, n, 5000, "it is still let in")
		go func() { _, _ = h.Fetch(t.Context(), s.hosts[0].Key(), [32]byte{7}, nil) }()
		time.Sleep(time.Millisecond)
	}
	require.LessOrEqual(t, s.asked.Load()-asked, int32(time.Since(start)/spectatorPause)+2)
	time.Sleep(time.Second)
	require.False(t, h.connected(s.hosts[0].id), "for a while it does not come in again")
	require.Empty(t, s.rooms[0].Missing(), "the players are not disturbed")
}
