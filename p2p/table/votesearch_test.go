package table

import (
	"encoding/binary"
	"fmt"
	"slices"
	"time"
)

// drafts are the calls that a guard can make.
func (m *model) drafts(s *modelState, me, ballot int, out Seats) []int32 {
	ask := modelAsk{uint8(me), uint8(ballot), s[me], int32(out)}
	if l, ok := m.drafted[ask]; ok {
		return l
	}
	var reasons []removal
	for _, d := range out.List() {
		reasons = append(reasons, removal{Seat: uint8(d), Why: Silence})
	}
	var list []int32
	for h, says := range m.helds {
		if ballot == m.ballots && h > 0 {
			break
		}
		v := m.guard(s, me)
		v.says = [MaxSeats][]Hash{}
		for i, id := range says {
			if id != (Hash{}) {
				v.hearSay(i, id)
			}
		}
		c := v.draft(uint32(ballot), reasons)
		k := modelCall{uint8(me), uint8(ballot), out, uint8(slices.Index(m.helds, c.held)), topNone}
		if c.top.some {
			k.top = topZero
			for _, i := range s[me].on {
				if i > 0 {
					k.top = i - 1
				}
			}
		}
		i := m.callNumber(k)
		if b := m.body[i]; b.held != c.held || b.top != c.top || !m.valid[i] {
			panic("the call of a guard is not what its promises make")
		}
		if !slices.Contains(list, i) {
			list = append(list, i)
		}
	}
	m.drafted[ask] = list
	return list
}

// seals asks a guard that has heard some says, and calls with all that they name, whether it seals.
func (m *model) seals(s *modelState, me int, says [MaxSeats]Hash, calls []*ballotCall, want ownSeal) bool {
	v := m.guard(s, me, calls...)
	v.says = [MaxSeats][]Hash{}
	for i, id := range says {
		if id != (Hash{}) {
			v.hearSay(i, id)
		}
	}
	d, ok := v.due()
	return ok && d.ballot == want.ballot && d.value == want.value
}

// steps gives every state that one step of a guard makes.
func (m *model) steps(s modelState, give func(modelState)) {
	for _, g := range m.guards {
		now := 0
		for b := range modelLow {
			if s[g].calls[b] > 0 {
				now = b + 1
			}
		}
		for z, seal := range m.zero {
			ask := modelAsk{uint8(g), 0, s[g], int32(z)}
			may, ok := m.may[ask]
			if !ok {
				may = m.seals(&s, g, seal.verdict.says, nil, seal)
				m.may[ask] = may
			}
			if may {
				n := s
				n[g].sealed = uint8(z + 1)
				give(n)
			}
		}
		if now > 0 {
			for _, k := range m.complete(&s, now, m.calls[s[g].calls[now-1]-1].out) {
				ask := modelAsk{uint8(g), 1, s[g], k}
				may, ok := m.may[ask]
				if !ok {
					may = m.seals(&s, g, [MaxSeats]Hash{}, m.sets[k].all, m.sets[k].seal)
					m.may[ask] = may
				}
				if may {
					n := s
					n[g].on[now-1] = k + 1
					give(n)
				}
			}
		}
		for b := range now { // after a restart, other calls may be found to make what was sealed
			on := s[g].on[b]
			if on == 0 || m.cheats == 0 {
				continue
			}
			for _, k := range m.complete(&s, b+1, m.calls[s[g].calls[b]-1].out) {
				if m.sets[k].seal.value == m.sets[on-1].seal.value && k != on-1 {
					n := s
					n[g].on[b] = k + 1
					give(n)
				}
			}
		}
		for b := now + 1; b < m.ballots; b++ {
			for _, out := range m.outs {
				if out.Has(g) {
					continue
				}
				for _, c := range m.drafts(&s, g, b, out) {
					n := s
					n[g].calls[b-1] = c + 1
					give(n)
				}
			}
		}
	}
}

// lastSeals asks a guard that calls in the last ballot whether it seals there.
func (m *model) lastSeals(s *modelState, me int, call int32, k modelSet) bool {
	v := m.guard(s, me, k.all...)
	v.make(m.body[call])
	if m.without == rulePromise {
		v.says = [MaxSeats][]Hash{} // ballot 0 is a step of its own
	}
	d, ok := v.due()
	return ok && d.ballot == k.seal.ballot && d.value == k.seal.value
}

// peerCloses asks a peer that sees some calls, the seals of the guards for one value at one ballot, and such a seal of
// every cheat, whether its round is closed.
func (m *model) peerCloses(seal ownSeal, calls []*ballotCall, by Seats) bool {
	v := m.peer(-1, calls...)
	for r := range m.seats {
		if r < m.cheats || by.Has(r) {
			v.hearSeal(ballotSeal{r, seal.ballot, seal.value})
		}
	}
	c, ok := v.closed()
	return ok && c.value == seal.value
}

// closable are the values with which some peer can close the round in a state.
func (m *model) closable(s *modelState) []ownSeal {
	var list []ownSeal
	try := func(seal ownSeal, calls []*ballotCall, by Seats) {
		if by.Count()+m.cheats >= m.seats-m.most && !slices.ContainsFunc(list, func(o ownSeal) bool { return o.value == seal.value }) &&
			m.peerCloses(seal, calls, by) {
			list = append(list, seal)
		}
	}
	for z, seal := range m.zero {
		var by Seats
		for _, g := range m.guards {
			if int(s[g].sealed) == z+1 {
				by |= only(g)
			}
		}
		try(seal, nil, by)
	}
	for b := range modelLow {
		for _, g := range m.guards {
			if s[g].on[b] == 0 {
				continue
			}
			set := &m.sets[s[g].on[b]-1]
			var by Seats
			for _, o := range m.guards {
				if i := s[o].on[b]; i > 0 && m.sets[i-1].seal.value == set.seal.value {
					by |= only(o)
				}
			}
			try(set.seal, set.all, by)
		}
	}
	return list
}

