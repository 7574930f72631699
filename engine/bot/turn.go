package bot

import "standoff/engine"

// What comes first in phase 2. Within a class the best target or the best card wins; no is what is not done.
const (
	no       = -1
	byDraw   = 1000
	byLaying = 900
	byWeapon = 800
	byHeal   = 700
	byStore  = 600
	byTheft  = 500
	byJail   = 450
	byStrike = 350 // everybody else
	byShot   = 250
	byDuel   = 150
	byFire   = 50
)

// turn plays the action with the highest score above 0, or ends phase 2.
func (m *mind) turn(legal []engine.Action) engine.Action {
	m.judge()
	best, top := 0, -1<<30
	for i := range legal {
		score := 0
		if legal[i].Verb != engine.End {
			score = m.score(&legal[i])
		}
		if score > top {
			best, top = i, score
		}
	}
	return legal[best]
}

// score says how good it is to do a now; below 0 it is worse than ending the turn.
func (m *mind) score(a *engine.Action) int {
	switch a.Verb {
	case engine.Play:
		return m.scorePlay(a)
	case engine.Act:
		return m.scoreAbility(a)
	}
	return no
}

func (m *mind) scorePlay(a *engine.Action) int {
	t := m.t.card(a.Card.Face)
	if a.As != 0 {
		t = m.t.of(a.As)
	}
	if t.is(lasting) && !m.lies(a.Card.Slot) {
		return m.scoreLaying(t)
	}
	if t.cost > 0 && !m.affords(a.Card.Slot, int(t.cost)) {
		return no
	}
	return m.scoreEffect(a, t)
}

// affords says whether the hand besides the card in that slot has so many cards that are no loss: little worth, or
// more than may be held.
func (m *mind) affords(but engine.Slot, cost int) bool {
	poor := max(0, len(m.hand)-m.v.HandLimit(m.me)-1)
	for _, c := range m.hand {
		if c.Slot != but && m.held(c) <= 56 {
			poor++
		}
	}
	return poor >= cost
}

func (m *mind) scoreEffect(a *engine.Action, t *trait) int {
	switch {
	case t.is(jails):
		return m.scoreTarget(a.To, byJail)
	case t.is(burns):
		return m.scoreFire()
	case t.is(takes | drops):
		return m.scoreTheft(a)
	case t.is(shoots):
		return m.scoreShot(a)
	case t.is(duels):
		return m.scoreDuel(a)
	case t.is(sweeps | raids):
		return m.scoreStrike()
	case t.is(scatters):
		return m.scoreScatter()
	case t.is(stores):
		if a.As != a.Card.Face.Kind() { // any card may serve
			if w := m.held(a.Card); w <= 50 {
				return byStore - w
			}
			return no
		}
		return byStore
	case t.is(draws):
		return byDraw + int(t.cards)
	case t.is(toasts):
		return m.scoreToast()
	case t.is(cures):
		return m.scoreCure(t)
	case t.is(heals):
		return m.scoreHeal(a.To)
	}
	return no
}

// lies says whether a card is one's own in play (a green card in use).
func (m *mind) lies(s engine.Slot) bool {
	for _, c := range m.my.Play {
		if c.Slot == s {
			return true
		}
	}
	return false
}

// scoreLaying lays what helps at once; a weapon only when it is better than the one in play.
func (m *mind) scoreLaying(t *trait) int {
	if !t.is(weapon) {
		return byLaying
	}
	gain := m.arms(t)
	for _, c := range m.my.Play {
		if old := m.t.card(c.Face); old.is(weapon) && gain <= m.arms(old)+4 {
			return no
		}
	}
	return byWeapon + gain
}

// arms is what a weapon is worth now: its reach, or shooting without limit with enough BANG! cards at an enemy
// whom it reaches.
func (m *mind) arms(t *trait) int {
	w := 10 * int(t.rng)
	if t.bangs > 1 && m.t.of(m.my.Character).bangs <= 1 {
		w += 2
		if m.bangs >= 2 && m.within(int(t.rng)) {
			w += 60
		}
	}
	return w
}

// within says whether an enemy sits at a distance of n or less.
func (m *mind) within(n int) bool {
	for s := range engine.Seat(m.st.N) {
		if s != m.me && m.st.Players[s].Status != engine.Out && m.hostile(s) && m.v.Distance(m.me, s) <= n {
			return true
		}
	}
	return false
}

