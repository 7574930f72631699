package engine

// Colour is the border of a card, or what else a row is.
type Colour uint8

// The colours. Weapons are blue cards of which one may be in play (B-010, B-104).
const (
	NoColour Colour = iota
	Brown
	Blue
	Weapon
	Green
	Black
	RoleCard
	CharacterCard
	EventCard
	HouseRule // a rule of a box that no card carries: victory, rewards
)

// Symbol is one thing a card does. Cards are the symbols printed on them; the core knows symbols, never cards.
type Symbol uint8

// The symbols. N of a [Do] is the number of cards, of life points, or the distance of Near.
const (
	NoSymbol  Symbol = iota
	Shoot            // a BANG! effect (section 7)
	Raid             // give up a BANG! card or lose 1 life (B-265)
	Duel             // alternate in giving up BANG! cards (B-270 ff.)
	Heal             // regain N life, never above max life; below 0, of an ability: it costs life
	DrawCards        // N cards from the deck
	Take             // a card of the target into the hand
	Drop             // a card of the target to the discard pile
	Store            // as many open cards as seats alive, picked clockwise (B-240 ff.)
	Dodge            // one Missed! effect; no use on its own initiative (B-210)
	LayOn            // lies in play before the target (B-280)
	Pay              // N hand cards of the player's own choice, as a cost (D-020)
)

// Who is whom a symbol concerns.
type Who uint8

// The targets. Only Near, Reach, Other and Any are named by the player; the rest follows from the symbol.
const (
	Self   Who = iota
	Near       // another seat at distance N or less (B-086)
	Reach      // another seat within the reach of one's weapon (B-085)
	Other      // any other seat
	Any        // any seat
	Others     // every other seat, clockwise, each a unit of its own (B-117)
	All        // every seat, oneself first
)

// Do is one printed symbol.
type Do struct {
	What Symbol
	Who  Who
	N    int8
}

// Numbers are what most rules are. A card's or a character's count for its seat, an event's for every seat.
type Numbers struct {
	// Added up.
	Far   int8 // others see the owner so much farther away (B-082)
	Close int8 // the owner sees others so much nearer
	Flips int8 // cards more for each "draw!", of which one counts (B-331)
	Tries int8 // a "draw!" against each BANG! effect (B-290, B-325)
	Draws int8 // cards more in phase 1
	Sip   int8 // life more from each Beer
	// The greatest counts.
	Range  int8 // reach of the weapon (B-296)
	Bangs  int8 // BANG! cards a turn (B-101)
	Hold   int8 // hand limit, where it is above the life
	Double int8 // Missed! effects that a BANG! card of the owner needs (B-370)
	// In force or not.
	Suit Suit // the suit that every card counts as
	Flat bool // every base distance is 1
	Heir bool // takes the cards of the eliminated (B-380)
}

// Variant adds numbers to a row while an option has another value than its default.
type Variant struct {
	Option OptionID
	Numbers
}

// Loss tells a Lost hook what happened.
type Loss struct {
	Seat   Seat // who lost life
	N      int8 // how much
	Player Seat // who played the card or used the ability that did it, None for a check (B-008)
	Rival  Seat // the opponent, when Seat lost a Duel that it had started itself; else None
}

// Class orders the sources of rules; a Mute acts only on a later class, so nothing muted can mute.
type Class uint8

// Where a rule in force comes from.
const (
	OfEvent Class = iota
	OfHouse
	OfCharacter
	InPlay
	InGear
)

// Source is a row in force.
type Source struct {
	Row  *Row
	Seat Seat // None for events and house rules
	From Class
	Slot Slot // of a card in play
}

