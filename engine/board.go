package engine

// board is which rules are in force and what they add up to. It is computed from the State after a change on the
// table and never stored, so no rule is ever registered or forgotten.
type board struct {
	num   [MaxSeats]Numbers
	src   []Source // rows with hooks: event, house rules, characters, cards in play, gear; clockwise from the turn
	has   hook
	pos   [MaxSeats]int8 // place among the living
	alive int8
}

func (n *Numbers) add(m *Numbers) {
	n.Far += m.Far
	n.Close += m.Close
	n.Flips += m.Flips
	n.Tries += m.Tries
	n.Draws += m.Draws
	n.Sip += m.Sip
	n.Range = max(n.Range, m.Range)
	n.Bangs = max(n.Bangs, m.Bangs)
	n.Hold = max(n.Hold, m.Hold)
	n.Double = max(n.Double, m.Double)
	n.Suit = max(n.Suit, m.Suit)
	n.Flat = n.Flat || m.Flat
	n.Heir = n.Heir || m.Heir
}

// force is the board, rebuilt when something on the table has changed.
func (g *Game) force() *board {
	if g.dirty {
		g.dirty = false
		g.rebuild()
	}
	return &g.board
}

func (g *Game) rebuild() {
	b := &g.board
	b.num, b.src, b.has, b.alive = [MaxSeats]Numbers{}, b.src[:0], 0, 0
	for s := Seat(0); s < Seat(g.N); s++ {
		b.pos[s] = b.alive
		if g.Players[s].Status != Out {
			b.alive++
		}
	}
	if g.Event != 0 {
		g.enforce(g.Event, None, OfEvent, 0)
	}
	for _, row := range g.rules.house {
		g.enforce(row.Kind, None, OfHouse, 0)
	}
	for i, s := Seat(0), max(g.Turn, 0); i < Seat(g.N); i, s = i+1, g.left(s) {
		if p := &g.Players[s]; p.Status != Out {
			g.enforce(p.Character, s, OfCharacter, 0)
			g.enforce(p.Copy, s, OfCharacter, 0)
		}
	}
	for i, s := Seat(0), max(g.Turn, 0); i < Seat(g.N); i, s = i+1, g.left(s) {
		if p := &g.Players[s]; p.Status != Out {
			for j := range p.Play {
				g.enforce(p.Play[j].Face.Kind(), s, InPlay, p.Play[j].Slot)
			}
			for j := range p.Gear {
				g.enforce(p.Gear[j].Face.Kind(), s, InGear, p.Gear[j].Slot)
			}
		}
	}
}

// enforce puts a row on the board unless a source of an earlier class mutes it.
func (g *Game) enforce(k Kind, s Seat, from Class, slot Slot) {
	row := g.rules.rows[k]
	if row == nil || row.hooks == 0 && !row.numeric {
		return
	}
	b := &g.board
	if b.has&hMute != 0 {
		for i := range b.src {
			if m := &b.src[i]; m.Row.hooks&hMute != 0 && m.From < from && m.Row.Mute(g, m.Seat, Source{row, s, from, slot}) {
				return
			}
		}
	}
	if row.numeric {
		g.count(s, &row.Numbers)
		if v := row.Variant; v != nil && g.Options[v.Option] != 0 {
			g.count(s, &v.Numbers)
		}
	}
	if row.hooks != 0 {
		b.has |= row.hooks
		b.src = append(b.src, Source{row, s, from, slot})
	}
}

// count adds the numbers of a row to those of its seat, or of every seat.
func (g *Game) count(s Seat, n *Numbers) {
	b := &g.board
	if s != None {
		b.num[s].add(n)
		return
	}
	for i := range b.num {
		b.num[i].add(n)
	}
}

// mine says whether a source speaks for seat s: its own, an event's or a house rule's.
func (src *Source) mine(s Seat) bool { return src.Seat == s || src.Seat == None }

// left is the next seat clockwise, in the game or not.
func (g *Game) left(s Seat) Seat {
	if s++; s >= Seat(g.N) {
		return 0
	}
	return s
}

