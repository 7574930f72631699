package table

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"standoff/engine"
)

// patience is what one peer's clock says about the others. It moves no bit of the log but through calls, and a wrong
// clock can only delay.
type patience struct {
	heard  [MaxSeats]time.Duration // last envelope of the seat
	alive  [MaxSeats]time.Duration // last sign of life of any kind
	told   bool                    // somebody tells of signs of life
	lives  Seats                   // have shown one since this program was started, perhaps before its clock began
	began  time.Duration           // when this clock did
	late   [MaxSeats]time.Duration // overdrafts of limits so far
	used   [MaxSeats]time.Duration // of the seat's bank
	asked  Seats                   // the person here wants the table to go on without them
	behind Seats                   // without whose seals the round before was closed, though it did not remove them
	failed Seats                   // called in the last round that wanted their say, and never gave it

	called time.Duration // this peer's last call
	waits  time.Duration // since when its ballot has its time: with too few seats in it, it has none
	doubts               // on which it was made
}

// Times of suspicion.
const (
	overdraft = 60 * time.Second // of limits in one game; then the grace is a quarter
	proofTime = time.Second      // for the proofs of a round
)

func (c *Choices) grace() time.Duration {
	n, _ := strconv.Atoi(strings.TrimSuffix(c.Table["grace"], "s"))
	return time.Duration(n) * time.Second
}

// clock is the thinking time: bank and increment; false for none.
func (c *Choices) clock() (bank, inc time.Duration, ok bool) {
	b, i, ok := strings.Cut(c.Table["clock"], "+")
	if !ok {
		return 0, 0, false
	}
	bank, err := time.ParseDuration(b)
	inc, err2 := time.ParseDuration(i)
	return bank, inc, err == nil && err2 == nil
}

// timed reports whether decisions have a clock.
func (c *Choices) timed() bool {
	_, _, ok := c.clock()
	return ok
}

// Alive tells the table that a seat's peer shows signs of life, by a heartbeat or another's word.
func (t *Table) Alive(seat int) {
	if seat >= 0 && seat < MaxSeats {
		p := &t.patience
		p.alive[seat], p.told, p.lives = t.now, true, p.lives.With(seat)
	}
}

// Dismiss asks for the table to go on without a seat for which it waits, before its grace is over; without effect once
// the seat does what it owes.
func (t *Table) Dismiss(seat int) {
	if seat >= 0 && seat < MaxSeats {
		t.patience.asked |= only(seat)
	}
}

// owes is what a seat owes to the open round at ballot 0, and since when; "" if nothing. At a table without clocks who
// decides owes it since the last sign of life of its peer.
func (t *Table) owes(seat int) (what string, since time.Duration) {
	o := &t.open
	switch {
	case o.vote.called != nil && t.calls(seat):
		return "", 0 // what it owes in the ballots, followers knows
	case t.ex.From.Has(seat) && len(o.says[seat]) == 0 && t.decides(seat) && !t.st.choices.timed():
		return "say", max(o.openedAt, t.sign(seat))
	case t.ex.From.Has(seat) && len(o.says[seat]) == 0:
		return "say", o.openedAt
	case o.fullAt != 0 && !o.agrees(seat):
		return "seal", o.fullAt
	}
	return "", 0
}

// calls reports whether a seat has called in the open round. It cannot say or seal there any more.
func (t *Table) calls(seat int) bool {
	return slices.ContainsFunc(t.open.calls, func(c *heldCall) bool { return c.vote.seat == seat })
}

// decides reports whether the open round waits for a seat's decision.
func (t *Table) decides(seat int) bool { return t.ex.Kind == RoundAct && t.ex.Asked == seat }

// overdue reports whether a seat owes something for longer than it may. The silence of one whose peer shows no sign
// of life has begun with the last: it is not given its grace once more when it comes to owe something. Thinking time
// is its own in any case.
func (t *Table) overdue(seat int) bool {
	what, since := t.owes(seat)
	if what == "" {
		return false
	}
	thinks := what == "say" && t.decides(seat)
	return t.now-since > t.limit(seat, what) || t.now-since > proofTime && !thinks && t.still(seat, 1)
}

// still reports whether a seat's peer has shown no sign of life for the grace, or for one of so many parts of it. It is
// never so where nobody tells of them.
func (t *Table) still(seat int, parts time.Duration) bool {
	return t.patience.told && t.now-t.sign(seat) > (t.grace(seat)+proofTime)/parts
}

