package engine

// Elimination, B-150 ff.: role, cards, reward, abilities.
const (
	dieOut    uint8 = iota // E1, E2: the role is opened
	dieCards               // E3, E4
	dieRest                // what an heir of the hand left in play (B-381)
	dieReward              // E5
	dieOthers              // E6
	dieDone                // E7, with victoryCheck = immediate
)

func runDie(g *Game, f *Frame) {
	dead, by := f.Seat, f.From
	p := &g.Players[dead]
	switch f.Step {
	case dieOut:
		f.Step = dieCards
		p.Life = 0
		g.emit(Event{Kind: Eliminated, Seat: dead, To: by})
		if p.Role == NoRole && p.RoleSlot != 0 {
			g.reveal(RolePile, dead, g.one(p.RoleSlot))
		}
	case dieCards:
		f.Step = dieRest
		p.Status, g.dirty = Out, true
		if g.Options[OptCopyDies] != 0 {
			g.endCopies(p.Character)
		}
		if g.First == None {
			g.First = dead
		}
		g.bequeath(dead)
	case dieRest:
		f.Step = dieReward
		if len(p.Hand)+len(p.Play) > 0 {
			g.Strip(dead)
		}
	case dieReward:
		f.Step = dieOthers
		if by != None && g.In(by) {
			g.reward(dead, by)
		}
	case dieOthers:
		f.Step = dieDone
		b := g.force()
		if b.has&hDead == 0 {
			return
		}
		for i := 0; i < len(g.board.src); i++ {
			if src := g.board.src[i]; src.Row.hooks&hDead != 0 {
				src.Row.Dead(g, src.Seat, dead)
			}
		}
	default:
		g.pop()
		if g.Options[OptVictoryCheck] != 0 {
			g.decide()
		}
	}
}

func openedDie(g *Game, f *Frame, faces []Face) {
	g.showRole(f.Seat, Role(faces[0].Kind()))
}

func (g *Game) showRole(s Seat, r Role) {
	g.Players[s].Role = r
	g.emit(Event{Kind: RoleShown, Seat: s, To: None, N: int8(r)})
}

// endCopies takes a copied ability back (D-285).
func (g *Game) endCopies(k Kind) {
	for i := range g.N {
		if p := &g.Players[i]; p.Copy == k {
			p.Copy = 0
		}
	}
}

// reward asks the other way round: cards and characters first, house rules and the event last.
func (g *Game) reward(dead, by Seat) {
	b := g.force()
	if b.has&hReward == 0 {
		return
	}
	for i := len(g.board.src) - 1; i >= 0; i-- {
		if i >= len(g.board.src) {
			continue
		}
		if src := g.board.src[i]; src.Row.hooks&hReward != 0 {
			src.Row.Reward(g, dead, by)
		}
	}
}

// bequeath gives the cards of the dead to the seat that inherits them, if there is one (B-381), to two in turn (D-287).
func (g *Game) bequeath(dead Seat) {
	heirs := [2]Seat{None, None}
	b := g.force()
	for s, i := g.left(dead), 0; s != dead && i < 2; s = g.left(s) {
		if g.In(s) && b.num[s].Heir {
			heirs[i] = s
			i++
		}
	}
	p := &g.Players[dead]
	hand, play := len(p.Hand), len(p.Play)
	if g.Options[OptHeir] != 0 {
		play = 0
	}
	switch {
	case heirs[0] == None || hand+play == 0:
	case heirs[1] != None:
		g.push(Frame{Kind: AtInherit, Seat: heirs[0], From: heirs[1], To: dead})
	default:
		to := heirs[0]
		if hand > 0 {
			g.need(Need{Kind: Give, Pile: PlayingPile, Seat: to, Owner: dead, Old: g.slotsOf(p.Hand)})
			for _, c := range p.Hand {
				g.toHand(to, c)
				g.emit(Event{Kind: Took, Seat: to, To: dead, Card: c})
			}
			p.Hand = p.Hand[:0]
		}
		if play > 0 {
			for _, c := range p.Play {
				g.toHand(to, c)
				g.emit(Event{Kind: Took, Seat: to, To: dead, Card: Card{Slot: c.Slot, Face: c.Face}, N: 1})
			}
			p.Play, g.dirty = p.Play[:0], true
		}
	}
}

