package engine

import (
	"errors"
	"fmt"
)

type state = State

// Game is a State with the rules it is played by, and what has happened since the last [Game.Ready]. It is not safe
// for concurrent use. Its State is promoted for the rules of the boxes; whoever only plays reads it and no more.
type Game struct {
	state
	rules  *Rules
	board  board
	dirty  bool // the board must be rebuilt
	events []Event
	needs  []Need
	arena  []Slot   // where the slots of needs lie; handed out once, never reused
	buf    []Action // offers of the last question
	open   []Card   // the open cards it was asked for
	acts   []Action // where the actions of Legal lie, like arena
}

// Setup says what game to begin.
type Setup struct {
	Seats   int
	Options Options
	Former  *Former // the game before, for a rematch
}

// Former is what a rematch needs of the game before (B-450 ff.).
type Former struct {
	Characters [MaxSeats]Kind
	Alive      [MaxSeats]bool
	Sheriff    Seat // None where there was none
}

// New begins a game. The needs of the set-up are in [Game.Ready] at once.
func New(r *Rules, s Setup) (*Game, error) {
	if s.Seats < 0 || s.Seats > MaxSeats || r.roles[s.Seats] == nil {
		return nil, fmt.Errorf("engine: these boxes have no game for %d seats", s.Seats)
	}
	if err := r.checkOptions(s.Options); err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	characters := 0
	for i := range r.list {
		if r.list[i].Colour == CharacterCard {
			characters++
		}
	}
	if want := s.Seats << s.Options[OptCharacterChoice]; characters < want {
		return nil, fmt.Errorf("engine: %d seats need %d characters, these boxes have %d", s.Seats, want, characters)
	}
	g := &Game{rules: r, dirty: true}
	g.N, g.Options = int8(s.Seats), s.Options
	g.Turn, g.Keeper, g.First, g.Asked, g.state.Next = None, None, None, None, 1
	g.Stack = make([]Frame, 0, 16)
	setup := Frame{Kind: AtSetup, Seat: None, From: None, To: None}
	if f := s.Former; f != nil {
		setup.From, setup.Seat = f.Sheriff, max(f.Sheriff, 0)
		if f.Sheriff < None || f.Sheriff >= Seat(s.Seats) {
			return nil, errors.New("engine: the former Sheriff is not at this table")
		}
		for i := range s.Seats {
			if !f.Alive[i] {
				continue
			}
			if row := r.rows[f.Characters[i]]; row == nil || row.Colour != CharacterCard {
				return nil, fmt.Errorf("engine: seat %d has no former character to keep", i)
			}
			g.Players[i].Copy = f.Characters[i] // until the seat has said whether it keeps it
		}
	}
	g.state.Next += Slot(g.size())
	g.emit(Event{Kind: GameStarted, Seat: None, To: None, N: g.N})
	g.push(setup)
	g.run()
	return g, nil
}

// FromState goes on with a position: a script's, or one decoded from one's own file. The shape is checked, but a
// position can still be one that no game reaches; a peer's position is never taken over, only its log.
func FromState(r *Rules, s State) (*Game, error) {
	if err := s.check(r); err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	g := &Game{state: s.clone(), rules: r, dirty: true}
	switch {
	case g.Opening > 0:
		g.need(Need{Kind: Open, Pile: g.WantedPile, Seat: None, Owner: None, Old: g.lend(g.Wanted)})
	case g.Coin > 0:
		g.need(Need{Kind: Coin, Seat: None, Owner: None, N: g.state.Coin})
	default:
		g.run()
	}
	return g, nil
}

// State is the position, to be read only.
func (g *Game) State() *State { return &g.state }

// Rules are the tables the game is played by.
func (g *Game) Rules() *Rules { return g.rules }

// Clone is an independent copy of the game; what Ready has not yet handed out is not copied.
func (g *Game) Clone() *Game {
	return &Game{state: g.state.clone(), rules: g.rules, dirty: true}
}

// Ready hands out what happened and what is wanted since the last call. Every slice in it is the caller's to keep.
func (g *Game) Ready() Ready {
	r := Ready{Events: g.events[:len(g.events):len(g.events)], Needs: g.needs[:len(g.needs):len(g.needs)], Ask: Ask{Seat: g.Asked}}
	g.events, g.needs = g.events[len(g.events):], g.needs[len(g.needs):]
	if g.Asked != None {
		r.Ask.On = *g.top()
		r.Ask.May = g.may()
	}
	return r
}

