package engine

// Steal takes the card at of victim, or a random hand card when at is 0, into the hand of taker; without keep it goes
// to the discard pile (B-251, B-256). Before a random taking the hand is remasked, and a joint coin names the fresh
// slot, so that nobody can steer it and nobody else can tell which card it was (B-121, B-412).
func (g *Game) Steal(taker, victim Seat, at Slot, keep bool) {
	f := Frame{Kind: AtSteal, Seat: taker, From: victim, To: None, At: at}
	if !keep {
		f.M = 1
	}
	g.push(f)
}

const (
	stealAsk  uint8 = iota // nothing done yet
	stealHit               // At is the hand card
	stealOpen              // it has been opened
)

func runSteal(g *Game, f *Frame) {
	v := &g.Players[f.From]
	switch f.Step {
	case stealAsk:
		if f.N != 0 && len(v.Hand)+len(v.Play) > 0 {
			g.ask(f.Seat)
			return
		}
		if f.At != 0 {
			g.stealFromPlay(f)
			return
		}
		f.Step = stealHit
		switch n := len(v.Hand); {
		case n == 0:
			g.pop()
		case n == 1 && f.M != 0:
			f.At = v.Hand[0].Slot // it will be seen by all
		default:
			g.remask(f.From, v.Hand)
			f.At = v.Hand[0].Slot
			if n > 1 {
				g.toss(n)
			}
		}
	case stealHit:
		c, _ := find(v.Hand, f.At)
		switch {
		case f.M == 0:
			q := *f
			g.pop()
			take(&v.Hand, c.Slot)
			g.need(Need{Kind: Give, Pile: PlayingPile, Seat: q.Seat, Owner: q.From, Old: g.one(c.Slot)})
			g.toHand(q.Seat, c)
			g.emit(Event{Kind: Took, Seat: q.Seat, To: q.From, Card: c})
			g.emptied(q.From)
		case c.Face == 0:
			f.Step = stealOpen
			g.reveal(PlayingPile, f.From, g.one(c.Slot))
		default:
			g.drop(c)
		}
	}
}

func offerSteal(g *Game, f *Frame, open []Card, out []Action) []Action {
	return g.offerLoot(f.Seat, f.From, true, out)
}

func takeSteal(g *Game, f *Frame, a Action) { f.N, f.At = 0, a.At }

func coinSteal(g *Game, f *Frame, n int8) { f.At = g.Players[f.From].Hand[n].Slot }

func openedSteal(g *Game, f *Frame, faces []Face) {
	c, _ := find(g.Players[f.From].Hand, f.At)
	c.Face = faces[0]
	g.drop(c)
}

// drop ends the frame: the victim's hand card goes to the discard pile.
func (g *Game) drop(c Card) {
	q := *g.top()
	g.pop()
	take(&g.Players[q.From].Hand, c.Slot)
	g.takenOff(q.From, q.Seat, c, 0)
	g.emptied(q.From)
}

func (g *Game) stealFromPlay(f *Frame) {
	q := *f
	g.pop()
	c, ok := take(&g.Players[q.From].Play, q.At)
	if !ok {
		return
	}
	g.dirty = true
	c.Mark = 0
	if q.M != 0 {
		g.takenOff(q.From, q.Seat, c, 1)
		return
	}
	g.toHand(q.Seat, c)
	g.emit(Event{Kind: Took, Seat: q.Seat, To: q.From, Card: c, N: 1})
}
