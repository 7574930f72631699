package engine

import "slices"

// offer lists what the asked seat may do with those open cards of its hand, and without a card. It is the only
// generator: Legal is offer over one's own hand, Step is "among the offers for the faces it opened". It never looks
// at a face of a hand but those in open, so no offer depends on a card that stays hidden (B-445).
func (g *Game) offer(open []Card, out []Action) []Action {
	f := g.top()
	if resolvers[f.Kind].offer == nil {
		return out
	}
	out = g.abilities(f.Kind, g.Asked, open, out)
	return resolvers[f.Kind].offer(g, f, open, out)
}

// abilities adds what the rules in force offer to s.
func (g *Game) abilities(at FrameKind, s Seat, open []Card, out []Action) []Action {
	b := g.force()
	if b.has&hOffer == 0 || at == AtChoice {
		return out
	}
	n := len(out)
	for i := range b.src {
		if src := &b.src[i]; src.Row.hooks&hOffer != 0 && src.mine(s) {
			out = src.Row.Offer(g, s, at, open, out)
		}
	}
	if b.has&hForbid == 0 {
		return out
	}
	kept := out[:n]
	for _, a := range out[n:] {
		if g.forbidden(&a) == Legal {
			kept = append(kept, a)
		}
	}
	return kept
}

// Legal lists what the asked seat can do, given the faces it knows; nil when nobody is asked. The slice is fresh.
func (g *Game) Legal(k Knowledge) []Action {
	if g.Asked == None {
		return nil
	}
	g.buf = g.AppendLegal(k, g.buf[:0])
	return g.handOut(g.buf)
}

// AppendLegal adds to out what Legal lists, for callers who ask often and keep nothing.
func (g *Game) AppendLegal(k Knowledge, out []Action) []Action {
	if g.Asked == None {
		return out
	}
	g.open = g.known(g.open[:0], g.Asked, k)
	return g.offer(g.open, out)
}

// handOut copies actions into memory that is never used again.
func (g *Game) handOut(list []Action) []Action {
	if len(g.acts)+len(list) > cap(g.acts) {
		g.acts = make([]Action, 0, max(128, len(list)))
	}
	at := len(g.acts)
	g.acts = append(g.acts, list...)
	return g.acts[at:len(g.acts):len(g.acts)]
}

// known lists the hand of s as far as its faces are known.
func (g *Game) known(out []Card, s Seat, k Knowledge) []Card {
	for _, c := range g.Players[s].Hand {
		if c.Face == 0 {
			c.Face = k.Face(c.Slot)
		}
		if c.Face != 0 {
			out = append(out, Card{Slot: c.Slot, Face: c.Face})
		}
	}
	return out
}

// Default is what is done for the asked seat when it is away: no, if it may say no; else the first thing that needs
// no hidden card; else its oldest card. It depends on the State alone; a hidden card in it has Face 0 and is opened
// by the dealer first.
func (g *Game) Default() Action {
	if g.Asked == None {
		return Action{Seat: None}
	}
	g.buf = g.offer(nil, g.buf[:0])
	for _, a := range g.buf {
		if a.Verb == Pass || a.Verb == End {
			return a
		}
	}
	if len(g.buf) > 0 {
		return g.buf[0]
	}
	c := g.Players[g.Asked].Hand[0]
	return Action{Seat: g.Asked, Verb: Discard, Card: Card{Slot: c.Slot, Face: c.Face}, To: None}
}

// admit says whether Step may do a, and why not.
func (g *Game) admit(a *Action) Reason {
	if g.Over != NotOver {
		return GameIsOver
	}
	if a.Seat != g.Asked || g.Asked == None {
		return g.admitAside(a)
	}
	g.open = g.open[:0]
	for _, c := range [2]Card{a.Card, a.With} {
		if c == (Card{}) {
			continue
		}
		inHand, r := g.holds(a.Seat, c)
		if r != Legal {
			return r
		}
		if inHand {
			g.open = append(g.open, c)
		}
	}
	if a.With != (Card{}) && a.With.Slot == a.Card.Slot {
		return NotYourCard
	}
	g.buf = g.offer(g.open, g.buf[:0])
	if slices.Contains(g.buf, *a) {
		return Legal
	}
	return g.refusal(a)
}

// holds says whether c can be an own card of s with that face, and whether it is in the hand.
func (g *Game) holds(s Seat, c Card) (inHand bool, r Reason) {
	for _, h := range g.Players[s].Hand {
		if h.Slot != c.Slot {
			continue
		}
		switch {
		case h.Face != 0 && h.Face != c.Face || c.Mark != 0:
			return true, NotYourCard
		case !g.rules.inDeck(c.Face):
			return true, NotACard
		}
		return true, Legal
	}
	for _, p := range g.Players[s].Play {
		if p.Slot == c.Slot {
			if p.Face != c.Face || c.Mark != 0 {
				return false, NotYourCard
			}
			return false, Legal
		}
	}
	return false, NotYourCard
}

