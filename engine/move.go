package engine

// Cards move here and nowhere else, so that the board, the empty hand and the empty deck are always noticed.

// take removes the card with that slot from a list, keeping the order of the others.
func take(list *[]Card, s Slot) (Card, bool) {
	for i, c := range *list {
		if c.Slot == s {
			*list = append((*list)[:i], (*list)[i+1:]...)
			return c, true
		}
	}
	return Card{}, false
}

// find returns the card with that slot.
func find(list []Card, s Slot) (Card, bool) {
	for _, c := range list {
		if c.Slot == s {
			return c, true
		}
	}
	return Card{}, false
}

// toHand puts a card into the hand of s, with its face where all know it.
func (g *Game) toHand(s Seat, c Card) {
	p := &g.Players[s]
	p.Hand = append(p.Hand, Card{Slot: c.Slot, Face: c.Face})
}

// toPile lays an open card on the discard pile and logs it as discarded by s.
func (g *Game) toPile(s Seat, c Card) { g.takenOff(s, None, c, 0) }

// takenOff does the same with a card that another seat makes s lose; n is 1 for a card in play.
func (g *Game) takenOff(s, by Seat, c Card, n int8) {
	c = Card{Slot: c.Slot, Face: c.Face}
	g.Discard = append(g.Discard, c)
	g.emit(Event{Kind: Discarded, Seat: s, To: by, Card: c, N: n})
}

// emptied tells the rules in force that the hand of s is empty, when it is.
func (g *Game) emptied(s Seat) {
	if len(g.Players[s].Hand) == 0 && g.In(s) {
		g.moment(hEmptied, s)
	}
}

// spend lays an opened hand card, or a card in play, of s on the discard pile, and says whether it was in the hand.
func (g *Game) spend(s Seat, c Card) bool {
	p := &g.Players[s]
	if _, ok := take(&p.Hand, c.Slot); ok {
		g.Discard = append(g.Discard, Card{Slot: c.Slot, Face: c.Face})
		g.emptied(s)
		return true
	}
	if _, ok := take(&p.Play, c.Slot); ok {
		g.dirty = true
		g.Discard = append(g.Discard, Card{Slot: c.Slot, Face: c.Face})
	}
	return false
}

// used tells the rules in force that a hand card was played, laid or answered with.
func (g *Game) used(a Action) {
	b := g.force()
	if b.has&hUsed == 0 {
		return
	}
	for i := 0; i < len(g.board.src); i++ {
		if src := g.board.src[i]; src.Row.hooks&hUsed != 0 && src.mine(a.Seat) {
			src.Row.Used(g, a.Seat, a)
		}
	}
}

// lay puts a card into play before s; a weapon drives out the one that is there (B-104).
func (g *Game) lay(by, s Seat, c Card) {
	p := &g.Players[s]
	g.dirty = true
	if g.rules.rows[c.Face.Kind()].Colour == Weapon {
		for _, old := range p.Play {
			if g.rules.rows[old.Face.Kind()].Colour == Weapon {
				take(&p.Play, old.Slot)
				g.toPile(s, old)
				break
			}
		}
	}
	p.Play = append(p.Play, Card{Slot: c.Slot, Face: c.Face, Mark: g.TurnNo})
	g.emit(Event{Kind: Laid, Seat: by, To: s, Card: Card{Slot: c.Slot, Face: c.Face}})
}

// DiscardFromPlay moves a card that lies before s to the discard pile.
func (g *Game) DiscardFromPlay(s Seat, at Slot) {
	if c, ok := take(&g.Players[s].Play, at); ok {
		g.dirty = true
		g.toPile(s, c)
	}
}

// MoveInPlay passes a card from before one seat to before another.
func (g *Game) MoveInPlay(from, to Seat, at Slot) {
	if c, ok := take(&g.Players[from].Play, at); ok {
		g.dirty = true
		g.Players[to].Play = append(g.Players[to].Play, c)
		g.emit(Event{Kind: Moved, Seat: from, To: to, Card: Card{Slot: c.Slot, Face: c.Face}})
	}
}

