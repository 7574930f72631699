package lobby

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"standoff/p2p/node"
)

// A Lobby hears which tables there are on the network, and tells of one's own. All methods may be called from any
// goroutine.
type Lobby struct {
	host *node.Host
	room *node.Room

	mu      sync.Mutex
	heard   map[node.Key]heardNotice
	linked  map[node.Key]bool
	changed chan struct{}
	ended   chan struct{}
}

type heardNotice struct {
	Notice
	lost time.Time // when the host was last there, zero while it is
}

// keepLost is how long a table that has begun stays in the list after its host talks with its players only.
const keepLost = 5 * time.Minute

// Enter goes into the lobby of a host's network.
func Enter(h *node.Host) (*Lobby, error) {
	room, err := h.Join(node.RoomConfig{Table: Room, Machine: noticeGate{}})
	if err != nil {
		return nil, fmt.Errorf("lobby: %w", err)
	}
	l := &Lobby{
		host: h, room: room,
		heard: map[node.Key]heardNotice{}, linked: map[node.Key]bool{},
		changed: make(chan struct{}, 1), ended: make(chan struct{}),
	}
	go l.run()
	return l, nil
}

// noticeGate lets nothing but notices pass.
type noticeGate struct{}

func (noticeGate) Check(b []byte) node.Verdict {
	if _, err := readNotice(b); err != nil {
		return node.Reject
	}
	return node.Accept
}

// Close leaves the lobby; tables that one sits at stay. A second Close does nothing.
func (l *Lobby) Close() {
	l.room.Close()
	<-l.ended
}

func (l *Lobby) run() {
	defer close(l.ended)
	_, sighted := l.host.Sightings()
	for {
		select {
		case e, ok := <-l.room.Events():
			if !ok {
				return
			}
			l.hear(e)
		case <-sighted:
			l.tell()
		}
	}
}

func (l *Lobby) tell() {
	select {
	case l.changed <- struct{}{}:
	default:
	}
}

func (l *Lobby) hear(e node.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch e := e.(type) {
	case node.Beat:
		l.linked[e.Peer] = true
		l.note(e.Peer, e.Blob)
	case node.Packet:
		if e.Direct {
			l.note(e.From, e.Bytes)
		}
	case node.Down:
		delete(l.linked, e.Peer)
		if n, ok := l.heard[e.Peer]; ok && n.Phase == Begun {
			n.lost = time.Now()
			l.heard[e.Peer] = n
		} else if ok {
			delete(l.heard, e.Peer)
		}
		l.tell()
	case node.Request:
		_ = e.Reply(nil)
	}
}

func (l *Lobby) note(from node.Key, b []byte) {
	old, had := l.heard[from]
	if len(b) == 0 {
		if had {
			delete(l.heard, from)
			l.tell()
		}
		return
	}
	n, err := readNotice(b)
	if err != nil {
		return
	}
	l.heard[from] = heardNotice{Notice: n}
	if !had || !slices.Equal(encode(old.Notice), encode(n)) {
		l.tell()
	}
}

// Changed tells that Tables has changed.
func (l *Lobby) Changed() <-chan struct{} { return l.changed }

// Tables are the tables known now, by name.
func (l *Lobby) Tables() []Listing {
	sightings, _ := l.host.Sightings()
	l.mu.Lock()
	defer l.mu.Unlock()
	all := map[node.Key]*Listing{}
	for k, n := range l.heard {
		if !n.lost.IsZero() && time.Since(n.lost) > keepLost {
			delete(l.heard, k)
			continue
		}
		li := &Listing{Notice: n.Notice, Host: k}
		li.judge(l.host.Key(), true, false)
		all[k] = li
	}
	for _, s := range sightings {
		if li := all[s.Key]; li != nil {
			li.Addresses = s.Addresses
			continue
		}
		n, ok := readNote(s.Note)
		if !ok {
			continue
		}
		n.Private = s.Private
		li := &Listing{Notice: n, Host: s.Key, Addresses: s.Addresses}
		li.judge(l.host.Key(), false, s.Private)
		all[s.Key] = li
	}
	var out []Listing
	for _, li := range all {
		out = append(out, *li)
	}
	slices.SortFunc(out, func(a, b Listing) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), slices.Compare(a.Host[:], b.Host[:]))
	})
	return out
}

// List looks who is there and returns the tables after the time given; 2.5 s find whoever can be found.
func (l *Lobby) List(ctx context.Context, wait time.Duration) []Listing {
	l.host.Look()
	select {
	case <-ctx.Done():
	case <-time.After(wait):
	}
	return l.Tables()
}

// lookFor is how long whoever is there may not have been seen yet: three questions have gone out by then, so that
// neither lost packets nor a host that starts at the same moment make a table one that nobody offers.
const lookFor = 5 * time.Second

// Find waits until a table of this name is there that one can sit down at. Where nobody has been seen to offer one in
// five seconds, or one cannot sit down there, the error is a *[Refusal] with the reason; a table that has been seen but
// not connected with yet is waited for until ctx ends.
func (l *Lobby) Find(ctx context.Context, name string) (Listing, error) {
	l.host.Look()
	overdue := time.After(lookFor)
	late := false
	var settled <-chan time.Time // a second table of the name would be heard as soon as the first
	for {
		found, refusal := choose(l.Tables(), name)
		switch {
		case len(found) == 0 && late && refusal.Reason != Unreachable:
			return Listing{}, refusal
		case len(found) == 0:
			settled = nil
		case settled == nil:
			settled = time.After(100 * time.Millisecond)
		}
		select {
		case <-settled:
			if len(found) > 1 {
				return Listing{}, &Refusal{Reason: Ambiguous, Detail: name}
			}
			return found[0], nil
		case <-l.changed:
		case <-overdue:
			late = true
		case <-ctx.Done():
			return Listing{}, refusal
		case <-l.ended:
			return Listing{}, fmt.Errorf("lobby: %w", node.ErrClosed)
		}
	}
}

// choose picks the tables of a name that one can sit down at. The refusal is why there is none: of several reasons the
// one that may pass, that a table has been seen and does not answer yet.
func choose(all []Listing, name string) (found []Listing, why *Refusal) {
	why = &Refusal{Reason: NoSuchTable, Detail: name}
	for _, li := range all {
		switch {
		case !alike(li.Name, name):
		case li.Why == 0:
			found = append(found, li)
		case why.Reason != Unreachable:
			why = &Refusal{Reason: li.Why, Detail: li.Detail}
		}
	}
	return found, why
}

// announce tells of one's own table; nil ends that.
func (l *Lobby) announce(n *Notice) {
	if n == nil {
		_ = l.room.SetBeat(nil)
		_ = l.host.Announce(nil)
		return
	}
	b := n.encode()
	_ = l.room.SetBeat(b)
	_ = l.host.Announce(n.note())
	l.mu.Lock()
	defer l.mu.Unlock()
	for k := range l.linked {
		_ = l.room.Send(k, b) // whoever misses it has it with the next beat
	}
}
