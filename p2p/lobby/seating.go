package lobby

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"standoff/p2p/node"
	"standoff/p2p/table"
)

// Times of a table before its start.
const (
	SilentAfter = 10 * time.Second        // then a seat is free again (FR-34 a), or the host given up
	awayAfter   = 2500 * time.Millisecond // then no countdown runs
	Countdown   = 3 * time.Second         // from all ready to the start

	tooLate = 5 * time.Second // a start that crossed with a withdrawal counts
)

// A Phase is how far a table is.
type Phase uint8

const (
	Gathering Phase = iota + 1 // people come, go and get ready
	Counting                   // all are ready; anybody who is no longer stops it
	Begun                      // the roster is signed; whoever opened the table has no power any more
)

func (p Phase) String() string {
	switch p {
	case Gathering:
		return "gathering"
	case Counting:
		return "counting"
	case Begun:
		return "begun"
	}
	return fmt.Sprintf("phase %d", uint8(p))
}

// Player is who sits down, on either side.
type Player struct {
	Suite    table.Suite
	Identity node.Identity
	Rand     io.Reader // of the offer's and the join's random bytes
	Nick     string
	Bot      bool     // a program plays
	Owner    node.Key // for a bot: whose machine runs it, with that player's [Vouch]
	Vouch    []byte
	Auto     bool // ready for every offer by itself; for bots
}

func (p *Player) card(room [32]byte) ([]byte, error) {
	c := Card{Room: room, Protocol: table.Version, Rules: table.RulesVersion, Nick: p.Nick, Bot: p.Bot, Vouch: p.Vouch}
	if p.Owner != (node.Key{}) {
		c.Owner = p.Owner[:]
	}
	return signCard(p.Suite, c, p.Identity)
}

func (p *Player) join(offer table.Hash) ([]byte, error) {
	return table.SignJoin(p.Suite, offer, p.Nick, p.Bot, p.Identity.Secret(), p.Rand)
}

// A View is a table as one peer sees it.
type View struct {
	Me, Host node.Key
	Phase    Phase
	Offer    table.Offer
	Hash     table.Hash // of the offer: what being ready signs
	Seats    []Seat     // those taken, in order of arrival
	Left     time.Duration
	Roster   []byte // from Begun on: what a table is made of
	Kicked   []Seat // of whoever opened the table: keys that do not get a seat, with the nicks they had
}

// Seat is one taken seat of a View.
type Seat struct {
	Key   node.Key
	Nick  string
	Bot   bool
	Owner node.Key // of a bot: whose machine runs it; zero: a machine of its own
	Ready bool
	Away  bool         // not heard at this moment
	Known Acquaintance // whether key and nick are those of before
}

// Seat returns the seat of a key, nil if it has none.
func (v *View) Seat(k node.Key) *Seat {
	for i := range v.Seats {
		if v.Seats[i].Key == k {
			return &v.Seats[i]
		}
	}
	return nil
}

// Free is how many seats are free.
func (v *View) Free() int { return int(v.Offer.Seats) - len(v.Seats) }

// NewsKind says what a News is.
type NewsKind uint8

const (
	NewsSat      NewsKind = iota + 1 // Seat: somebody, or oneself, has a seat
	NewsGone                         // Seat, Reason: a seat is free again
	NewsAway                         // Seat: is not heard at the moment
	NewsBack                         // Seat: is heard again
	NewsReady                        // Seat
	NewsNotReady                     // Seat: by its own wish
	NewsOffer                        // the options; all must get ready again
	NewsCounting                     // all are ready, the countdown runs
	NewsStopped                      // the countdown does not run any more; Seat if somebody stopped it
	NewsBegun                        // View.Roster is signed: play
	NewsTold                         // Seat, Text: a line of chat
	NewsDiffers                      // Seat, Other: this nick had another key before
	NewsClosed                       // Reason: the end; no more news follow
)

// A News is something that happened at a table.
type News struct {
	Kind   NewsKind
	Seat   Seat
	Reason Reason
	Text   string
	Other  node.Key
}

// A Letter is a packet to send; with a zero To, to everybody in the room.
type Letter struct {
	To    node.Key
	Bytes []byte
}

// Out is what a machine wants done.
type Out struct {
	Send []Letter
	Beat []byte // what the heartbeat carries from now on; nil: as before
	News []News
}

// seating is a checked state.
type seating struct {
	state
	offer table.Offer
	hash  table.Hash
	cards []Card
}

