package enginetest

import (
	"fmt"
	"slices"
	"strings"

	"standoff/engine"
	trusted "standoff/engine/dealer"
)

// Layout is a game in the middle with a dealer who knows every card, for tests of who decides. Its slots are those of
// the packs; what nobody was given lies in the deck.
type Layout struct {
	Rules  *engine.Rules
	Turn   engine.Seat // in phase 2
	Starts bool        // its turn begins instead
	Deck   string      // the top of the deck, first card first
	Chairs []Chair
}

// Chair is one seat of a layout. Cards are written as in "bang:2D"; those in play lie there since an earlier turn.
type Chair struct {
	Role       engine.Role
	Character  string
	Life       int8
	Hand, Play string
	Out        bool
}

// Lay lays it out. Every seat knows its own hand and role.
func (l *Layout) Lay() (*engine.Game, *trusted.Dealer, error) {
	fresh, err := engine.New(l.Rules, engine.Setup{Seats: len(l.Chairs)})
	if err != nil {
		return nil, nil, err
	}
	b := box{rules: l.Rules, piles: map[engine.Pile][]engine.Card{}}
	st := engine.State{N: int8(len(l.Chairs)), First: engine.None, Asked: engine.None, Next: 1, TurnNo: 20}
	for _, p := range fresh.Packs() {
		for i, f := range p.Faces {
			b.piles[p.Pile] = append(b.piles[p.Pile], engine.Card{Slot: p.First + engine.Slot(i), Face: f})
		}
		st.Next = max(st.Next, p.First+engine.Slot(len(p.Faces)))
	}
	known := make([][]engine.Slot, len(l.Chairs))
	for i, c := range l.Chairs {
		known[i] = b.seat(&st.Players[i], c, len(l.Chairs) == 3)
	}
	top := b.cards(l.Deck)
	slices.Reverse(top)
	for _, c := range append(b.piles[engine.PlayingPile], top...) {
		st.Deck = append(st.Deck, engine.Card{Slot: c.Slot})
	}
	if b.err != nil {
		return nil, nil, b.err
	}
	if st.EnterPlay(l.Turn); l.Starts {
		st.BeginTurn(l.Turn)
	}
	g, err := engine.FromState(l.Rules, st)
	if err != nil {
		return nil, nil, err
	}
	d := trusted.New(g, 1)
	for s, slots := range known {
		d.Tell(engine.Seat(s), slots...)
	}
	return g, d, d.Serve()
}

// box holds the cards that are not given out yet.
type box struct {
	rules *engine.Rules
	piles map[engine.Pile][]engine.Card
	err   error // the first
}

// seat gives a player what the chair says, and returns what only that player knows.
func (b *box) seat(p *engine.Player, c Chair, open bool) (known []engine.Slot) {
	kind, ok := b.rules.KindBySlug(c.Character)
	if !ok {
		b.fail(fmt.Errorf("no character %q", c.Character))
		return nil
	}
	p.Character, p.Max, p.Life = kind, b.rules.Row(kind).Life, c.Life
	if c.Role == engine.Sheriff {
		p.Max++
	} else {
		p.RoleSlot = b.draw(engine.RolePile, engine.MakeFace(engine.Kind(c.Role), 0, engine.NoSuit)).Slot
		known = append(known, p.RoleSlot)
	}
	if c.Role == engine.Sheriff || open || c.Out {
		p.Role = c.Role
	}
	p.Play = b.cards(c.Play)
	for _, card := range b.cards(c.Hand) {
		p.Hand = append(p.Hand, engine.Card{Slot: card.Slot})
		known = append(known, card.Slot)
	}
	if c.Out {
		p.Status, p.Life = engine.Out, 0
	}
	return known
}

func (b *box) cards(list string) (out []engine.Card) {
	for _, s := range strings.Fields(list) {
		f, err := b.rules.ParseFace(s)
		if err != nil {
			b.fail(err)
			return out
		}
		out = append(out, b.draw(engine.PlayingPile, f))
	}
	return out
}

func (b *box) draw(pile engine.Pile, f engine.Face) engine.Card {
	cards := b.piles[pile]
	i := slices.IndexFunc(cards, func(c engine.Card) bool { return c.Face == f })
	if i < 0 {
		b.fail(fmt.Errorf("no card %s is left", b.rules.FormatFace(f)))
		return engine.Card{}
	}
	c := cards[i]
	b.piles[pile] = slices.Delete(cards, i, i+1)
	return c
}

func (b *box) fail(err error) {
	if b.err == nil {
		b.err = err
	}
}
