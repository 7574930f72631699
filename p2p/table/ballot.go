package table

import (
	"slices"
	"time"
)

// Times of ballots.
const (
	ballotPause  = time.Second      // at most one ballot in, but for those that others are in
	firstBallot  = 5 * time.Second  // for the others to follow the first; doubles
	longBallot   = 20 * time.Second // up to
	quickBallots = 3                // end as soon as it shows that they lead nowhere
	longStep     = 8                // ballots, behind one seat
	returnCallIn = 5 * time.Second  // a wish to return waits so long for a say to take it up
)

// ballot calls when it is time to: in the first ballot when somebody is suspected, in the next when the last led
// nowhere.
func (t *Table) ballot() error {
	v := &t.open.vote
	if !t.started || t.replay || t.end != nil || v.me < 0 || v.most == 0 {
		return nil
	}
	if t.tooFew() {
		t.patience.waits = t.now
	}
	u := t.doubts()
	d, out := t.suspects(u)
	next, now := t.nextBallot(d), v.ballot()
	if next == 0 || next > maxBallot {
		return nil
	}
	t.proveAll()
	if d2, _ := t.suspects(u); d2 != d || t.end != nil {
		return nil // a proof failed: think again at the next tick
	}
	if d != 0 && now == 0 { // before anybody is called on, all get what is here of the round
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
	p := &t.patience
	p.called, p.waits, p.doubts = t.now, t.now, u
	t.wait = repeatAfter // a call lost is said again soon
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

// judgesAfter is when a peer judges a ballot, followsAfter when it follows one seat into a later one. One clock may run
// half as fast again as another. When those follow whose clocks run fastest, even the slowest have judged the ballot;
// and the slowest follow before the fastest go on again, or they would come into each ballot when those have left it.
func judgesAfter(ballot uint32) time.Duration  { return patienceWith(ballot) * 2 / 5 }
func followsAfter(ballot uint32) time.Duration { return patienceWith(ballot) * 3 / 5 }

// nextBallot is the ballot to enter now, 0 for none. More seats than may be gone pull this peer along at once, one seat
// when it has waited for a while.
func (t *Table) nextBallot(d Seats) uint32 {
	v := &t.open.vote
	now, waited := v.ballot(), t.now-t.patience.waits
	var best [MaxSeats]uint32 // each other seat's highest call
	for _, c := range t.open.calls {
		if s := c.vote.seat; s != v.me {
			best[s] = max(best[s], c.vote.ballot)
		}
	}
	slices.Sort(best[:])
	first, many := best[MaxSeats-1], best[MaxSeats-1-v.most]
	switch {
	case many > now:
		return many
	case now > 0 && t.now-t.patience.called < ballotPause:
		return 0
	case now == 0 && (d != 0 || t.returnWaits() || t.callerWaits()):
		return 1
	case now > 0 && first > now && waited >= followsAfter(now):
		return min(first, now+longStep)
	case now > 0 && (waited >= patienceWith(now) || t.fruitless() || t.knows()&d&^dropped(v.called.out) != 0):
		return now + 1
	}
	return 0
}

// knows are the seats that this peer is certain to go on without.
func (t *Table) knows() (s Seats) {
	for _, m := range t.st.members.List() {
		if _, ok := t.certainly(m); ok {
			s |= only(m)
		}
	}
	return s
}

// ballot is the number of the member's latest call, 0 for none.
func (v *vote) ballot() uint32 {
	if v.called == nil {
		return 0
	}
	return v.called.ballot
}

// callerWaits reports whether a seat has called, for whatever reason, and the round cannot be closed without a ballot.
func (t *Table) callerWaits() bool {
	for _, s := range t.st.members.List() {
		if t.calls(s) && t.overdue(s) {
			return true
		}
	}
	return false
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
