package engine

// OptionID numbers a table option. Every box has its own range; the core owns 0 to 15.
type OptionID uint8

// MaxOptions bounds the option numbers.
const MaxOptions = 64

// Option is one row of the table of options: what may be agreed on before a game. The first value is the default.
type Option struct {
	ID     OptionID
	Name   string   // as players write it: reshuffle
	Values []string // eager, lazy
	Rule   string   // B-062
	Help   string   // one line, for a person
}

// Options holds one value index for every option. The zero value is the default of everything.
type Options [MaxOptions]uint8

// Preset is a named choice of options: classic, third-edition, beginner.
type Preset struct {
	Name   string
	Help   string
	Values [][2]string // option name, value
}

// The options that the core itself reads; the box that needs one has its name, values and rule in its table. Each is
// 0 for the default.
const (
	OptReshuffle       OptionID = iota // 1: lazy (B-062)
	OptBrownDiscard                    // 1: after the effect (B-063)
	OptSelfTarget                      // 1: own cards in play may be taken and dropped (B-114)
	OptOwnDiscard                      // 1: own cards in play may be discarded in phase 2 (B-106)
	OptDuelCredit                      // 1: the opponent (B-164)
	OptVictoryCheck                    // 1: immediate (B-176)
	OptBeerFull                        // 1: forbidden at full life (B-224)
	OptHeir                            // 1: an heir takes the hand only (B-381)
	OptCharacterChoice                 // 1: two characters, one is kept (B-023)
	OptSimplified                      // 1: without the cards of the book symbol (B-029)
	OptSheriffRotation                 // 1: the next seat after a game is Sheriff (B-452)
	OptNames                           // 1: the other name of a card (B-011)
	OptExtras                          // 1: what an answer shows besides its Missed! comes at the end of the unit (D-103)
	OptCopyDies                        // 1: a copied ability ends with the seat it was copied from (D-285)
)
