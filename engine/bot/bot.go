package bot

import "standoff/engine"

// Bot decides for one seat. It belongs to one goroutine.
type Bot struct {
	seed    uint64
	history *History
	m       mind // of the decision under way; kept to be used again
}

// New makes a bot that keeps its own history; the seed is its taste.
func New(seed uint64) *Bot { return Share(seed, NewHistory()) }

// Share makes a bot that reads a history which somebody else keeps.
func Share(seed uint64, h *History) *Bot { return &Bot{seed: seed, history: h} }

// Watch takes in the public events since the last call.
func (b *Bot) Watch(events []engine.Event) { b.history.Watch(events) }

// Act chooses one of the legal actions, which must not be empty.
func (b *Bot) Act(v engine.View, legal []engine.Action) engine.Action {
	if len(legal) == 1 {
		return legal[0]
	}
	m := b.think(v)
	if m.frame.Kind == engine.AtTurn {
		return m.turn(legal)
	}
	return m.answer(legal)
}

// ComesIn says whether the bot, not being asked, wants to use its any-time ability now (B-363 d): when its last
// life is at stake and it has cards to spare.
func (b *Bot) ComesIn(v engine.View) bool {
	p := &v.State().Players[v.Seat]
	return p.Life == 1 && p.Max > 1 && len(p.Hand) >= 4
}

// mind is what goes into one decision.
type mind struct {
	v      engine.View
	st     *engine.State
	my     *engine.Player
	t      *traits
	h      *History
	frame  *engine.Frame // the open question
	hand   []engine.Card // own cards with their faces
	seed   uint64
	me     engine.Seat
	alive  int
	bangs  int // cards of that tag in hand
	misses int
	beers  int
	s      sides
	judged judged // what s was judged by
}

// judged is all that a judgement depends on besides the own role.
type judged struct {
	history *History
	version int
	alive   uint8 // a bit for each seat
	shown   uint8
	me      engine.Seat
}

// think prepares a decision.
func (b *Bot) think(v engine.View) *mind {
	m, st := &b.m, v.State()
	b.history.learn(v.Rules())
	m.v, m.st, m.me, m.my = v, st, v.Seat, &st.Players[v.Seat]
	m.t, m.h, m.seed = b.history.traits, b.history, b.seed
	m.frame = &st.Stack[len(st.Stack)-1]
	m.bangs, m.misses, m.beers, m.alive = 0, 0, 0, v.Alive()
	m.hand = m.hand[:0]
	for _, c := range m.my.Hand {
		if c.Face == 0 {
			c.Face = v.Known.Face(c.Slot)
		}
		m.hand = append(m.hand, c)
		switch t := m.t.card(c.Face); {
		case t.tag&engine.Bang != 0:
			m.bangs++
		case t.tag&engine.Missed != 0:
			m.misses++
		case t.tag&engine.Beer != 0:
			m.beers++
		}
	}
	return m
}

// judge weighs up the table, unless it is as it was at the last judgement.
func (m *mind) judge() {
	j := judged{history: m.h, version: m.h.version, me: m.me}
	for s := range engine.Seat(m.st.N) {
		p := &m.st.Players[s]
		if p.Status != engine.Out {
			j.alive |= 1 << s
		}
		if p.Role != engine.NoRole {
			j.shown |= 1 << s
		}
	}
	if j != m.judged || m.s.my != m.v.Role() {
		m.judged = j
		m.s = judge(m.st, m.me, m.v.Role(), m.h)
	}
}

// impatient is the turn from which on a bot grows less and less careful about whom it hits, so that no game of
// cautious seats lasts for ever.
const impatient = 120

// foe is how much of an enemy a seat is, with a little taste so that equals are not always hit in seat order.
func (m *mind) foe(s engine.Seat) int {
	if s < 0 || s >= engine.Seat(m.st.N) || s == m.me {
		return 0
	}
	f := m.s.foe[s]
	if m.st.Players[s].Role == engine.NoRole {
		f += max(0, min(300, int(m.st.TurnNo)-impatient))
	}
	return f + m.taste(s)
}

// taste is a number from 0 to 15 which stays the same during a turn.
func (m *mind) taste(s engine.Seat) int {
	z := m.seed ^ uint64(m.st.TurnNo)<<8 ^ uint64(s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return int(z >> 60)
}

// hostile says whether a seat is enough of an enemy to be struck. In the first round nobody has shown anything, and
// a bot strikes only whom it is rather sure of.
func (m *mind) hostile(s engine.Seat) bool {
	if int(m.st.TurnNo) <= int(m.st.N) {
		return m.foe(s) > 70
	}
	return m.foe(s) > 30
}
