package engine

// Player is what everybody can see of one seat.
type Player struct {
	Role      Role // NoRole while face down
	RoleSlot  Slot // the role card, 0 for the Sheriff, who has none in the pile
	Status    Status
	Character Kind
	Copy      Kind // a character copied for the time being
	Second    Slot // a second character, sealed
	Life, Max int8
	Nuggets   int8
	Used      int8   // uses of the ability this turn
	Side      Role   // only for a shadow Renegade
	Away      bool   // answers by default until it returns
	Done      bool   // has reached an aim of its own for which it wins (D-052)
	Expelled  bool   // is eliminated as soon as nothing is being resolved
	Hand      []Card // Face 0 unless everybody may know it
	Play      []Card
	Gear      []Card
}

// State is everything that a careful onlooker could write down, and nothing else: no hidden face has a place in
// it. It is plain data without pointers to shared things; the same actions and answers give the same State on
// every machine.
type State struct {
	Options Options
	N       int8 // seats
	Players [MaxSeats]Player

	Turn, Keeper, First Seat // in turn; who the turn order starts with; first eliminated
	Lap, TurnNo         int16
	Bangs, Extra        int8
	Event               Kind

	Deck, Discard, Table []Card // the top is last; Table: laid aside by the open question
	Events, Shop, Store  []Card

	Played []Card // brown cards whose effect is going on (brownDiscard = after, B-063)

	Stack []Frame   // open questions, the innermost last
	Queue []Trigger // abilities that wait for the end of the unit (B-116)

	// Exactly one of these four says what the game waits for.
	Asked   Seat    // a decision, None otherwise
	Opening int8    // that many faces, those of Wanted
	Coin    int8    // a number below it (Coin), or an index (Find)
	Over    Outcome // the end

	Wanted     []Slot // what Opening waits for, in its order
	WantedPile Pile

	Result int8 // what the last resolver left: 1 done (cancelled, paid), 0 not
	Flip   Face // what the last "draw!" left, 0 when no card was available (B-065)
	Duty   Slot
	Named  Suit
	Next   Slot // the next fresh slot
}

// Outcome is how a game ended.
type Outcome uint8

// The outcomes (B section 9, D-051 ff.).
const (
	NotOver Outcome = iota
	LawWins
	OutlawsWin
	RenegadeWins
	DeputyWins // three players
	OutlawWins // three players
)

// Trigger is an ability waiting for the end of its unit.
type Trigger struct {
	Kind     Kind
	Seat, By Seat
	N        int8
}

// FrameKind names a resolver.
type FrameKind uint8

// Frame is one open question or unit in work: plain data, resolved by the table of resolvers.
type Frame struct {
	Kind           FrameKind
	Step           uint8
	Seat, From, To Seat
	N, M           int8
	Tag            Tag
	As             Kind
	Card           Card
	At             Slot
}
