package bot

import "standoff/engine"

// answer decides whatever is asked outside phase 2.
func (m *mind) answer(legal []engine.Action) engine.Action {
	switch m.frame.Kind {
	case engine.AtDodge:
		return m.dodge(legal)
	case engine.AtLose:
		return m.survive(legal)
	case engine.AtFlip:
		return pick(legal, m.flipped)
	case engine.AtPutBack, engine.AtGive:
		return pick(legal, func(a *engine.Action) int { return -m.offered(m.shown(a)) })
	case engine.AtPhase1:
		m.judge()
		return pick(legal, m.drawing)
	case engine.AtOrder:
		return pick(legal, passing)
	case engine.AtSteal:
		m.judge()
		return pick(legal, m.robbing)
	}
	m.judge()
	return pick(legal, m.choosing)
}

// pick is the action of the highest score, the first of equals.
func pick(legal []engine.Action, score func(a *engine.Action) int) engine.Action {
	best, top := 0, -1<<30
	for i := range legal {
		if s := score(&legal[i]); s > top {
			best, top = i, s
		}
	}
	return legal[best]
}

func passing(a *engine.Action) int {
	if a.Verb == engine.Pass {
		return 1
	}
	return 0
}

// dodge tries what costs nothing first, and spends cards only when they are enough (B-131 ff.).
func (m *mind) dodge(legal []engine.Action) engine.Action {
	cards := 0
	for i := range legal {
		switch legal[i].Verb {
		case engine.Flip:
			return legal[i]
		case engine.Answer:
			cards++
		}
	}
	if cards < int(m.frame.N) {
		return pick(legal, passing)
	}
	return pick(legal, m.choosing)
}

// survive uses every remedy when together they are enough, the cheapest first.
func (m *mind) survive(legal []engine.Action) engine.Action {
	beers, remedy := 0, false
	for i := range legal {
		switch legal[i].Verb {
		case engine.Answer:
			beers++
		case engine.Act:
			remedy = true
		}
	}
	saved := beers
	if remedy {
		saved += (len(m.hand) - beers) / 2
	}
	if saved < 1-int(m.my.Life) {
		return pick(legal, passing)
	}
	return pick(legal, func(a *engine.Action) int {
		switch a.Verb {
		case engine.Answer:
			return 2
		case engine.Act:
			return 1
		}
		return 0
	})
}

// flipped likes a flip by its suit: Hearts are good everywhere, and low Spades are the worst (B-067).
func (m *mind) flipped(a *engine.Action) int {
	f := m.shown(a)
	switch suit := m.v.Suit(m.me, f); {
	case suit == engine.Hearts:
		return 3
	case suit != engine.Spades:
		return 2
	case f.Rank() > 9:
		return 1
	}
	return 0
}

// drawing takes the first card elsewhere when that is better than an unknown one.
func (m *mind) drawing(a *engine.Action) int {
	switch {
	case a.Verb != engine.Act && a.Verb != engine.Pick:
		return 0
	case a.At != 0 && m.st.TurnNo > impatient: // or two might take one card from each other for ever
		return no
	case a.At != 0: // one card in play instead of all others
		return m.offered(m.shown(a)) + m.foe(a.To)/8 - 95
	case a.To != engine.None && a.To != m.me:
		return m.scoreTarget(a.To, 1)
	case len(m.st.Discard) > 0:
		return m.offered(m.st.Discard[len(m.st.Discard)-1].Face) - 54
	}
	return no
}

// robbing names what somebody is to lose: of an enemy what hurts most, of a friend what hurts least.
func (m *mind) robbing(a *engine.Action) int {
	if score := m.scoreTheft(a); score > 0 {
		return score
	}
	if a.At == 0 {
		return -40
	}
	return -m.offered(m.shown(a))
}

// choosing is the general case: keep what is worth most, give what is worth least, rather answer than pass.
func (m *mind) choosing(a *engine.Action) int {
	switch a.Verb {
	case engine.Answer, engine.Discard:
		if a.Card.Slot == 0 {
			return 500
		}
		return 500 - m.held(a.Card)
	case engine.Pick:
		f := m.shown(a)
		if t := m.t.card(f); t.life > 0 { // a character
			return 500 + 4*int(t.life)
		}
		if f != 0 {
			return 500 + m.offered(f)
		}
		if a.As != 0 && a.To != engine.None { // somebody's ability
			return 500 + int(m.t.of(m.st.Players[a.To].Character).talent)
		}
		if a.As != 0 {
			return 500 + int(m.t.of(a.As).life)
		}
		return 500 + m.foe(a.To)/8
	case engine.Flip:
		return 600
	case engine.Pass:
		return 100
	}
	return 0
}

// shown is the face of the card that an action points at, on the table or in play, as far as this seat knows it.
func (m *mind) shown(a *engine.Action) engine.Face {
	if a.Card.Face != 0 {
		return a.Card.Face
	}
	if a.At == 0 {
		return 0
	}
	for _, c := range m.st.Table {
		if c.Slot == a.At {
			if c.Face != 0 {
				return c.Face
			}
			return m.v.Known.Face(c.Slot)
		}
	}
	for i := range m.st.Players[:m.st.N] {
		for _, c := range m.st.Players[i].Play {
			if c.Slot == a.At {
				return c.Face
			}
		}
	}
	return m.v.Known.Face(a.At)
}
