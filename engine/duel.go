package engine

// A Duel, B-270 ff.: From challenged To; Seat is on the move.
func runDuel(g *Game, f *Frame) {
	if g.hopeless(f.Seat, false) {
		g.loseDuel()
		return
	}
	g.ask(f.Seat)
}

func takeDuel(g *Game, f *Frame, a Action) {
	switch a.Verb {
	case Answer:
		f.Seat = f.From + f.To - f.Seat
		g.answer(a)
	case Pass:
		g.emit(Event{Kind: Passed, Seat: f.Seat, To: None})
		g.loseDuel()
	default:
		g.act(a)
	}
}

// loseDuel: the seat on the move loses 1 life. Its own challenge has no author, unless the option says so (B-164).
func (g *Game) loseDuel() {
	q := *g.top()
	g.pop()
	if q.Seat == q.To {
		g.Lose(q.Seat, q.From, 1)
		return
	}
	by := None
	if g.Options[OptDuelCredit] != 0 {
		by = q.To
	}
	g.loseTo(q.Seat, by, q.To, 1)
}
