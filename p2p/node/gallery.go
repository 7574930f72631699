package node

import (
	"net/netip"
	"sync"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"
)

// What strangers may do to a host that can be watched.
const (
	lobbyPlaces    = 8                       // connections of those who have not asked anything yet
	firstQuestion  = 1500 * time.Millisecond // or the connection is closed, soon enough to count as a failure: who dials everybody takes no place
	nextQuestion   = 30 * time.Second        // likewise
	spectatorRate  = 2 << 20                 // bytes of answers to one of them, per second
	spectatorPause = 100 * time.Millisecond
	offences       = 32 // things that no spectator does, at once; and one a second
	barFor         = time.Minute
	maxBarred      = 256
)

// A gallery is the places for spectators of a host. They are shared out evenly among the addresses that spectators come
// from: where all are taken, a newcomer gets one of an address that has two more than his own. So one machine with many
// keys keeps nobody out but those behind its own address, and nobody is put out who could come back for the same reason.
type gallery struct {
	mu     sync.Mutex
	places int // of the room that has most
	all    map[peer.ID]*spectator
	barred map[peer.ID]time.Time
	serves chan struct{} // a token per answer at this moment: apart from those of the players
}

type spectator struct {
	home  netip.Addr
	came  time.Time
	asked time.Time // the last question; zero: none yet, and no place
	free  time.Time // it is not answered again before
	tally float64   // of offences
	last  time.Time
}

func newGallery() *gallery {
	return &gallery{all: map[peer.ID]*spectator{}, barred: map[peer.ID]time.Time{}, serves: make(chan struct{}, 4)}
}

// lets reports whether there is room for a stranger from an address to come in and ask.
func (g *gallery) lets(p peer.ID, home netip.Addr) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, ok := g.fits(p, home)
	return ok
}

// fits reports whether there is room, and who has to make it, if anybody.
func (g *gallery) fits(p peer.ID, home netip.Addr) (out peer.ID, ok bool) {
	if until, barred := g.barred[p]; g.places == 0 || barred && time.Now().Before(until) {
		return "", false
	}
	if g.all[p] != nil || len(g.all) < g.places+lobbyPlaces {
		return "", true
	}
	out = yields(g.all, home)
	return out, out != ""
}

// yields picks who gives way to a newcomer from an address: of the address that has most of the places, and two more
// than the newcomer's own, whoever has asked nothing for longest; "" when nobody does.
func yields(taken map[peer.ID]*spectator, home netip.Addr) (out peer.ID) {
	count := map[netip.Addr]int{}
	for _, x := range taken {
		count[x.home]++
	}
	for p, x := range taken {
		if count[x.home] < count[home]+2 {
			continue
		}
		best := taken[out]
		if best == nil || count[x.home] > count[best.home] || count[x.home] == count[best.home] && x.before(best) {
			out = p
		}
	}
	return out
}

// before reports whether a spectator has been of no use for longer than another.
func (x *spectator) before(y *spectator) bool {
	if x.asked.Equal(y.asked) {
		return x.came.Before(y.came)
	}
	return x.asked.Before(y.asked)
}

// came notes a stranger that is connected from an address; not ok means that it has to go, else out has, if anybody.
func (g *gallery) came(p peer.ID, home netip.Addr) (out peer.ID, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if out, ok = g.fits(p, home); !ok {
		return "", false
	}
	delete(g.all, out)
	if g.all[p] == nil {
		now := time.Now()
		g.all[p] = &spectator{home: home, came: now, last: now}
	}
	return out, true
}

func (g *gallery) gone(p peer.ID) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.all, p)
}

// ask takes in a question. It says how long the answer has to wait, whether there is a place for the asker at all, and
// who has to go to make it, if anybody.
func (g *gallery) ask(p peer.ID) (wait time.Duration, out peer.ID, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	x := g.all[p]
	if x == nil {
		return 0, "", false
	}
	if x.asked.IsZero() {
		taken := map[peer.ID]*spectator{}
		for o, y := range g.all {
			if !y.asked.IsZero() {
				taken[o] = y
			}
		}
		if len(taken) >= g.places {
			if out = yields(taken, x.home); out == "" {
				return 0, "", false
			}
			delete(g.all, out)
		}
	}
	x.asked = time.Now()
	return max(0, x.free.Sub(x.asked)), out, true
}

// answered notes what an answer has cost, so that the next one waits for it.
func (g *gallery) answered(p peer.ID, bytes int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if x := g.all[p]; x != nil {
		x.free = time.Now().Add(max(spectatorPause, time.Duration(bytes)*time.Second/spectatorRate))
	}
}

// offends counts something that no spectator does and reports whether it is enough: then the peer stays away for a while.
func (g *gallery) offends(p peer.ID) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	x := g.all[p]
	if x == nil {
		return false
	}
	now := time.Now()
	x.tally, x.last = max(0, x.tally-now.Sub(x.last).Seconds())+1, now
	if x.tally <= offences {
		return false
	}
	if len(g.barred) >= maxBarred {
		clear(g.barred)
	}
	g.barred[p] = now.Add(barFor)
	return true
}

// idle are those whose time to ask has run out.
func (g *gallery) idle(now time.Time) (out []peer.ID) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for p, x := range g.all {
		if x.asked.IsZero() && now.Sub(x.came) > firstQuestion || !x.asked.IsZero() && now.Sub(x.asked) > nextQuestion {
			out = append(out, p)
		}
	}
	return out
}
