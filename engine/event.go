package engine

// EventKind is one kind of line in the log.
type EventKind uint8

// What can happen. The log, an animation and a replay are this one list. Where a card is hidden its Face is 0:
// an event says what happened, never what is known.
const (
	NoEvent       EventKind = iota
	GameStarted             // N seats
	SheriffIs               // Seat
	CharacterIs             // Seat, Kind in As
	CharacterKept           // Seat keeps As from the last game (B-450)
	Dealt                   // Seat gets N cards to start with
	TurnStarted             // Seat; N = 1: an extra turn
	TurnSkipped             // Seat, because of Card
	TurnEnded               // Seat
	Drew                    // Seat draws N cards from the deck; Card when it is shown
	Reshuffled              // N cards become the new deck
	NoCards                 // Seat should have drawn N more, nothing is left
	Flipped                 // Seat flips Card; N = 1: it counts, 0: it does not (Lucky Duke's other card)
	FlipResult              // Seat, Card of the source; N = 1 success, 0 failure
	Played                  // Seat plays Card as As at To
	Laid                    // Seat puts Card into play before To
	Used                    // Seat uses the ability As, or the green Card lying before it, at To
	Attacked                // Seat attacks To with As; N Missed! needed
	Answered                // Seat answers with Card as As
	Passed                  // Seat gives no (further) answer; N = 1: and saves itself no more (B-221), N = 2: it does not come in (B-366)
	Missing                 // the attack of Seat on To is cancelled
	LostLife                // Seat loses N, To responsible or None
	Healed                  // Seat regains N
	NoEffect                // Card of Seat has no effect on To
	Discarded               // Seat discards Card; To: whose card or ability takes it off Seat, N = 1 from play, 0 from hand
	Took                    // Seat takes a card of To; Card shown when all may know it; N = 1 from play, 0 from hand
	Gave                    // Seat gives To a hidden card
	Returned                // Seat puts N hidden cards back on the deck
	Revealed                // Card is laid open on the table (General Store)
	Picked                  // Seat takes Card from the table
	Moved                   // Card passes from Seat to To in play (Dynamite)
	Copied                  // Seat copies character As
	Eliminated              // Seat, To responsible or None
	RoleShown               // Seat is N (a Role)
	Rewarded                // Seat gets N cards for To
	Penalised               // Seat loses everything for To
	WentAway                // Seat answers by default from now on; N 1: it is out of the game
	CameBack                // Seat decides for itself again; N 1: it is out of the game
	GameOver                // N is the Outcome; one Won line per winner follows
	Won                     // Seat wins
	EventShown              // event As is turned
	Bought                  // Seat buys As for N
	Nuggets                 // Seat has N more (or fewer)
	BoxEvent                // Seat, To, As, N: told by the row As of a box in its own words
)

// Event is one line of the log.
type Event struct {
	Kind     EventKind
	Seat, To Seat
	As       Kind
	Card     Card
	N        int8
}
