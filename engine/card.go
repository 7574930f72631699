package engine

// Kind is a row of the tables: a playing card, a character, a role, an event, an equipment.
// Every box has its own range; the core owns 1 to 15, where the roles' own cards live.
type Kind uint8

// Tag names what the rules themselves name (B-006): a BANG! card, a Missed! card, a Beer card. Tags are OR-ed.
type Tag uint8

// The only card names the rules use by themselves.
const (
	Bang Tag = 1 << iota
	Missed
	Beer
)

// Suit of a playing card.
type Suit uint8

// The suits; NoSuit is what roles and characters have.
const (
	NoSuit Suit = iota
	Spades
	Hearts
	Diamonds
	Clubs
)

// Rank of a playing card, 2 to 14; Jack 11, Queen 12, King 13, Ace 14 (B-010). 0 for cards without a rank.
type Rank uint8

// Face is what is printed on a card: kind<<8 | rank<<4 | suit. 0 is a face-down card.
// Physical cards with the same print have the same Face.
type Face uint16

// Slot is one place of one physical card since its last shuffle or remask. Slots come from a counter
// that starts at 1 and are never reused, so a stale slot points nowhere. 0 is no slot.
type Slot uint32

// Card is a card on the table or in a hand: its slot and, where everybody may know it, its face.
type Card struct {
	Slot Slot
	Face Face
	Mark int16 // turn in which it was laid (D-011), or uses this turn
}

// Pile tells the packs apart that come out of the boxes. Cards never pass from one pile to another.
type Pile uint8

// The packs. Pack p of a game is the ordered list of its physical cards; see [Game.Packs].
const (
	NoPile Pile = iota
	RolePile
	CharacterPile
	PlayingPile
	EventPile
	ShopPile
)

// Pack is one pile as it comes out of the box: the cards lie open in slots First, First+1, …, and card i of
// the list is physical card number i of the pile. A dealer needs nothing else to know which card is which.
type Pack struct {
	Pile  Pile
	First Slot
	Faces []Face
}
