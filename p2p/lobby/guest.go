package lobby

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"time"

	"standoff/p2p/node"
	"standoff/p2p/table"
)

// A Guest is the pure machine of a peer that sits down at somebody else's table. It wishes until the opener's state
// shows the wish, and believes the opener nothing that is not signed by whom it concerns.
type Guest struct {
	Player
	me, opener node.Key
	now        time.Duration

	n         *seating
	card      []byte
	ready     []byte // own join for the offer in force
	former    []byte // a join taken back, at time withdrawn
	withdrawn time.Duration
	heard     time.Duration // of the opener
	ends      time.Duration // of the countdown
	chat      chat
	played    []byte // roster of the game that is over
	next      *state // newest of the opener's that offers another game, kept until this one is over here
	hostGone  Reason // learned while the game ran
	end       *Refusal
	out       Out
}

// NewGuest wishes to sit down at the table of opener.
func NewGuest(p Player, opener node.Key, now time.Duration) (*Guest, error) {
	g := &Guest{Player: p, me: p.Identity.Key(), opener: opener, now: now, heard: now, chat: chat{}}
	if g.me == opener {
		return nil, &Refusal{Reason: Self}
	}
	var err error
	if g.card, err = p.card(RoomOf(opener)); err != nil {
		return nil, err
	}
	g.wish()
	return g, nil
}

// View is the table as it stands, as far as the opener has told.
func (g *Guest) View() View {
	v := g.n.view(g.me, g.opener)
	if v.Phase == Counting {
		v.Left = max(0, g.ends-g.now)
	}
	return v
}

// End is why this peer does not sit there any more, nil while it does or tries to.
func (g *Guest) End() *Refusal { return g.end }

func (g *Guest) wish() {
	g.out.Send = append(g.out.Send, Letter{g.opener, packet(kindWish, wish{Card: g.card, Join: g.ready})})
}

// fulfilled reports whether the state shows what this guest wants.
func (g *Guest) fulfilled() bool {
	i := g.n.place(g.me)
	return i >= 0 && bytes.Equal(g.n.Seats[i].Card, g.card) && bytes.Equal(g.n.Seats[i].Join, g.ready)
}

// Ready signs the offer that View shows, or takes that back, which also stops the countdown.
func (g *Guest) Ready(now time.Duration, ready bool) error {
	g.now = now
	switch {
	case g.end != nil:
		return g.end
	case g.n == nil || g.n.place(g.me) < 0:
		return errors.New("ready: not seated yet")
	case g.n.Phase == Begun:
		return errors.New("ready: the game has begun")
	case ready == (g.ready != nil):
		return nil
	case !ready:
		g.former, g.withdrawn, g.ready = g.ready, now, nil
	default:
		join, err := g.join(g.n.hash)
		if err != nil {
			return err
		}
		g.ready = join
	}
	g.wish()
	return nil
}

// Receive takes in a packet that came straight from a peer.
func (g *Guest) Receive(now time.Duration, from node.Key, b []byte) {
	g.now = now
	m, err := open(b)
	if err != nil || g.end != nil {
		return
	}
	if from == g.opener {
		g.heard = now
	}
	switch {
	case m.Kind == kindTell:
		if i := g.n.place(from); i >= 0 && from != g.me {
			g.chat.hear(&g.out, now, g.n.seat(i), m.Body)
		}
	case from != g.opener:
	case m.Kind == kindState:
		var st state
		if decode(m.Body, &st) == nil {
			g.take(st)
		}
	case m.Kind == kindRefuse:
		var r refuse
		if decode(m.Body, &r) == nil {
			g.refused(r)
		}
	}
}

func (g *Guest) refused(r refuse) {
	if len(r.Detail) > 64 || checkText("detail", r.Detail) != nil {
		r.Detail = ""
	}
	if g.n != nil && g.n.Phase == Begun {
		g.hostGone = r.Reason // the game goes on without whoever opened the table
		return
	}
	g.finish(r.Reason, r.Detail)
}

func (g *Guest) finish(r Reason, detail string) {
	if g.end == nil {
		g.end = &Refusal{Reason: r, Detail: detail}
		g.out.News = append(g.out.News, News{Kind: NewsClosed, Reason: r, Text: detail})
	}
}

