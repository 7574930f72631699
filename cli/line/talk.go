package line

import (
	"context"
	"errors"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/p2p/node"
	"standoff/p2p/peer"
)

// What the players say to each other.

// Said tells what the holder of a key says. Who is out of a game that goes on is heard by those who are out only: the
// dead know too much.
func (f *Front) Said(ctx context.Context, from node.Key, nick, text string) {
	call := func(p *peer.Seat) {
		r := p.Table().Roster()
		if out(p, r.SeatOf(from[:])) && !out(p, p.Table().Seat()) {
			return
		}
		line := f.s.Said(nick, text)
		if f.json != nil {
			line = f.json.object(Note{Type: "tell", Nick: nick, Text: text})
		}
		f.w.Lines(line)
		f.promptAgain()
	}
	select {
	case f.calls <- call:
	case <-ctx.Done():
	}
}

// speak says something to all, or to those who are out, and shows it to a person as the others read it.
func (f *Front) speak(p *peer.Seat, text string) {
	w, dead := f.s.words(), out(p, p.Table().Seat())
	template, err := w.Tell, error(nil)
	if dead {
		template = w.TellDead
	}
	if f.tell == nil {
		err = errors.New(w.Unheard)
	} else if to := f.audience(p, dead); !dead || to != nil {
		err = f.tell(text, to...)
	}
	switch {
	case err != nil:
		f.say(f.s.put(w.Refused, i18n.With{"reason": err}))
	case f.json == nil:
		f.say(f.s.put(template, i18n.With{"seat": p.Table().Roster().Joins[p.Table().Seat()].Nick, "text": text}))
	}
}

// audience are those who hear somebody: all, for which the list is empty, or who is out as well.
func (f *Front) audience(p *peer.Seat, dead bool) []node.Key {
	var to []node.Key
	for i, j := range p.Table().Roster().Joins {
		if dead && i != p.Table().Seat() && out(p, i) {
			to = append(to, node.Key(j.Key))
		}
	}
	return to
}

// out reports whether a seat has been eliminated in a game that goes on; -1 looks on and is always out.
func out(p *peer.Seat, seat int) bool {
	v, ok := p.Table().View()
	if !ok || v.State().Over != engine.NotOver {
		return false
	}
	for i := range engine.Seat(v.State().N) {
		if p.Table().SeatAt(i) == seat {
			return v.State().Players[i].Status == engine.Out
		}
	}
	return true
}
