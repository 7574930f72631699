package node

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	pubsub "github.com/libp2p/go-libp2p-pubsub"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/protocol"
)

// A spectator is a peer that this host does not admit and that a room with
// places for spectators lets in all the same. It can do two things: ask which
// table is played here, and put catch-up questions about that. It is in no topic
// (what it sends by gossip is dropped before anything looks at it), gets no link,
// and nobody dials it.
//
//	asker   opens /standoff/watch/1 and says nothing
//	server  a frame: CBOR of [code, version, table, address records of its members]
const watchProtocol protocol.ID = "/standoff/watch/1"

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

var (
	// ErrNothingToWatch is returned by Host.Visit where no table is played, or none that others may watch.
	ErrNothingToWatch = errors.New("no table is played there that others may watch")
	// ErrNoPlace is returned by Host.Visit where all places for spectators are taken.
	ErrNoPlace = errors.New("no place for a spectator is free there")
)

// A gallery is the places for spectators of a host.
type gallery struct {
	mu     sync.Mutex
	places int // of the room that has most
	all    map[peer.ID]*spectator
	barred map[peer.ID]time.Time
	serves chan struct{} // a token per answer at this moment: apart from those of the players
}

type spectator struct {
	came  time.Time
	asked time.Time // the last question; zero: none yet, and no place
	free  time.Time // it is not answered again before
	tally float64   // of offences
	last  time.Time
}

func newGallery() *gallery {
	return &gallery{all: map[peer.ID]*spectator{}, barred: map[peer.ID]time.Time{}, serves: make(chan struct{}, 4)}
}

// lets reports whether there is room for a stranger to come in and ask.
func (g *gallery) lets(p peer.ID) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.fits(p)
}

func (g *gallery) fits(p peer.ID) bool {
	if until, ok := g.barred[p]; ok && time.Now().Before(until) {
		return false
	}
	return g.places > 0 && (g.all[p] != nil || len(g.all) < g.places+lobbyPlaces)
}

// came notes a stranger that is connected; false means that it has to go.
func (g *gallery) came(p peer.ID) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.fits(p) {
		return false
	}
	if g.all[p] == nil {
		now := time.Now()
		g.all[p] = &spectator{came: now, last: now}
	}
	return true
}

func (g *gallery) gone(p peer.ID) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.all, p)
}

