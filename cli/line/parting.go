package line

import (
	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/p2p/table"
)

// parting is what happens when the seat leaves the table now.
type parting uint8

const (
	breaksOff  parting = iota // the game is void for all
	playsOn                   // the rules play for the seat
	givesUp                   // the seat is out of the game
	outAlready                // it has been eliminated before
	stops                     // a game against the own bots: it can be gone on with
	looksAway                 // who has no seat
)

// partingOf is what leaving does to a seat of a table; the others go on if they are enough, and play for it as the option
// away says.
func partingOf(spared, out bool, away string) parting {
	switch {
	case !spared:
		return breaksOff
	case out:
		return outAlready
	case away == "out":
		return givesUp
	}
	return playsOn
}

// say puts it into words.
func (p parting) say(text *i18n.Catalogue) string {
	w := &text.Prompts
	return [...]string{w.LeaveVoid, w.LeaveDefaults, w.LeaveOut, w.LeaveDead, w.LeaveBots, text.Watch.Leave}[p]
}

// weigh tells the session what leaving would do now. It changes when others go or come back.
func (f *Front) weigh(t *table.Table, v engine.View, ok bool) {
	if f.fixed {
		return
	}
	out := ok && f.s.me != engine.None && v.State().Players[f.s.me].Status == engine.Out
	f.s.parting = partingOf(t.Spares(t.Seat()), out, chosen(&t.Roster().Offer, "away"))
}

// foretell tells a program what leaving would do, each time that this has changed: it is not asked whether it means it.
func (f *Front) foretell() {
	if f.json == nil || f.looksOn || f.foretold && f.was == f.s.parting {
		return
	}
	f.foretold, f.was = true, f.s.parting
	void := f.s.parting == breaksOff
	f.w.Lines(f.json.object(Note{Type: "leaving", Text: f.s.parting.say(f.s.text), Void: &void}))
}

// Out reports whether the seat is out of the game when it has left: it has been eliminated, or the options say so.
func (f *Front) Out() bool { return f.s.parting == outAlready || f.s.parting == givesUp }

// asksToLeave asks whether the person means it.
func (s *Session) asksToLeave() Reply {
	s.leave, s.asked = true, s.parting
	return s.say(s.put(s.words().LeaveSure, i18n.With{"what": s.parting.say(s.text)}))
}

// leaves is the answer to that. Where leaving would do something else by now, the question is put once more.
func (s *Session) leaves(yes bool, open []string) Reply {
	s.leave = false
	switch {
	case yes && s.asked != s.parting:
		return s.asksToLeave()
	case yes:
		return Reply{Lines: []string{s.words().Left}, Leave: true}
	}
	return s.say(append([]string{s.words().Stays}, open...)...)
}

// buried tells who is out so, once there is nothing more to be asked: when the cards have gone. Whether the others need
// the seat until the end may change later; that is told when a turn begins.
func (s *Session) buried(v engine.View, turn bool) []string {
	p := &v.State().Players[s.me]
	needed := s.parting == breaksOff
	switch {
	case v.State().Over != engine.NotOver:
		s.dying, s.dead = false, false
		return nil
	case s.dying && p.Status == engine.Out && len(p.Hand)+len(p.Play) == 0:
		s.dying, s.dead = false, true
	case !s.dead || !turn || s.needed == needed:
		return nil
	}
	s.needed = needed
	return []string{either(needed, s.words().DeadNeeded, s.words().Dead)}
}
