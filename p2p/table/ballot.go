package table

import "time"

// Times of ballots.
const (
	ballotPause  = time.Second      // at most one ballot in
	firstBallot  = 5 * time.Second  // for the others to follow the first; doubles
	longBallot   = 20 * time.Second // up to
	returnCallIn = 5 * time.Second  // a wish to return waits so long for a say to take it up
)

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
	if next == 0 || next > maxBallot || now > 0 && t.now-t.patience.called < ballotPause {
		return nil
	}
	t.proveAll()
	if d2, _ := t.suspects(); d2 != d || t.end != nil {
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
	t.open.calls = append(t.open.calls, &heldCall{env: e, body: body, vote: c, at: t.now, told: true, wishes: wishes})
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
	waited := t.now - t.patience.called
	switch {
	case target > now:
		return target
	case now == 0 && (d != 0 || t.returnWaits() || t.callerWaits()),
		now > 0 && d != dropped(v.called.out) && waited >= patienceWith(now)/2, // what comes late must not hurry the others on
		now > 0 && waited >= patienceWith(now),
		now > 0 && first > now && waited >= firstBallot:
		return now + 1
	}
	return 0
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