// Two heirs take one card each, in turn, beginning with Seat.
func runInherit(g *Game, f *Frame) {
	p := &g.Players[f.To]
	if len(p.Hand) == 0 && (len(p.Play) == 0 || g.Options[OptHeir] != 0) {
		g.pop()
		return
	}
	g.ask(f.Seat)
}

func offerInherit(g *Game, f *Frame, open []Card, out []Action) []Action {
	return g.offerLoot(f.Seat, f.To, g.Options[OptHeir] == 0, out)
}

// offerLoot lists what s can name of another seat's cards: the hand, of which chance takes one, or a card in play.
func (g *Game) offerLoot(s, of Seat, play bool, out []Action) []Action {
	p := &g.Players[of]
	if len(p.Hand) > 0 {
		out = append(out, Action{Seat: s, Verb: Pick, To: of})
	}
	if play {
		for _, c := range p.Play {
			out = append(out, Action{Seat: s, Verb: Pick, To: of, At: c.Slot})
		}
	}
	return out
}

func takeInherit(g *Game, f *Frame, a Action) {
	f.Seat, f.From = f.From, f.Seat
	g.Steal(a.Seat, a.To, a.At, true)
}

// Strip lets s lay down hand and play area, in its own order (B-153, B-161).
func (g *Game) Strip(s Seat) { g.push(Frame{Kind: AtOrder, Seat: s, From: None, To: None}) }

func runOrder(g *Game, f *Frame) {
	p := &g.Players[f.Seat]
	if f.Step == 0 { // all of it becomes public anyway, so the hand is opened at once
		f.Step = 1
		var old []Slot
		for _, c := range p.Hand {
			if c.Face == 0 {
				old = append(old, c.Slot)
			}
		}
		if len(old) > 0 {
			g.reveal(PlayingPile, f.Seat, g.lend(old))
			return
		}
	}
	if f.Step == 1 && len(p.Hand)+len(p.Play) > 1 {
		g.ask(f.Seat)
		return
	}
	// The default order: play area oldest first, then the hand in the order acquired (B-155).
	s := f.Seat
	g.pop()
	for _, c := range p.Play {
		g.toPile(s, c)
	}
	for _, c := range p.Hand {
		g.toPile(s, c)
	}
	p.Play, p.Hand, g.dirty = p.Play[:0], p.Hand[:0], true
	g.emptied(s)
}

func openedOrder(g *Game, f *Frame, faces []Face) {
	hand := g.Players[f.Seat].Hand
	for i := range hand {
		if hand[i].Face == 0 {
			hand[i].Face, faces = faces[0], faces[1:]
		}
	}
}

func offerOrder(g *Game, f *Frame, open []Card, out []Action) []Action {
	p := &g.Players[f.Seat]
	for _, c := range p.Play {
		out = append(out, Action{Seat: f.Seat, Verb: Discard, Card: Card{Slot: c.Slot, Face: c.Face}, To: None})
	}
	for _, c := range p.Hand {
		out = append(out, Action{Seat: f.Seat, Verb: Discard, Card: c, To: None})
	}
	return append(out, Action{Seat: f.Seat, Verb: Pass, To: None})
}

func takeOrder(g *Game, f *Frame, a Action) {
	if a.Verb == Pass {
		f.Step = 2
		return
	}
	p := &g.Players[a.Seat]
	if _, ok := take(&p.Hand, a.Card.Slot); !ok {
		take(&p.Play, a.Card.Slot)
		g.dirty = true
	}
	g.toPile(a.Seat, a.Card)
}
