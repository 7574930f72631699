package lobby

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"standoff/p2p/node"
	"standoff/p2p/table"
)

// machine is what an Opener, a Guest and a Talker have in common.
type machine interface {
	View() View
	Ready(now time.Duration, ready bool) error
	Receive(now time.Duration, from node.Key, packet []byte)
	Heard(now time.Duration, from node.Key, beat []byte)
	Down(now time.Duration, from node.Key)
	Tick(now time.Duration)
	Tell(now time.Duration, text string, to ...node.Key) error
	Leave(now time.Duration)
	Out() Out
}

// A Table is a running machine: one's own place at a table that is offered, and later the room in which the players
// talk. It stays until Leave, through any number of games. All methods may be called from any goroutine.
type Table struct {
	host  *node.Host
	room  *node.Room
	lobby *Lobby // of whoever opened it
	known *Known

	private bool
	changed [][2]string

	mu     sync.Mutex
	m      machine
	start  time.Time
	unsent []Letter
	queue  []News
	wake   chan struct{}
	news   chan News
	ended  chan struct{}
	over   bool
	closes time.Time // when to admit the players only
}

// Times of the runner.
const (
	tickEvery   = 100 * time.Millisecond
	resendEvery = 20 * time.Millisecond
	lastWords   = 200 * time.Millisecond
	maxUnsent   = 32
	maxQueue    = 1024
)

// OpenConfig is a table to be offered.
type OpenConfig struct {
	Player
	Offer     table.Offer   // Protocol, Opener and Random are filled in
	Changed   [][2]string   // the options not at their defaults, for the list of tables
	Countdown time.Duration // 0: [Countdown]; negative: none
	Private   bool          // the host is in a private network
	Known     *Known        // may be nil
}

// Open offers a table in the lobby and sits down at it.
func Open(l *Lobby, c OpenConfig) (*Table, error) {
	switch {
	case c.Countdown == 0:
		c.Countdown = Countdown
	case c.Countdown < 0:
		c.Countdown = 0
	}
	var epoch [8]byte
	if _, err := rand.Read(epoch[:]); err != nil {
		return nil, err
	}
	o, err := NewOpener(c.Player, c.Offer, binary.BigEndian.Uint64(epoch[:]), c.Countdown)
	if err != nil {
		return nil, err
	}
	return run(l.host, l, RoomOf(c.Identity.Key()), c.Known, c.Private, c.Changed, o)
}

// Sit sits down at the table that opener offers. The host must have been told where that is, by discovery or by
// Meet. Sit returns when the seat is there; its error is a *[Refusal] where the table does not want us, or the end
// of ctx.
func Sit(ctx context.Context, h *node.Host, opener node.Key, p Player, known *Known) (*Table, error) {
	g, err := NewGuest(p, opener, 0)
	if err != nil {
		return nil, err
	}
	t, err := run(h, nil, RoomOf(opener), known, false, nil, g)
	if err != nil {
		return nil, err
	}
	for tick := time.NewTicker(5 * time.Millisecond); ; {
		if v := t.View(); v.Seat(v.Me) != nil {
			tick.Stop()
			return t, nil
		}
		select {
		case <-tick.C:
		case <-t.ended:
			return nil, g.End()
		case <-ctx.Done():
			t.Leave()
			return nil, fmt.Errorf("sit down: %w", ctx.Err())
		}
	}
}

// packetGate lets messages pass that can be read; who may say what, the machine judges.
type packetGate struct{}

func (packetGate) Check(b []byte) node.Verdict {
	if _, err := open(b); err != nil {
		return node.Reject
	}
	return node.Accept
}

func run(h *node.Host, l *Lobby, id [32]byte, known *Known, private bool, changed [][2]string, m machine) (*Table, error) {
	room, err := h.Join(node.RoomConfig{Table: id, Machine: packetGate{}})
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	if known == nil {
		known = &Known{players: map[string]acquainted{}}
	}
	t := &Table{
		host: h, room: room, lobby: l, known: known, private: private, changed: changed,
		m: m, start: time.Now(), wake: make(chan struct{}, 1), news: make(chan News), ended: make(chan struct{}),
	}
	t.mu.Lock()
	t.flush()
	t.mu.Unlock()
	go t.run()
	return t, nil
}

func (t *Table) now() time.Duration { return time.Since(t.start) }

