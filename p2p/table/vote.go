package table

import (
	"bytes"
	"slices"
)

// vote is how one member agrees with the others on one open round: what it may still say, seal and call, and what the
// round closes with. It knows seats, numbers of ballots and names of envelopes, and nothing of what they contain; it
// is told only of envelopes that are valid by themselves.
//
//	say ──> ballot 0: a full set of says ──> seal ──> all members sealed one value: closed
//	         │ somebody is missing or has cheated
//	         └> call (b, D): "close without the seats D" ──> calls of all others: a value ──> seal ──> all others sealed: closed
type vote struct {
	me      int   // -1: only watches
	members Seats // S
	from    Seats // whose says the round wants
	keep    bool  // a fresh value keeps what is there: act, keys, result
	most    int   // d(m)
	holders Seats // that hold shares of the current sharing
	need    int   // how many of them must stay; 0 when nothing is left to be lifted
	name    func(verdict) Hash

	says   [MaxSeats][]Hash // valid says: the first heard, and those that contradict it
	calls  []*ballotCall    // in the order heard
	seals  []ballotSeal
	guilty Seats // seats against which this member holds a proof

	own    []ownSeal   // its seals
	called *ballotCall // its latest call

	counted map[Hash]bool // calls that count; they go on counting
	not     map[Hash]bool // calls that do not with what is held now: each is looked at once, however many name it
	decided map[[MaxSeats]Hash]decision

	without voteRule // for the model: the rule left out
}

// verdict is what a round closes with; its name is V.
type verdict struct {
	says  [MaxSeats]Hash // zero: none
	out   []removal
	calls [MaxSeats]Hash // of a fresh value: the calls that made it
}

// removal is one seat that a round takes out of the members.
type removal struct {
	_        struct{} `cbor:",toarray"`
	Seat     uint8
	Why      Reason
	Evidence []Hash // of a fault: the envelopes that prove it
}

// ballotCall is a call: let us close the round without the seats of out.
type ballotCall struct {
	seat   int
	id     Hash
	ballot uint32
	out    []removal
	held   [MaxSeats]Hash // the valid says that the caller holds
	top    ballotTop
}

// ballotTop is the caller's highest seal in the round, with the calls on which it was made.
type ballotTop struct {
	some   bool
	ballot uint32
	value  Hash
	calls  [MaxSeats]Hash
}

type ballotSeal struct {
	seat   int
	ballot uint32
	value  Hash
}

type ownSeal struct {
	ballot  uint32
	value   Hash
	verdict verdict
	calls   [MaxSeats]Hash
}

// voteRule is one rule of agreement, for tests that leave it out.
type voteRule uint8

const (
	ruleAdopt   voteRule = 1 + iota // a value that somebody may have closed is taken over
	ruleQuarrel                     // contradicting envelopes of a remaining seat leave no value
	ruleMost                        // of several values the one most reported
	rulePromise                     // after a call no seal at a lower ballot
	ruleTop                         // a call counts only with everything that its top names
)

func dropped(out []removal) (d Seats) {
	for _, r := range out {
		d |= only(int(r.Seat))
	}
	return d
}

// may reports whether the members can go on without the seats d.
func (v *vote) may(d Seats) bool {
	return d.Count() <= v.most && d&^v.members == 0 && (d == 0 || (v.holders&^d).Count() >= v.need)
}

// hearSay notes a valid say. It reports whether it contradicts another.
func (v *vote) hearSay(seat int, id Hash) bool {
	if l := v.says[seat]; !slices.Contains(l, id) {
		v.says[seat] = append(l, id)
		v.not = nil
	}
	return len(v.says[seat]) > 1
}

// hearSeal notes a seal. It reports whether it contradicts another of the seat.
func (v *vote) hearSeal(s ballotSeal) bool {
	contradicts := false
	for _, o := range v.seals {
		if o == s {
			return false
		}
		contradicts = contradicts || o.seat == s.seat && o.ballot == s.ballot
	}
	v.seals = append(v.seals, s)
	return contradicts
}

// hearCall notes a call, whether or not it counts already.
func (v *vote) hearCall(c *ballotCall) {
	if v.call(c.id) == nil {
		v.calls = append(v.calls, c)
		v.not = nil
	}
}

func (v *vote) call(id Hash) *ballotCall {
	for _, c := range v.calls {
		if c.id == id {
			return c
		}
	}
	return nil
}

// full is the verdict of ballot 0 with the first says heard; false while one is missing.
func (v *vote) full() (verdict, bool) {
	var d verdict
	for _, s := range v.from.List() {
		if len(v.says[s]) == 0 {
			return d, false
		}
		d.says[s] = v.says[s][0]
	}
	return d, true
}

