package engine

import "errors"

// StepAway lets s answer by [Game.Default] until it comes back; whoever runs the game steps the defaults. On error
// nothing has changed.
func (g *Game) StepAway(s Seat) error { return g.setAway(s, true, WentAway) }

// StepBack lets s decide for itself again.
func (g *Game) StepBack(s Seat) error { return g.setAway(s, false, CameBack) }

func (g *Game) setAway(s Seat, away bool, kind EventKind) error {
	switch {
	case s < 0 || s >= Seat(g.N):
		return errors.New("engine: there is no such seat")
	case g.Over != NotOver:
		return errors.New("engine: the game is over")
	case g.Players[s].Away == away:
		return errors.New("engine: the seat is so already")
	}
	g.Players[s].Away = away
	g.emit(Event{Kind: kind, Seat: s, To: None})
	return nil
}
