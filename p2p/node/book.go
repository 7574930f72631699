package node

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/record"
	"github.com/libp2p/go-libp2p/p2p/net/swarm"
	ma "github.com/multiformats/go-multiaddr"
)

// A book holds whom to be connected with and where they are, and dials until
// they are. libp2p itself tries once and never again.
//
// Where a peer is, only that peer says: others pass on its sealed record, signed
// by its key and numbered. So hearsay can be stale but not false, and the peer's
// newer record replaces the older.
type book struct {
	h    *Host
	wake chan struct{}

	mu       sync.Mutex
	contacts map[peer.ID]*contact
	busy     int // dials under way
}

type contact struct {
	told   []ma.Multiaddr // by the person, or by discovery
	signed []ma.Multiaddr // by the peer's newest record
	sealed []byte         // that record, as it goes on to others
	seq    uint64
	member bool // dialled for as long as the host lives

	dialing bool
	fails   int // attempts since the last connection that lasted
	due     time.Time
	up      time.Time // when the last connection came
	err     error
}

const (
	maxHeard     = 128 // peers known in all before hearsay adds no more
	maxTold      = 512 // and before discovery does not; members always find room
	maxAddresses = 8   // of one peer
	maxDials     = 8   // at a time
	dialTimeout  = 3 * time.Second
	firstPause   = 100 * time.Millisecond
	longestPause = 5 * time.Second
	lasting      = 3 * time.Second // a shorter connection counts as a failure
	hearsayFails = 20              // then a peer that is no member is forgotten
)

func newBook(h *Host) *book {
	return &book{h: h, wake: make(chan struct{}, 1), contacts: map[peer.ID]*contact{}}
}

// contact finds or makes the entry of p, or returns nil when there are limit
// entries already.
func (b *book) contact(p peer.ID, limit int) *contact {
	c := b.contacts[p]
	if c == nil && len(b.contacts) < limit {
		c = &contact{}
		b.contacts[p] = c
	}
	return c
}

// meet notes an address from the person or from discovery.
func (b *book) meet(a Address) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if a.id == b.h.id {
		return nil
	}
	c := b.contact(a.id, maxTold)
	if c == nil {
		return errors.New("too many peers")
	}
	if !ma.Contains(c.told, a.where) {
		c.told = append([]ma.Multiaddr{a.where}, c.told...)
		c.told = c.told[:min(len(c.told), maxAddresses)]
	}
	// The other side may not know of us, so both sides dial; the one with the
	// higher id a little later, which mostly saves the second connection.
	c.fails, c.due = 0, time.Now()
	if b.h.id > a.id {
		c.due = c.due.Add(between(100*time.Millisecond, 200*time.Millisecond))
	}
	b.poke()
	return nil
}

// want makes p a member: dialled again and again wherever it is.
func (b *book) want(p peer.ID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.contact(p, math.MaxInt).member = true
	b.poke()
}

// learn takes in a sealed record that came from peer from. It returns the peer
// whose record it is when it brought news, else "".
func (b *book) learn(sealed []byte, from peer.ID) peer.ID {
	unchecked, err := record.UnmarshalEnvelope(sealed)
	if err != nil {
		return ""
	}
	p, err := peer.IDFromPublicKey(unchecked.PublicKey)
	if err != nil || p == b.h.id || !b.h.gater.admits(p) || b.knows(p, sealed) {
		return ""
	}
	var rec peer.PeerRecord
	if _, err := record.ConsumeTypedEnvelope(sealed, &rec); err != nil || rec.PeerID != p {
		return ""
	}
	var signed []ma.Multiaddr
	for _, a := range b.h.seen(rec.Addrs) {
		if len(signed) < maxAddresses && checkPlace(a, b.h.gater.vpn) == nil {
			signed = append(signed, a)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.contact(p, maxHeard)
	if c == nil || rec.Seq <= c.seq && p != from {
		return ""
	}
	c.signed, c.sealed, c.seq = signed, bytes.Clone(sealed), rec.Seq
	c.fails, c.due = 0, time.Now()
	if b.h.id > p {
		// Both have heard of each other: the lower id dials, the other only
		// should that fail.
		c.due = c.due.Add(between(time.Second, 2*time.Second))
	}
	b.poke()
	return p
}

func (b *book) knows(p peer.ID, sealed []byte) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.contacts[p]
	return c != nil && bytes.Equal(c.sealed, sealed)
}

// records are the sealed records of those of the peers that are known.
func (b *book) records(peers []peer.ID) [][]byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out [][]byte
	for _, p := range peers {
		if c := b.contacts[p]; c != nil && c.sealed != nil && len(out) < maxRecords-1 {
			out = append(out, c.sealed)
		}
	}
	return out
}