// check reads every part of st, which the given opener tells; what stands in the former one too is not checked again.
func check(s table.Suite, st state, opener node.Key, former *seating) (*seating, error) {
	n := &seating{state: st}
	if former != nil && bytes.Equal(former.Offer, st.Offer) {
		n.offer, n.hash = former.offer, former.hash
	} else {
		var err error
		if n.offer, n.hash, err = table.ReadOffer(s, st.Offer); err != nil {
			return nil, err
		}
	}
	switch {
	case !bytes.Equal(n.offer.Opener, opener[:]):
		return nil, errors.New("state: the offer is somebody else's")
	case st.Phase < Gathering || st.Phase > Begun:
		return nil, errors.New("state: no such phase")
	case len(st.Seats) > int(n.offer.Seats) || len(st.Gone) > maxGone:
		return nil, errors.New("state: too many seats")
	}
	if err := CheckName(n.offer.Name); err != nil {
		return nil, err
	}
	for i, p := range st.Seats {
		for _, q := range st.Seats[:i] {
			if p.Key == q.Key {
				return nil, errors.New("state: a key with two seats")
			}
		}
		var c Card
		old := former.place(p.Key)
		if old >= 0 && bytes.Equal(former.Seats[old].Card, p.Card) {
			c = former.cards[old]
		} else {
			var err error
			if c, err = readCard(s, p.Card, p.Key); err != nil {
				return nil, err
			}
			if c.Room != RoomOf(opener) {
				return nil, errors.New("state: a card for another table")
			}
		}
		n.cards = append(n.cards, c)
		if len(p.Join) == 0 || old >= 0 && former.hash == n.hash && bytes.Equal(former.Seats[old].Join, p.Join) {
			continue
		}
		if err := checkJoin(s, p.Join, p.Key, c, n.hash); err != nil {
			return nil, err
		}
	}
	for _, d := range st.Gone {
		if len(d.Nick) > MaxNick || checkText("nick", d.Nick) != nil {
			return nil, errors.New("state: a nick that is none")
		}
	}
	return n, nil
}

// checkJoin checks that a join is by this player for this offer.
func checkJoin(s table.Suite, b []byte, key node.Key, c Card, offer table.Hash) error {
	j, err := table.ReadJoin(s, b)
	if err != nil {
		return err
	}
	if !bytes.Equal(j.Key, key[:]) || j.Nick != c.Nick || j.Bot != c.Bot || j.Offer != offer {
		return errors.New("join: not that of this player for this offer")
	}
	return nil
}

// place is the index of a key's seat, -1 if it has none.
func (n *seating) place(k node.Key) int {
	if n == nil {
		return -1
	}
	return slices.IndexFunc(n.Seats, func(p place) bool { return p.Key == k })
}

func (n *seating) seat(i int) Seat {
	p, c := n.Seats[i], n.cards[i]
	s := Seat{Key: p.Key, Nick: c.Nick, Bot: c.Bot, Ready: len(p.Join) > 0, Away: p.Away}
	if len(c.Owner) > 0 {
		s.Owner = node.Key(c.Owner)
	}
	return s
}

func (n *seating) view(me, host node.Key) View {
	v := View{Me: me, Host: host}
	if n == nil {
		return v
	}
	v.Phase, v.Offer, v.Hash, v.Roster = n.Phase, n.offer, n.hash, n.Roster
	for i := range n.Seats {
		v.Seats = append(v.Seats, n.seat(i))
	}
	return v
}

// diff tells what has happened between two states.
func diff(old, now *seating) []News {
	var news []News
	reopened := old != nil && old.hash != now.hash
	if old == nil || reopened {
		news = append(news, News{Kind: NewsOffer})
	}
	if old != nil {
		for i, p := range old.Seats {
			if now.place(p.Key) >= 0 {
				continue
			}
			gone := News{Kind: NewsGone, Seat: old.seat(i), Reason: Left}
			for _, d := range now.Gone {
				if d.Key == p.Key {
					gone.Reason = d.Reason
				}
			}
			news = append(news, gone)
		}
	}
	var stopper Seat
	for i := range now.Seats {
		s := now.seat(i)
		at := old.place(s.Key)
		if at < 0 {
			news = append(news, News{Kind: NewsSat, Seat: s})
			if s.Ready {
				news = append(news, News{Kind: NewsReady, Seat: s})
			}
			continue
		}
		was := old.seat(at)
		if s.Away != was.Away {
			k := NewsBack
			if s.Away {
				k = NewsAway
			}
			news = append(news, News{Kind: k, Seat: s})
		}
		switch {
		case s.Ready && (!was.Ready || reopened):
			news = append(news, News{Kind: NewsReady, Seat: s})
		case !s.Ready && was.Ready && !reopened:
			news, stopper = append(news, News{Kind: NewsNotReady, Seat: s}), s
		}
	}
	was := Phase(0)
	if old != nil {
		was = old.Phase
	}
	switch {
	case was == Counting && now.Phase == Gathering:
		news = append(news, News{Kind: NewsStopped, Seat: stopper})
	case was != Counting && now.Phase == Counting:
		news = append(news, News{Kind: NewsCounting})
	case was != Begun && now.Phase == Begun:
		news = append(news, News{Kind: NewsBegun})
	}
	return news
}

// A meter allows a burst and then a steady rate.
type meter struct {
	left float64
	at   time.Duration
	used bool
}

func (m *meter) allow(now time.Duration, burst, perSecond float64) bool {
	if !m.used {
		m.left, m.at, m.used = burst, now, true
	}
	m.left, m.at = min(burst, m.left+(now-m.at).Seconds()*perSecond), now
	if m.left < 1 {
		return false
	}
	m.left--
	return true
}
