package engine

// As many open cards as seats alive; each picks one, clockwise from the player (B-240 ff.). A seat that the card leaves
// alone has no part in it (D-302).
func runStore(g *Game, f *Frame) {
	switch {
	case f.Step == 0:
		f.Step = 1
		n := 1
		for s := g.taker(f.Seat); s != f.Seat; s = g.taker(s) {
			n++
		}
		if g.aside(n) > 0 {
			g.reveal(PlayingPile, None, g.slotsOf(g.Table))
		}
	case len(g.Table) == 0:
		g.pop()
		g.settle()
	case len(g.Table) == 1: // the last card leaves no choice
		takeStore(g, f, Action{Seat: f.Seat, At: g.Table[0].Slot})
	default:
		g.ask(f.Seat)
	}
}

func openedStore(g *Game, f *Frame, faces []Face) {
	for i, face := range faces {
		g.Table[i].Face = face
		g.emit(Event{Kind: Revealed, Seat: None, To: None, Card: g.Table[i]})
	}
}

// offerTable lists the cards on the table.
func offerTable(g *Game, f *Frame, open []Card, out []Action) []Action {
	for _, c := range g.Table {
		out = append(out, Action{Seat: g.Asked, Verb: Pick, To: None, At: c.Slot})
	}
	return out
}

func takeStore(g *Game, f *Frame, a Action) {
	f.Seat = g.taker(f.Seat)
	if c, ok := take(&g.Table, a.At); ok {
		g.toHand(a.Seat, c)
		g.emit(Event{Kind: Picked, Seat: a.Seat, To: None, Card: c})
	}
}

// taker is the next seat after s that has a part in the store. The card that opened it lies in the frame below.
func (g *Game) taker(s Seat) Seat {
	s = g.NextSeat(s)
	if n := len(g.Stack) - 2; n >= 0 && g.Stack[n].Kind == AtPlay {
		for p := &g.Stack[n]; s != p.Seat && g.Immune(s, p.Seat, p.Card.Face); {
			s = g.NextSeat(s)
		}
	}
	return s
}
