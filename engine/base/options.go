package base

import "standoff/engine"

// The options that only this box reads; the others are the core's.
const (
	OptGringoOwnDuel engine.OptionID = iota + 16 // 1: on (B-317)
	OptSidLethal                                 // 1: off (B-361)
	OptSuzy                                      // 1: immediate (B-376)
	OptJailWithout                               // 1: no Jail where there is no Sheriff (D-056); the box that brings such games lists it
)

// options are the table options of B section 20, the default first.
var options = []engine.Option{
	{ID: engine.OptNames, Name: "names", Values: []string{"Scope", "Appaloosa"}, Rule: "B-011",
		Help: "what the horse, or with Dodge City the glass, that brings others nearer is called: Scope and Binocular, or Appaloosa and Silver"},
	{ID: engine.OptCharacterChoice, Name: "characterChoice", Values: []string{"off", "on"}, Rule: "B-023",
		Help: "everybody gets two characters and keeps one"},
	{ID: engine.OptSimplified, Name: "simplified", Values: []string{"off", "on"}, Rule: "B-029",
		Help: "leave out the 13 cards with the book symbol"},
	{ID: engine.OptReshuffle, Name: "reshuffle", Values: []string{"eager", "lazy"}, Rule: "B-062",
		Help: "re-form an empty deck at once, or when a card is needed"},
	{ID: engine.OptBrownDiscard, Name: "brownDiscard", Values: []string{"before", "after"}, Rule: "B-063",
		Help: "a brown card is discarded before or after its effect"},
	{ID: engine.OptSelfTarget, Name: "selfTarget", Values: []string{"off", "on"}, Rule: "B-114",
		Help: "Panic! and Cat Balou may name your own cards in play"},
	{ID: engine.OptOwnDiscard, Name: "ownDiscard", Values: []string{"off", "phase2"}, Rule: "B-106",
		Help: "you may discard your own cards in play in phase 2"},
	{ID: engine.OptDuelCredit, Name: "duelCredit", Values: []string{"cardPlayer", "opponent"}, Rule: "B-164",
		Help: "who is responsible when the challenger loses his Duel"},
	{ID: engine.OptVictoryCheck, Name: "victoryCheck", Values: []string{"afterCard", "immediate"}, Rule: "B-176",
		Help: "look for the winner after the whole card, or at each elimination"},
	{ID: engine.OptBeerFull, Name: "beerFull", Values: []string{"allow", "forbid"}, Rule: "B-224",
		Help: "a Beer at full life may be played without effect"},
	{ID: OptGringoOwnDuel, Name: "gringoOwnDuel", Values: []string{"off", "on"}, Rule: "B-317",
		Help: "El Gringo takes a card from the opponent after losing his own Duel"},
	{ID: OptSidLethal, Name: "sidLethal", Values: []string{"on", "off"}, Rule: "B-361",
		Help: "Sid Ketchum may save himself at the loss of his last life"},
	{ID: OptSuzy, Name: "suzy", Values: []string{"unitEnd", "immediate"}, Rule: "B-376",
		Help: "Suzy Lafayette draws after the card is over, or at once"},
	{ID: engine.OptHeir, Name: "vulture", Values: []string{"all", "handOnly"}, Rule: "B-381",
		Help: "Vulture Sam takes hand and cards in play, or the hand only"},
	{ID: engine.OptSheriffRotation, Name: "sheriffRotation", Values: []string{"off", "on"}, Rule: "B-452",
		Help: "after a game the next player is Sheriff"},
}

var presets = []engine.Preset{
	{Name: "classic", Help: "the game as the 4th edition prints it"},
	{Name: "third-edition", Help: "the game as the 3rd edition prints it",
		Values: [][2]string{{"brownDiscard", "after"}, {"gringoOwnDuel", "on"}, {"names", "Appaloosa"}}},
	{Name: "beginner", Help: "without the cards that need the book", Values: [][2]string{{"simplified", "on"}}},
}
