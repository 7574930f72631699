package table

import (
	"encoding/binary"
	"slices"
	"strings"
)

// modelLow is how many ballots above 0 may come before the last. The last is explored from every state by itself: what
// is called there makes seals only there, so nothing is lost by calling there when all else has been done; nor by naming
// there as few says as can be, for what is named can only make a quarrel or another fresh value, and all those differ
// from whatever was closed before.
const (
	modelLow   = 2
	modelSeats = 5
)

// modelState is everything that guards have ever sent; its order follows from what names what.
type modelState [modelSeats]modelSeat

type modelSeat struct {
	sealed uint8           // ballot 0: which full set of says, from 1; 0: none
	calls  [modelLow]int32 // by ballot: 1 + the number of the call
	on     [modelLow]int32 // 1 + the number of the set of calls on which its seal is made
}

// modelCall is a call in short.
type modelCall struct {
	seat, ballot uint8
	out          Seats
	held         uint8 // which says are named
	top          int32 // a set of calls, or one of
}

const (
	topNone  = -1 - iota // nothing sealed
	topZero              // the says that the call names
	topFalse             // a value that nothing makes
)

// modelSet is one call of each seat that stays, with the seal that it makes.
type modelSet struct {
	calls []int32
	list  []*ballotCall
	all   []*ballotCall // with everything that it names
	seal  ownSeal
	some  bool
}

// modelAsk is a question to the vote of one guard; the answer depends on nothing else.
type modelAsk struct {
	me, what uint8
	own      modelSeat
	about    int32
}

// modelKey is all on which the complete sets of a ballot depend.
type modelKey struct {
	ballot uint8
	out    Seats
	calls  [modelLow][modelSeats]int32
}

// model drives the votes of all seats through everything that can happen. It knows who may send what when; what a
// seat may say, seal and call, and what closes the round, it asks the product.
type model struct {
	modelCase
	base    vote
	guards  []int
	outs    []Seats
	helds   [][MaxSeats]Hash
	full    map[[MaxSeats]Hash]bool
	zero    []ownSeal // ballot 0: one for each full set of says
	calls   []modelCall
	body    []*ballotCall
	valid   []bool
	callOf  map[modelCall]int32
	sets    []modelSet
	setOf   map[[modelSeats]int32]int32
	cache   map[modelKey][]int32
	may     map[modelAsk]bool
	drafted map[modelAsk][]int32
	names   map[string]Hash
	counted map[Hash]bool
	decided map[[MaxSeats]Hash]decision
	perms   [][modelSeats]int
	permC   []map[int32]int32
	permS   []map[int32]int32
	seen    map[uint64]struct{}
	last    map[uint64]struct{} // last ballots explored: what can be called, and the value closed before
	closes  int                 // states in which a value can be closed
}

func newModel(c modelCase) *model {
	m := &model{modelCase: c, full: map[[MaxSeats]Hash]bool{}, callOf: map[modelCall]int32{}, setOf: map[[modelSeats]int32]int32{},
		cache: map[modelKey][]int32{}, may: map[modelAsk]bool{}, drafted: map[modelAsk][]int32{},
		names: map[string]Hash{}, counted: map[Hash]bool{}, decided: map[[MaxSeats]Hash]decision{},
		seen: map[uint64]struct{}{}, last: map[uint64]struct{}{}}
	all := Seats(1<<c.seats - 1)
	m.base = vote{me: -1, members: all, from: c.from, most: c.most, holders: all, need: c.seats - c.most, without: c.without, name: m.name}
	for s := c.cheats; s < c.seats; s++ {
		m.guards = append(m.guards, s)
	}
	for d := range all + 1 {
		if m.base.may(d) {
			m.outs = append(m.outs, d)
		}
	}
	m.helds = [][MaxSeats]Hash{{}}
	for _, s := range c.from.List() {
		for _, h := range m.helds {
			for _, id := range m.saysOf(s) {
				h[s] = id
				m.helds = append(m.helds, h)
			}
		}
	}
	for _, h := range m.helds {
		v := m.base
		for _, s := range c.from.List() {
			if h[s] != (Hash{}) {
				v.hearSay(s, h[s])
			}
		}
		if d, ok := v.full(); ok {
			m.full[h] = true
			m.zero = append(m.zero, ownSeal{value: m.name(d), verdict: d})
		}
	}
	var equal []int // guards that say nothing are alike
	for _, s := range m.guards {
		if !c.from.Has(s) {
			equal = append(equal, s)
		}
	}
	m.permute(equal, nil)
	for range m.perms {
		m.permC, m.permS = append(m.permC, map[int32]int32{}), append(m.permS, map[int32]int32{})
	}
	return m
}

