package engine

// Playing a card, section 6. What may be played is asked in one place, refuse, for the offers and for the reason
// of a refusal.

// offerPlays lists every way in which s may play an open hand card.
func (g *Game) offerPlays(s Seat, c Card, out []Action) []Action {
	row := g.rules.rows[c.Face.Kind()]
	if row == nil || !row.playing() {
		return out
	}
	out = g.offerAs(s, c, row, false, out)
	if g.force().has&hAs != 0 && row.Tag&Bang == 0 && g.Tags(s, c.Face)&Bang != 0 {
		if as := g.rules.rows[g.rules.tagged[0]]; as != nil {
			out = g.offerAs(s, c, as, false, out) // B-311
		}
	}
	return out
}

// offerAs lists the targets; use says that the card is a green one which lies in play (D-011).
func (g *Game) offerAs(s Seat, c Card, as *Row, use bool, out []Action) []Action {
	a := Action{Seat: s, Verb: Play, As: as.Kind, Card: c, To: None}
	if g.refuseCard(&a, as, use) != Legal {
		return out
	}
	if !as.aimed(use) {
		if g.refuseTarget(&a, as, use) == Legal {
			out = append(out, a)
		}
		return out
	}
	d := as.Do[as.aim-1]
	for i, t := int8(0), g.left(s); i < g.N; i, t = i+1, g.left(t) {
		a.To, a.At = t, 0
		if d.What != Take && d.What != Drop {
			if g.refuseTarget(&a, as, use) == Legal {
				out = append(out, a)
			}
			continue
		}
		if len(g.Players[t].Hand) > 0 && g.refuseTarget(&a, as, use) == Legal {
			out = append(out, a)
		}
		for _, p := range g.Players[t].Play {
			if a.At = p.Slot; g.refuseTarget(&a, as, use) == Legal {
				out = append(out, a)
			}
		}
	}
	return out
}

// refuse says why a card may not be played like that.
func (g *Game) refuse(a *Action) Reason {
	row, as := g.rules.rows[a.Card.Face.Kind()], g.rules.rows[a.As]
	if row == nil || as == nil || !row.playing() {
		return NotOffered
	}
	if as != row && (g.Tags(a.Seat, a.Card.Face)&as.Tag == 0 || as.Tag != Bang) {
		return NoUseHere
	}
	c, use := find(g.Players[a.Seat].Play, a.Card.Slot)
	if use {
		if row.Colour != Green {
			return NotOffered
		}
		if r := g.idle(a.Seat, c); r != Legal {
			return r
		}
	}
	if r := g.refuseCard(a, as, use); r != Legal {
		return r
	}
	return g.refuseTarget(a, as, use)
}

// aimed says whether playing the card names a target: a green card does when it is used, not when it is laid.
func (r *Row) aimed(use bool) bool { return r.aim != 0 && (use || r.Colour != Green) }

// refuseCard looks at what does not depend on the target.
func (g *Game) refuseCard(a *Action, as *Row, use bool) Reason {
	if use && as.dodges() || as.Colour == Brown && (len(as.Do) == 0 && as.Effect == nil || as.dodges()) {
		return NotPlayable // B-210, D-012
	}
	if as.cost > 0 && len(g.Players[a.Seat].Hand) <= int(as.cost) {
		return HandTooSmall // D-020
	}
	if as.Tag&Bang != 0 && g.Bangs >= max(1, g.force().num[a.Seat].Bangs) {
		return BangLimit // B-101
	}
	if as.Tag&Beer != 0 && g.Options[OptBeerFull] != 0 && g.Players[a.Seat].Life >= g.Players[a.Seat].Max {
		return FullLife // B-224
	}
	return Legal
}

// refuseTarget looks at the target, and asks the card itself and the rules in force.
func (g *Game) refuseTarget(a *Action, as *Row, use bool) Reason {
	at := a.Seat
	if as.aimed(use) {
		d := as.Do[as.aim-1]
		if r := g.aim(a, d); r != Legal {
			return r
		}
		if d.What == LayOn {
			at = a.To
		}
	} else if a.To != None || a.At != 0 {
		return NotOffered
	}
	if a.N != 0 || a.With != (Card{}) {
		return NotOffered
	}
	if as.laid() && !use {
		if _, twice := g.PlayCard(at, as.Kind); twice {
			return SameName // B-103, B-105
		}
	}
	if as.Refuse != nil {
		if r := as.Refuse(g, *a); r != Legal {
			return r
		}
	}
	return g.forbidden(a)
}

// aim says whether the symbol can be aimed like that (B-085, B-086, B-114).
func (g *Game) aim(a *Action, d Do) Reason {
	loots := d.What == Take || d.What == Drop
	switch {
	case a.To < 0 || a.To >= Seat(g.N):
		return NoTarget
	case !g.In(a.To):
		return TargetOut
	case a.To == a.Seat && d.Who != Any && !(loots && a.At != 0 && g.Options[OptSelfTarget] != 0):
		return TargetSelf
	case d.Who == Reach && g.Distance(a.Seat, a.To) > g.Reach(a.Seat):
		return OutOfReach
	case d.Who == Near && g.Distance(a.Seat, a.To) > int(d.N):
		return TooFar
	}
	if !loots {
		if a.At != 0 {
			return NotOffered
		}
		return Legal
	}
	if a.At == 0 {
		if len(g.Players[a.To].Hand) == 0 {
			return NothingThere
		}
	} else if _, ok := find(g.Players[a.To].Play, a.At); !ok || a.At == a.Card.Slot {
		return NothingThere
	}
	return Legal
}

