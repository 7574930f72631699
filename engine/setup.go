package engine

// Setup, B-020 ff. and B-450 ff. The packs lie open in the first slots; see Packs.
const (
	setupKeep   uint8 = iota // who keeps a character, clockwise from the last Sheriff
	setupStart               // the Sheriff's seat
	setupRoles               // the shuffles, roles and characters
	setupChoose              // each keeps one of two characters (B-023)
	setupOpen                // the characters are shown
	setupHands               // hands are dealt, the first turn begins
)

// Packs lists the packs as they come out of the boxes: roles without the Sheriff, characters, playing cards.
func (g *Game) Packs() []Pack {
	var roles, characters []Face
	for _, r := range g.rules.roles[g.N] {
		if r != Sheriff {
			roles = append(roles, roleFace(r))
		}
	}
	for i := range g.rules.list {
		if row := &g.rules.list[i]; row.Colour == CharacterCard {
			characters = append(characters, MakeFace(row.Kind, 0, NoSuit))
		}
	}
	a, b := 1+Slot(len(roles)), 1+Slot(len(roles)+len(characters))
	return []Pack{
		{Pile: RolePile, First: 1, Faces: roles},
		{Pile: CharacterPile, First: a, Faces: characters},
		{Pile: PlayingPile, First: b, Faces: g.rules.deck(g.Options)},
	}
}

// size is the number of cards in all packs.
func (g *Game) size() int {
	n := 0
	for _, p := range g.Packs() {
		n += len(p.Faces)
	}
	return n
}

// HasSheriff says whether this number of seats plays with a Sheriff.
func (g *Game) HasSheriff() bool {
	for _, r := range g.rules.roles[g.N] {
		if r == Sheriff {
			return true
		}
	}
	return false
}

func runSetup(g *Game, f *Frame) {
	switch f.Step {
	case setupKeep:
		// Seat is the next to be asked, N counts those done. The former character waits in Copy.
		for ; f.N < g.N; f.N, f.Seat = f.N+1, g.left(max(f.Seat, 0)) {
			if f.Seat >= 0 && g.Players[f.Seat].Copy != 0 {
				g.ask(f.Seat)
				return
			}
		}
		f.Step = setupStart
	case setupStart:
		f.Step = setupRoles
		switch {
		case !g.HasSheriff():
			f.Seat = None
		case f.From != None && g.Options[OptSheriffRotation] != 0:
			f.Seat = g.left(f.From)
		default:
			f.Seat = None
			g.toss(int(g.N))
		}
	case setupRoles:
		g.Keeper = f.Seat
		g.shufflePacks()
		g.dealRoles(f)
	case setupChoose:
		// Table holds two slots for each seat that draws a character; N counts the seats that have chosen.
		for ; int(f.N) < int(g.N); f.N++ {
			if s := g.from(f.Seat, f.N); g.Players[s].Character == 0 && g.Players[s].Second == 0 {
				g.ask(s)
				return
			}
		}
		f.Step = setupOpen
	case setupOpen:
		f.Step = setupHands
		var old []Slot
		for i := range g.N {
			if p := &g.Players[g.from(f.Seat, i)]; p.Character == 0 {
				old = append(old, p.Second)
			}
		}
		if len(old) > 0 {
			g.reveal(CharacterPile, None, g.lend(old))
		}
	case setupHands:
		g.dealHands(f.Seat)
	}
}

// from is the i-th seat clockwise from s.
func (g *Game) from(s Seat, i int8) Seat { return (s + Seat(i)) % Seat(g.N) }

// shufflePacks mixes every pack. Characters that were kept stay out (B-451). Events holds the role cards, Store the
// characters until they are dealt.
func (g *Game) shufflePacks() {
	for _, p := range g.Packs() {
		old := g.room(len(p.Faces))[:0]
		for i, face := range p.Faces {
			if p.Pile != CharacterPile || !g.keptBySomebody(face.Kind()) {
				old = append(old, p.First+Slot(i))
			}
		}
		if len(old) == 0 {
			continue
		}
		first := g.fresh(len(old))
		g.need(Need{Kind: Shuffle, Pile: p.Pile, Seat: None, Owner: None, Old: old, New: first})
		switch p.Pile {
		case RolePile:
			g.pile(&g.Events, first, len(old))
		case CharacterPile:
			g.pile(&g.Store, first, len(old))
		default:
			g.pile(&g.Deck, first, len(old))
		}
	}
}

func (g *Game) keptBySomebody(k Kind) bool {
	for i := range g.N {
		if g.Players[i].Character == k {
			return true
		}
	}
	return false
}

// draft takes the top card of a list.
func draft(list *[]Card) Slot {
	c := (*list)[len(*list)-1]
	*list = (*list)[:len(*list)-1]
	return c.Slot
}