func (m *model) permute(rest, done []int) {
	if len(rest) == 0 {
		var p [modelSeats]int
		equal := slices.Sorted(slices.Values(done))
		for s := range p {
			p[s] = s
		}
		for i, s := range equal {
			p[s] = done[i]
		}
		m.perms = append(m.perms, p)
		return
	}
	for i, s := range rest {
		m.permute(slices.Delete(slices.Clone(rest), i, i+1), append(slices.Clone(done), s))
	}
}

// saysOf are the says of a seat; a cheat has two.
func (m *model) saysOf(seat int) []Hash {
	list := []Hash{{0: 's', 1: byte(seat), 2: 'a'}}
	if seat < m.cheats {
		list = append(list, Hash{0: 's', 1: byte(seat), 2: 'b'})
	}
	return list
}

// name is the product's name of a verdict, made once.
func (m *model) name(d verdict) Hash {
	var key strings.Builder
	for s := range MaxSeats {
		key.Write(d.says[s][:4])
		key.Write(d.calls[s][:12])
	}
	key.WriteByte(byte(dropped(d.out)))
	h, ok := m.names[key.String()]
	if !ok {
		h = valueOf(1, d)
		m.names[key.String()] = h
	}
	return h
}

// peer is the vote of a seat that has heard all says, and the given calls with everything that they name.
func (m *model) peer(me int, calls ...*ballotCall) vote {
	v := m.base
	v.me, v.counted, v.decided = me, m.counted, m.decided
	for _, s := range m.from.List() {
		for _, id := range m.saysOf(s) {
			v.hearSay(s, id)
		}
	}
	for _, c := range calls {
		v.hearCall(c)
	}
	return v
}

// guard is the vote of a seat that has just started again with its promises.
func (m *model) guard(s *modelState, me int, calls ...*ballotCall) vote {
	v := m.peer(me, calls...)
	if z := s[me].sealed; z > 0 {
		v.seal(m.zero[z-1])
	}
	for b := range modelLow {
		if i := s[me].on[b]; i > 0 {
			v.seal(m.sets[i-1].seal)
		}
	}
	for b := range modelLow {
		if i := s[me].calls[b]; i > 0 {
			v.make(m.body[i-1])
		}
	}
	return v
}

// callNumber numbers a call, and asks the product whether it counts for who holds all that it names.
func (m *model) callNumber(k modelCall) int32 {
	if i, ok := m.callOf[k]; ok {
		return i
	}
	i := int32(len(m.calls))
	c := &ballotCall{seat: int(k.seat), ballot: uint32(k.ballot), held: m.helds[k.held]}
	c.id[0] = 'c'
	binary.BigEndian.PutUint32(c.id[1:], uint32(i))
	for _, s := range k.out.List() {
		c.out = append(c.out, removal{Seat: uint8(s), Why: Silence})
	}
	calls := []*ballotCall{c}
	switch {
	case k.top >= 0:
		set := &m.sets[k.top]
		c.top = ballotTop{some: true, ballot: set.seal.ballot, value: set.seal.value, calls: set.seal.calls}
		calls = append(calls, set.all...)
	case k.top == topZero:
		c.top = ballotTop{some: true, value: m.name(verdict{says: c.held})}
	case k.top == topFalse:
		c.top = ballotTop{some: true, ballot: c.ballot - 1, value: Hash{0: '?'}}
	}
	v := m.peer(-1, calls...)
	m.calls, m.body, m.valid = append(m.calls, k), append(m.body, c), append(m.valid, v.counts(c))
	m.callOf[k] = i
	return i
}