// Rule holds what numbers and symbols cannot say: optional functions, all nil in most rows. They are pure functions
// of the game and change it only through its exported methods. me is the owner's seat; for an event or a house
// rule it is the seat that the moment is about.
type Rule struct {
	// Questions.
	Mute   func(g *Game, me Seat, src Source) bool       // is that source out of force?
	As     func(g *Game, me Seat, f Face) Tag            // what may a hand card of me be used as besides?
	Forbid func(g *Game, me Seat, a Action) Reason       // may me not do that?
	Refuse func(g *Game, a Action) Reason                // may this very card not be played so?
	Immune func(g *Game, me, by Seat, faces []Face) bool // does a card of by with these faces leave me alone?
	Due    func(g *Game, me Seat, n int8) int8           // cards due in phase 1; events fold last
	Won    func(g *Game) Outcome                         // is the game decided?
	Phase1 func(g *Game, me Seat, f *Frame) bool         // true: the draw is taken over
	Drawn  func(g *Game, me Seat, f *Frame, c Card) bool // after card f.M of phase 1; true: show it, then it is called again with the face

	// Moments.
	Start   func(g *Game, me Seat)            // the turn begins
	Check   func(g *Game, me Seat, c Slot)    // the card lies before me as the turn begins; Row.Order sorts
	Choose  func(g *Game, me Seat)            // before phase 1
	After   func(g *Game, me Seat)            // after phase 1
	End     func(g *Game, me Seat)            // the turn ends
	Lost    func(g *Game, me Seat, l Loss)    // somebody lost life
	Emptied func(g *Game, me Seat)            // me holds no card any more
	Used    func(g *Game, me Seat, a Action)  // me has played, laid or answered with a hand card
	Reward  func(g *Game, dead, by Seat)      // by is responsible for the elimination (E5)
	Dead    func(g *Game, me, dead Seat)      // another seat was eliminated (E6)
	Trigger func(g *Game, me Seat, t Trigger) // what the moment queued, at the end of the unit (B-116)

	// Actions.
	Offer  func(g *Game, me Seat, at FrameKind, open []Card, out []Action) []Action // what me may do besides
	Act    func(g *Game, me Seat, a Action)                                         // one of these was done
	Effect func(g *Game, a Action)                                                  // a played card that symbols cannot say
	Run    func(g *Game, f *Frame)                                                  // a frame of the row's own has come to the top
	Opened func(g *Game, f *Frame, faces []Face)                                    // the faces which it wanted
}

// Row is one line of a box's table: a card, a character, a role, a house rule.
type Row struct {
	Kind   Kind
	Name   string // as printed
	Other  string // the name under the option names (B-011)
	Slug   string // made from Name by Compile where it is empty
	Box    string // filled in by Compile
	Colour Colour
	Tag    Tag
	Book   bool   // left out of the simplified game (B-029)
	Life   int8   // bullets of a character
	Order  int8   // place among the Checks of a turn, from 1
	Copies string // the physical cards: "2C 3C TD"
	Do     []Do   // symbols in printed order; of a character: what its ability costs and brings, for those who read rows
	Text   string // the effect in our own words
	Rules  string // numbers in the rulebook
	Numbers
	Variant *Variant // numbers under an option, nil mostly
	Rule

	hooks   hook
	numeric bool
	aim     int8 // 1 + index of the symbol with a named target, 0 when there is none
	cost    int8 // hand cards to be paid
}

// hook says which functions a row has, so that a fold looks only at bits.
type hook uint32

const (
	hMute hook = 1 << iota
	hAs
	hForbid
	hImmune
	hDue
	hWon
	hPhase1
	hDrawn
	hStart
	hChoose
	hAfter
	hEnd
	hLost
	hEmptied
	hUsed
	hReward
	hDead
	hOffer
)

func (r *Row) index() {
	for _, h := range []struct {
		has bool
		bit hook
	}{
		{r.Mute != nil, hMute}, {r.As != nil, hAs}, {r.Forbid != nil, hForbid}, {r.Immune != nil, hImmune},
		{r.Due != nil, hDue}, {r.Won != nil, hWon}, {r.Phase1 != nil, hPhase1}, {r.Drawn != nil, hDrawn},
		{r.Start != nil, hStart}, {r.Choose != nil, hChoose}, {r.After != nil, hAfter}, {r.End != nil, hEnd},
		{r.Lost != nil, hLost}, {r.Emptied != nil, hEmptied}, {r.Used != nil, hUsed}, {r.Reward != nil, hReward},
		{r.Dead != nil, hDead}, {r.Offer != nil, hOffer},
	} {
		if h.has {
			r.hooks |= h.bit
		}
	}
	r.numeric = r.Numbers != Numbers{} || r.Variant != nil
	for i, d := range r.Do {
		if d.What == Pay {
			r.cost += d.N
		}
		if d.Who >= Near && d.Who <= Any && r.aim == 0 {
			r.aim = int8(i + 1)
		}
	}
}

// playing says whether the row's cards belong to the deck.
func (r *Row) playing() bool { return r.Colour >= Brown && r.Colour <= Green }

// laid says whether playing the card from the hand puts it into play.
func (r *Row) laid() bool { return r.Colour >= Blue && r.Colour <= Green }

// dodges says whether the card is one Missed! effect first of all (D-002).
func (r *Row) dodges() bool { return len(r.Do) > 0 && r.Do[0].What == Dodge }
