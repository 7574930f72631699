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

const (
	maxOffer  = table.MaxRoster - table.MaxSeats*512 // the joins must find room beside it
	maxGone   = 8
	maxMeters = 64
)

// An Opener is the pure machine of the peer that offers a table. It keeps the list of who sits there and tells it to
// all; once everybody has signed the offer, it signs the roster, and that is the last thing it decides.
type Opener struct {
	Player
	me    node.Key
	now   time.Duration
	count time.Duration

	n      *seating
	told   *seating // as of the last Out
	heard  map[node.Key]time.Duration
	wishes map[node.Key]*meter
	chat   chat
	ends   time.Duration // of the countdown
	kicked []Seat
	closed bool
	out    Out
}

// NewOpener offers a table and sits down at it. Epoch tells this program's states from those of one before it;
// countdown is how long the others can say stop.
func NewOpener(p Player, offer table.Offer, epoch uint64, countdown time.Duration) (*Opener, error) {
	o := &Opener{
		Player: p, me: p.Identity.Key(), count: countdown,
		n:     &seating{state: state{Epoch: epoch, Phase: Gathering, Count: uint32(countdown.Milliseconds())}},
		heard: map[node.Key]time.Duration{}, wishes: map[node.Key]*meter{}, chat: chat{},
	}
	card, err := p.card(RoomOf(o.me))
	if err != nil {
		return nil, err
	}
	c, err := readCard(p.Suite, card, o.me)
	if err != nil {
		return nil, err
	}
	o.n.Seats, o.n.cards = []place{{Key: o.me, Card: card}}, []Card{c}
	return o, o.Offer(0, offer)
}

// View is the table as it stands.
func (o *Opener) View() View {
	v := o.n.view(o.me, o.me)
	if v.Phase == Counting {
		v.Left = max(0, o.ends-o.now)
	}
	v.Kicked = slices.Clone(o.kicked)
	return v
}

// Offer proposes other options, or after a game another game; everybody must get ready again. A seat that somebody
// has is not taken away: it fails when there would be too few.
func (o *Opener) Offer(now time.Duration, offer table.Offer) error {
	o.now = now
	if err := CheckName(offer.Name); err != nil {
		return err
	}
	if len(o.n.Seats) > int(offer.Seats) {
		return fmt.Errorf("offer: %d seats, but %d players sit here", offer.Seats, len(o.n.Seats))
	}
	raw, err := table.SignOffer(o.Suite, offer, o.Identity.Secret(), o.Rand)
	if err != nil {
		return err
	}
	if len(raw) > maxOffer {
		return fmt.Errorf("offer of %d bytes, limit %d", len(raw), maxOffer)
	}
	read, hash, err := table.ReadOffer(o.Suite, raw)
	if err != nil {
		return err
	}
	again := o.n.Phase == Begun
	o.n.Offer, o.n.offer, o.n.hash, o.n.Phase, o.n.Roster = raw, read, hash, Gathering, nil
	for i := range o.n.Seats {
		o.n.Seats[i].Join = nil
		if again {
			o.heard[o.n.Seats[i].Key] = now
		}
	}
	if o.Auto {
		return o.Ready(now, true)
	}
	o.settle()
	return nil
}

// Ready signs the offer, or takes that back.
func (o *Opener) Ready(now time.Duration, ready bool) error {
	o.now = now
	if o.n.Phase == Begun || o.closed {
		return errors.New("ready: the game has begun")
	}
	i := o.n.place(o.me)
	if ready == (len(o.n.Seats[i].Join) > 0) {
		return nil
	}
	o.n.Seats[i].Join = nil
	if ready {
		join, err := o.join(o.n.hash)
		if err != nil {
			return err
		}
		o.n.Seats[i].Join = join
	}
	o.settle()
	return nil
}

// Receive takes in a packet that came straight from a peer.
func (o *Opener) Receive(now time.Duration, from node.Key, b []byte) {
	o.now = now
	m, err := open(b)
	if err != nil || from == o.me || o.closed {
		return
	}
	o.alive(from)
	switch m.Kind {
	case kindWish:
		if !o.meter(from).allow(now, 20, 10) {
			return
		}
		var w wish
		if decode(m.Body, &w) == nil {
			o.grant(from, w)
		}
	case kindBye:
		if o.n.Phase != Begun {
			o.free(from, Left)
		} else if i := o.n.place(from); i >= 0 {
			o.n.Seats[i].Away = true
			o.settle()
		}
	case kindTell:
		if i := o.n.place(from); i >= 0 {
			o.chat.hear(&o.out, now, o.n.seat(i), m.Body)
		}
	}
}

