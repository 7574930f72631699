package engine

// Green cards, D-010 ff.: laid like blue ones, and used once, from there, in a later turn.

// idle says why a green card lying before s cannot be used now, Legal when it can.
func (g *Game) idle(s Seat, c Card) Reason {
	row := g.rules.rows[c.Face.Kind()]
	switch {
	case row.Colour != Green:
		return NoUseHere
	case c.Mark == g.TurnNo:
		return JustLaid // D-011, D-012
	case g.muted(s, row, c.Slot):
		return OutOfForce // D-207
	}
	return Legal
}

// offerUses lists the green cards before s that can be used in its phase 2, with their targets.
func (g *Game) offerUses(s Seat, out []Action) []Action {
	for _, c := range g.Players[s].Play {
		if g.idle(s, c) == Legal {
			out = g.offerAs(s, Card{Slot: c.Slot, Face: c.Face}, g.rules.rows[c.Face.Kind()], true, out)
		}
	}
	return out
}

// offerShields lists the green cards before s that are a Missed! effect (D-120).
func (g *Game) offerShields(s Seat, out []Action) []Action {
	for _, c := range g.Players[s].Play {
		if row := g.rules.rows[c.Face.Kind()]; row.dodges() && g.idle(s, c) == Legal {
			out = g.allow(out, Action{Seat: s, Verb: Answer, As: row.Kind, Card: Card{Slot: c.Slot, Face: c.Face}, To: None})
		}
	}
	return out
}

// use discards a green card from play and works off its symbols; false when a lies in the hand. It is not playing a
// card from the hand, and no BANG! card (D-017).
func (g *Game) use(a Action) bool {
	c, ok := take(&g.Players[a.Seat].Play, a.Card.Slot)
	if !ok {
		return false
	}
	g.dirty = true
	g.emit(Event{Kind: Used, Seat: a.Seat, To: a.To, As: a.As, Card: a.Card})
	g.Discard = append(g.Discard, Card{Slot: c.Slot, Face: c.Face})
	g.push(Frame{Kind: AtPlay, Seat: a.Seat, From: None, To: a.To, As: a.As, Card: a.Card, At: a.At, N: a.N})
	return true
}
