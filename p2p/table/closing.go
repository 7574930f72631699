package table

import "slices"

// candidates are the verdicts that the round may close with, as far as this member can tell, with what closes each.
func (v *vote) candidates() []closing { return v.candidatesAt(func(uint32) bool { return true }) }

func (v *vote) candidatesAt(wanted func(ballot uint32) bool) []closing {
	var list []closing
	if wanted(0) {
		for _, d := range v.fulls() {
			list = append(list, closing{verdict: d, value: v.name(d), by: v.members})
		}
	}
	for i, c := range v.calls {
		d := dropped(c.out)
		if !wanted(c.ballot) {
			continue
		}
		if slices.ContainsFunc(v.calls[:i], func(o *ballotCall) bool { return o.ballot == c.ballot && dropped(o.out) == d }) {
			continue
		}
		for _, set := range v.sets(c.ballot, d) {
			if w, ok := v.decide(set); ok {
				list = append(list, closing{verdict: w, value: v.name(w), ballot: c.ballot, by: v.members &^ d, calls: names(set)})
			}
		}
	}
	return list
}

// closing is a value with the seats whose seals at the ballot close the round.
type closing struct {
	verdict verdict
	value   Hash
	ballot  uint32
	by      Seats
	calls   [MaxSeats]Hash
}

// fulls are the verdicts of ballot 0: one, unless a seat has said two things.
func (v *vote) fulls() []verdict {
	list := []verdict{{}}
	for _, s := range v.from.List() {
		var next []verdict
		for _, id := range v.says[s] {
			for _, d := range list {
				d.says[s] = id
				next = append(next, d)
			}
		}
		list = next
	}
	return list
}

// sealedWith reports whether a say is part of what so many have sealed at ballot 0 as can close a round.
func (v *vote) sealedWith(seat int, id Hash) bool {
	if !v.from.Has(seat) {
		return false
	}
	w := *v
	w.says[seat] = []Hash{id}
	for _, d := range w.fulls() {
		if v.sealed(0, v.name(d)).Count() >= v.least() {
			return true
		}
	}
	return false
}

// least is how many seals at one ballot can close a round.
func (v *vote) least() int { return v.members.Count() - v.most }

// sealed are the seats that have sealed a value at a ballot.
func (v *vote) sealed(ballot uint32, value Hash) (by Seats) {
	for _, s := range v.seals {
		if s.ballot == ballot && s.value == value {
			by |= only(s.seat)
		}
	}
	return by
}

// closed is what the round is closed with, once all seals of some ballot are there.
func (v *vote) closed() (closing, bool) {
	enough := func(ballot uint32) bool {
		n := 0
		for _, s := range v.seals {
			if s.ballot == ballot {
				n++
			}
		}
		return n >= v.least()
	}
	for _, c := range v.candidatesAt(enough) {
		if c.by&^v.sealed(c.ballot, c.value) == 0 {
			return c, true
		}
	}
	return closing{}, false
}

// closedWith reports whether a call that is not held would close the round with the seals that are.
func (v *vote) closedWith(c *ballotCall) bool {
	w := *v
	w.counted, w.not, w.decided = nil, nil, nil
	w.calls = []*ballotCall{c}
	for _, o := range v.calls {
		if o.seat != c.seat || o.ballot != c.ballot {
			w.calls = append(w.calls, o)
		}
	}
	_, ok := w.closed()
	return ok
}
