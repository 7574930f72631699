package table

import (
	"strconv"
	"strings"
	"time"

	"standoff/engine"
)

// patience is what one peer's clock says about the others. It moves no bit of the log but through calls, and a wrong
// clock can only delay.
type patience struct {
	heard    [MaxSeats]time.Duration // last envelope of the seat
	alive    [MaxSeats]time.Duration // last sign of life of any kind
	late     [MaxSeats]time.Duration // overdrafts of limits so far
	used     [MaxSeats]time.Duration // of the seat's bank
	called   time.Duration           // when this peer called last
	absent   Seats                   // did not follow this peer's ballot
	against  Seats                   // calls for something else than all others
	unsealed Seats                   // called with this peer, and did not seal what the calls make
	wrong    Seats                   // sealed what no calls make
	owing    [MaxSeats]time.Duration // since when their seal is due, 0: it is not
	flagged  uint32                  // the ballot in which the last two were found
	first    time.Duration           // this peer\'s first call in the round
	best     [MaxSeats]uint32        // highest ballots heard, and when
	took     [MaxSeats]time.Duration
	carried  Seats // whom the round before was closed without, though its value did not remove them
	asked    Seats // the person here wants the table to go on without them
}

// Times of suspicion and ballots.
const (
	ballotPause  = time.Second      // at most one ballot in
	firstBallot  = 5 * time.Second  // for the others to follow the first; doubles
	longBallot   = 20 * time.Second // up to
	overdraft    = 60 * time.Second // of limits in one game; then the grace is a quarter
	proofTime    = time.Second      // for the proofs of a round
	returnCallIn = 5 * time.Second  // a wish to return waits so long for a say to take it up
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

// Alive tells the table that a seat's peer shows signs of life, by a heartbeat or another's word.
func (t *Table) Alive(seat int) {
	if seat >= 0 && seat < MaxSeats {
		t.patience.alive[seat] = t.now
	}
}

// Dismiss asks for the table to go on without a seat for which it waits, before its grace is over; without effect once
// the seat does what it owes.
func (t *Table) Dismiss(seat int) {
	if seat >= 0 && seat < MaxSeats {
		t.patience.asked |= only(seat)
	}
}

// owes is what a seat owes to the open round, and since when; "" if nothing.
func (t *Table) owes(seat int) (what string, since time.Duration) {
	o := &t.open
	latest := time.Duration(0)
	for _, c := range o.calls {
		if c.vote.seat == seat {
			if o.vote.called != nil {
				return "", 0 // it takes part in the ballots; what it owes there, followers knows
			}
			latest = t.patience.heard[seat]
		}
	}
	switch {
	case t.ex.From.Has(seat) && len(o.says[seat]) == 0:
		return "say", max(o.openedAt, latest)
	case o.fullAt != 0 && !o.agrees(seat):
		return "seal", max(o.fullAt, latest)
	}
	return "", 0
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

// limit is how long a seat may owe it; false: for ever.
func (t *Table) limit(seat int, what string) (time.Duration, bool) {
	grace := t.st.choices.grace()
	if t.patience.late[seat] >= overdraft {
		grace /= 4
	}
	if what != "say" || t.ex.Kind != RoundAct || t.ex.Asked != seat {
		return grace + proofTime, true
	}
	if _, _, ok := t.st.choices.clock(); ok {
		return t.left(seat) + grace, true
	}
	return grace, t.now-t.sign(seat) > grace
}

// sign is when a seat's peer showed its last sign of life.
func (t *Table) sign(seat int) time.Duration {
	return max(t.patience.alive[seat], t.patience.heard[seat])
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

// spent books the time of the round that has just closed.
func (p *patience) spent(t *Table) {
	for s := range MaxSeats {
		what, since := t.owes(s)
		if what == "" {
			continue
		}
		if l, ok := t.limit(s, what); ok && t.now-since > l {
			p.late[s] += t.now - since - l
		}
	}
	if _, inc, ok := t.st.choices.clock(); ok && t.ex.Kind == RoundAct {
		p.used[t.ex.Asked] = max(0, p.used[t.ex.Asked]+max(0, t.now-t.open.openedAt)-inc)
	}
	p.absent, p.against, p.unsealed, p.wrong, p.asked, p.flagged = 0, 0, 0, 0, 0, 0
	p.best, p.took, p.owing = [MaxSeats]uint32{}, [MaxSeats]time.Duration{}, [MaxSeats]time.Duration{}
}

// suspects are the seats that this peer would go on without, each with its reason. When they are too many, those are
// believed again that only call for something else.
func (t *Table) suspects() (d Seats, out []removal) {
	if d, out = t.suspected(); d.Count() > t.open.vote.most && t.patience.against != 0 {
		t.patience.against = 0
		return t.suspected()
	}
	return d, out
}

func (t *Table) suspected() (d Seats, out []removal) {
	for _, s := range t.st.members.List() {
		if t.me != nil && s == t.me.seat {
			continue
		}
		r := removal{Seat: uint8(s)}
		what, since := t.owes(s)
		l, limited := t.limit(s, what)
		switch w := t.wish[s]; {
		case t.open.faults[s] != nil:
			r.Why = Cheat
			for _, e := range t.open.evidence[s] {
				r.Evidence = append(r.Evidence, e.ID)
			}
		case w != nil && w.what == WishLeave:
			r.Why = Left
		case w != nil && w.what == WishLost:
			r.Why = Lost
		case what != "" && limited && t.now-since > l,
			what != "" && t.patience.asked.Has(s),
			(t.patience.absent | t.patience.against | t.patience.unsealed | t.patience.wrong | t.patience.carried).Has(s):
			r.Why = Silence
		default:
			continue
		}
		d |= only(s)
		out = append(out, r)
	}
	return d, out
}

// ballot calls when it is time to: in the first ballot when somebody is suspected, in the next when the last led
// nowhere.
func (t *Table) ballot() error {
	v := &t.open.vote
	if !t.started || t.replay || t.end != nil || v.me < 0 || v.most == 0 {
		return nil
	}
	t.followers()
	d, out := t.suspects()
	now := uint32(0)
	if v.called != nil {
		now = v.called.ballot
	}
	next := t.nextBallot(now, d)
	if next == 0 || !v.may(d) || next > maxBallot || now > 0 && t.now-t.patience.called < ballotPause {
		return nil
	}
	t.proveAll()
	if d2, _ := t.suspects(); d2 != d || t.end != nil {
		return nil // a proof failed: think again at the next tick
	}
	if d != 0 {
		for _, e := range t.heldEnvelopes() {
			if int(e.Seat) != t.me.seat {
				t.queue = append(t.queue, e.Raw)
			}
		}
	}
	c := v.draft(next, out)
	body := c.text(t.takenUp(true))
	e := t.own(KindCall, body)
	c.id = e.ID
	wishes, err := t.st.supported(t.ex, body, t.envelope)
	if err != nil {
		return err
	}
	t.open.calls = append(t.open.calls, &heldCall{env: e, body: body, vote: c, told: true, wishes: wishes})
	v.make(c)
	t.patience.called = t.now
	if now == 0 {
		t.patience.first = t.now
	}
	return t.progress()
}

// patienceWith is how long the others have to follow a ballot.
func patienceWith(ballot uint32) time.Duration {
	l := firstBallot
	for range min(ballot, 4) - 1 {
		l *= 2
	}
	return min(l, longBallot)
}

// followers finds out who has not followed this peer's ballots in time, who has come round, and who goes on calling
// for something else when all others agree. Only calls that count are heard: one that names what its caller keeps to
// itself is none.
func (t *Table) followers() {
	v, p := &t.open.vote, &t.patience
	if v.called == nil {
		return
	}
	b, mine := v.called.ballot, dropped(v.called.out)
	with, here, other := only(t.me.seat), only(t.me.seat), Seats(0)
	for _, c := range t.open.calls {
		s := c.vote.seat
		if !c.told || !v.counts(c.vote) {
			continue
		}
		if c.vote.ballot > p.best[s] {
			p.best[s], p.took[s] = c.vote.ballot, t.now
		}
		if c.vote.ballot >= b {
			here |= only(s)
		}
		if c.vote.ballot >= b && dropped(c.vote.out) == mine.Without(s) {
			p.against = p.against.Without(s)
		}
		switch {
		case c.vote.ballot != b:
		case dropped(c.vote.out) == mine:
			with |= only(s)
		default:
			other |= only(s)
		}
	}
	p.absent &^= here
	p.wrong |= v.wrong()
	if b >= p.flagged+2 { // a quarrel is not for ever
		p.against, p.unsealed = 0, 0
	}
	rest := v.members &^ mine
	if with&rest == rest { // now their seals are due
		sealed := only(t.me.seat)
		for _, s := range v.seals {
			if s.ballot == b {
				sealed |= only(s.seat)
			}
		}
		p.unsealed &^= sealed
		for _, s := range rest.List() { // from ballot to ballot: who only calls on does not get new time
			switch {
			case sealed.Has(s):
				p.owing[s] = 0
			case p.owing[s] == 0:
				p.owing[s] = max(t.now, 1)
			case t.now-p.owing[s] >= patienceWith(b):
				p.unsealed |= only(s)
				p.flagged = b
			}
		}
		return
	}
	for _, s := range (rest &^ here).List() {
		if t.now-max(p.first, p.took[s]) >= patienceWith(b) {
			p.absent |= only(s)
		}
	}
	if other &= rest &^ with; t.now-p.first >= 2*longBallot && rest == with|other && (mine|other).Count() <= v.most {
		p.against |= other
		p.flagged = b
	}
}

// nextBallot is the ballot to enter now, 0 for none.
func (t *Table) nextBallot(now uint32, d Seats) uint32 {
	v := &t.open.vote
	var best [MaxSeats]uint32 // each other seat's highest call
	var same uint32           // the highest that names the seats this peer would name
	for _, c := range t.open.calls {
		best[c.vote.seat] = max(best[c.vote.seat], c.vote.ballot)
		if dropped(c.vote.out) == d && c.vote.seat != v.me {
			same = max(same, c.vote.ballot)
		}
	}
	var first, second uint32
	for s, b := range best {
		switch {
		case s == v.me:
		case b > first:
			first, second = b, first
		case b > second:
			second = b
		}
	}
	target := max(second, same)
	switch {
	case target > now:
		return target
	case now == 0 && d != 0,
		now == 0 && t.returnWaits(),
		now > 0 && d != dropped(v.called.out),
		now > 0 && t.now-t.patience.called >= patienceWith(now):
		return now + 1
	}
	return 0
}

// returnWaits reports whether a seat's wish to return has found no say to take it up.
func (t *Table) returnWaits() bool {
	for s, w := range t.wish {
		if w != nil && w.what == WishReturn && t.now-t.wishAt[s] >= returnCallIn && t.now-t.open.openedAt >= returnCallIn {
			return true
		}
	}
	return false
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