// NextSeat is the next seat clockwise that is in the game, s itself when it is the only one (B-005).
func (g *Game) NextSeat(s Seat) Seat {
	for t := g.left(s); t != s; t = g.left(t) {
		if g.Players[t].Status != Out {
			return t
		}
	}
	return s
}

// Alive counts the seats in the game.
func (g *Game) Alive() int { return int(g.force().alive) }

// In says whether s is a seat that is in the game.
func (g *Game) In(s Seat) bool { return s >= 0 && s < Seat(g.N) && g.Players[s].Status != Out }

// Numbers are what the rules in force add up to for s.
func (g *Game) Numbers(s Seat) Numbers { return g.force().num[s] }

// Distance is how far from sees to: the shorter way round the living, plus what makes to farther, minus what brings
// others nearer to from, at least 1 (B-080 ff.). 0 for oneself and for a seat that is out.
func (g *Game) Distance(from, to Seat) int {
	if from == to || !g.In(from) || !g.In(to) {
		return 0
	}
	b := g.force()
	d := b.pos[to] - b.pos[from]
	if d < 0 {
		d = -d
	}
	d = min(d, b.alive-d)
	if b.num[from].Flat {
		d = 1
	}
	return int(max(1, d+b.num[to].Far-b.num[from].Close))
}

// Reach is how far s can aim: its weapon's range, 1 without one (B-085).
func (g *Game) Reach(s Seat) int { return int(max(1, g.force().num[s].Range)) }

// HandLimit is what s may hold at the end of its turn (B-047).
func (g *Game) HandLimit(s Seat) int { return int(max(0, g.Players[s].Life, g.force().num[s].Hold)) }

// Suit is what the suit of f counts as now; every rule about suits looks here.
func (g *Game) Suit(s Seat, f Face) Suit {
	if b := g.force(); b.num[s].Suit != NoSuit {
		return b.num[s].Suit
	}
	return f.Suit()
}

// Tags are what a hand card of s with face f is and may be used as.
func (g *Game) Tags(s Seat, f Face) Tag {
	var t Tag
	if row := g.rules.rows[f.Kind()]; row != nil {
		t = row.Tag
	}
	if b := g.force(); b.has&hAs != 0 {
		for i := range b.src {
			if src := &b.src[i]; src.Row.hooks&hAs != 0 && src.mine(s) {
				t |= src.Row.As(g, s, f)
			}
		}
	}
	return t
}

// forbidden asks the rules in force about an action of s.
func (g *Game) forbidden(a *Action) Reason {
	b := g.force()
	if b.has&hForbid == 0 {
		return Legal
	}
	for i := range b.src {
		if src := &b.src[i]; src.Row.hooks&hForbid != 0 && src.mine(a.Seat) {
			if r := src.Row.Forbid(g, a.Seat, *a); r != Legal {
				return r
			}
		}
	}
	return Legal
}

// Immune says whether a card of by with these faces leaves s alone.
func (g *Game) Immune(s, by Seat, faces ...Face) bool {
	b := g.force()
	if b.has&hImmune == 0 || s == by {
		return false
	}
	for i := range b.src {
		if src := &b.src[i]; src.Row.hooks&hImmune != 0 && src.mine(s) && src.Row.Immune(g, s, by, faces) {
			return true
		}
	}
	return false
}

// moment calls a hook without operands for the sources that speak for s.
func (g *Game) moment(h hook, s Seat) {
	b := g.force()
	if b.has&h == 0 {
		return
	}
	for i := 0; i < len(g.board.src); i++ {
		src := g.board.src[i]
		if src.Row.hooks&h == 0 || !src.mine(s) {
			continue
		}
		switch h {
		case hStart:
			src.Row.Start(g, s)
		case hChoose:
			src.Row.Choose(g, s)
		case hAfter:
			src.Row.After(g, s)
		case hEnd:
			src.Row.End(g, s)
		case hEmptied:
			src.Row.Emptied(g, s)
		}
	}
}
