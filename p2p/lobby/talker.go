package lobby

import (
	"errors"
	"time"

	"standoff/p2p/node"
	"standoff/p2p/table"
)

// ErrGameOnly is returned for what belongs to a table before its start, by somebody who has come back to its game.
var ErrGameOnly = errors.New("this seat has come back to a game: there is nothing to get ready for")

// Talker is the machine of somebody who has come back to a game that runs: a voice and an ear among its players, and
// nothing else. It has no part in what the opener keeps.
type Talker struct {
	me   node.Key
	view View
	chat chat
	out  Out
}

// NewTalker is a talker at the table of a roster.
func NewTalker(r *table.Roster, me node.Key) *Talker {
	k := &Talker{me: me, chat: chat{}, view: View{Me: me, Host: node.Key(r.Offer.Opener), Phase: Begun, Offer: r.Offer, Roster: r.Raw}}
	for _, j := range r.Joins {
		k.view.Seats = append(k.view.Seats, Seat{Key: node.Key(j.Key), Nick: j.Nick, Bot: j.Bot})
	}
	return k
}

// View is the table as it was when its game began.
func (k *Talker) View() View {
	v := k.view
	v.Seats = append([]Seat(nil), v.Seats...)
	return v
}

// Ready is refused with [ErrGameOnly].
func (k *Talker) Ready(time.Duration, bool) error { return ErrGameOnly }

// Receive takes in a line of chat that came straight from a player.
func (k *Talker) Receive(now time.Duration, from node.Key, b []byte) {
	m, err := open(b)
	if err != nil || m.Kind != kindTell {
		return
	}
	if s := k.view.Seat(from); s != nil && from != k.me {
		k.chat.hear(&k.out, now, *s, m.Body)
	}
}

// Heard and Down are of no interest: the game tells who is there.
func (k *Talker) Heard(time.Duration, node.Key, []byte) {}
func (k *Talker) Down(time.Duration, node.Key)          {}
func (k *Talker) Tick(time.Duration)                    {}

// Tell says a line of chat.
func (k *Talker) Tell(now time.Duration, text string, to ...node.Key) error {
	return k.chat.say(&k.out, now, k.me, text, to)
}

// Leave ends it.
func (k *Talker) Leave(time.Duration) {
	k.out.News = append(k.out.News, News{Kind: NewsClosed, Reason: Left})
}

// Out hands out what is to be done.
func (k *Talker) Out() Out {
	out := k.out
	k.out = Out{}
	return out
}

// Return comes back to the room in which the players of a running game talk. The host must have been told where they
// are.
func Return(h *node.Host, r *table.Roster) (*Table, error) {
	return run(h, nil, RoomOf(node.Key(r.Offer.Opener)), nil, false, nil, NewTalker(r, h.Key()))
}
