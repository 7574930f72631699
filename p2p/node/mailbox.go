package node

import "sync"

// What one peer may have waiting for the owner. A peer that floods loses its own
// packets, never another's.
const (
	maxWaiting      = 512
	maxWaitingBytes = 4 << 20
)

// A mailbox holds what the owner has not taken yet. Nobody who puts something in
// ever waits, so a busy owner stops neither heartbeats nor the other peers; what
// does not fit is counted and reported as Lost.
type mailbox struct {
	mu    sync.Mutex
	queue []*letter
	state map[Key]*letter // the waiting Up, Down or Refused of a peer
	beats map[Key]*letter // the waiting Beat of a peer
	held  map[Key]*share
	lost  *letter
	wake  chan struct{}
	drops func(n int)
}

// A letter whose event is nil has been overtaken and is passed over.
type letter struct{ event Event }

type share struct{ packets, bytes int }

func newMailbox(drops func(int)) *mailbox {
	return &mailbox{
		state: map[Key]*letter{},
		beats: map[Key]*letter{},
		held:  map[Key]*share{},
		wake:  make(chan struct{}, 1),
		drops: drops,
	}
}

// put adds an event. Of the beats of one peer only the newest waits, and so of
// its comings and goings.
func (m *mailbox) put(e Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch e := e.(type) {
	case Packet:
		l := m.held[e.From]
		if l == nil {
			l = &share{}
			m.held[e.From] = l
		}
		if l.packets >= maxWaiting || l.bytes+len(e.Bytes) > maxWaitingBytes {
			m.drops(1)
			m.lose(1)
			return
		}
		l.packets++
		l.bytes += len(e.Bytes)
		m.push(e)
	case Beat:
		if l := m.beats[e.Peer]; l != nil {
			l.event = e
			return
		}
		m.beats[e.Peer] = m.push(e)
	case Up:
		m.turn(e.Peer, e)
	case Down:
		m.turn(e.Peer, e)
	case Refused:
		m.turn(e.Peer, e)
	default:
		m.push(e)
	}
}

// lost reports packets that were dropped before they reached the mailbox.
func (m *mailbox) dropped(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lose(n)
}

func (m *mailbox) lose(n int) {
	if m.lost == nil {
		m.lost = m.push(Lost{})
	}
	m.lost.event = Lost{m.lost.event.(Lost).Packets + n}
}

func (m *mailbox) turn(k Key, e Event) {
	if old := m.state[k]; old != nil {
		old.event = nil
	}
	m.state[k] = m.push(e)
}

func (m *mailbox) push(e Event) *letter {
	l := &letter{e}
	m.queue = append(m.queue, l)
	select {
	case m.wake <- struct{}{}:
	default:
	}
	return l
}

// take removes the oldest event, or returns nil when there is none.
func (m *mailbox) take() Event {
	m.mu.Lock()
	defer m.mu.Unlock()
	for len(m.queue) > 0 {
		l := m.queue[0]
		m.queue[0] = nil
		if m.queue = m.queue[1:]; len(m.queue) == 0 {
			m.queue = nil // gives the memory of a flood back
		}
		switch e := l.event.(type) {
		case nil:
			continue
		case Packet:
			held := m.held[e.From]
			held.packets--
			if held.bytes -= len(e.Bytes); held.packets == 0 {
				delete(m.held, e.From)
			}
		case Beat:
			delete(m.beats, e.Peer)
		case Up:
			delete(m.state, e.Peer)
		case Down:
			delete(m.state, e.Peer)
		case Refused:
			delete(m.state, e.Peer)
		case Lost:
			m.lost = nil
		}
		return l.event
	}
	return nil
}

// deliver hands events to the owner, in order, until done. It alone sends on
// out, and closes it.
func (m *mailbox) deliver(out chan<- Event, done <-chan struct{}) {
	defer close(out)
	for {
		e := m.take()
		if e == nil {
			select {
			case <-m.wake:
				continue
			case <-done:
				return
			}
		}
		select {
		case out <- e:
		case <-done:
			return
		}
	}
}