// trouble is why p is not connected, as far as is known.
func (b *book) trouble(p peer.ID) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.contacts[p]
	switch {
	case c == nil || len(c.told)+len(c.signed) == 0:
		return "nobody has said yet where it is"
	case c.err != nil:
		return "not reached: " + c.err.Error()
	}
	return "not reached yet"
}

// moved is called when p is connected or no longer. A connection that falls at
// once, as when the other side does not admit us, leaves the pauses as they are.
func (b *book) moved(p peer.ID, connected bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.contacts[p]
	switch now := time.Now(); {
	case c == nil:
		return
	case connected:
		c.err = nil
		if c.up.IsZero() {
			c.up = now
		}
		return
	case now.Sub(c.up) > lasting:
		c.fails, c.due = 0, now
		if b.h.id > p {
			c.due = now.Add(between(time.Second, 2*time.Second))
		}
	}
	c.up = time.Time{}
	b.poke()
}

func (b *book) poke() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// run dials whoever is due, until ctx ends.
func (b *book) run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-b.wake:
		case <-timer.C:
		}
		timer.Reset(b.turn(ctx, time.Now()))
	}
}

// turn starts the dials that are due and returns how long nothing else is.
func (b *book) turn(ctx context.Context, now time.Time) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	wait := longestPause
	for p, c := range b.contacts {
		where := append(append([]ma.Multiaddr(nil), c.signed...), c.told...)
		if c.dialing || len(where) == 0 || b.h.connected(p) || !b.h.gater.admits(p) {
			continue
		}
		if !c.member && c.told == nil && c.fails >= hearsayFails {
			delete(b.contacts, p)
			continue
		}
		if d := c.due.Sub(now); d > 0 {
			wait = min(wait, d)
			continue
		}
		if b.busy == maxDials || !b.h.enter() {
			continue
		}
		c.dialing = true
		b.busy++
		go func() {
			defer b.h.wg.Done()
			b.dial(ctx, p, where)
		}()
	}
	return wait
}

// dial tries p once. A connection that the other side's gater refuses counts as
// reached; the link over it will then fail.
func (b *book) dial(ctx context.Context, p peer.ID, where []ma.Multiaddr) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	net := b.h.host.Network()
	if s, ok := net.(*swarm.Swarm); ok {
		s.Backoff().Clear(p) // the pauses are kept here
	}
	if net.Connectedness(p) != network.Connected {
		b.h.host.Peerstore().ClearAddrs(p) // the newest addresses only
	}
	err := b.h.host.Connect(ctx, peer.AddrInfo{ID: p, Addrs: doubled(where)})
	b.mu.Lock()
	defer b.mu.Unlock()
	b.busy--
	if c := b.contacts[p]; c != nil {
		c.dialing, c.err = false, err
		pause := min(firstPause<<min(c.fails, 10), longestPause)
		c.due = time.Now().Add(between(pause*3/4, pause*5/4))
		c.fails++
	}
	b.poke()
}

// between is a random time, so that peers that fail together do not come back
// together for ever.
func between(low, high time.Duration) time.Duration { return low + rand.N(high-low) }