// TakeDiscard moves the top of the discard pile into the hand of s; all know it (B-336).
func (g *Game) TakeDiscard(s Seat) {
	n := len(g.Discard)
	if n == 0 {
		return
	}
	c := g.Discard[n-1]
	g.Discard = g.Discard[:n-1]
	g.toHand(s, c)
	g.emit(Event{Kind: Picked, Seat: s, To: None, Card: c, N: 1})
}

// PlayCard finds a card in play before s by its kind.
func (g *Game) PlayCard(s Seat, k Kind) (Card, bool) {
	for _, c := range g.Players[s].Play {
		if c.Face.Kind() == k {
			return c, true
		}
	}
	return Card{}, false
}

// The deck. "As soon as it is empty" is read literally (B-062): settle is called after each movement that can have
// emptied it, refill when a card is needed. Where an effect holds cards aside, only refill is called until they
// are put away (B-064).

// refill says whether the deck has a card, re-forming it from the discard pile if need be.
func (g *Game) refill() bool {
	if len(g.Deck) == 0 {
		g.reshuffle()
	}
	return len(g.Deck) > 0
}

// settle re-forms an empty deck at once, unless the option says lazy.
func (g *Game) settle() {
	if len(g.Deck) == 0 && g.Options[OptReshuffle] == 0 {
		g.reshuffle()
	}
}

func (g *Game) reshuffle() {
	n := len(g.Discard)
	if n == 0 {
		return
	}
	first := g.fresh(n)
	g.need(Need{Kind: Shuffle, Pile: PlayingPile, Seat: None, Owner: None, Old: g.slotsOf(g.Discard), New: first})
	g.Discard = g.Discard[:0]
	g.pile(&g.Deck, first, n)
	g.emit(Event{Kind: Reshuffled, Seat: None, To: None, N: int8(min(n, 127))})
}

// pile fills a list with n face-down cards in slots first, first+1, …, the last on top.
func (g *Game) pile(list *[]Card, first Slot, n int) {
	*list = (*list)[:0]
	for i := range n {
		*list = append(*list, Card{Slot: first + Slot(i)})
	}
}

// Draw deals n cards from the top of the deck to s, unseen by others (B-060). What is not there is lost (B-065).
func (g *Game) Draw(s Seat, n int8) {
	got := int8(0)
	for got < n && g.refill() {
		k := min(int(n-got), len(g.Deck))
		old := g.room(k)
		for i := range k {
			old[i] = g.Deck[len(g.Deck)-1-i].Slot
			g.toHand(s, Card{Slot: old[i]})
		}
		g.Deck = g.Deck[:len(g.Deck)-k]
		g.need(Need{Kind: Deal, Pile: PlayingPile, Seat: s, Owner: None, Old: old})
		got += int8(k)
		g.emit(Event{Kind: Drew, Seat: s, To: None, N: int8(k)})
		g.settle()
	}
	if got < n {
		g.emit(Event{Kind: NoCards, Seat: s, To: None, N: n - got})
	}
}

// aside lays up to n cards from the top of the deck on the table, face down, and says how many there were.
func (g *Game) aside(n int) int {
	got := 0
	for got < n && g.refill() {
		g.Table = append(g.Table, Card{Slot: g.Deck[len(g.Deck)-1].Slot})
		g.Deck = g.Deck[:len(g.Deck)-1]
		got++
	}
	return got
}

// remask lets the owner of cards mix them: fresh slots, all faces hidden again (B-412).
func (g *Game) remask(owner Seat, cards []Card) {
	first := g.fresh(len(cards))
	g.need(Need{Kind: Remask, Pile: PlayingPile, Seat: owner, Owner: owner, Old: g.slotsOf(cards), New: first})
	for i := range cards {
		cards[i] = Card{Slot: first + Slot(i)}
	}
}

// HandNumber is how many cards s holds.
func (g *Game) HandNumber(s Seat) int { return len(g.Players[s].Hand) }
