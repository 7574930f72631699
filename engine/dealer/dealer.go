package dealer

import (
	"errors"
	"fmt"

	"standoff/engine"
)

// ErrFalseFace says that an action opened a card with a face that it does not have.
var ErrFalseFace = errors.New("the opened card has another face")

// Dealer holds all cards of one game and serves its needs. It belongs to that game alone and to one goroutine.
type Dealer struct {
	g      *engine.Game
	chance Chance
	prints []engine.Face // by number of the physical card: what is printed on it
	cards  []int16       // by slot: the physical card that lies there, gone where the slot is no more
	known  [engine.MaxSeats]engine.Knowledge
	events []engine.Event
	ask    engine.Ask
	read   bool // the events have been fetched
	perm   []int
	moved  []int16
	faces  []engine.Face
}

// gone marks a slot without a card.
const gone int16 = -1

// tidyAt is the number of entries from which on a Knowledge is looked through for cards that are gone or public.
const tidyAt = 16

// New makes the dealer of g; the same seed deals the same cards. Nothing is dealt before [Dealer.Serve].
func New(g *engine.Game, seed uint64) *Dealer { return With(g, Seeded(seed)) }

// WithOrder makes a dealer that shuffles, remasks and tosses as o says. A game that wants more than o has, or a
// permutation of another length, makes Serve return an error.
func WithOrder(g *engine.Game, o Order) *Dealer { return With(g, &fixed{o}) }

// With makes a dealer with any source of luck.
func With(g *engine.Game, c Chance) *Dealer {
	d := &Dealer{g: g, chance: c, cards: make([]int16, 1, 512)}
	d.cards[0] = gone
	for _, p := range g.Packs() {
		d.reach(p.First + engine.Slot(len(p.Faces)))
		for i, f := range p.Faces {
			d.cards[p.First+engine.Slot(i)] = int16(len(d.prints))
			d.prints = append(d.prints, f)
		}
	}
	return d
}

// Clone makes an independent dealer for g, a clone of this dealer's game. Only a seeded dealer can be cloned.
func (d *Dealer) Clone(g *engine.Game) *Dealer {
	luck := *d.chance.(*seeded)
	c := &Dealer{g: g, chance: &luck, prints: d.prints, cards: append([]int16(nil), d.cards...)}
	for s, k := range d.known {
		c.known[s] = append(engine.Knowledge(nil), k...)
	}
	return c
}

// Serve carries out all needs and supplies all answers until a seat is asked or the game is over.
func (d *Dealer) Serve() error {
	if d.read {
		d.events, d.read = d.events[:0], false
	}
	for {
		r := d.g.Ready()
		d.events = append(d.events, r.Events...)
		waits := false
		for _, n := range r.Needs {
			reply, answers, err := d.Carry(n)
			if err == nil && answers {
				waits = true
				err = d.g.Supply(reply)
			}
			if err != nil {
				return fmt.Errorf("need %d of %v: %w", n.Kind, n.Old, err)
			}
		}
		if !waits {
			d.ask = r.Ask
			return nil
		}
	}
}

// Step checks that the cards which a opens are what it says, steps the game and serves what follows. When the
// faces are false or the action is illegal nothing has changed.
func (d *Dealer) Step(a engine.Action) error {
	if !d.honest(a.Card) || !d.honest(a.With) {
		return fmt.Errorf("seat %d: %w", a.Seat, ErrFalseFace)
	}
	if err := d.g.Step(a); err != nil {
		return err
	}
	return d.Serve()
}

// ComeIn lets a seat of [engine.Ask].May use its any-time ability, and serves what follows (B-363 d).
func (d *Dealer) ComeIn(s engine.Seat) error {
	if err := d.g.ComeIn(s); err != nil {
		return err
	}
	return d.Serve()
}

// Open fills in the faces of the cards that a uses: a default action names hidden cards by their slot alone.
func (d *Dealer) Open(a engine.Action) engine.Action {
	if a.Card.Slot != 0 {
		a.Card.Face = d.Face(a.Card.Slot)
	}
	if a.With.Slot != 0 {
		a.With.Face = d.Face(a.With.Slot)
	}
	return a
}

// Knowledge is what seat s knows privately now. It is the dealer's own list: read it before the next Serve.
func (d *Dealer) Knowledge(s engine.Seat) engine.Knowledge { return d.known[s] }

// View is the game as seat s sees it now.
func (d *Dealer) View(s engine.Seat) engine.View { return d.g.View(s, d.known[s]) }

// Face is the true face of a slot, 0 when no card lies there (any more).
func (d *Dealer) Face(s engine.Slot) engine.Face {
	if n := d.Number(s); n >= 0 {
		return d.prints[n]
	}
	return 0
}

// Number is the physical card in a slot, counted over all packs of the game in their order, or -1.
func (d *Dealer) Number(s engine.Slot) int {
	if int(s) >= len(d.cards) {
		return int(gone)
	}
	return int(d.cards[s])
}

// Ask is the question that the game stands at, its seat None when the game is over.
func (d *Dealer) Ask() engine.Ask { return d.ask }

// Events are what has happened since the last call, oldest first; valid until the next Serve.
func (d *Dealer) Events() []engine.Event {
	if d.read {
		return nil
	}
	d.read = true
	return d.events
}

// Swap lets two hidden cards change places; every seat that knew one of them knows the new truth. It serves the
// test that nobody's view depends on a card that the viewer cannot know.
func (d *Dealer) Swap(a, b engine.Slot) {
	d.cards[a], d.cards[b] = d.cards[b], d.cards[a]
	for s := range d.known {
		for i := range d.known[s] {
			if k := &d.known[s][i]; k.Slot == a || k.Slot == b {
				k.Face = d.Face(k.Slot)
			}
		}
	}
}

func (d *Dealer) honest(c engine.Card) bool {
	return c.Slot == 0 || c.Face != 0 && d.Face(c.Slot) == c.Face
}

// reach makes room for all slots below end.
func (d *Dealer) reach(end engine.Slot) {
	for len(d.cards) < int(end) {
		d.cards = append(d.cards, gone)
	}
}