// News are what happens, in order. The channel is closed after NewsClosed. Whoever does not read loses the oldest
// lines of chat first; View is always right.
func (t *Table) News() <-chan News { return t.news }

// View is the table as it stands.
func (t *Table) View() View {
	t.mu.Lock()
	defer t.mu.Unlock()
	v := t.m.View()
	for i := range v.Seats {
		v.Seats[i].Known, _ = t.known.Judge(v.Seats[i].Nick, v.Seats[i].Key)
	}
	return v
}

// Ready signs the offer of View, or takes that back, which stops the countdown.
func (t *Table) Ready(ready bool) error {
	return t.do(func() error { return t.m.Ready(t.now(), ready) })
}

// Tell says a line of chat to those with the keys given, or to everybody at the table.
func (t *Table) Tell(text string, to ...node.Key) error {
	return t.do(func() error { return t.m.Tell(t.now(), text, to...) })
}

// Offer proposes other options, or, after a game, another game (then with Offer.Former); all must get ready again.
// Only whoever opened the table can.
func (t *Table) Offer(o table.Offer, changed [][2]string) error {
	return t.open(func(opener *Opener) error {
		if err := opener.Offer(t.now(), o); err != nil {
			return err
		}
		t.changed = changed
		t.admitAll()
		return nil
	})
}

// Kick takes a guest off the list and keeps its key away from the table until Let. Only whoever opened the table can,
// and only before a game.
func (t *Table) Kick(k node.Key) error {
	return t.open(func(o *Opener) error { return o.Kick(t.now(), k) })
}

// Let lets a key that was kicked sit down again.
func (t *Table) Let(k node.Key) error {
	return t.open(func(o *Opener) error { return o.Let(t.now(), k) })
}

// ErrNotHost is the error of what only whoever opened the table can do.
var ErrNotHost = errors.New("only whoever opened the table can do that")

// open does what only the opener can do.
func (t *Table) open(f func(*Opener) error) error {
	return t.do(func() error {
		if o, ok := t.m.(*Opener); ok {
			return f(o)
		}
		return ErrNotHost
	})
}

// Again says that the game is over for this peer, or has not come about: it waits for the next offer. Whoever
// opened the table calls Offer instead.
func (t *Table) Again() error {
	return t.do(func() error {
		if g, ok := t.m.(*Guest); ok {
			g.Again(t.now())
			t.admitAll()
		}
		return nil
	})
}

// Leave gives the seat back, or closes the table for all if one has opened it. It returns when everything has ended.
func (t *Table) Leave() {
	_ = t.do(func() error { t.m.Leave(t.now()); return nil })
	<-t.ended
}

func (t *Table) admitAll() {
	t.closes = time.Time{}
	t.host.Admit(func(node.Key) bool { return true })
}

func (t *Table) do(f func() error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.over {
		return fmt.Errorf("table: %w", node.ErrClosed)
	}
	err := f()
	t.flush()
	return err
}