func (o *Opener) meter(k node.Key) *meter {
	if o.wishes[k] == nil {
		if len(o.wishes) >= maxMeters {
			clear(o.wishes)
		}
		o.wishes[k] = &meter{}
	}
	return o.wishes[k]
}

// grant gives a guest what it wants where that can be.
func (o *Opener) grant(from node.Key, w wish) {
	i := o.n.place(from)
	if o.n.Phase == Begun {
		if i < 0 {
			o.refuse(from, Running, "")
		}
		return
	}
	if i < 0 || !bytes.Equal(o.n.Seats[i].Card, w.Card) {
		c, err := readCard(o.Suite, w.Card, from)
		switch {
		case err != nil || c.Room != RoomOf(o.me):
			o.refuse(from, BadCard, "")
			return
		case o.isKicked(from) || o.isKicked(c.owner()):
			o.refuse(from, Kicked, "")
			return
		case c.Protocol != table.Version || c.Rules != table.RulesVersion:
			o.refuse(from, OtherVersion, versions(table.Version, table.RulesVersion))
			return
		case o.nickTaken(c.Nick, from):
			o.refuse(from, NickTaken, c.Nick)
			return
		case i < 0 && len(o.n.Seats) == int(o.n.offer.Seats):
			o.refuse(from, Full, "")
			return
		case i < 0:
			i = len(o.n.Seats)
			o.n.Seats, o.n.cards = append(o.n.Seats, place{}), append(o.n.cards, Card{})
			o.heard[from] = o.now
		}
		o.n.Seats[i], o.n.cards[i] = place{Key: from, Card: w.Card}, c
	}
	p := &o.n.Seats[i]
	if !bytes.Equal(p.Join, w.Join) {
		if len(w.Join) == 0 {
			p.Join = nil
		} else if checkJoin(o.Suite, w.Join, from, o.n.cards[i], o.n.hash) == nil {
			p.Join = w.Join
		}
	}
	o.settle()
}

// versions is the Detail of an OtherVersion.
func versions(protocol uint64, rules string) string {
	return fmt.Sprintf("protocol %d, %s", protocol, rules)
}

func (o *Opener) nickTaken(nick string, by node.Key) bool {
	for i, c := range o.n.cards {
		if o.n.Seats[i].Key != by && alike(c.Nick, nick) {
			return true
		}
	}
	return false
}

func (o *Opener) refuse(to node.Key, r Reason, detail string) {
	o.out.Send = append(o.out.Send, Letter{to, packet(kindRefuse, refuse{Reason: r, Detail: detail})})
}

// free takes a guest off the list.
func (o *Opener) free(k node.Key, r Reason) {
	i := o.n.place(k)
	if i < 0 || k == o.me {
		return
	}
	o.n.Gone = append(o.n.Gone, departure{Key: k, Nick: o.n.cards[i].Nick, Reason: r})
	o.n.Gone = o.n.Gone[max(0, len(o.n.Gone)-maxGone):]
	o.n.Seats = append(o.n.Seats[:i:i], o.n.Seats[i+1:]...)
	o.n.cards = append(o.n.cards[:i:i], o.n.cards[i+1:]...)
	delete(o.heard, k)
	o.settle()
}

// Kick takes a guest off the list, with the bots on its machine, and keeps its key away until [Opener.Let]. It fails
// once the game has begun: from then on whoever opened the table has no power.
func (o *Opener) Kick(now time.Duration, k node.Key) error {
	o.now = now
	i := o.n.place(k)
	switch {
	case o.n.Phase == Begun || o.closed:
		return errors.New("kick: the game has begun")
	case k == o.me:
		return errors.New("kick: not oneself")
	case i < 0:
		return errors.New("kick: does not sit here")
	}
	o.kicked = append(o.kicked, Seat{Key: k, Nick: o.n.cards[i].Nick})
	for i := len(o.n.Seats) - 1; i >= 0; i-- {
		if p := o.n.Seats[i].Key; p == k || o.n.cards[i].owner() == k {
			o.refuse(p, Kicked, "")
			o.free(p, Kicked)
		}
	}
	return nil
}

// Let lets a key that was kicked sit down again.
func (o *Opener) Let(now time.Duration, k node.Key) error {
	o.now = now
	if !o.isKicked(k) {
		return errors.New("let in: was not kicked")
	}
	o.kicked = slices.DeleteFunc(o.kicked, func(s Seat) bool { return s.Key == k })
	return nil
}

