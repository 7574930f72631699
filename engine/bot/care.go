package bot

import "standoff/engine"

// scoreHeal helps oneself, or a friend for certain who is near the end.
func (m *mind) scoreHeal(s engine.Seat) int {
	p := &m.st.Players[s]
	switch {
	case p.Life >= p.Max:
	case s == m.me:
		return byHeal
	case m.foe(s) < -180 && p.Life == 1:
		return byHeal - 1
	}
	return no
}

// would have to be discarded anyway (B-221, B-222).
func (m *mind) scoreCure(t *trait) int {
	beer := t.tag&engine.Beer != 0
	missing := int(m.my.Max - m.my.Life)
	if missing <= 0 || beer && m.alive <= 2 {
		return no
	}
	if beer && m.beers < 2 && missing < 2 && len(m.hand) <= m.v.HandLimit(m.me) {
		return no
	}
	return byHeal
}

// scoreToast weighs friends healed against enemies healed.
func (m *mind) scoreToast() int {
	sum := 0
	for s := range engine.Seat(m.st.N) {
		p := &m.st.Players[s]
		switch {
		case p.Status == engine.Out || p.Life >= p.Max:
		case s == m.me:
			sum += 300
		default:
			sum -= m.foe(s)
		}
	}
	if sum <= 0 {
		return no
	}
	return byHeal - 1
}

// what would be discarded anyway, or in need; one with a target, against enemies.
func (m *mind) scoreAbility(a *engine.Action) int {
	t := m.t.of(a.As)
	spare := len(m.hand) - m.v.HandLimit(m.me)
	switch {
	case t.remedy:
		if m.my.Life < m.my.Max && (spare >= 2 || m.my.Life == 1 && len(m.hand) >= 4) {
			return byFire - 1
		}
		return no
	case t.is(draws) && t.wound > 0:
		if m.my.Life > 1+t.wound && len(m.hand) <= 2 {
			return byDraw
		}
		return no
	case t.is(draws) && a.Card.Slot != 0:
		if w := m.held(a.Card); w < 64 {
			return byDraw - w
		}
		return no
	case t.is(shoots) && t.cost > 0 && !m.affords(0, int(t.cost)):
		return no
	case t.is(shoots):
		return m.scoreShot(a)
	case a.To != engine.None && a.To != m.me:
		return m.scoreTarget(a.To, byShot)
	}
	return no
}
