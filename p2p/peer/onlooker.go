package peer

import (
	"math"
	"time"

	"standoff/p2p/node"
	"standoff/p2p/table"
)

// Spectators of a seat: what they are answered. Each member holds a round back for as long as the table's option delay
// says, counted from when it has closed the round itself; so of honest members nobody learns it sooner, and where one
// tells it elsewhere no program can help. When the game is over nothing is held back any more.

const (
	// MaxSpectators is how many may look on at one seat at a time.
	MaxSpectators = 8

	onlookerFor = 15 * time.Second // after its last question somebody still counts as looking on
	waitedFor   = 4 * time.Second  // and is waited for when the game is over
	lookLimit   = 8 * time.Second  // that a seat waits then
	tellEvery   = 10 * time.Second // so often at most the player is told how many there are
	maxOnlooker = 64
)

// A curtain holds rounds back.
type curtain struct {
	none   bool // nobody may look on
	delay  time.Duration
	closed []time.Time // by round
}

func newCurtain(r *table.Roster) curtain {
	delay, ok := table.Spectators(r.Offer.Options)
	return curtain{none: !ok, delay: delay}
}

// reach notes that the rounds before this one are closed. After a start from the journal they all count from now.
func (c *curtain) reach(round uint32, now time.Time) {
	for c.delay > 0 && len(c.closed) < int(round) {
		c.closed = append(c.closed, now)
	}
}

// before is the first round that is not to be seen yet.
func (c *curtain) before(now time.Time) uint32 {
	if c.delay == 0 {
		return math.MaxUint32
	}
	n := len(c.closed)
	for n > 0 && now.Sub(c.closed[n-1]) < c.delay {
		n--
	}
	return uint32(n)
}

// places is for how many spectators there is room.
func (c *curtain) places() int {
	if c.none {
		return 0
	}
	return MaxSpectators
}

// answer serves a question: of a seat as it asks, of anybody else as a spectator. A question without content asks for
// the roster.
func (s *Seat) answer(e node.Request) {
	var packets [][]byte
	switch member := s.t.Roster().SeatOf(e.From[:]) >= 0; {
	case s.failing: // what is not on the disk yet is not to be heard by anybody
	case member:
		packets, _ = s.t.Serve(e.Body)
	case s.curtain.none:
	case len(e.Body) == 0:
		packets = [][]byte{s.t.Roster().Raw}
	default:
		before := s.curtain.before(time.Now())
		if s.end != nil {
			before = math.MaxUint32
		}
		packets, _ = s.t.ServeSpectator(e.Body, before)
		s.lookedOn(e.From, s.end != nil && len(packets) == 0)
	}
	if e.Reply(packets) != nil {
		e.Reply(nil)
	}
}

// lookedOn notes that somebody looks on, or has seen everything.
func (s *Seat) lookedOn(who node.Key, all bool) {
	if len(s.onlookers) >= maxOnlooker {
		clear(s.onlookers)
	}
	if s.onlookers[who] = time.Now(); all {
		delete(s.onlookers, who)
	}
}

// watched reports whether somebody who looks on may not have seen the end yet and is waited for.
func (s *Seat) watched() bool {
	if time.Since(s.ended) > lookLimit {
		return false
	}
	for _, at := range s.onlookers {
		if time.Since(at) < waitedFor {
			return true
		}
	}
	return false
}

// count tells how many look on, when that has changed; whoever comes and goes all the time does not fill the screen.
func (s *Seat) count() {
	for who, at := range s.onlookers {
		if time.Since(at) > onlookerFor {
			delete(s.onlookers, who)
		}
	}
	if n := min(len(s.onlookers), MaxSpectators); n != s.told && s.end == nil && time.Since(s.toldAt) > tellEvery {
		s.told, s.toldAt = n, time.Now()
		if s.Onlookers != nil {
			s.Onlookers(n)
		}
	}
}