// play does it: the card leaves the hand, goes into play or to the discard pile, and its symbols follow (B-110 ff.).
func (g *Game) play(a Action) {
	as := g.rules.rows[a.As]
	p := &g.Players[a.Seat]
	g.Unit()
	if as.Colour == Green && g.use(a) {
		return
	}
	named := Event{Kind: Played, Seat: a.Seat, To: a.To, As: a.As, Card: a.Card}
	if a.At != 0 {
		named.N = 1
	}
	g.emit(named)
	if as.Tag&Bang != 0 {
		g.Bangs++ // B-134
	}
	take(&p.Hand, a.Card.Slot)
	switch {
	case as.laid() && as.aimed(false):
		g.lay(a.Seat, a.To, a.Card)
	case as.laid():
		g.lay(a.Seat, a.Seat, a.Card)
	case g.Options[OptBrownDiscard] != 0:
		g.Played = append(g.Played, a.Card) // B-063
	default:
		g.Discard = append(g.Discard, a.Card) // B-112
	}
	if !as.laid() {
		g.push(Frame{Kind: AtPlay, Seat: a.Seat, From: None, To: a.To, As: a.As, Card: a.Card, At: a.At, N: a.N})
	}
	g.emptied(a.Seat)
	g.used(a)
}

// runPlay works off the symbols in printed order, all in one unit (B-115).
func runPlay(g *Game, f *Frame) {
	as := g.rules.rows[f.As]
	if int(f.Step) < len(as.Do) {
		f.Step++
		q := *f
		g.symbol(&q, as, as.Do[q.Step-1])
		return
	}
	q := *f
	g.pop()
	if c, ok := take(&g.Played, q.Card.Slot); ok {
		g.Discard = append(g.Discard, c)
	}
	if as.Effect != nil {
		as.Effect(g, Action{Seat: q.Seat, Verb: Play, As: q.As, Card: q.Card, To: q.To, At: q.At, N: q.N})
	}
}

// symbol does one symbol of a card that q.Seat plays.
func (g *Game) symbol(q *Frame, as *Row, d Do) {
	switch d.Who {
	case Others:
		g.push(Frame{Kind: AtEach, Seat: q.Seat, From: None, To: q.Seat, N: int8(q.Step - 1), As: q.As, Card: q.Card})
	case All:
		if d.What == Store {
			g.effect(q.Seat, q.Seat, as, q.Card, d, 0)
			return
		}
		for i := range g.N {
			if s := g.from(q.Seat, i); g.In(s) {
				g.effect(q.Seat, s, as, q.Card, d, 0)
			}
		}
	case Self:
		g.effect(q.Seat, q.Seat, as, q.Card, d, 0)
	default:
		g.effect(q.Seat, q.To, as, q.Card, d, q.At)
	}
}

// runEach hits the next seat clockwise that is still in the game (B-117). Step counts those hit.
func runEach(g *Game, f *Frame) {
	t := g.left(f.To)
	for t != f.Seat && !g.In(t) {
		t = g.left(t)
	}
	if t == f.Seat {
		g.pop()
		return
	}
	f.To = t
	f.Step++
	q := *f
	as := g.rules.rows[q.As]
	g.Unit()
	g.effect(q.Seat, q.To, as, q.Card, as.Do[q.N], 0)
}

// effect lets one symbol of a card work on one seat.
func (g *Game) effect(by, to Seat, as *Row, c Card, d Do, at Slot) {
	if g.Immune(to, by, c.Face) {
		g.emit(Event{Kind: NoEffect, Seat: by, To: to, As: as.Kind, Card: c})
		return
	}
	switch d.What {
	case Shoot:
		needed := int8(1)
		if as.Tag&Bang != 0 {
			needed = max(1, g.force().num[by].Double) // B-130, B-371
		}
		g.Attack(by, to, as.Kind, needed)
	case Raid:
		g.push(Frame{Kind: AtRaid, Seat: to, From: by, To: None, As: as.Kind})
	case Duel:
		g.push(Frame{Kind: AtDuel, Seat: to, From: by, To: to, As: as.Kind})
	case Heal:
		n := d.N
		if as.Tag&Beer != 0 {
			if g.Alive() <= 2 { // B-222
				g.emit(Event{Kind: NoEffect, Seat: by, To: to, As: as.Kind, Card: c})
				return
			}
			n += g.force().num[to].Sip
		}
		if !g.Heal(to, n) && d.Who != All {
			g.emit(Event{Kind: NoEffect, Seat: by, To: to, As: as.Kind, Card: c})
		}
	case DrawCards:
		g.Draw(to, d.N)
	case Take, Drop:
		g.Steal(by, to, at, d.What == Take)
		if d.Who == Others {
			g.top().N = 1 // a choice for each of them when it comes to him (D-109)
		}
	case Store:
		g.push(Frame{Kind: AtStore, Seat: by, From: None, To: None, As: as.Kind})
	case Pay:
		g.Pay(by, d.N)
	}
}
