package bot

import "standoff/engine"

// worth is how much the bot would like to have card f in its hand, roughly 0 to 100; nth counts like cards that it
// holds besides, each of which makes another one less welcome.
func (m *mind) worth(f engine.Face, nth int) int {
	t := m.t.card(f)
	need := 0
	if m.my.Life <= 2 {
		need = 20
	}
	switch {
	case t.tag&engine.Missed != 0:
		return 66 + need - 16*nth
	case t.tag&engine.Beer != 0:
		if m.alive <= 2 {
			return 4
		}
		return 72 + need - 10*nth
	case t.tag&engine.Bang != 0:
		return 62 - 12*nth
	case t.is(weapon):
		return m.worthWeapon(t)
	case t.is(lasting):
		for _, c := range m.my.Play {
			if c.Face.Kind() == f.Kind() {
				return 10
			}
		}
		return 56 + 6*int(t.shield)
	case t.is(dodges):
		return 64 + need
	case t.is(draws):
		return 68 + 4*int(t.cards)
	case t.is(takes):
		return 60 - 8*nth
	case t.is(drops | scatters):
		return 58 - 8*nth
	case t.is(sweeps):
		return 64
	case t.is(shoots):
		return 58
	case t.is(raids):
		return 50
	case t.is(cures | heals):
		return 60
	case t.is(toasts):
		if m.my.Life < m.my.Max {
			return 54
		}
		return 26
	case t.is(duels):
		return 46
	case t.is(jails):
		return 48
	case t.is(stores):
		return 40
	case t.is(burns):
		return 20
	}
	return 30
}

func (m *mind) worthWeapon(t *trait) int {
	gain := m.arms(t)
	for _, c := range m.my.Play {
		if old := m.t.card(c.Face); old.is(weapon) {
			if gain -= m.arms(old) + 4; gain <= 0 {
				return 8
			}
		}
	}
	return 40 + min(gain, 40)
}

// held is the worth of a card of the own hand, the like cards before it counted.
func (m *mind) held(c engine.Card) int {
	nth, tag := 0, m.t.card(c.Face).tag
	for _, h := range m.hand {
		if h.Slot == c.Slot {
			break
		}
		if h.Face.Kind() == c.Face.Kind() || tag != 0 && m.t.card(h.Face).tag == tag {
			nth++
		}
	}
	return m.worth(c.Face, nth)
}

// offered is the worth of a card on the table, the like cards in the hand counted.
func (m *mind) offered(f engine.Face) int {
	nth := 0
	for _, h := range m.hand {
		if h.Face.Kind() == f.Kind() {
			nth++
		}
	}
	return m.worth(f, nth)
}