func (o *Opener) isKicked(k node.Key) bool {
	return slices.ContainsFunc(o.kicked, func(s Seat) bool { return s.Key == k })
}

// Heard takes in a heartbeat.
func (o *Opener) Heard(now time.Duration, from node.Key, beat []byte) {
	o.now = now
	o.alive(from)
	var m mark
	if o.n.place(from) >= 0 && (decode(beat, &m) != nil || m.Epoch != o.n.Epoch || m.Serial != o.n.Serial) {
		o.out.Send = append(o.out.Send, Letter{from, packet(kindState, o.n.state)})
	}
}

func (o *Opener) alive(k node.Key) {
	if i := o.n.place(k); i >= 0 {
		o.heard[k] = o.now
		if o.n.Seats[i].Away {
			o.n.Seats[i].Away = false
			o.settle()
		}
	}
}

// Down is called when the connection with a peer has ended.
func (o *Opener) Down(now time.Duration, k node.Key) {
	o.now = now
	delete(o.wishes, k)
	if i := o.n.place(k); i >= 0 && k != o.me && !o.n.Seats[i].Away {
		o.n.Seats[i].Away = true
		o.settle()
	}
}

// Tick lets time pass.
func (o *Opener) Tick(now time.Duration) {
	o.now = now
	if o.closed || o.n.Phase == Begun {
		return
	}
	for i := len(o.n.Seats) - 1; i >= 0; i-- {
		p := &o.n.Seats[i]
		switch quiet := now - o.heard[p.Key]; {
		case p.Key == o.me:
		case quiet > SilentAfter:
			o.free(p.Key, Silent)
		case quiet > awayAfter && !p.Away:
			p.Away = true
		}
	}
	o.settle()
}

// settle starts, stops or ends the countdown as the list now is. Without one the start is immediate.
func (o *Opener) settle() {
	if o.n.Phase == Begun {
		return
	}
	all := len(o.n.Seats) == int(o.n.offer.Seats)
	for _, p := range o.n.Seats {
		all = all && len(p.Join) > 0 && !p.Away
	}
	switch {
	case !all:
		o.n.Phase = Gathering
		return
	case o.n.Phase == Gathering:
		o.n.Phase, o.ends = Counting, o.now+o.count
	}
	if o.now < o.ends {
		return
	}
	var joins [][]byte
	for _, p := range o.n.Seats {
		joins = append(joins, p.Join)
	}
	roster, err := table.SignRoster(o.Suite, o.n.Offer, joins, o.Identity.Secret())
	if err != nil {
		panic("lobby: internal error: roster of checked joins: " + err.Error())
	}
	o.n.Phase, o.n.Roster = Begun, roster
}

// Tell says a line to the keys given, or to everybody.
func (o *Opener) Tell(now time.Duration, text string, to ...node.Key) error {
	return o.chat.say(&o.out, now, o.me, text, to)
}

// Leave closes the table. Those who sit there are told; they may open another.
func (o *Opener) Leave(now time.Duration) {
	o.now = now
	if o.closed {
		return
	}
	o.closed = true
	for _, p := range o.n.Seats {
		if p.Key != o.me {
			o.refuse(p.Key, HostLeft, "")
		}
	}
	o.out.News = append(o.out.News, News{Kind: NewsClosed, Reason: HostLeft})
}

// Out hands out what is to be done since the last call.
func (o *Opener) Out() Out {
	if !o.closed && !o.told.same(o.n) {
		o.n.Serial++
		o.out.Beat = encode(mark{Epoch: o.n.Epoch, Serial: o.n.Serial})
		b := packet(kindState, o.n.state)
		for _, p := range o.n.Seats {
			if p.Key != o.me {
				o.out.Send = append(o.out.Send, Letter{p.Key, b})
			}
		}
		o.out.News = append(diff(o.told, o.n), o.out.News...)
		o.told = o.n.clone()
	}
	out := o.out
	o.out = Out{}
	return out
}

func (n *seating) clone() *seating {
	c := *n
	c.Seats = append([]place(nil), n.Seats...)
	c.Gone = append([]departure(nil), n.Gone...)
	c.cards = append([]Card(nil), n.cards...)
	return &c
}

// same compares all but the serial.
func (n *seating) same(m *seating) bool {
	if n == nil {
		return false
	}
	a, b := n.state, m.state
	a.Serial = b.Serial
	return bytes.Equal(encode(a), encode(b))
}