// set makes a set of calls, by seat, and asks the product for its value.
func (m *model) set(calls []int32) modelSet {
	n := modelSet{calls: slices.Clone(calls)}
	for _, i := range calls {
		n.list = append(n.list, m.body[i])
		n.all = append(n.all, m.body[i])
	}
	for _, i := range calls {
		if top := m.calls[i].top; top >= 0 {
			n.all = append(n.all, m.sets[top].all...)
		}
	}
	if len(m.decided) > 1<<17 {
		clear(m.decided)
	}
	v := m.peer(-1, n.all...)
	n.all = v.calls
	if !slices.ContainsFunc(n.list, func(c *ballotCall) bool { return !v.counts(c) }) {
		if n.seal.verdict, n.some = v.decide(n.list); n.some {
			n.seal.ballot, n.seal.value, n.seal.calls = n.list[0].ballot, m.name(n.seal.verdict), names(n.list)
		}
		n.some = n.some && v.complete(n.list)
	}
	return n
}

func (m *model) setNumber(calls []int32) int32 {
	var key [modelSeats]int32
	for i, c := range calls {
		key[i] = c + 1
	}
	if i, ok := m.setOf[key]; ok {
		return i
	}
	i := int32(len(m.sets))
	m.sets = append(m.sets, m.set(calls))
	m.setOf[key] = i
	return i
}

// cheatCalls are all calls of a cheat for a ballot that count.
func (m *model) cheatCalls(s *modelState, seat, ballot int, out Seats) []int32 {
	var list []int32
	add := func(held int, top int32) {
		if i := m.callNumber(modelCall{uint8(seat), uint8(ballot), out, uint8(held), top}); m.valid[i] {
			list = append(list, i)
		}
	}
	seen := map[Hash]bool{}
	for h, says := range m.helds {
		if m.full[says] {
			add(h, topZero)
		}
		if ballot == m.ballots && h > 0 {
			continue
		}
		add(h, topNone)
		if ballot > 1 {
			add(h, topFalse)
		}
		if m.lean && h > 0 {
			continue
		}
		for b := 1; b < ballot; b++ {
			for _, d := range m.outs {
				if d.Has(seat) {
					continue
				}
				if k := m.partial(s, b, d); k >= 0 {
					add(h, k)
				}
				for _, k := range m.complete(s, b, d) {
					if v := m.sets[k].seal.value; !m.lean || !seen[v] {
						seen[v] = true
						add(h, k)
					}
				}
			}
		}
	}
	return list
}

// product calls with each choice of one call of each list.
func product(lists [][]int32, with func([]int32) bool) bool {
	at := make([]int32, len(lists))
	var choose func(int) bool
	choose = func(i int) bool {
		if i == len(lists) {
			return with(at)
		}
		for _, c := range lists[i] {
			at[i] = c
			if !choose(i + 1) {
				return false
			}
		}
		return true
	}
	return choose(0)
}

// complete are the sets of calls of a ballot that have a value.
func (m *model) complete(s *modelState, ballot int, out Seats) []int32 {
	k := modelKey{ballot: uint8(ballot), out: out}
	for b := range ballot {
		for _, g := range m.guards {
			k.calls[b][g] = s[g].calls[b]
		}
	}
	if l, ok := m.cache[k]; ok {
		return l
	}
	var lists [][]int32
	var found []int32
	for _, r := range (m.base.members &^ out).List() {
		if r < m.cheats {
			lists = append(lists, m.cheatCalls(s, r, ballot, out))
			continue
		}
		c := s[r].calls[ballot-1] - 1
		if c < 0 || m.calls[c].out != out {
			lists = nil
			break
		}
		lists = append(lists, []int32{c})
	}
	if lists != nil {
		product(lists, func(calls []int32) bool {
			if i := m.setNumber(calls); m.sets[i].some {
				found = append(found, i)
			}
			return true
		})
	}
	if len(m.cache) > 1<<18 {
		clear(m.cache)
	}
	m.cache[k] = found
	return found
}

// partial is a set of calls of a ballot in which a guard's is missing, -1 for none; a cheat may try to rest on it.
func (m *model) partial(s *modelState, ballot int, out Seats) int32 {
	var calls []int32
	missing := false
	for _, r := range (m.base.members &^ out).List() {
		if r < m.cheats {
			calls = append(calls, m.cheatCalls(s, r, ballot, out)[0])
		} else if c := s[r].calls[ballot-1] - 1; c >= 0 && m.calls[c].out == out {
			calls = append(calls, c)
		} else {
			missing = true
		}
	}
	if !missing || len(calls) == 0 {
		return -1
	}
	return m.setNumber(calls)
}