// agrees reports whether a seat has sealed what this peer has. A seal of something that nobody knows is as good as
// none: either a second say is on its way, or the seat is in nobody's round.
func (o *openRound) agrees(seat int) bool {
	for _, h := range o.seals[seat] {
		if h.seal.Ballot == 0 && (len(o.vote.own) == 0 || o.vote.own[0].ballot != 0 || h.seal.Value == o.vote.own[0].value) {
			return true
		}
	}
	return false
}

// grace is how long a seat may be silent.
func (t *Table) grace(seat int) time.Duration {
	if t.patience.late[seat] >= overdraft {
		return t.st.choices.grace() / 4
	}
	return t.st.choices.grace()
}

// limit is how long a seat may owe it.
func (t *Table) limit(seat int, what string) time.Duration {
	switch {
	case what != "say" || !t.decides(seat):
		return t.grace(seat) + proofTime
	case t.st.choices.timed():
		return t.left(seat) + t.grace(seat)
	}
	return t.grace(seat)
}

// sign is when a seat's peer showed its last sign of life. An envelope is one only where nobody tells of others: it may
// be old, and passed on by somebody else.
func (t *Table) sign(seat int) time.Duration {
	if t.patience.told {
		return max(t.patience.alive[seat], t.patience.began)
	}
	return max(t.patience.heard[seat], t.patience.began)
}

// left is the thinking time that a seat has for one decision.
func (t *Table) left(seat int) time.Duration {
	bank, inc, _ := t.st.choices.clock()
	return max(0, bank-t.patience.used[seat]) + inc
}

// Clock is the thinking time that a seat has left for a decision, less what the open one has taken, as this peer's
// clock says. ok is false at a table without clocks.
func (t *Table) Clock(seat int) (left time.Duration, ok bool) {
	if _, _, ok := t.st.choices.clock(); !ok || seat < 0 || seat >= MaxSeats {
		return 0, false
	}
	left = t.left(seat)
	if t.ex.Kind == RoundAct && t.ex.Asked == seat && t.end == nil {
		left = max(0, left-max(0, t.now-t.open.openedAt))
	}
	return left, true
}

// Spent is the thinking time that a seat has used, as its own clock says. It is in no log: for a program that starts again
// somebody has to keep it beside the journal.
type Spent struct {
	Bank  time.Duration // used up in decisions that are over
	Round uint32        // of the open decision
	Open  time.Duration // for which its round is open, 0 when there is none
}

// Spent is what this seat has used at a table with clocks; zero for who only watches.
func (t *Table) Spent() Spent {
	if t.me == nil || !t.st.choices.timed() {
		return Spent{}
	}
	s := Spent{Bank: t.patience.used[t.me.seat]}
	if t.decides(t.me.seat) && !t.replay && t.end == nil { // also when it has answered: the others count until the round is closed
		s.Round, s.Open = t.st.round, t.now-t.open.openedAt
	}
	return s
}

// thinkOn takes up the thinking time of this seat where the program before this one left it: the clocks of the others
// have not stopped.
func (t *Table) thinkOn() {
	if t.me == nil {
		return
	}
	s := t.me.spent
	t.patience.used[t.me.seat] = s.Bank
	if s.Open > 0 && s.Round == t.st.round && t.decides(t.me.seat) {
		t.open.openedAt = t.now - s.Open
	}
}

// spent books the time of the round that has just closed.
func (p *patience) spent(t *Table) {
	for s := range MaxSeats {
		what, since := t.owes(s)
		if what == "" {
			continue
		}
		if l := t.limit(s, what); t.now-since > l {
			p.late[s] += t.now - since - l
		}
	}
	if _, inc, ok := t.st.choices.clock(); ok && t.ex.Kind == RoundAct {
		p.used[t.ex.Asked] = max(0, p.used[t.ex.Asked]+max(0, t.now-t.open.openedAt)-inc)
	}
	p.failed &^= t.ex.From
	for _, s := range t.ex.From.List() {
		if len(t.open.says[s]) == 0 && t.calls(s) {
			p.failed |= only(s)
		}
	}
	p.doubts, p.asked = doubts{}, 0
}

// flagFall answers by the default when the thinking time of this seat is over.
func (t *Table) flagFall() error {
	if _, _, ok := t.st.choices.clock(); !ok || !t.Asked() || t.now-t.open.openedAt < t.left(t.me.seat) {
		return nil
	}
	a := t.st.game.Default()
	for _, c := range []*engine.Card{&a.Card, &a.With} {
		if c.Slot != 0 && c.Face == 0 {
			c.Face = t.me.known.Face(c.Slot)
		}
	}
	t.me.action, t.me.byClock = a, true
	return t.contribute()
}
