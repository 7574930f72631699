package engine

// Victory, section 9. Who has won is a house rule's question; it sees only what is public: the roles of the
// eliminated, and how many of each role there are.

// decide asks the house rules whether the game is over, and if so opens the hidden roles.
func (g *Game) decide() bool {
	b := g.force()
	if b.has&hWon == 0 {
		return false
	}
	for i := range b.src {
		if b.src[i].Row.hooks&hWon == 0 {
			continue
		}
		if o := b.src[i].Row.Won(g); o != NotOver {
			g.push(Frame{Kind: AtEnd, Seat: None, From: None, To: None, N: int8(o)})
			return true
		}
	}
	return false
}

// RolesLeft counts the seats alive that can still be r: those of the game less those eliminated and shown.
func (g *Game) RolesLeft(r Role) int {
	n := 0
	for _, x := range g.rules.roles[g.N] {
		if x == r {
			n++
		}
	}
	for i := range g.N {
		if p := &g.Players[i]; p.Status == Out && p.Role == r {
			n--
		}
	}
	return n
}

// Holder is the seat whose role is known to be r and that is in the game, None when there is none.
func (g *Game) Holder(r Role) Seat {
	for i := range g.N {
		if p := &g.Players[i]; p.Role == r && p.Status != Out {
			return Seat(i)
		}
	}
	return None
}

// runEnd opens the roles that are still hidden (B-175), then ends the game.
func runEnd(g *Game, f *Frame) {
	if f.Step == 0 {
		f.Step = 1
		var old []Slot
		for i := range g.N {
			if p := &g.Players[i]; p.Role == NoRole && p.RoleSlot != 0 {
				old = append(old, p.RoleSlot)
			}
		}
		if len(old) > 0 {
			g.reveal(RolePile, None, g.lend(old))
			return
		}
	}
	g.Over = Outcome(f.N)
	g.emit(Event{Kind: GameOver, Seat: None, To: None, N: f.N})
	for i := range g.N {
		if p := &g.Players[i]; g.Over.wins(p) {
			g.emit(Event{Kind: Won, Seat: Seat(i), To: None, N: int8(p.Role)})
		}
	}
}

func openedEnd(g *Game, f *Frame, faces []Face) {
	for i := range g.N {
		if p := &g.Players[i]; p.Role == NoRole && p.RoleSlot != 0 {
			g.showRole(Seat(i), Role(faces[0].Kind()))
			faces = faces[1:]
		}
	}
}

// wins says whether a player has won: sides win with their dead, a Renegade alone and alive (B-170 ff.).
func (o Outcome) wins(p *Player) bool {
	switch o {
	case LawWins:
		return p.Role == Sheriff || p.Role == Deputy
	case OutlawsWin:
		return p.Role == Outlaw
	case RenegadeWins:
		return p.Role == Renegade && p.Status != Out
	case DeputyWins:
		return p.Role == Deputy
	case OutlawWins:
		return p.Role == Outlaw
	}
	return false
}

// Winners lists the seats that have won, nil while the game goes on.
func (s *State) Winners() []Seat {
	var out []Seat
	for i := range s.N {
		if s.Over.wins(&s.Players[i]) {
			out = append(out, Seat(i))
		}
	}
	return out
}
