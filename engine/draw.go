package engine

// Phase 1, B-044: N cards are due, M of them drawn. Step 0 counts them, 1 asks for other ways of drawing, 2 draws.
const (
	drawDue uint8 = iota
	drawAsk
	drawGo
	drawShown // the card just taken is being opened
)

func runPhase1(g *Game, f *Frame) {
	me := f.Seat
	switch f.Step {
	case drawDue:
		f.Step = drawAsk
		f.N = g.due(me)
		if g.takenOver(f) {
			return
		}
	case drawAsk:
		if f.M >= f.N {
			f.Step = drawGo
			return
		}
		g.Asked = me
		g.buf = g.abilities(AtPhase1, me, nil, g.buf[:0])
		if len(g.buf) == 0 {
			g.Asked = None
			f.Step = drawGo
		}
	case drawGo:
		switch {
		case f.M >= f.N:
			g.pop()
		case g.force().has&hDrawn == 0:
			n := f.N - f.M
			f.M = f.N
			g.Draw(me, n)
		default:
			g.drawOne(f)
		}
	}
}

// due is how many cards phase 1 brings: what is printed first, what an event takes away last.
func (g *Game) due(s Seat) int8 {
	b := g.force()
	n := 2 + b.num[s].Draws
	if b.has&hDue != 0 {
		for i := len(b.src) - 1; i >= 0; i-- {
			if src := &b.src[i]; src.Row.hooks&hDue != 0 && src.mine(s) {
				n = src.Row.Due(g, s, n)
			}
		}
	}
	return n
}

// takenOver lets a rule take the draw over; it gets the frame, which is finished when it comes up again.
func (g *Game) takenOver(f *Frame) bool {
	b := g.force()
	if b.has&hPhase1 == 0 {
		return false
	}
	for i := range b.src {
		src := b.src[i]
		if src.Row.hooks&hPhase1 == 0 || !src.mine(f.Seat) {
			continue
		}
		q := *f
		f.Step, f.M = drawGo, f.N
		if src.Row.Phase1(g, q.Seat, &q) {
			return true
		}
		f.Step, f.M = q.Step, q.M
	}
	return false
}

// drawOne takes a card and lets the rules in force see that it came. What they want shown is opened where it lies,
// the rest is dealt unseen.
func (g *Game) drawOne(f *Frame) {
	s := f.Seat
	if !g.refill() {
		g.emit(Event{Kind: NoCards, Seat: s, To: None, N: f.N - f.M})
		f.M = f.N // nothing is left for the next one either (B-065)
		return
	}
	f.M++
	c := Card{Slot: draft(&g.Deck)}
	g.toHand(s, c)
	if !g.drawn(f, c) {
		g.need(Need{Kind: Deal, Pile: PlayingPile, Seat: s, Owner: None, Old: g.one(c.Slot)})
		g.emit(Event{Kind: Drew, Seat: s, To: None, N: 1})
		g.settle()
		return
	}
	f.Step = drawShown
	g.settle()
	g.reveal(PlayingPile, None, g.one(c.Slot))
}

func (g *Game) drawn(f *Frame, c Card) bool {
	b := g.force()
	show := false
	for i := range b.src {
		if src := &b.src[i]; src.Row.hooks&hDrawn != 0 && src.mine(f.Seat) {
			show = src.Row.Drawn(g, f.Seat, f, c) || show
		}
	}
	return show
}

// openedPhase1 shows the card just drawn and asks the rules again, now with its face.
func openedPhase1(g *Game, f *Frame, faces []Face) {
	f.Step = drawGo
	hand := g.Players[f.Seat].Hand
	c := &hand[len(hand)-1]
	c.Face = faces[0]
	g.emit(Event{Kind: Drew, Seat: f.Seat, To: None, Card: *c, N: 1})
	g.drawn(f, *c)
}

// offerPhase1: other ways of drawing come from the rules in force; Pass is the deck.
func offerPhase1(g *Game, f *Frame, open []Card, out []Action) []Action {
	return append(out, Action{Seat: f.Seat, Verb: Pass, To: None})
}

func takePhase1(g *Game, f *Frame, a Action) {
	f.Step = drawGo
	if a.Verb != Pass {
		g.act(a)
	}
}

// Instead counts n cards of phase 1 as drawn; a row that offers another way of drawing calls it from its Act.
func (g *Game) Instead(n int8) {
	if f := g.top(); f.Kind == AtPhase1 {
		f.M += n
	}
}

// Peek lays the top n cards of the deck on the table for s alone to look at, and lets s mix them.
func (g *Game) Peek(s Seat, n int) {
	if g.aside(n) == 0 {
		g.emit(Event{Kind: NoCards, Seat: s, To: None, N: int8(n)})
		return
	}
	g.need(Need{Kind: Deal, Pile: PlayingPile, Seat: s, Owner: None, Old: g.slotsOf(g.Table)})
	g.remask(s, g.Table)
}

// PutBack lets s return looked-at cards to the top of the deck until keep are left, which are his.
func (g *Game) PutBack(s Seat, keep int8) {
	g.push(Frame{Kind: AtPutBack, Seat: s, From: None, To: None, N: keep})
}

func runPutBack(g *Game, f *Frame) {
	if len(g.Table) > int(f.N) {
		g.ask(f.Seat)
		return
	}
	s := f.Seat
	g.pop()
	g.pocket(s)
}

// pocket ends a look: what is left on the table is the hand's.
func (g *Game) pocket(s Seat) {
	if n := len(g.Table); n > 0 {
		for _, c := range g.Table {
			g.toHand(s, c)
		}
		g.Table = g.Table[:0]
		g.emit(Event{Kind: Drew, Seat: s, To: None, N: int8(n)})
	}
	g.settle()
}

func takePutBack(g *Game, f *Frame, a Action) {
	c, _ := take(&g.Table, a.At)
	g.Deck = append(g.Deck, c)
	g.need(Need{Kind: Give, Pile: PlayingPile, Seat: None, Owner: a.Seat, Old: g.one(c.Slot)})
	g.emit(Event{Kind: Returned, Seat: a.Seat, To: None, N: 1})
}

// GiveOut lets s name a looked-at card for each other seat, clockwise, while more than keep are left.
func (g *Game) GiveOut(s Seat, keep int8) {
	g.push(Frame{Kind: AtGive, Seat: s, From: None, To: s, N: keep})
}

func runGive(g *Game, f *Frame) {
	if len(g.Table) > int(f.N) && g.NextSeat(f.To) != f.Seat {
		g.ask(f.Seat)
		return
	}
	s := f.Seat
	g.pop()
	g.pocket(s)
}

func takeGive(g *Game, f *Frame, a Action) {
	to := g.NextSeat(f.To)
	f.To = to
	c, _ := take(&g.Table, a.At)
	g.need(Need{Kind: Give, Pile: PlayingPile, Seat: to, Owner: a.Seat, Old: g.one(c.Slot)})
	g.toHand(to, c)
	g.emit(Event{Kind: Gave, Seat: a.Seat, To: to})
}