// refusal finds the reason why a is not among the offers: the filter that removed it, where there was one.
func (g *Game) refusal(a *Action) Reason {
	f := g.top()
	switch {
	case f.Kind == AtTurn && a.Verb == Play && a.Card != (Card{}):
		if r := g.refuse(a); r != Legal {
			return r
		}
	case a.Verb == Play:
		return WrongPhase
	case a.Verb == Answer && a.Card != (Card{}):
		if f.Kind == AtLose && g.Tags(a.Seat, a.Card.Face)&Beer != 0 && g.Alive() <= 2 {
			return TwoLeft
		}
		if r := g.forbidden(a); r != Legal {
			return r
		}
		if f.Kind == AtTurn {
			return WrongPhase
		}
		if c, ok := find(g.Players[a.Seat].Play, a.Card.Slot); ok {
			if r := g.idle(a.Seat, c); r != Legal {
				return r
			}
		}
		return NoUseHere
	case a.Verb == Flip:
		if f.Kind == AtDodge {
			return UsedUp
		}
		return NoUseHere
	case a.Verb == End || a.Verb == Discard:
		return WrongPhase
	case a.Verb == Act:
		if r := g.forbidden(a); r != Legal {
			return r
		}
		return NoUseHere
	}
	return NotOffered
}

// Why says what stands against a, 0 when it is legal as far as its faces tell.
func (g *Game) Why(a Action) Reason { return g.admit(&a) }

// hopeless says whether it is publicly certain that the asked seat has no answer (B-442): nothing without a card is
// offered but the pass, and the hand is empty or no face of the pack would be an answer. Then, and only then, the
// engine passes by itself. probe says whether the second can be: while something is forbidden, or at death.
func (g *Game) hopeless(s Seat, probe bool) bool {
	g.Asked = s
	certain := !g.answerable(s, probe)
	g.Asked = None
	return certain
}

func (g *Game) answerable(s Seat, probe bool) bool {
	if g.answers(nil) {
		return true
	}
	hand := g.Players[s].Hand
	if len(hand) == 0 {
		return false
	}
	if !probe && g.force().has&hForbid == 0 {
		return true
	}
	g.open = append(g.open[:0], Card{Slot: hand[0].Slot})
	for _, f := range g.rules.faces {
		if g.open[0].Face = f; g.answers(g.open) {
			return true
		}
	}
	return false
}

// answers says whether more than the pass is offered.
func (g *Game) answers(open []Card) bool {
	g.buf = g.offer(open, g.buf[:0])
	for i := range g.buf {
		if g.buf[i].Verb != Pass {
			return true
		}
	}
	return false
}

// The seats that could come in (B-363 d).

// resting says whether nothing is being resolved: phase 2 between two actions, or between two shares of a card that
// hits one after the other.
func (g *Game) resting() bool {
	n := len(g.Stack)
	f := &g.Stack[n-1]
	if f.Kind == AtTurn {
		return true
	}
	if f.Kind == AtDodge {
		n-- // an attack lies under it
	}
	return f.Step == 0 && (f.Kind == AtDodge || f.Kind == AtRaid || f.Kind == AtSteal) && n >= 3 &&
		g.Stack[n-3].Kind == AtEach && g.Stack[n-3].Step > 1
}

// may lists the seats that could come in now.
func (g *Game) may() []Seat {
	if g.force().has&hOffer == 0 || !g.resting() {
		return nil
	}
	var out []Seat
	for s := g.left(g.Asked); s != g.Asked; s = g.left(s) {
		if !g.In(s) || g.Players[s].Away {
			continue
		}
		if g.buf = g.abilities(AtAside, s, nil, g.buf[:0]); len(g.buf) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// admitAside says whether a seat that is not asked may come in with a.
func (g *Game) admitAside(a *Action) Reason {
	if g.Asked == None || a.Verb != Act {
		if a.Verb == Play || a.Verb == End {
			return NotYourTurn
		}
		return NotAsked
	}
	if in, ok := g.Aside(a.Seat); ok && in == *a {
		return Legal
	}
	return NotAsked
}

// Aside is the action with which a seat of [Ask].May comes in, without a card; false when it cannot now.
func (g *Game) Aside(s Seat) (Action, bool) {
	if g.Asked == None || s == g.Asked || !g.In(s) || g.Players[s].Away || !g.resting() {
		return Action{}, false
	}
	if g.buf = g.abilities(AtAside, s, nil, g.buf[:0]); len(g.buf) == 0 {
		return Action{}, false
	}
	return g.buf[0], true
}

// ComeIn steps the action of Aside.
func (g *Game) ComeIn(s Seat) error {
	a, ok := g.Aside(s)
	if !ok {
		return &IllegalError{Seat: s, Action: Action{Seat: s, Verb: Act, To: None}, Reason: NotAsked}
	}
	return g.Step(a)
}

// comeIn lets the seat's row act on top of the open question; it is asked there for the cards.
func (g *Game) comeIn(a Action) {
	g.Asked = None
	g.push(Frame{Kind: AtUnit, Seat: a.Seat, From: None, To: None})
	g.rules.rows[a.As].Act(g, a.Seat, a)
}