// dealRoles gives every seat but the Sheriff a role, clockwise, and lays out the characters.
func (g *Game) dealRoles(f *Frame) {
	if f.Seat != None {
		g.Players[f.Seat].Role = Sheriff
		g.emit(Event{Kind: SheriffIs, Seat: f.Seat, To: None})
	}
	var open []Slot
	for i := range g.N {
		s := g.from(max(f.Seat, 0), i)
		if s == f.Seat {
			continue
		}
		p := &g.Players[s]
		p.RoleSlot = draft(&g.Events)
		if f.Seat == None {
			open = append(open, p.RoleSlot)
		} else {
			g.need(Need{Kind: Deal, Pile: RolePile, Seat: s, Owner: None, Old: g.one(p.RoleSlot)})
		}
	}
	f.Step = setupOpen
	if g.Options[OptCharacterChoice] != 0 {
		f.Step = setupChoose
	}
	f.N = 0
	if len(open) > 0 { // three players: all roles are known (D-050); characters follow when they are
		g.reveal(RolePile, None, g.lend(open))
		return
	}
	g.layCharacters(f)
}

// layCharacters deals the characters: one each, face down until all are opened together, or two to choose from.
func (g *Game) layCharacters(f *Frame) {
	for i := range g.N {
		s := g.from(f.Seat, i)
		p := &g.Players[s]
		switch {
		case p.Character != 0:
		case f.Step == setupChoose:
			a, b := draft(&g.Store), draft(&g.Store)
			g.Table = append(g.Table, Card{Slot: a}, Card{Slot: b})
			old := g.room(2)
			old[0], old[1] = a, b
			g.need(Need{Kind: Deal, Pile: CharacterPile, Seat: s, Owner: None, Old: old})
		default:
			p.Second = draft(&g.Store)
		}
	}
}

func coinSetup(g *Game, f *Frame, n int8) { f.Seat = Seat(n) }

// openedSetup takes roles (three players) or characters.
func openedSetup(g *Game, f *Frame, faces []Face) {
	if f.Step != setupHands {
		for i, face := range faces {
			p := &g.Players[i]
			p.Role = Role(face.Kind())
			g.emit(Event{Kind: RoleShown, Seat: Seat(i), To: None, N: int8(p.Role)})
			if p.Role == Deputy {
				f.Seat = Seat(i) // begins (B-028)
			}
		}
		f.Seat = max(f.Seat, 0)
		g.layCharacters(f)
		return
	}
	for i := range g.N {
		s := g.from(f.Seat, i)
		if p := &g.Players[s]; p.Character == 0 {
			p.Character, p.Second = faces[0].Kind(), 0
			faces = faces[1:]
			g.emit(Event{Kind: CharacterIs, Seat: s, To: None, As: p.Character})
		}
	}
}

// dealHands sets the lives and deals as many cards each, in blocks clockwise from the seat that begins (B-024 ff.).
func (g *Game) dealHands(first Seat) {
	g.Events, g.Store, g.Table = g.Events[:0], g.Store[:0], g.Table[:0] // the rest leaves the game unseen (B-022)
	g.dirty = true
	for i := range g.N {
		s := g.from(first, i)
		p := &g.Players[s]
		p.Max = g.rules.rows[p.Character].Life
		if p.Role == Sheriff {
			p.Max++
		}
		p.Life = p.Max
		old := g.room(int(p.Max))
		for j := range old {
			old[j] = draft(&g.Deck)
			g.toHand(s, Card{Slot: old[j]})
		}
		g.need(Need{Kind: Deal, Pile: PlayingPile, Seat: s, Owner: None, Old: old})
		g.emit(Event{Kind: Dealt, Seat: s, To: None, N: p.Max})
	}
	g.Keeper = first
	*g.top() = turnFrame(first)
}

// offerSetup: keep the former character or take a new one (B-450); or one of two (B-023).
func offerSetup(g *Game, f *Frame, open []Card, out []Action) []Action {
	s := g.Asked
	if f.Step == setupKeep {
		return append(out,
			Action{Seat: s, Verb: Pick, As: g.Players[s].Copy, To: None, N: 1},
			Action{Seat: s, Verb: Pass, To: None})
	}
	at := 2 * g.draws(f.Seat, f.N)
	return append(out,
		Action{Seat: s, Verb: Pick, To: None, At: g.Table[at].Slot},
		Action{Seat: s, Verb: Pick, To: None, At: g.Table[at+1].Slot})
}

// draws counts the seats before the n-th that draw a character.
func (g *Game) draws(first Seat, n int8) int {
	c := 0
	for i := range n {
		if g.Players[g.from(first, i)].Character == 0 {
			c++
		}
	}
	return c
}

func takeSetup(g *Game, f *Frame, a Action) {
	p := &g.Players[a.Seat]
	if f.Step == setupKeep {
		if a.Verb == Pick {
			p.Character = p.Copy
			g.emit(Event{Kind: CharacterKept, Seat: a.Seat, To: None, As: p.Character})
		}
		p.Copy = 0
		return
	}
	p.Second = a.At
}

// Former is what the next game of these seats needs to know of this one (B-450 ff.).
func (g *Game) Former() Former {
	f := Former{Sheriff: None}
	for s := range g.N {
		p := &g.Players[s]
		f.Characters[s], f.Alive[s] = p.Character, p.Status == In
		if p.Role == Sheriff {
			f.Sheriff = Seat(s)
		}
	}
	return f
}
