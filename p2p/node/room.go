package node

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
)

var (
	// ErrNotLinked is returned when a packet or request is for a peer that is not
	// there at the moment.
	ErrNotLinked = errors.New("not linked with this peer")
	// ErrBusy is returned when the queue to a peer is full, or it has not
	// answered the request before.
	ErrBusy = errors.New("busy")
)

// RoomConfig says which table a Room serves.
type RoomConfig struct {
	// Table is the id of the table. Only who knows it finds the room.
	Table [32]byte
	// Members are the keys of the seats, this host's own included or not. The
	// room is linked with all of them, whoever dials whom, and is ready when they
	// all are. Without Members it links with every admitted peer it hears of.
	Members []Key
	// Seating is what a member is given that asks at which tables it sits, at
	// most MaxPacket bytes.
	Seating []byte
	// Machine judges the packets. Required.
	Machine Machine
	// Beat is what the heartbeat carries until SetBeat. At most MaxBeat.
	Beat []byte
	// Spectators is for how many peers that the host does not admit there is a
	// place to look on: they may Visit and Fetch, and nothing else. Their
	// questions are Requests like any other; see spectator.go. Default: none.
	Spectators int
}

// A Room carries the packets of one table. One goroutine, the owner, reads its
// Events; all methods may be called from any goroutine and none waits for a peer.
type Room struct {
	h       *Host
	table   [32]byte
	machine Machine
	members map[peer.ID]Key
	seating []byte
	net     broadcast
	box     *mailbox
	events  chan Event
	tally   tally
	beat    atomic.Pointer[[]byte]

	spectators int

	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup
	ended  chan struct{}

	mu     sync.Mutex
	closed bool
	links  map[peer.ID]*link
	ready  chan struct{}    // closed when all members have once been up together
	asking map[peer.ID]bool // peers that owe us an answer
	asked  map[peer.ID]bool // peers whose question is being served
}

// A link is what the room knows of one peer. The peer is up when all four of
// out, in, inTopic and sees hold: then each hears the other's broadcasts.
type link struct {
	key     Key
	out     *sender        // ours, accepted by the peer
	in      network.Stream // the peer's, accepted by us
	inTopic bool           // the peer is in the topic as we see it
	sees    bool           // we are in the topic as the peer sees it
	opening bool
	fails   int
	retry   time.Time
	linked  time.Time // both sides stand since then; zero when not
	up      bool
	since   time.Time // of up or its end
	why     string    // it is not up
}

// Join enters the room of a table. It lasts until Room.Close or Host.Close.
func (h *Host) Join(c RoomConfig) (*Room, error) {
	if c.Machine == nil {
		return nil, errors.New("join: a machine is needed")
	}
	if len(c.Beat) > MaxBeat {
		return nil, fmt.Errorf("join: beat of %d bytes: %w", len(c.Beat), ErrTooLarge)
	}
	if len(c.Seating) > MaxPacket {
		return nil, fmt.Errorf("join: seating of %d bytes: %w", len(c.Seating), ErrTooLarge)
	}
	r := &Room{
		h: h, table: c.Table, machine: c.Machine, seating: c.Seating,
		members: map[peer.ID]Key{},
		events:  make(chan Event),
		ended:   make(chan struct{}),
		links:   map[peer.ID]*link{},
		ready:   make(chan struct{}),
		asking:  map[peer.ID]bool{},
		asked:   map[peer.ID]bool{},

		spectators: c.Spectators,
	}
	r.box = newMailbox(func(n int) { r.tally.droppedIn.Add(uint64(n)) })
	r.beat.Store(&c.Beat)
	r.ctx, r.cancel = context.WithCancel(h.ctx)
	for _, key := range c.Members {
		id, err := key.peerID()
		if err != nil {
			return nil, fmt.Errorf("join: %w", err)
		}
		if id != h.id {
			r.members[id] = key
			r.links[id] = &link{key: key, since: time.Now()}
		}
	}
	if err := r.register(); err != nil {
		return nil, err
	}
	h.seat()
	for id := range r.members {
		h.book.want(id)
		h.host.ConnManager().Protect(id, topicName(r.table))
	}
	r.mu.Lock()
	r.checkReady()
	r.mu.Unlock()
	r.spawn(r.listen)
	r.spawn(r.follow)
	r.spawn(r.keep)
	r.spawn(func() { r.box.deliver(r.events, r.ctx.Done()) })
	for _, p := range h.host.Network().Peers() {
		r.met(p)
	}
	return r, nil
}

// register makes the room known to the host and joins the topic.
func (r *Room) register() error {
	h := r.h
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return fmt.Errorf("join: host %w", ErrClosed)
	}
	if h.rooms[r.table] != nil {
		return errors.New("join: already in this room")
	}
	var err error
	if r.net, err = joinGossip(h.gossip, h.id, r.table, r.machine); err != nil {
		return fmt.Errorf("join: %w", err)
	}
	h.rooms[r.table] = r
	h.topics[topicName(r.table)] = r
	return nil
}

// Events is where the owner reads. It is closed when the room is.
func (r *Room) Events() <-chan Event { return r.events }

