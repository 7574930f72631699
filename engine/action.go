package engine

// Verb is what a seat does.
type Verb uint8

// The verbs. Every action of every box is one of them.
const (
	NoVerb  Verb = iota
	Play         // a card, from hand or (green) from play
	Answer       // a card against what is asked: Missed!, a BANG! given up, a Beer at death
	Flip         // "draw!" offered by a source (Barrel)
	Pass         // no, or no more
	Pick         // one of the things shown: a table card, a card in play, a seat, a mode
	Act          // an ability named by As
	Discard      // a card of one's own: as a surplus, a cost, an order
	End          // end of phase 2
)

// Action is everything a seat can say. It is comparable and holds no pointer; a hidden hand card that it uses
// is carried opened, face included, and the dealer has checked that face before [Game.Step] sees it.
type Action struct {
	Seat Seat
	Verb Verb
	As   Kind // played or answered as; or whose ability
	Card Card // an own card, opened; the zero Card where none is used
	With Card // a second own card
	To   Seat // target, None where there is none
	At   Slot // a card in play, on the table, or a fresh slot of one's own hand
	N    int8 // mode, number, colour
}