// ask takes in a question. It says how long the answer has to wait, and whether there is a place for the asker at all.
func (g *gallery) ask(p peer.ID) (wait time.Duration, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	x := g.all[p]
	if x == nil {
		return 0, false
	}
	if x.asked.IsZero() {
		taken := 0
		for _, o := range g.all {
			if !o.asked.IsZero() {
				taken++
			}
		}
		if taken >= g.places {
			return 0, false
		}
	}
	x.asked = time.Now()
	return max(0, x.free.Sub(x.asked)), true
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

// seat gives the gallery as many places as the room has that has most, and shows out whom there is no place for.
func (h *Host) seat() {
	h.mu.Lock()
	places := 0
	for _, r := range h.rooms {
		places = max(places, r.spectators)
	}
	h.mu.Unlock()
	h.gallery.mu.Lock()
	h.gallery.places = places
	var out []peer.ID
	if places == 0 {
		for p := range h.gallery.all {
			out = append(out, p)
		}
	}
	h.gallery.mu.Unlock()
	h.showOut(out)
}

func (h *Host) showOut(peers []peer.ID) {
	for _, p := range peers {
		_ = h.host.Network().ClosePeer(p)
	}
}

// stranger reports whether p is connected though it is not admitted: as a spectator at most.
func (h *Host) stranger(p peer.ID) bool { return !h.gater.admits(p) }

// offended is called when a stranger does what no spectator does.
func (h *Host) offended(p peer.ID) {
	if h.gallery.offends(p) && h.enter() {
		go func() { // the caller may be a reader of the very connection
			defer h.wg.Done()
			_ = h.host.Network().ClosePeer(p)
		}()
	}
}

var errStranger = errors.New("not admitted to any topic")

// inspect lets no gossip of strangers in.
func (h *Host) inspect(p peer.ID, _ *pubsub.RPC) error {
	if h.stranger(p) {
		h.offended(p)
		return errStranger
	}
	return nil
}

// watchable is the room that spectators may ask, nil if there is none.
func (h *Host) watchable() *Room {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range h.rooms {
		if r.spectators > 0 {
			return r
		}
	}
	return nil
}

// poster is what one sees at the door.
type poster struct {
	_       struct{} `cbor:",toarray"`
	Code    refusal
	Version uint64
	Table   [32]byte
	Records [][]byte
}

func decodePoster(b []byte) (a poster, err error) {
	if err := strict.Unmarshal(b, &a); err != nil {
		return poster{}, fmt.Errorf("poster: %w", err)
	}
	return a, checkRecords(a.Records)
}

// acceptWatch tells who asks which table is played here, and where its members are.
func (h *Host) acceptWatch(s network.Stream) {
	if !h.enter() {
		s.Reset()
		return
	}
	defer h.wg.Done()
	defer s.Reset()
	p := s.Conn().RemotePeer()
	room, answer := h.watchable(), poster{Code: welcome, Version: Version}
	place := true
	if h.stranger(p) {
		_, place = h.gallery.ask(p)
		h.offended(p) // once is no harm, and nobody needs it often
	}
	switch {
	case room == nil:
		answer.Code = noSuchTable
	case !place:
		answer.Code = notAdmitted
	default:
		answer.Table, answer.Records = room.table, room.records(p)
	}
	_ = s.SetDeadline(time.Now().Add(helloTimeout))
	if writeFrame(s, encode(answer)) == nil && s.CloseWrite() == nil {
		_, _ = s.Read(make([]byte, 1)) // until the asker has read it
	}
}

// Visit asks a peer that this host is connected with which table it plays, as a spectator does before Fetch. Where the
// other members are is noted: this host goes there too. Errors: ErrNotLinked, ErrNothingToWatch, ErrNoPlace, those of
// the network.
func (h *Host) Visit(ctx context.Context, at Key) (table [32]byte, err error) {
	fail := func(err error) ([32]byte, error) { return [32]byte{}, fmt.Errorf("visit %s: %w", at.Short(), err) }
	id, err := at.peerID()
	if err != nil {
		return fail(err)
	}
	if !h.connected(id) {
		return fail(ErrNotLinked)
	}
	ctx, cancel := context.WithTimeout(ctx, helloTimeout)
	defer cancel()
	s, err := h.host.NewStream(network.WithNoDial(ctx, "a visit follows a connection"), id, watchProtocol)
	if err != nil {
		return fail(err)
	}
	defer s.Reset()
	defer context.AfterFunc(ctx, func() { s.Reset() })()
	_ = s.SetDeadline(time.Now().Add(helloTimeout))
	b, err := readFrame(bufio.NewReader(s), maxHello)
	if err != nil {
		return fail(err)
	}
	a, err := decodePoster(b)
	switch {
	case err != nil:
		return fail(err)
	case a.Version != Version:
		return fail(errors.New(reply{Code: otherVersion, Version: a.Version}.why()))
	case a.Code == noSuchTable:
		return fail(ErrNothingToWatch)
	case a.Code != welcome:
		return fail(ErrNoPlace)
	}
	for _, sealed := range a.Records {
		h.book.learn(sealed, id)
	}
	return a.Table, nil
}

// Fetch puts a catch-up question about a table to a peer that this host is connected with, without being in the room:
// what a spectator does. It waits for the answer. Room.Ask is for those who play.
func (h *Host) Fetch(ctx context.Context, from Key, table [32]byte, request []byte) ([][]byte, error) {
	id, err := from.peerID()
	if err != nil {
		return nil, fmt.Errorf("fetch: %w", err)
	}
	if len(request) > MaxRequest {
		return nil, fmt.Errorf("fetch with %d bytes, limit %d: %w", len(request), MaxRequest, ErrTooLarge)
	}
	if !h.connected(id) {
		return nil, fmt.Errorf("fetch from %s: %w", from.Short(), ErrNotLinked)
	}
	return h.fetch(ctx, id, table, request)
}
