package engine

// A turn, section 3: start, checks, choice, phase 1, phase 2, phase 3, end.
const (
	turnStart uint8 = iota
	turnCheck
	turnChoose
	turnPhase1
	turnAfter
	turnPlay
	turnPhase3
	turnEnd
	turnOver
)

// turnFrame is a turn of s at its very beginning. Of its operands N says that the rest of the turn is lost, M that it
// is an extra turn, At is the Order of the last check.
func turnFrame(s Seat) Frame { return Frame{Kind: AtTurn, Seat: s, From: None, To: None} }

// BeginTurn makes s a position in which the turn of seat starts; for tests and puzzles.
func (s *State) BeginTurn(seat Seat) { s.Stack = append(s.Stack[:0], turnFrame(seat)) }

// EnterPlay makes s a position in which seat is in phase 2; for tests and puzzles.
func (s *State) EnterPlay(seat Seat) {
	f := turnFrame(seat)
	f.Step = turnPlay
	s.Turn, s.Stack = seat, append(s.Stack[:0], f)
}

// runTurn comes up whenever nothing is being resolved; so this is where the victory is looked at (B-176).
func runTurn(g *Game, f *Frame) {
	if g.decide() || g.expel() {
		return
	}
	me := f.Seat
	p := &g.Players[me]
	if p.Status == Out && f.Step < turnEnd {
		f.Step = turnEnd // B-041, B-050
	}
	switch f.Step {
	case turnStart:
		f.Step = turnCheck
		g.Turn, g.Bangs, p.Used = me, 0, 0 // B-040
		g.TurnNo++
		if me == g.Keeper {
			g.Lap++
		}
		g.dirty = true
		g.emit(Event{Kind: TurnStarted, Seat: me, To: None, N: f.M})
		g.moment(hStart, me)
	case turnCheck:
		g.nextCheck(f)
	case turnChoose:
		f.Step = turnPhase1
		if p.Copy != 0 {
			p.Copy, g.dirty = 0, true
		}
		if g.force().has&hChoose != 0 {
			g.Unit() // what the choice brings comes before phase 1 (D-286)
			g.moment(hChoose, me)
		}
	case turnPhase1:
		f.Step = turnAfter
		g.Unit()
		g.push(Frame{Kind: AtPhase1, Seat: me, From: None, To: None})
	case turnAfter:
		f.Step = turnPlay
		g.moment(hAfter, me)
	case turnPlay:
		g.ask(me)
	case turnPhase3:
		f.Step = turnEnd
		g.Unit()
		g.push(Frame{Kind: AtDiscard, Seat: me, From: None, To: None, N: int8(min(g.HandLimit(me), 127))})
	case turnEnd:
		f.Step = turnOver
		if f.M == 0 && p.Status == In {
			g.moment(hEnd, me)
		}
	case turnOver:
		g.emit(Event{Kind: TurnEnded, Seat: me, To: None})
		*f = turnFrame(g.NextSeat(me))
	}
}

// nextCheck lets the cards before the seat in turn do their checks, each a unit (B-041 ff.).
func (g *Game) nextCheck(f *Frame) {
	p := &g.Players[f.Seat]
	if f.N != 0 { // the turn is lost (B-042)
		if p.Copy != 0 {
			p.Copy, g.dirty = 0, true
		}
		f.Step = turnEnd
		return
	}
	for f.At < Slot(g.rules.checks) {
		f.At++
		for i := range p.Play {
			row := g.rules.rows[p.Play[i].Face.Kind()]
			if row.Check != nil && row.Order == int8(f.At) && !g.muted(f.Seat, row, p.Play[i].Slot) {
				slot, me := p.Play[i].Slot, f.Seat
				g.Unit()
				row.Check(g, me, slot)
				return
			}
		}
	}
	f.Step = turnChoose
}

// muted says whether a card in play is out of force.
func (g *Game) muted(s Seat, row *Row, slot Slot) bool {
	b := g.force()
	if b.has&hMute == 0 {
		return false
	}
	for i := range b.src {
		if m := &b.src[i]; m.Row.hooks&hMute != 0 && m.From < InPlay && m.Row.Mute(g, m.Seat, Source{row, s, InPlay, slot}) {
			return true
		}
	}
	return false
}

// LoseTurn skips the rest of the turn: no phase 1, 2 or 3 (B-042). by is the card that did it.
func (g *Game) LoseTurn(by Card) {
	f := &g.Stack[0]
	if f.Kind == AtTurn {
		f.N = 1
		g.emit(Event{Kind: TurnSkipped, Seat: f.Seat, To: None, Card: by})
	}
}

func offerTurn(g *Game, f *Frame, open []Card, out []Action) []Action {
	for _, c := range open {
		out = g.offerPlays(f.Seat, c, out)
	}
	if g.rules.green {
		out = g.offerUses(f.Seat, out)
	}
	if g.Options[OptOwnDiscard] != 0 {
		for _, c := range g.Players[f.Seat].Play {
			if g.rules.rows[c.Face.Kind()].Check == nil { // B-106
				out = append(out, Action{Seat: f.Seat, Verb: Discard, Card: Card{Slot: c.Slot, Face: c.Face}, To: None})
			}
		}
	}
	if a := (Action{Seat: f.Seat, Verb: End, To: None}); g.forbidden(&a) == Legal {
		out = append(out, a)
	}
	return out
}

func takeTurn(g *Game, f *Frame, a Action) {
	switch a.Verb {
	case End:
		f.Step = turnPhase3
	case Play:
		g.play(a)
	case Discard:
		g.Unit()
		g.DiscardFromPlay(a.Seat, a.Card.Slot)
	default:
		g.act(a)
	}
}

// act does an ability of a row in force. In phase 2 it is a unit of its own; inside another unit the waiting
// abilities go on waiting.
func (g *Game) act(a Action) {
	if g.top().Kind == AtTurn {
		g.Unit()
	}
	g.emit(Event{Kind: Used, Seat: a.Seat, To: a.To, As: a.As, Card: a.Card})
	g.rules.rows[a.As].Act(g, a.Seat, a)
}

// SetCopy gives s the ability of another character until the core takes it back: at its next choice, or when its turn
// is lost. What an empty hand brings, it brings at once.
func (g *Game) SetCopy(s Seat, k Kind) {
	g.Players[s].Copy, g.dirty = k, true
	g.emit(Event{Kind: Copied, Seat: s, To: None, As: k})
	g.emptied(s)
}
