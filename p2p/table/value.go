package table

import (
	"bytes"
	"slices"
)

// decide is the value of a complete set of calls: a function of the set alone. False: it has none.
func (v *vote) decide(set []*ballotCall) (verdict, bool) {
	key := names(set)
	if d, ok := v.decided[key]; ok {
		return d.verdict, d.some
	}
	w, ok := v.value(set)
	if v.decided == nil {
		v.decided = map[[MaxSeats]Hash]decision{}
	}
	v.decided[key] = decision{w, ok}
	return w, ok
}

// decision is the value of a set of calls, if it has one.
type decision struct {
	verdict verdict
	some    bool
}

func (v *vote) value(set []*ballotCall) (verdict, bool) {
	stay := v.members &^ dropped(set[0].out)
	if v.without != ruleQuarrel && v.quarrel(set, stay) {
		return verdict{}, false
	}
	if v.without != ruleAdopt {
		if c := v.adopted(set); c != nil {
			return v.topVerdict(c)
		}
	}
	return v.fresh(set), true
}

// quarrel reports whether what a set names, directly or through the tops of its calls, has two contradicting
// envelopes of a seat that stays.
func (v *vote) quarrel(set []*ballotCall, stay Seats) bool {
	var says [MaxSeats]Hash
	seen := slices.Clone(set)
	for i := 0; i < len(seen); i++ {
		for s, id := range seen[i].held {
			if id == (Hash{}) || !stay.Has(s) {
				continue
			}
			if says[s] != (Hash{}) && says[s] != id {
				return true
			}
			says[s] = id
		}
		for _, id := range seen[i].top.calls {
			if k := v.call(id); k != nil && !slices.Contains(seen, k) {
				seen = append(seen, k)
			}
		}
		for _, o := range seen[:i] {
			if o.seat == seen[i].seat && o.ballot == seen[i].ballot && stay.Has(o.seat) {
				return true
			}
		}
	}
	return false
}

// adopted is a call whose top has to be taken over: somebody may have closed the round with that value. Of the
// highest ballot reported it is the one value, or the one most reported; nil when there is none.
func (v *vote) adopted(set []*ballotCall) *ballotCall {
	var best []*ballotCall
	for _, c := range set {
		switch {
		case !c.top.some || len(best) > 0 && c.top.ballot < best[0].top.ballot:
		case len(best) > 0 && c.top.ballot == best[0].top.ballot:
			best = append(best, c)
		default:
			best = []*ballotCall{c}
		}
	}
	var first *ballotCall
	most, tie := 0, false
	for _, c := range best {
		n := 0
		for _, o := range best {
			if o.top.value == c.top.value {
				n++
			}
		}
		switch {
		case first == nil || n > most:
			first, most, tie = c, n, false
		case n == most && c.top.value != first.top.value:
			tie = true
		}
	}
	if tie && v.without != ruleMost {
		return nil
	}
	if v.without == ruleMost && first != nil { // any of them: the first in a fixed order
		for _, c := range best {
			if bytes.Compare(c.top.value[:], first.top.value[:]) < 0 {
				first = c
			}
		}
	}
	return first
}

// fresh is the value of a set that takes nothing over: what its callers hold, without the seats they drop.
func (v *vote) fresh(set []*ballotCall) verdict {
	var d verdict
	all := true
	for _, s := range v.from.List() {
		two := false
		for _, c := range set {
			if id := c.held[s]; id != (Hash{}) {
				two = two || d.says[s] != (Hash{}) && d.says[s] != id
				d.says[s] = id
			}
		}
		if two {
			d.says[s] = Hash{}
		}
		all = all && d.says[s] != (Hash{})
	}
	if !all && !v.keep {
		d.says = [MaxSeats]Hash{}
	}
	for _, s := range dropped(set[0].out).List() {
		d.out = append(d.out, worst(set, s))
	}
	for _, c := range set {
		d.calls[c.seat] = c.id
	}
	return d
}

// worst is the reason for which a seat is dropped: a proof before its own wish before silence, of the lowest caller.
func worst(set []*ballotCall, seat int) removal {
	var w removal
	var by int
	for _, c := range set {
		for _, r := range c.out {
			if int(r.Seat) == seat && (r.Why > w.Why || r.Why == w.Why && c.seat < by) {
				w, by = r, c.seat
			}
		}
	}
	return w
}

// sets are all complete sets of counting calls of a ballot that drop the seats d. There is more than one only if a
// seat has called twice.
func (v *vote) sets(ballot uint32, d Seats) [][]*ballotCall {
	list := [][]*ballotCall{nil}
	for _, s := range (v.members &^ d).List() {
		var next [][]*ballotCall
		for _, c := range v.calls {
			if c.seat != s || c.ballot != ballot || dropped(c.out) != d || !v.counts(c) {
				continue
			}
			for _, set := range list {
				next = append(next, append(slices.Clone(set), c))
			}
		}
		if list = next; len(list) == 0 || len(list) > 64 {
			return nil
		}
	}
	return list
}

func names(set []*ballotCall) (ids [MaxSeats]Hash) {
	for _, c := range set {
		ids[c.seat] = c.id
	}
	return ids
}
