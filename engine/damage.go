package engine

// Loss of life and the lethal window, B-140 ff.

// Heal lets s regain n life, never above its maximum, and says whether it regained any.
func (g *Game) Heal(s Seat, n int8) bool {
	p := &g.Players[s]
	if p.Status != In || p.Life >= p.Max || n <= 0 {
		return false
	}
	n = min(n, p.Max-p.Life)
	p.Life += n
	g.emit(Event{Kind: Healed, Seat: s, To: None, N: n})
	return true
}

// Lose takes n life from s. by is responsible: who played the card or used the ability; None for a check (B-008).
func (g *Game) Lose(s, by Seat, n int8) { g.loseTo(s, by, None, n) }

// loseTo is Lose for the loser of its own Duel; rival is the opponent.
func (g *Game) loseTo(s, by, rival Seat, n int8) {
	g.push(Frame{Kind: AtLose, Seat: s, From: by, To: rival, N: n})
}

func runLose(g *Game, f *Frame) {
	p := &g.Players[f.Seat]
	if p.Status != In {
		g.pop()
		return
	}
	if f.Step == 0 {
		f.Step = 1
		p.Life -= f.N
		g.emit(Event{Kind: LostLife, Seat: f.Seat, To: f.From, N: f.N})
		l := Loss{Seat: f.Seat, N: f.N, Player: f.From, Rival: f.To}
		if f.To != None {
			l.Player = f.Seat
		}
		g.lost(l)
		return
	}
	switch {
	case p.Life > 0:
		g.pop()
	case f.Step == 2 || g.hopeless(f.Seat, true):
		*f = Frame{Kind: AtDie, Seat: f.Seat, From: f.From, To: None}
	default:
		g.ask(f.Seat)
	}
}

func (g *Game) lost(l Loss) {
	b := g.force()
	if b.has&hLost == 0 {
		return
	}
	for i := 0; i < len(g.board.src); i++ {
		if src := g.board.src[i]; src.Row.hooks&hLost != 0 {
			src.Row.Lost(g, src.Seat, l)
		}
	}
}

// offerLose: a Beer, with more than two players left (B-221, B-222), or no more.
func offerLose(g *Game, f *Frame, open []Card, out []Action) []Action {
	if g.Alive() > 2 {
		out = g.offerTagged(f.Seat, Beer, open, out)
	}
	return append(out, Action{Seat: f.Seat, Verb: Pass, To: None})
}

func takeLose(g *Game, f *Frame, a Action) {
	switch a.Verb {
	case Answer:
		s := f.Seat
		g.answer(a)
		g.Heal(s, 1+g.force().num[s].Sip)
	case Pass:
		f.Step = 2
		g.emit(Event{Kind: Passed, Seat: f.Seat, To: None, N: 1})
	default:
		g.act(a)
	}
}