// scoreTarget is a class for an enemy, more for a surer one.
func (m *mind) scoreTarget(s engine.Seat, class int) int {
	if !m.hostile(s) {
		return no
	}
	return class + m.foe(s)/8
}

// scoreShot prefers those who are near their end or cannot answer.
func (m *mind) scoreShot(a *engine.Action) int {
	if !m.hostile(a.To) {
		return no
	}
	p := &m.st.Players[a.To]
	score := byShot + m.foe(a.To)/8
	if p.Life == 1 {
		score += 24
	}
	if len(p.Hand) == 0 {
		score += 12
	}
	for _, c := range p.Play {
		score -= 4 * int(m.t.card(c.Face).shield)
	}
	if t := m.t.card(a.Card.Face); t.tag&engine.Missed != 0 { // a Missed! that may be used as BANG!
		if m.misses <= 1 && m.my.Life <= 2 {
			return no
		}
		score -= 8
	}
	return score
}

// scoreDuel counts BANG! cards against the other hand: about every third card of a hand answers.
func (m *mind) scoreDuel(a *engine.Action) int {
	if !m.hostile(a.To) {
		return no
	}
	theirs := len(m.st.Players[a.To].Hand)
	if theirs == 0 {
		return byJail + m.foe(a.To)/8
	}
	edge := 3*m.bangs + 1 - theirs
	if edge < 0 && (m.my.Life <= 2 || edge < -3) {
		return no
	}
	return byDuel + m.foe(a.To)/8 + 4*edge
}

// scoreStrike adds up whom a card that strikes everybody else would hit. Nobody on the Sheriff's side, and no
// Renegade with others left, may risk the Sheriff's last life.
func (m *mind) scoreStrike() int {
	sum := 0
	for s := range engine.Seat(m.st.N) {
		p := &m.st.Players[s]
		if s == m.me || p.Status == engine.Out {
			continue
		}
		f := m.foe(s)
		switch {
		case f < -100 && p.Life == 1 && s == m.s.sheriff:
			return no
		case p.Life == 1:
			f *= 3
		case p.Life == 2:
			f += f / 2
		}
		sum += f
	}
	if sum <= 0 {
		return no
	}
	return byStrike + min(60, sum/16)
}

// scoreScatter adds up who would lose a card.
func (m *mind) scoreScatter() int {
	sum := 0
	for s := range engine.Seat(m.st.N) {
		if p := &m.st.Players[s]; s != m.me && p.Status != engine.Out && len(p.Hand)+len(p.Play) > 0 {
			sum += m.foe(s)
		}
	}
	if sum <= 0 {
		return no
	}
	return byTheft - 20 + min(60, sum/16)
}

// scoreTheft takes from enemies what protects or arms them, and frees friends and oneself of burdens.
func (m *mind) scoreTheft(a *engine.Action) int {
	if a.At == 0 {
		if !m.hostile(a.To) {
			return no
		}
		score := byTheft + m.foe(a.To)/8 + 8
		if len(m.st.Players[a.To].Hand) == 1 {
			score += 6
		}
		return score
	}
	for _, c := range m.st.Players[a.To].Play {
		if c.Slot != a.At {
			continue
		}
		lain := m.t.card(c.Face)
		switch {
		case lain.is(jails | burns):
			if a.To == m.me || m.foe(a.To) < -60 {
				return byTheft + 20
			}
		case a.To != m.me && m.hostile(a.To):
			return byTheft + m.foe(a.To)/8 + 8*int(lain.shield) + 2*int(lain.rng) + 4*int(lain.close) + 3*int(lain.bangs&7)
		}
	}
	return no
}

// scoreFire lays a Dynamite when most others are enemies and the own first check is survivable.
func (m *mind) scoreFire() int {
	if m.my.Life <= 3 && m.t.of(m.my.Character).flips == 0 || m.alive < 4 {
		return no
	}
	foes := 0
	for s := range engine.Seat(m.st.N) {
		if s != m.me && m.st.Players[s].Status != engine.Out && m.hostile(s) {
			foes++
		}
	}
	if 2*foes < m.alive {
		return no
	}
	return byFire
}

// scoreCure drinks when it helps, and keeps the last Beer for the last life unless it is hurt badly or the card
// scoreAbility reads what an ability costs and brings from the symbols of its row: cards into life or more cards for