// Broadcast sends a packet of at most MaxPacket bytes to everybody at the table.
// To whom it could not be queued, Counters.DroppedOut says.
func (r *Room) Broadcast(packet []byte) error {
	if len(packet) == 0 || len(packet) > MaxPacket {
		return fmt.Errorf("broadcast of %d bytes, limit %d: %w", len(packet), MaxPacket, ErrTooLarge)
	}
	if err := r.net.publish(r.ctx, packet); err != nil {
		if r.ctx.Err() != nil {
			err = ErrClosed
		}
		return fmt.Errorf("broadcast: %w", err)
	}
	r.tally.published.Add(1)
	return nil
}

// Send sends a packet of at most MaxPacket bytes to one peer. ErrNotLinked and
// ErrBusy mean that it was not sent; a packet may also be lost when the link
// ends, which a Down tells.
func (r *Room) Send(to Key, packet []byte) error {
	if len(packet) == 0 || len(packet) > MaxPacket {
		return fmt.Errorf("send %d bytes, limit %d: %w", len(packet), MaxPacket, ErrTooLarge)
	}
	id, err := to.peerID()
	if err != nil {
		return fmt.Errorf("send: %w", err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch l := r.links[id]; {
	case l == nil || l.out == nil:
		return fmt.Errorf("send to %s: %w", to.Short(), ErrNotLinked)
	case !l.out.send(framePacket, packet):
		return fmt.Errorf("send to %s: %w", to.Short(), ErrBusy)
	}
	return nil
}

// SetBeat sets what the next heartbeats carry, at most MaxBeat bytes: where this
// peer's table stands, so that one that lags behind sees it.
func (r *Room) SetBeat(blob []byte) error {
	if len(blob) > MaxBeat {
		return fmt.Errorf("beat of %d bytes, limit %d: %w", len(blob), MaxBeat, ErrTooLarge)
	}
	blob = append([]byte(nil), blob...)
	r.beat.Store(&blob)
	return nil
}

// Beat sends a heartbeat to every linked peer now, not only when the next is due.
func (r *Room) Beat() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, l := range r.links {
		if l.out != nil {
			l.out.send(frameBeat, *r.beat.Load())
		}
	}
}

// Ready is closed as soon as all members have once been up together: only from
// then on is a broadcast heard by all.
func (r *Room) Ready() <-chan struct{} { return r.ready }

// Wait waits until Ready. Its error names the members that are missing and why.
func (r *Room) Wait(ctx context.Context) error {
	select {
	case <-r.ready:
		return nil
	case <-r.ctx.Done():
		return fmt.Errorf("wait: room %w", ErrClosed)
	case <-ctx.Done():
		err := fmt.Errorf("wait: %w", ctx.Err())
		for _, m := range r.Missing() {
			err = fmt.Errorf("%w; %s: %s", err, m.Peer.Short(), m.Why)
		}
		return err
	}
}

// A Missing is a member that is not up.
type Missing struct {
	Peer  Key
	Since time.Time
	Why   string
}

// Missing lists the members that are not up now, longest missing first.
func (r *Room) Missing() []Missing {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []Missing
	for id := range r.members {
		l := r.links[id]
		if l.up {
			continue
		}
		why := l.why
		switch {
		case !r.h.connected(id):
			why = r.h.book.trouble(id)
		case l.out != nil && l.in != nil:
			why = "linked, but not yet in the topic"
		case why == "":
			why = "connected, but not yet linked"
		}
		m := Missing{l.key, l.since, why}
		at := len(out)
		for at > 0 && m.Since.Before(out[at-1].Since) {
			at--
		}
		out = append(out[:at], append([]Missing{m}, out[at:]...)...)
	}
	return out
}

// Counters says what became of the packets so far.
func (r *Room) Counters() Counters { return r.tally.read() }

// Close leaves the room and waits until everything of it has ended.
func (r *Room) Close() {
	r.mu.Lock()
	first := !r.closed
	r.closed = true
	r.mu.Unlock()
	if !first {
		<-r.ended
		return
	}
	r.cancel()
	r.mu.Lock()
	for _, l := range r.links {
		if l.in != nil {
			l.in.Reset()
		}
	}
	r.mu.Unlock()
	r.net.close()
	r.wg.Wait()
	for id := range r.members {
		r.h.host.ConnManager().Unprotect(id, topicName(r.table))
	}
	r.h.mu.Lock()
	delete(r.h.rooms, r.table)
	delete(r.h.topics, topicName(r.table))
	r.h.mu.Unlock()
	r.h.seat()
	close(r.ended)
}

// enter counts a goroutine in, unless the room is closing.
func (r *Room) enter() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	r.wg.Add(1)
	return true
}

func (r *Room) spawn(f func()) {
	if r.enter() {
		go func() {
			defer r.wg.Done()
			f()
		}()
	}
}

// lose counts packets dropped before the mailbox and tells the owner.
func (r *Room) lose(n int) {
	r.tally.droppedIn.Add(uint64(n))
	r.box.dropped(n)
}
