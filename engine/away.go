package engine

import "errors"

// StepAway lets s answer by [Game.Default] until it comes back; whoever runs the game steps the defaults. On error
// nothing has changed.
func (g *Game) StepAway(s Seat) error { return g.setAway(s, true, false) }

// StepBack lets s decide for itself again.
func (g *Game) StepBack(s Seat) error { return g.setAway(s, false, false) }

func (g *Game) setAway(s Seat, away, expelled bool) error {
	switch {
	case s < 0 || s >= Seat(g.N):
		return errors.New("engine: there is no such seat")
	case g.Over != NotOver:
		return errors.New("engine: the game is over")
	case g.Players[s].Away == away:
		return errors.New("engine: the seat is so already")
	}
	p := &g.Players[s]
	p.Away, p.Expelled = away, p.Expelled || expelled && p.Status == In
	e := Event{Kind: CameBack, Seat: s, To: None}
	if away {
		e.Kind = WentAway
	}
	if p.Expelled || p.Status != In {
		e.N = 1
	}
	g.emit(e)
	return nil
}

// Expel takes s, which will not come back, out of the game: nobody is responsible for its elimination (B-150 ff., as
// after Dynamite). It is eliminated as soon as nothing is being resolved, at once between two actions of a turn; what
// it is asked until then is answered by [Game.Default]. On error nothing has changed.
func (g *Game) Expel(s Seat) error {
	if s >= 0 && s < Seat(g.N) && g.Over == NotOver && g.Players[s].Away {
		g.Players[s].Away = false // out for good, after an absence
	}
	if err := g.setAway(s, true, true); err != nil {
		return err
	}
	if g.Players[s].Status != In {
		return nil
	}
	if g.Asked != None && g.top().Kind == AtTurn {
		g.Asked = None
		g.run()
	}
	return nil
}

// expel eliminates the first seat clockwise from the turn that is to leave the game. It is called where nothing is
// being resolved.
func (g *Game) expel() bool {
	for i, s := Seat(0), max(g.Turn, 0); i < Seat(g.N); i, s = i+1, g.left(s) {
		if p := &g.Players[s]; p.Expelled {
			p.Expelled = false
			if p.Status != In {
				continue
			}
			g.Unit()
			g.push(Frame{Kind: AtDie, Seat: s, From: None, To: None})
			return true
		}
	}
	return false
}
