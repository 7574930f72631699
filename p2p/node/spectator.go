package node

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/netip"
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

var (
	// ErrNothingToWatch is returned by Host.Visit where no table is played, or none that others may watch.
	ErrNothingToWatch = errors.New("no table is played there that others may watch")
	// ErrNoPlace is returned by Host.Visit where all places for spectators are taken.
	ErrNoPlace = errors.New("no place for a spectator is free there")
)

// seat gives the gallery as many places as the room has that has most, and shows out whom there is no place for.
func (h *Host) seat() {
	places := 0
	for _, r := range h.all() {
		places = max(places, r.spectators)
	}
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

// welcomed lets a stranger in that is connected, or shows it out.
func (h *Host) welcomed(p peer.ID) {
	out, ok := h.gallery.came(p, h.homeOf(p))
	if !ok {
		out = p
	}
	h.dismiss(out)
}

// placed is what the gallery says to a question; who gives way to the asker has to go.
func (h *Host) placed(p peer.ID) (wait time.Duration, ok bool) {
	wait, out, ok := h.gallery.ask(p)
	h.dismiss(out)
	return wait, ok
}

// dismiss shows somebody out, "" nobody, on a goroutine of its own: the caller may be a reader of the very connection.
func (h *Host) dismiss(p peer.ID) {
	if p != "" && h.enter() {
		go func() {
			defer h.wg.Done()
			_ = h.host.Network().ClosePeer(p)
		}()
	}
}

// homeOf is the address from which a peer is connected.
func (h *Host) homeOf(p peer.ID) (home netip.Addr) {
	for _, c := range h.host.Network().ConnsToPeer(p) {
		home = homeAt(c)
	}
	return home
}

// homeAt is the address at the other end of a connection.
func homeAt(c network.ConnMultiaddrs) netip.Addr {
	at, _ := place(c.RemoteMultiaddr()) // no connection is without
	return at.Addr().Unmap().WithZone("")
}

// stranger reports whether p is connected though it is not admitted: as a spectator at most.
func (h *Host) stranger(p peer.ID) bool { return !h.gater.admits(p) }

// offended is called when a stranger does what no spectator does.
func (h *Host) offended(p peer.ID) {
	if h.gallery.offends(p) {
		h.dismiss(p)
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
	for _, r := range h.all() {
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
		_, place = h.placed(p)
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
	start := time.Now()
	ctx, cancel := context.WithTimeout(ctx, helloTimeout)
	defer cancel()
	defer func() {
		if err != nil && time.Since(start) >= helloTimeout {
			h.abandon(id, start)
		}
	}()
	s, hangUp, err := h.call(ctx, id, watchProtocol)
	if err != nil {
		return fail(err)
	}
	defer hangUp()
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
