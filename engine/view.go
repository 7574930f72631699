package engine

// Known is a card whose face one seat knows.
type Known struct {
	Slot Slot
	Face Face
}

// Knowledge is what one seat privately knows: faces of slots, nothing else. A dealer fills it: Deal and Give to
// the seat add, its own Remask replaces, a dead slot is dropped. A stale entry is harmless, slots are not reused.
type Knowledge []Known

// Face returns the face known for s, 0 when it is not known.
func (k Knowledge) Face(s Slot) Face {
	for _, c := range k {
		if c.Slot == s {
			return c.Face
		}
	}
	return 0
}

// Learn adds or replaces the face of s.
func (k *Knowledge) Learn(s Slot, f Face) {
	for i := range *k {
		if (*k)[i].Slot == s {
			(*k)[i].Face = f
			return
		}
	}
	*k = append(*k, Known{s, f})
}

// Forget drops s.
func (k *Knowledge) Forget(s Slot) {
	for i := range *k {
		if (*k)[i].Slot == s {
			*k = append((*k)[:i], (*k)[i+1:]...)
			return
		}
	}
}

// View is all that a screen or a bot gets of a game: the public State and what one seat knows. Seat [None] is a
// spectator, who knows nothing.
type View struct {
	Seat  Seat
	Known Knowledge
	game  *Game
}

// View is the game as seat sees it with that knowledge. It stays a view of the running game: take a [Game.Clone]
// first to keep a moment.
func (g *Game) View(seat Seat, k Knowledge) View { return View{Seat: seat, Known: k, game: g} }

// State is the public position, to be read only.
func (v View) State() *State { return &v.game.state }

// Rules are the tables of the game.
func (v View) Rules() *Rules { return v.game.rules }

// Legal lists what the seat can do now, nil when it is not asked.
func (v View) Legal() []Action {
	if v.game.Asked != v.Seat {
		return nil
	}
	return v.game.Legal(v.Known)
}

// AppendLegal adds to out what Legal lists, for callers who ask often and keep nothing.
func (v View) AppendLegal(out []Action) []Action {
	if v.game.Asked != v.Seat {
		return out
	}
	return v.game.AppendLegal(v.Known, out)
}

// Why says what stands against an action, 0 when nothing does.
func (v View) Why(a Action) Reason { return v.game.Why(a) }

// Ask is the open question.
func (v View) Ask() Ask {
	a := Ask{Seat: v.game.Asked}
	if a.Seat != None {
		a.On, a.May = *v.game.top(), v.game.may()
	}
	return a
}

// Distance is how far from sees to (B-080 ff.).
func (v View) Distance(from, to Seat) int { return v.game.Distance(from, to) }

// Reach is how far the weapon of s carries (B-085).
func (v View) Reach(s Seat) int { return v.game.Reach(s) }

// HandLimit is what s may hold at the end of its turn (B-047).
func (v View) HandLimit(s Seat) int { return v.game.HandLimit(s) }

// Numbers are what the rules in force add up to for s.
func (v View) Numbers(s Seat) Numbers { return v.game.Numbers(s) }

// Tags are what an own card may be used as.
func (v View) Tags(f Face) Tag { return v.game.Tags(v.Seat, f) }

// Suit is what the suit of a face counts as for s.
func (v View) Suit(s Seat, f Face) Suit { return v.game.Suit(s, f) }

// Hand is the own hand, faces filled in as far as they are known. The slice is fresh.
func (v View) Hand() []Card {
	if v.Seat < 0 || v.Seat >= Seat(v.game.N) {
		return nil
	}
	out := make([]Card, 0, len(v.game.Players[v.Seat].Hand))
	for _, c := range v.game.Players[v.Seat].Hand {
		if c.Face == 0 {
			c.Face = v.Known.Face(c.Slot)
		}
		out = append(out, c)
	}
	return out
}

// Face is the face of a slot, from the table or from one's own knowledge; 0 when it is hidden.
func (v View) Face(s Slot) Face {
	if f := v.Known.Face(s); f != 0 {
		return f
	}
	return v.game.face(s)
}

// face is the public face of a slot, wherever it lies.
func (g *Game) face(s Slot) Face {
	for _, list := range [...][]Card{g.Table, g.Discard, g.Played} {
		if c, ok := find(list, s); ok {
			return c.Face
		}
	}
	for i := range g.N {
		p := &g.Players[i]
		for _, list := range [...][]Card{p.Hand, p.Play, p.Gear} {
			if c, ok := find(list, s); ok {
				return c.Face
			}
		}
	}
	return 0
}

// Role is the own role: shown, or known from its card.
func (v View) Role() Role {
	if v.Seat < 0 || v.Seat >= Seat(v.game.N) {
		return NoRole
	}
	p := &v.game.Players[v.Seat]
	if p.Role != NoRole {
		return p.Role
	}
	return Role(v.Known.Face(p.RoleSlot).Kind())
}

// Alive counts the seats in the game.
func (v View) Alive() int { return v.game.Alive() }

// Needed is how many Missed! effects the asked seat still needs, 0 when it does not answer a BANG! effect.
func (v View) Needed() int {
	if f := v.game.top(); f.Kind == AtDodge && v.game.Asked == f.Seat {
		return int(f.N)
	}
	return 0
}
