package node

import (
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
)

// maxLinks is how many peers a room without fixed members links with.
const maxLinks = 48

// deafFor is how long gossip may need to see a peer that is linked: longer than a connection has to last for the next
// to be tried at once.
const deafFor = lasting + 2*time.Second

// listen hands what comes by gossip to the mailbox.
func (r *Room) listen() {
	for {
		from, packet, err := r.net.next(r.ctx)
		if err != nil {
			return
		}
		if key, err := keyOf(from); err == nil {
			r.tally.delivered.Add(1)
			r.box.put(Packet{key, false, packet})
		}
	}
}

// follow watches who is in the topic.
func (r *Room) follow() {
	for {
		p, here, err := r.net.change(r.ctx)
		if err != nil {
			return
		}
		r.mu.Lock()
		if l := r.link(p); l != nil {
			l.inTopic = here
			r.tellSees(l)
			r.settle(l, "it left the topic")
		}
		r.mu.Unlock()
	}
}

// keep sends the heartbeats and opens again the links that ended.
func (r *Room) keep() {
	for {
		select {
		case <-r.ctx.Done():
			return
		case <-time.After(between(beatEvery*9/10, beatEvery*11/10)):
		}
		now := time.Now()
		r.mu.Lock()
		for p, l := range r.links {
			if l.out != nil {
				// A full queue is a peer that takes nothing: its own watch of
				// our silence, or the write deadline, ends the link.
				l.out.send(frameBeat, *r.beat.Load())
			} else if now.After(l.retry) {
				r.reach(p, l)
			}
			if l.deaf(now) {
				l.linked = now
				r.tally.deafPeers.Add(1)
				r.wg.Add(1)
				go func() {
					defer r.wg.Done()
					_ = r.h.host.Network().ClosePeer(p)
				}()
			}
		}
		r.mu.Unlock()
		if r.spectators > 0 {
			r.h.showOut(r.h.gallery.idle(now))
		}
	}
}

// link finds or makes the entry of p. It is nil when p has no business here.
func (r *Room) link(p peer.ID) *link {
	if l := r.links[p]; l != nil {
		return l
	}
	key, err := keyOf(p)
	if err != nil || p == r.h.id || len(r.links) >= len(r.members)+maxLinks {
		return nil
	}
	l := &link{key: key, since: time.Now()}
	r.links[p] = l
	return l
}

// met is called when p is connected. A room with members says its table's id to
// nobody else unasked.
func (r *Room) met(p peer.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.members) > 0 && r.links[p] == nil || r.h.stranger(p) {
		return
	}
	if l := r.link(p); l != nil {
		r.reach(p, l)
	}
}

// reach opens our side of the link with p when it is not open.
func (r *Room) reach(p peer.ID, l *link) {
	if r.closed || l.opening || l.out != nil || !r.h.connected(p) {
		return
	}
	l.opening = true
	r.wg.Add(1)
	go func() {
		defer r.wg.Done()
		r.open(p, l)
	}()
}

func (r *Room) open(p peer.ID, l *link) {
	start := time.Now()
	s, answer, err := r.openLink(r.ctx, p)
	if errors.Is(err, errNoAnswer) && r.h.abandon(p, start) {
		r.tally.silentPeers.Add(1)
	}
	r.mu.Lock()
	l.opening = false
	if err != nil || answer.Code != welcome {
		if err != nil {
			l.why = "no link: " + err.Error()
		} else {
			l.why = answer.why()
		}
		pause := min(firstPause<<min(l.fails, 10), longestPause)
		l.retry = time.Now().Add(between(pause*3/4, pause*5/4))
		l.fails++
		if err == nil && answer.Code != noSuchTable && l.fails == 1 {
			refused := Refused{Peer: l.key, Why: l.why}
			if answer.Code == otherVersion {
				refused.Version = answer.Version
			}
			r.box.put(refused)
		}
		if l.in != nil && l.fails == 1 {
			// It is at the table already, and was not yet when it refused.
			r.reach(p, l)
		}
		r.drop(p, l)
		r.mu.Unlock()
		return
	}
	l.out, l.fails, l.why = s, 0, ""
	s.send(frameBeat, *r.beat.Load())
	r.tellSees(l)
	r.settle(l, "")
	r.mu.Unlock()

	r.spawn(s.watch)
	r.learn(p, answer.Records)
	s.run(r.ctx)

	r.mu.Lock()
	l.out = nil
	r.settle(l, "the link ended")
	r.drop(p, l)
	r.mu.Unlock()
}