// take takes in what the opener tells.
func (g *Guest) take(st state) {
	if g.n != nil && st.Epoch == g.n.Epoch && st.Serial <= g.n.Serial {
		return
	}
	if st.Phase == Begun && len(st.Roster) > 0 && bytes.Equal(st.Roster, g.played) {
		g.out.Beat = encode(mark{Epoch: st.Epoch, Serial: st.Serial}) // of the game that is over here
		return
	}
	if g.n != nil && g.n.Phase == Begun && !bytes.Equal(st.Offer, g.n.Offer) {
		// Whoever is at play cannot be ready for another game, and the others must not begin it without: nothing of it
		// is looked at, signed or told before Again.
		if g.next == nil || st.Epoch != g.next.Epoch || st.Serial > g.next.Serial {
			g.next = &st
		}
		return
	}
	n, err := check(g.Suite, st, g.opener, g.n)
	switch {
	case err != nil:
		g.finish(BadHost, "")
		return
	case n.Phase == Begun && (g.n == nil || n.place(g.me) < 0):
		g.finish(Running, "")
		return
	case n.Phase == Begun && !g.mine(n):
		g.finish(BadHost, "")
		return
	}
	if g.n != nil && n.hash != g.n.hash {
		g.ready, g.former = nil, nil
	}
	if n.Phase == Counting && (g.n == nil || g.n.Phase != Counting) {
		g.ends = g.now + time.Duration(min(st.Count, 60_000))*time.Millisecond
	}
	old := g.n
	g.n = n
	g.out.News = append(g.out.News, diff(old, n)...)
	g.out.Beat = encode(mark{Epoch: n.Epoch, Serial: n.Serial})
	if g.Auto && g.ready == nil && n.Phase != Begun && n.place(g.me) >= 0 {
		if join, err := g.join(n.hash); err == nil {
			g.ready = join
		}
	}
	if n.Phase != Begun && !g.fulfilled() {
		g.wish()
	}
}

// mine reports whether the roster of a begun game is the one this guest has signed up for: this offer, these
// players, its own join, and that not taken back long ago.
func (g *Guest) mine(n *seating) bool {
	r, err := table.ReadRoster(g.Suite, n.Roster)
	if err != nil || !bytes.Equal(r.Offer.Opener, g.opener[:]) || len(r.Joins) != len(n.Seats) {
		return false
	}
	i := n.place(g.me)
	if g.n.Phase == Begun && bytes.Equal(g.n.Roster, n.Roster) {
		return true
	}
	own := n.Seats[i].Join
	if own == nil || !bytes.Equal(own, g.ready) && !(bytes.Equal(own, g.former) && g.now-g.withdrawn < tooLate) {
		return false
	}
	for _, p := range n.Seats {
		// Every join of the state has been checked to be for this offer.
		if len(p.Join) == 0 || !slices.ContainsFunc(r.Joins, func(j table.Join) bool { return bytes.Equal(j.Key, p.Key[:]) && j.Offer == n.hash }) {
			return false
		}
	}
	return true
}

// Heard takes in a heartbeat.
func (g *Guest) Heard(now time.Duration, from node.Key, beat []byte) {
	g.now = now
	if from != g.opener || g.end != nil {
		return
	}
	g.heard = now
	if g.n != nil && g.n.Phase == Begun {
		return
	}
	// An opener that has another state may have given the seat away.
	var m mark
	if !g.fulfilled() || decode(beat, &m) != nil || m.Epoch != g.n.Epoch || m.Serial != g.n.Serial {
		g.wish()
	}
}

// Down is called when the connection with a peer has ended.
func (g *Guest) Down(now time.Duration, _ node.Key) { g.now = now }

// NotLinked is called when a peer's program will not talk with this one; version is that of its network messages
// when that is why, else 0.
func (g *Guest) NotLinked(now time.Duration, from node.Key, version uint64) {
	g.now = now
	switch {
	case from != g.opener || g.n != nil:
	case version != 0:
		g.finish(OtherVersion, fmt.Sprintf("network %d", version))
	default:
		g.finish(Running, "") // it admits only those who play
	}
}

// Tick lets time pass.
func (g *Guest) Tick(now time.Duration) {
	g.now = now
	if g.end != nil || g.n != nil && g.n.Phase == Begun || now-g.heard <= SilentAfter {
		return
	}
	if g.n == nil {
		g.finish(Unreachable, "")
	} else {
		g.finish(HostSilent, "")
	}
}

// Again says that the game is over for this peer, or did not come about. From now on a host that is gone is noticed,
// and a new offer of it counts, also one that came before: until every player has said Again, no other game begins.
func (g *Guest) Again(now time.Duration) {
	g.now = now
	if g.n == nil || g.n.Phase != Begun || g.end != nil {
		return
	}
	if g.hostGone != 0 {
		g.finish(g.hostGone, "")
		return
	}
	g.heard, g.played = now, g.n.Roster
	n := g.n.clone()
	n.Phase, n.Roster = Gathering, nil
	for i := range n.Seats {
		n.Seats[i].Join = nil
	}
	g.n, g.ready, g.former = n, nil, nil
	if next := g.next; next != nil {
		g.next = nil
		g.take(*next)
	}
}

// Tell says a line to the keys given, or to everybody.
func (g *Guest) Tell(now time.Duration, text string, to ...node.Key) error {
	return g.chat.say(&g.out, now, g.me, text, to)
}

// Leave gives the seat back.
func (g *Guest) Leave(now time.Duration) {
	g.now = now
	if g.end == nil {
		g.out.Send = append(g.out.Send, Letter{g.opener, packet(kindBye, struct{}{})})
		g.finish(Left, "")
	}
}

// Out hands out what is to be done since the last call.
func (g *Guest) Out() Out {
	out := g.out
	g.out = Out{}
	return out
}
