package engine

// As many open cards as seats alive; each picks one, clockwise from the player (B-240 ff.). A seat that the card leaves
// alone has no part in it (D-302).
func runStore(g *Game, f *Frame) {
	switch {
	case f.Step == 0:
		f.Step = 1
		n := g.Alive()
		for s := g.NextSeat(f.From); s != f.From; s = g.NextSeat(s) {
			if g.Immune(s, f.From, f.Card.Face) {
				n--
			}
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
	f.Seat = g.NextSeat(f.Seat)
	for g.Immune(f.Seat, f.From, f.Card.Face) {
		f.Seat = g.NextSeat(f.Seat)
	}
	if c, ok := take(&g.Table, a.At); ok {
		g.toHand(a.Seat, c)
		g.emit(Event{Kind: Picked, Seat: a.Seat, To: None, Card: c})
	}
}
