package engine

// Attacks and Indians!-like raids, sections 7 and 10.

// Attack starts a BANG! effect of by on to that needs so many Missed! effects (B-130).
func (g *Game) Attack(by, to Seat, as Kind, needed int8) {
	g.emit(Event{Kind: Attacked, Seat: by, To: to, As: as, N: needed})
	g.push(Frame{Kind: AtAttack, Seat: by, From: by, To: to, N: needed, As: as})
}

// Step 0: the target has not answered yet; 1: it has. What dodge leaves in Result decides (B-132, B-133).
func runAttack(g *Game, f *Frame) {
	q := *f
	if q.Step == 0 {
		f.Step = 1
		g.Dodge(q.To, q.From, q.As, q.N)
		return
	}
	g.pop()
	if g.Result == 0 {
		g.Lose(q.To, q.From, 1)
		return
	}
	g.emit(Event{Kind: Missing, Seat: q.From, To: q.To, As: q.As})
}

// Dodge lets s answer a BANG! effect of by; the Result is 1 when it needs no more Missed! effects.
func (g *Game) Dodge(s, by Seat, as Kind, needed int8) {
	g.push(Frame{Kind: AtDodge, Seat: s, From: by, To: s, N: needed, M: g.force().num[s].Tries, As: as})
}

const (
	dodgeFresh   uint8 = iota // nothing answered yet
	dodgeFlip                 // a "draw!" is on its way
	dodgeStarted              // something was answered
)

func runDodge(g *Game, f *Frame) {
	if f.Step == dodgeFlip {
		f.Step = dodgeStarted
		won := int8(0)
		if g.Flip != 0 && g.Suit(f.Seat, g.Flip) == Hearts { // B-290
			won = 1
			f.N--
		}
		g.emit(Event{Kind: FlipResult, Seat: f.Seat, To: None, N: won})
	}
	if f.N <= 0 {
		g.Result = 1
		g.pop()
		return
	}
	if g.hopeless(f.Seat, false) {
		g.Result = 0
		g.pop()
		return
	}
	g.ask(f.Seat)
}

// offerDodge: each "draw!" source once, Missed! cards and symbols, or no more (B-131).
func offerDodge(g *Game, f *Frame, open []Card, out []Action) []Action {
	if f.M > 0 {
		out = g.allow(out, Action{Seat: f.Seat, Verb: Flip, To: None})
	}
	out = g.offerTagged(f.Seat, Missed, open, out)
	if g.rules.green {
		out = g.offerShields(f.Seat, out)
	}
	return append(out, Action{Seat: f.Seat, Verb: Pass, To: None})
}

// allow adds a unless a rule in force forbids it.
func (g *Game) allow(out []Action, a Action) []Action {
	if g.forbidden(&a) == Legal {
		out = append(out, a)
	}
	return out
}

// offerTagged lists the open cards that can be answered with as a card of tag t: those that are one or show its
// symbol, and those that a rule lets be used as one.
func (g *Game) offerTagged(s Seat, t Tag, open []Card, out []Action) []Action {
	for _, c := range open {
		row := g.rules.rows[c.Face.Kind()]
		if row == nil {
			continue
		}
		a := Action{Seat: s, Verb: Answer, As: row.Kind, Card: c, To: None}
		switch {
		case row.Tag&t != 0 || t == Missed && row.Colour == Brown && row.dodges():
		case g.force().has&hAs != 0 && g.Tags(s, c.Face)&t != 0:
			a.As = g.rules.tag(t)
		default:
			continue
		}
		out = g.allow(out, a)
	}
	return out
}

// tag is the kind that is a card of tag t by itself.
func (r *Rules) tag(t Tag) Kind {
	for i, k := range r.tagged {
		if t == 1<<i {
			return k
		}
	}
	return 0
}

// answer lays an answered card on the discard pile and does what else it shows.
func (g *Game) answer(a Action) {
	g.emit(Event{Kind: Answered, Seat: a.Seat, To: None, As: a.As, Card: a.Card})
	if g.spend(a.Seat, a.Card) {
		g.used(a)
	}
	if as := g.rules.rows[a.As]; as.dodges() && len(as.Do) > 1 {
		if g.Options[OptExtras] != 0 {
			g.Later(as.Kind, a.Seat, None, 1)
			return
		}
		g.extras(a.Seat, as)
	}
}

// extras does what an answer shows besides its Missed! effect: at once, so that a card drawn can still be used
// against the same attack (D-103).
func (g *Game) extras(s Seat, as *Row) {
	for _, d := range as.Do[1:] {
		g.effect(s, s, as, Card{}, d, 0)
	}
}

func takeDodge(g *Game, f *Frame, a Action) {
	f.Step = dodgeStarted
	switch a.Verb {
	case Flip:
		f.M--
		f.Step = dodgeFlip
		s := f.Seat
		g.emit(Event{Kind: Used, Seat: s, To: None, As: g.trySource(s, f.M)})
		g.FlipFor(s)
	case Answer:
		f.N--
		g.answer(a)
	case Pass:
		g.pass(f, 0)
	default:
		g.act(a)
	}
}

// pass ends the frame on top without the answer; n says what that was, as the event does.
func (g *Game) pass(f *Frame, n int8) {
	g.emit(Event{Kind: Passed, Seat: f.Seat, To: None, N: n})
	g.Result = 0
	g.pop()
}

// trySource names the source of the n-th remaining "draw!" of s, for the log: cards in play before the character.
func (g *Game) trySource(s Seat, n int8) Kind {
	p := &g.Players[s]
	row := func(k Kind) int8 {
		if r := g.rules.rows[k]; r != nil {
			return r.Tries
		}
		return 0
	}
	for _, k := range [2]Kind{p.Character, p.Copy} {
		if t := row(k); t > 0 {
			if n < t {
				return k
			}
			n -= t
		}
	}
	for _, c := range p.Play {
		if t := row(c.Face.Kind()); t > 0 {
			if n < t {
				return c.Face.Kind()
			}
			n -= t
		}
	}
	return 0
}

// Raid: one BANG! card or 1 life (B-265).
func runRaid(g *Game, f *Frame) {
	if f.Step == 1 || g.hopeless(f.Seat, false) {
		q := *f
		g.pop()
		if q.N == 0 {
			g.Lose(q.Seat, q.From, 1)
		}
		return
	}
	g.ask(f.Seat)
}

func takeRaid(g *Game, f *Frame, a Action) {
	switch a.Verb {
	case Answer:
		f.Step, f.N = 1, 1
		g.answer(a)
	case Pass:
		f.Step = 1
		g.emit(Event{Kind: Passed, Seat: f.Seat, To: None})
	default:
		g.act(a)
	}
}

// offerBang: give up a BANG! card, or give in.
func offerBang(g *Game, f *Frame, open []Card, out []Action) []Action {
	out = g.offerTagged(f.Seat, Bang, open, out)
	return append(out, Action{Seat: f.Seat, Verb: Pass, To: None})
}
