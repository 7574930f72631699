package engine

// Discarding of one's own choice: phase 3 (B-047) and costs (B-360, D-020).

// Pay lets s discard n hand cards of its choice; the frame below finds 1 in Result when it did. A seat that came in
// between the actions of others may still say no (B-363 d).
func (g *Game) Pay(s Seat, n int8) {
	f := Frame{Kind: AtPay, Seat: s, From: None, To: None, N: n}
	for i := len(g.Stack) - 1; i > 0; i-- {
		if u := &g.Stack[i]; u.Kind == AtUnit {
			if u.Seat == s {
				f.M = 1
			}
			break
		}
	}
	g.push(f)
}

func runPay(g *Game, f *Frame) {
	if f.N <= 0 || len(g.Players[f.Seat].Hand) == 0 {
		g.Result = 0
		if f.N <= 0 {
			g.Result = 1
		}
		g.pop()
		return
	}
	g.ask(f.Seat)
}

func offerPay(g *Game, f *Frame, open []Card, out []Action) []Action {
	for _, c := range open {
		out = append(out, Action{Seat: f.Seat, Verb: Discard, Card: c, To: None})
	}
	if f.M != 0 {
		out = append(out, Action{Seat: f.Seat, Verb: Pass, To: None})
	}
	return out
}

func takePay(g *Game, f *Frame, a Action) {
	if a.Verb == Pass {
		g.pass(f, 2)
		return
	}
	if f.M != 0 { // what it came in with is used from here on (B-366)
		g.emit(Event{Kind: Used, Seat: f.Seat, To: None, As: g.Stack[len(g.Stack)-2].As})
	}
	f.N--
	f.M = 0
	g.shed(a)
}

// shed lays an own hand card on the discard pile.
func (g *Game) shed(a Action) { g.DiscardFromHand(a.Seat, a.Card) }

// DiscardFromHand moves an opened hand card of s to the discard pile.
func (g *Game) DiscardFromHand(s Seat, c Card) {
	if _, ok := take(&g.Players[s].Hand, c.Slot); ok {
		g.toPile(s, c)
		g.emptied(s)
	}
}

// Phase 3: exactly the surplus goes (B-048).
func runDiscard(g *Game, f *Frame) {
	if len(g.Players[f.Seat].Hand) <= int(f.N) {
		g.pop()
		return
	}
	g.ask(f.Seat)
}

func offerDiscard(g *Game, f *Frame, open []Card, out []Action) []Action {
	for _, c := range open {
		out = append(out, Action{Seat: f.Seat, Verb: Discard, Card: c, To: None})
	}
	return out
}

func takeDiscard(g *Game, f *Frame, a Action) { g.shed(a) }

// Choice asks s for one of the things that row as offers; the row's Act is told.
func (g *Game) Choice(s Seat, as Kind) {
	g.push(Frame{Kind: AtChoice, Seat: s, From: None, To: None, As: as})
}

func runChoice(g *Game, f *Frame) {
	g.Asked = f.Seat
	if g.buf = offerChoice(g, f, nil, g.buf[:0]); len(g.buf) == 0 {
		g.Asked = None
		g.pop()
	}
}

func offerChoice(g *Game, f *Frame, open []Card, out []Action) []Action {
	if row := g.rules.rows[f.As]; row != nil && row.Offer != nil {
		return row.Offer(g, f.Seat, AtChoice, open, out)
	}
	return out
}

func takeChoice(g *Game, f *Frame, a Action) {
	as := f.As
	g.pop()
	g.rules.rows[as].Act(g, a.Seat, a)
}