// Step does what the asked seat has decided, or lets a seat of [Ask].May come in. On an *[IllegalError] nothing has
// changed. The faces of hidden cards in a are trusted: the dealer has opened them.
func (g *Game) Step(a Action) error {
	if r := g.admit(&a); r != Legal {
		return &IllegalError{Seat: a.Seat, Action: a, Reason: r}
	}
	if a.Seat != g.Asked {
		g.comeIn(a)
	} else {
		g.Asked = None
		f := g.top()
		resolvers[f.Kind].take(g, f, a)
	}
	g.run()
	return nil
}

// errors of Supply.
var (
	errNotWaiting = errors.New("engine: no reply is awaited")
	errFaces      = errors.New("engine: the reply has the wrong number of faces")
	errNumber     = errors.New("engine: the reply's number is out of range")
)

// Supply brings the reply to the last Open or Coin. On error nothing has changed.
func (g *Game) Supply(a Reply) error {
	switch {
	case g.Opening > 0:
		if len(a.Faces) != int(g.Opening) {
			return errFaces
		}
		for i, f := range a.Faces {
			if !g.fits(g.WantedPile, f) {
				return fmt.Errorf("engine: face %d of the reply, %04x, is not in that pack", i, uint16(f))
			}
		}
		g.Opening, g.Wanted, g.WantedPile = 0, g.Wanted[:0], NoPile
		f := g.top()
		resolvers[f.Kind].opened(g, f, a.Faces)
	case g.state.Coin > 0:
		if a.N < 0 || a.N >= g.state.Coin {
			return errNumber
		}
		g.state.Coin = 0
		f := g.top()
		resolvers[f.Kind].coin(g, f, a.N)
	default:
		return errNotWaiting
	}
	g.run()
	return nil
}

// fits says whether f is a face of that pile.
func (g *Game) fits(p Pile, f Face) bool {
	if p == PlayingPile {
		return g.rules.inDeck(f)
	}
	row := g.rules.rows[f.Kind()]
	switch {
	case row == nil || f != MakeFace(row.Kind, 0, NoSuit):
		return false
	case p == RolePile:
		return row.Colour == RoleCard
	case p == CharacterPile:
		return row.Colour == CharacterCard
	}
	return false
}

// run lets the frames work until somebody must decide, something is awaited, or the game is over. Each call of a
// resolver pushes, pops, asks, or moves its own Step on, so there is no loop without progress.
func (g *Game) run() {
	for n := 0; g.Asked == None && g.Opening == 0 && g.state.Coin == 0 && g.Over == NotOver; n++ {
		if n > 10000 {
			panic("engine: internal error: no progress")
		}
		f := g.top()
		resolvers[f.Kind].run(g, f)
	}
}

// Option is the value of one option.
func (g *Game) Option(o OptionID) uint8 { return g.Options[o] }

// Emit adds a line to the log.
func (g *Game) Emit(e Event) { g.emit(e) }

func (g *Game) emit(e Event) {
	if len(g.events) == cap(g.events) {
		next := make([]Event, len(g.events), 2*len(g.events)+64)
		copy(next, g.events)
		g.events = next
	}
	g.events = append(g.events, e)
}

func (g *Game) need(n Need) {
	if len(g.needs) == cap(g.needs) {
		next := make([]Need, len(g.needs), 2*len(g.needs)+16)
		copy(next, g.needs)
		g.needs = next
	}
	g.needs = append(g.needs, n)
}

// room is n slots of the arena.
func (g *Game) room(n int) []Slot {
	if len(g.arena)+n > cap(g.arena) {
		g.arena = make([]Slot, 0, max(256, n))
	}
	at := len(g.arena)
	g.arena = g.arena[:at+n]
	return g.arena[at : at+n : at+n]
}

// lend copies slots into the arena.
func (g *Game) lend(s []Slot) []Slot {
	out := g.room(len(s))
	copy(out, s)
	return out
}

// slotsOf lists the slots of cards in the arena.
func (g *Game) slotsOf(cards []Card) []Slot {
	out := g.room(len(cards))
	for i := range cards {
		out[i] = cards[i].Slot
	}
	return out
}

// one is a list of one slot.
func (g *Game) one(s Slot) []Slot {
	out := g.room(1)
	out[0] = s
	return out
}

// fresh numbers n new slots and returns the first.
func (g *Game) fresh(n int) Slot {
	first := g.state.Next
	g.state.Next += Slot(n)
	return first
}
