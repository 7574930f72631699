package engine

import "fmt"

// Reason says why an action is not legal. Front ends translate it; String is plain English.
type Reason uint8

// The reasons, from the general to the particular. 0 means that nothing stands against the action.
const (
	Legal      Reason = iota
	NotOffered        // none of the things that can be done now
	GameIsOver
	NotAsked     // somebody else decides now
	NotYourTurn  // and only the seat in turn may do that
	NotYourCard  // the slot is not in the seat's hand or play area, or shows another face
	NotACard     // no pack has such a face
	WrongPhase   // not at this moment of the turn
	NoUseHere    // the card, the answer or the ability has no use against what is asked
	NotPlayable  // the card cannot be played on its own initiative
	NoTarget     // it needs a target and none was named
	TargetOut    // the target is not in the game
	TargetSelf   // not at oneself (B-114)
	OutOfReach   // farther than the weapon reaches (B-085)
	TooFar       // farther than the card reaches (B-086)
	BangLimit    // limit of BANG! cards reached (B-101)
	SameName     // a card of the same name in play there (B-103)
	SheriffSafe  // not before the Sheriff (B-280)
	NothingThere // the target has no such card (B-250)
	HandTooSmall // the cost cannot be paid
	FullLife     // nothing to regain
	TwoLeft      // a Beer is void with two players left (B-222)
	UsedUp       // not again this turn or against this attack
	Forbidden    // a rule in force forbids it
	JustLaid     // a green card, in the turn in which it was laid (D-011)
	OutOfForce   // a card in play that has no effect now
)

var reasonTexts = [...]string{
	Legal:        "legal",
	NotOffered:   "that cannot be done now",
	GameIsOver:   "the game is over",
	NotAsked:     "somebody else must decide first",
	NotYourTurn:  "it is not your turn",
	NotYourCard:  "that card is not yours to use",
	NotACard:     "there is no such card",
	WrongPhase:   "not at this moment",
	NoUseHere:    "that is no answer here",
	NotPlayable:  "that card is only an answer",
	NoTarget:     "it needs a target",
	TargetOut:    "the target is out of the game",
	TargetSelf:   "it cannot be used on oneself",
	OutOfReach:   "the target is out of range",
	TooFar:       "the target is too far away for this card",
	BangLimit:    "the limit of BANG! cards for this turn is reached",
	SameName:     "a card of the same name is in play there",
	SheriffSafe:  "it cannot be laid before the Sheriff",
	NothingThere: "there is no such card to take",
	HandTooSmall: "there are not enough cards in hand to pay for it",
	FullLife:     "life is full",
	TwoLeft:      "a Beer has no effect with two players left",
	UsedUp:       "it has been used already",
	Forbidden:    "a rule in force forbids it",
	JustLaid:     "it was laid in this turn",
	OutOfForce:   "it has no effect now",
}

// String is the reason in English.
func (r Reason) String() string {
	if int(r) >= len(reasonTexts) {
		return "unknown reason"
	}
	return reasonTexts[r]
}

// IllegalError is what [Game.Step] returns for an action that the rules do not allow. Nothing has changed.
type IllegalError struct {
	Seat   Seat
	Action Action
	Reason Reason
}

// Error names seat and reason.
func (e *IllegalError) Error() string {
	return fmt.Sprintf("illegal action of seat %d: %s", e.Seat, e.Reason)
}