// flush does what the machine wants done.
func (t *Table) flush() {
	out := t.m.Out()
	if out.Beat != nil {
		_ = t.room.SetBeat(out.Beat)
		t.announce()
	}
	for _, l := range out.Send {
		t.send(l)
	}
	for _, n := range out.News {
		t.tell(n)
	}
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

// send sends a letter, or keeps it for when the link is there.
func (t *Table) send(l Letter) {
	if l.To == (node.Key{}) {
		v := t.m.View()
		for _, s := range v.Seats {
			if s.Key != v.Me {
				t.send(Letter{s.Key, l.Bytes})
			}
		}
		return
	}
	// What waits for the same peer goes first: an older wish must not arrive after a newer one and take it back.
	waits := slices.ContainsFunc(t.unsent, func(u Letter) bool { return u.To == l.To })
	if waits || t.room.Send(l.To, l.Bytes) != nil {
		t.unsent = append(t.unsent, l)
		t.unsent = t.unsent[max(0, len(t.unsent)-maxUnsent):]
	}
}

func (t *Table) tell(n News) {
	n.Seat.Known, n.Other = t.known.Judge(n.Seat.Nick, n.Seat.Key)
	t.queue = append(t.queue, n)
	switch n.Kind {
	case NewsSat:
		if n.Seat.Known == Differs && !n.Seat.Bot {
			n.Kind = NewsDiffers
			t.queue = append(t.queue, n)
		}
	case NewsBegun:
		t.closes = time.Now().Add(lastWords)
		v := t.m.View()
		for _, s := range v.Seats {
			if !s.Bot && s.Key != v.Me {
				_ = t.known.Note(s.Nick, s.Key) // not to know somebody next time is no reason not to play now
			}
		}
	case NewsClosed:
		t.over = true
	}
	for i := 0; len(t.queue) > maxQueue && i < len(t.queue); i++ {
		if t.queue[i].Kind == NewsTold {
			t.queue = append(t.queue[:i:i], t.queue[i+1:]...)
		}
	}
}

// announce tells the network of an own table, and that somebody who sits elsewhere is here.
func (t *Table) announce() {
	if t.lobby == nil {
		_ = t.host.Announce([]string{})
		return
	}
	v := t.m.View()
	n := &Notice{
		Version: Version, Protocol: table.Version, Rules: v.Offer.Rules, Name: v.Offer.Name, Seats: v.Offer.Seats,
		Taken: uint8(len(v.Seats)), Phase: v.Phase, Private: t.private, Sets: v.Offer.Sets, Changed: t.changed, Offer: v.Hash,
	}
	for _, s := range v.Seats {
		n.Players = append(n.Players, s.Nick)
	}
	t.lobby.announce(n)
}

func (t *Table) run() {
	defer close(t.ended)
	defer close(t.news)
	tick := time.NewTicker(tickEvery)
	defer tick.Stop()
	var next *News // taken out of the queue
	for {
		t.mu.Lock()
		over := t.over && len(t.unsent) == 0
		if next == nil && len(t.queue) > 0 {
			next, t.queue = &t.queue[0], t.queue[1:]
		}
		var resend <-chan time.Time
		if len(t.unsent) > 0 {
			resend = time.After(resendEvery)
		}
		t.mu.Unlock()
		if over {
			break
		}
		var first News
		var news chan News
		if next != nil {
			first, news = *next, t.news
		}
		select {
		case news <- first:
			next = nil
		case <-t.wake:
		case e, ok := <-t.room.Events():
			if !ok {
				t.mu.Lock()
				t.over, t.unsent = true, nil
				t.mu.Unlock()
				break
			}
			t.hear(e)
		case <-tick.C:
			t.mu.Lock()
			t.m.Tick(t.now())
			if !t.closes.IsZero() && time.Now().After(t.closes) {
				t.closes = time.Time{}
				t.admitPlayers()
			}
			t.flush()
			t.mu.Unlock()
		case <-resend:
			t.mu.Lock()
			again := t.unsent
			t.unsent = nil
			for _, l := range again {
				t.send(l)
			}
			if t.over {
				t.unsent = nil // who is not there now hears it by our silence
			}
			t.mu.Unlock()
		}
	}
	if next != nil {
		t.queue = append([]News{*next}, t.queue...)
	}
	t.finish()
}

// finish lets the last words go out, hands over the last news and leaves the room.
func (t *Table) finish() {
	if t.lobby != nil {
		t.lobby.announce(nil)
	} else {
		_ = t.host.Announce(nil)
	}
	t.host.Admit(func(node.Key) bool { return true })
	time.Sleep(lastWords / 4) // the links write on their own
	unread := time.After(time.Second)
	for _, n := range t.queue {
		select {
		case t.news <- n:
		case <-unread:
			t.room.Close()
			return
		}
	}
	t.room.Close()
}

func (t *Table) hear(e node.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.over {
		return
	}
	switch e := e.(type) {
	case node.Packet:
		if e.Direct { // of what is passed on nobody knows who said it
			t.m.Receive(t.now(), e.From, e.Bytes)
		}
	case node.Beat:
		t.m.Heard(t.now(), e.Peer, e.Blob)
	case node.Down:
		t.m.Down(t.now(), e.Peer)
	case node.Refused:
		if g, ok := t.m.(*Guest); ok {
			g.NotLinked(t.now(), e.Peer, e.Version)
		}
	case node.Request:
		_ = e.Reply(nil)
	}
	t.flush()
}

// admitPlayers closes the door of a game that has begun.
func (t *Table) admitPlayers() {
	players := map[node.Key]bool{}
	v := t.m.View()
	for _, s := range v.Seats {
		players[s.Key] = true
	}
	if v.Phase == Begun {
		t.host.Admit(func(k node.Key) bool { return players[k] })
	}
}
