package engine

// "draw!", B-066 ff. The flipped cards lie on the table, outside deck and pile, until one counts (B-064).

// FlipFor makes a "draw!" of s; the frame below finds the card that counts in Flip, 0 when there was none (B-065).
func (g *Game) FlipFor(s Seat) {
	g.push(Frame{Kind: AtFlip, Seat: s, From: None, To: None, N: 1 + g.force().num[s].Flips})
}

func runFlip(g *Game, f *Frame) {
	switch f.Step {
	case 0:
		f.Step = 1
		if g.aside(int(f.N)) == 0 {
			g.Flip = 0
			g.emit(Event{Kind: NoCards, Seat: f.Seat, To: None, N: 1})
			g.pop()
			return
		}
		g.reveal(PlayingPile, None, g.slotsOf(g.Table))
	default:
		if len(g.Table) == 1 {
			g.counts(f, g.Table[0].Slot)
			return
		}
		g.ask(f.Seat)
	}
}

func openedFlip(g *Game, f *Frame, faces []Face) {
	for i, face := range faces {
		g.Table[i].Face = face
	}
}

func takeFlip(g *Game, f *Frame, a Action) { g.counts(f, a.At) }

// counts lays the flipped cards on the pile, the chosen one last (B-331), and leaves it in Flip.
func (g *Game) counts(f *Frame, chosen Slot) {
	c, _ := take(&g.Table, chosen)
	for _, other := range g.Table {
		g.Discard = append(g.Discard, other)
		g.emit(Event{Kind: Flipped, Seat: f.Seat, To: None, Card: other})
	}
	g.Table = g.Table[:0]
	g.Discard = append(g.Discard, c)
	g.emit(Event{Kind: Flipped, Seat: f.Seat, To: None, Card: c, N: 1})
	g.Flip = c.Face
	g.pop()
	g.settle()
}
