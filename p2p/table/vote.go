package table

import "slices"

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