// split looks for two values that peers can close in a state, or after a last ballot there.
func (m *model) split(s *modelState) string {
	list := m.closable(s)
	if len(list) > 1 {
		return fmt.Sprintf("closed with %v and %v\n%s", list[0].value, list[1].value, m.show(s))
	}
	if len(list) == 0 {
		return ""
	}
	m.closes++
	found := ""
	for _, out := range m.outs {
		var lists [][]int32
		for _, r := range (m.base.members &^ out).List() {
			if r < m.cheats {
				lists = append(lists, m.cheatCalls(s, r, m.ballots, out))
			} else {
				lists = append(lists, m.drafts(s, r, m.ballots, out))
			}
		}
		key := mix(binary.BigEndian.Uint64(list[0].value[:]), uint64(out))
		for i, l := range lists {
			for _, c := range l {
				key = mix(key, uint64(i)<<32|uint64(c))
			}
		}
		if _, ok := m.last[key]; ok {
			continue
		}
		m.last[key] = struct{}{}
		product(lists, func(calls []int32) bool {
			k := m.set(calls)
			if !k.some || k.seal.value == list[0].value {
				return true
			}
			var by Seats
			for i, r := range (m.base.members &^ out).List() {
				if r < m.cheats {
					continue
				}
				if m.lastSeals(s, r, calls[i], k) {
					by |= only(r)
				}
			}
			if m.peerCloses(k.seal, k.all, by) {
				found = fmt.Sprintf("closed with %v, then with %v on\n", list[0].value, k.seal.value)
				for _, i := range calls {
					found += m.showCall(i)
				}
				found += m.show(s)
			}
			return found == ""
		})
		if found != "" {
			break
		}
	}
	return found
}

func (m *model) show(s *modelState) string {
	text := ""
	for _, g := range m.guards {
		if z := s[g].sealed; z > 0 {
			text += fmt.Sprintf("  seat %d seals 0: %v\n", g, m.zero[z-1].value)
		}
		for b := range modelLow {
			if i := s[g].calls[b]; i > 0 {
				text += m.showCall(i - 1)
			}
			if i := s[g].on[b]; i > 0 {
				text += fmt.Sprintf("  seat %d seals %d: %v on\n", g, b+1, m.sets[i-1].seal.value)
				for _, c := range m.sets[i-1].calls {
					text += "  " + m.showCall(c)
				}
			}
		}
	}
	return text
}

func (m *model) showCall(i int32) string {
	c := m.body[i]
	return fmt.Sprintf("  seat %d calls %d without %v: holds %d, top %v %d %v\n", c.seat, c.ballot, dropped(c.out).List(), m.calls[i].held,
		c.top.some, c.top.ballot, c.top.value)
}

// permuted is the number of a call after equal seats have changed their names.
func (m *model) permuted(p int, i int32) int32 {
	if j, ok := m.permC[p][i]; ok {
		return j
	}
	k := m.calls[i]
	k.seat = uint8(m.perms[p][k.seat])
	var out Seats
	for _, s := range k.out.List() {
		out |= only(m.perms[p][s])
	}
	k.out = out
	if k.top >= 0 {
		k.top = m.permutedSet(p, k.top)
	}
	j := m.callNumber(k)
	m.permC[p][i] = j
	return j
}

func (m *model) permutedSet(p int, i int32) int32 {
	if j, ok := m.permS[p][i]; ok {
		return j
	}
	var calls []int32
	for _, c := range m.sets[i].calls {
		calls = append(calls, m.permuted(p, c))
	}
	slices.SortFunc(calls, func(a, b int32) int { return int(m.calls[a].seat) - int(m.calls[b].seat) })
	j := m.setNumber(calls)
	m.permS[p][i] = j
	return j
}

// mix is a step of a hash.
func mix(h, x uint64) uint64 {
	h = (h ^ x) * 0x9e3779b97f4a7c15
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	return h ^ h>>32
}

// hash is one number for all states that differ in the names of equal seats only.
func (m *model) hash(s *modelState) uint64 {
	least := ^uint64(0)
	for p := range m.perms {
		sum := uint64(0)
		for _, g := range m.guards {
			h := mix(uint64(m.perms[p][g])+1, uint64(s[g].sealed)<<8)
			for b := range modelLow {
				c, k := s[g].calls[b], s[g].on[b]
				if p > 0 && c > 0 {
					c = m.permuted(p, c-1) + 1
				}
				if p > 0 && k > 0 {
					k = m.permutedSet(p, k-1) + 1
				}
				h = mix(h, uint64(c)<<32|uint64(k))
			}
			sum += h
		}
		least = min(least, mix(sum, 1))
	}
	return least
}

// explore visits states, at most so many, until an hour if there is one. It returns a split if it finds one, and whether there was nothing more.
func (m *model) explore(most int, until time.Time) (split string, all bool) {
	queue := []modelState{{}}
	m.seen[m.hash(&queue[0])] = struct{}{}
	for len(queue) > 0 {
		s := queue[len(queue)-1]
		if m.splits { // the shortest
			s, queue = queue[0], queue[1:]
		} else {
			queue = queue[:len(queue)-1]
		}
		if split = m.split(&s); split != "" {
			return split, false
		}
		full := false
		m.steps(s, func(n modelState) {
			h := m.hash(&n)
			if _, ok := m.seen[h]; ok {
				return
			}
			if len(m.seen) >= most {
				full = true
				return
			}
			m.seen[h] = struct{}{}
			queue = append(queue, n)
		})
		if full || !until.IsZero() && time.Now().After(until) {
			return "", false
		}
	}
	return "", true
}