// accepted notes the peer's side of the link. A newer one replaces the older:
// the peer has restarted, or a connection broke that only it has noticed.
func (r *Room) accepted(p peer.ID, s network.Stream) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.link(p)
	if l == nil || r.closed {
		return false
	}
	if l.in != nil {
		l.in.Reset()
	}
	l.in, l.sees = s, false
	r.reach(p, l)
	r.settle(l, "")
	return true
}

func (r *Room) unaccepted(p peer.ID, s network.Stream, why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if l := r.links[p]; l != nil && l.in == s {
		l.in, l.sees = nil, false
		r.settle(l, why)
		r.drop(p, l)
	}
}

func (r *Room) seen(p peer.ID, sees bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if l := r.links[p]; l != nil && l.in != nil {
		l.sees = sees
		r.settle(l, "it no longer sees this peer in the topic")
	}
}

func (r *Room) tellSees(l *link) {
	if l.out == nil {
		return
	}
	var sees byte
	if l.inTopic {
		sees = 1
	}
	l.out.send(frameSees, []byte{sees})
}

// settle finds out whether a peer is up and tells the owner of a change.
func (r *Room) settle(l *link, why string) {
	switch both := l.out != nil && l.in != nil; {
	case !both:
		l.linked = time.Time{}
	case l.linked.IsZero():
		l.linked = time.Now()
	}
	up := !l.linked.IsZero() && l.inTopic && l.sees
	if up == l.up {
		return
	}
	l.up, l.since = up, time.Now()
	if up {
		l.why = ""
		r.box.put(Up{l.key})
		r.checkReady()
		return
	}
	l.why = why
	r.tally.linksLost.Add(1)
	r.box.put(Down{l.key, why})
}

// deaf reports whether a link stands and gossip has still not found the peer, or has lost it. Gossip opens its streams
// anew a few times only on a connection that stays, and then never again, as when connections fell one after the other
// in a bad network; a new connection is all that helps.
func (l *link) deaf(now time.Time) bool {
	return !l.up && !l.linked.IsZero() && now.Sub(l.linked) > deafFor && now.Sub(l.since) > deafFor
}

// linked reports whether either side of the link with p stands.
func (r *Room) linked(p peer.ID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.links[p]
	return l != nil && (l.out != nil || l.in != nil)
}

// drop forgets a peer that is no member and has gone.
func (r *Room) drop(p peer.ID, l *link) {
	if _, member := r.members[p]; !member && !l.opening && l.out == nil && l.in == nil && !l.inTopic && !r.h.connected(p) {
		delete(r.links, p)
	}
}

func (r *Room) checkReady() {
	for p := range r.members {
		if !r.links[p].up {
			return
		}
	}
	select {
	case <-r.ready:
	default:
		close(r.ready)
	}
}

// records are what p is told in hello: where this host is, and where the others
// of the room are.
func (r *Room) records(p peer.ID) [][]byte {
	r.mu.Lock()
	others := slices.Collect(maps.Keys(r.links))
	r.mu.Unlock()
	others = slices.DeleteFunc(others, func(o peer.ID) bool { return o == p })
	return append([][]byte{r.h.record()}, r.h.book.records(others)...)
}

// learn takes in records that p sent. What p says of itself and is news goes on
// to the others, so that a table that began as a star becomes all-to-all.
func (r *Room) learn(p peer.ID, records [][]byte) {
	for _, sealed := range records {
		if r.h.book.learn(sealed, p) != p {
			continue
		}
		news := encode([][]byte{sealed})
		r.mu.Lock()
		for other, l := range r.links {
			if other != p && l.out != nil {
				l.out.send(frameRecords, news)
			}
		}
		r.mu.Unlock()
	}
}