// counts reports whether this member holds everything that a call names, and it checks.
func (v *vote) counts(c *ballotCall) bool {
	if v.counted[c.id] {
		return true
	}
	if v.not[c.id] {
		return false
	}
	if !v.checks(c) {
		if v.not == nil {
			v.not = map[Hash]bool{}
		}
		v.not[c.id] = true
		return false
	}
	if v.counted == nil {
		v.counted = map[Hash]bool{}
	}
	v.counted[c.id] = true
	return true
}

func (v *vote) checks(c *ballotCall) bool {
	d := dropped(c.out)
	if c.ballot < 1 || d.Has(c.seat) || !v.members.Has(c.seat) || !v.may(d) {
		return false
	}
	for s, id := range c.held {
		if id != (Hash{}) && (!v.from.Has(s) || !slices.Contains(v.says[s], id)) {
			return false
		}
	}
	if !c.top.some || v.without == ruleTop {
		return true
	}
	w, ok := v.topVerdict(c)
	return ok && c.top.ballot < c.ballot && v.name(w) == c.top.value
}

// topVerdict is the verdict that a caller has sealed last.
func (v *vote) topVerdict(c *ballotCall) (verdict, bool) {
	if c.top.ballot == 0 {
		var d verdict
		for _, s := range v.from.List() {
			d.says[s] = c.held[s]
			if c.held[s] == (Hash{}) {
				return d, false
			}
		}
		return d, c.top.calls == [MaxSeats]Hash{}
	}
	if c.top.ballot >= c.ballot {
		return verdict{}, false
	}
	var set []*ballotCall
	for s, id := range c.top.calls {
		if id == (Hash{}) {
			continue
		}
		k := v.call(id)
		if k == nil || k.seat != s || k.ballot != c.top.ballot || !v.counts(k) {
			return verdict{}, false
		}
		set = append(set, k)
	}
	if !v.complete(set) || c.top.calls[c.seat] == (Hash{}) {
		return verdict{}, false
	}
	return v.decide(set)
}

// complete reports whether a set has one call of each member that its calls do not drop, all for the same.
func (v *vote) complete(set []*ballotCall) bool {
	var by Seats
	for _, c := range set {
		if c.ballot != set[0].ballot || dropped(c.out) != dropped(set[0].out) {
			return false
		}
		by |= only(c.seat)
	}
	return len(set) > 0 && by == v.members&^dropped(set[0].out)
}

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

// due is the seal that this member may make now, if it has not made it.
func (v *vote) due() (ownSeal, bool) {
	if v.me < 0 || !v.members.Has(v.me) {
		return ownSeal{}, false
	}
	if v.called == nil || v.without == rulePromise && len(v.own) == 0 {
		d, ok := v.full()
		if ok && len(v.own) == 0 {
			return ownSeal{value: v.name(d), verdict: d}, true
		}
	}
	if v.called == nil {
		return ownSeal{}, false
	}
	b, d := v.called.ballot, dropped(v.called.out)
	if n := len(v.own); n > 0 && v.own[n-1].ballot >= b || v.guilty&v.members&^d != 0 {
		return ownSeal{}, false
	}
	for _, set := range v.sets(b, d) {
		if w, ok := v.decide(set); ok && slices.Contains(set, v.called) {
			return ownSeal{ballot: b, value: v.name(w), verdict: w, calls: names(set)}, true
		}
	}
	return ownSeal{}, false
}

func names(set []*ballotCall) (ids [MaxSeats]Hash) {
	for _, c := range set {
		ids[c.seat] = c.id
	}
	return ids
}

// seal makes a seal that was due.
func (v *vote) seal(s ownSeal) {
	v.own = append(v.own, s)
	v.hearSeal(ballotSeal{v.me, s.ballot, s.value})
}

// draft is the call that this member can make for a ballot; it has no name before it is signed.
func (v *vote) draft(ballot uint32, out []removal) *ballotCall {
	c := &ballotCall{seat: v.me, ballot: ballot, out: out}
	for _, s := range v.from.List() {
		if len(v.says[s]) > 0 {
			c.held[s] = v.says[s][0]
		}
	}
	if n := len(v.own); n > 0 {
		o := v.own[n-1]
		c.top = ballotTop{some: true, ballot: o.ballot, value: o.value, calls: o.calls}
		if o.ballot == 0 { // what was sealed is named, even if another say came first after a restart
			for s, id := range o.verdict.says {
				if id != (Hash{}) {
					c.held[s] = id
				}
			}
		}
	}
	return c
}

// make is the member's own call, signed.
func (v *vote) make(c *ballotCall) {
	v.called = c
	v.hearCall(c)
}

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
	least := v.members.Count() - v.most // so many seals at one ballot close a round
	enough := func(ballot uint32) bool {
		n := 0
		for _, s := range v.seals {
			if s.ballot == ballot {
				n++
			}
		}
		return n >= least
	}
	for _, c := range v.candidatesAt(enough) {
		if c.by&^v.sealed(c.ballot, c.value) == 0 {
			return c, true
		}
	}
	return closing{}, false
}
