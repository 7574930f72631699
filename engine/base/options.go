package base

import "standoff/engine"

// The options that only this box reads; the others are the core's.
const (
	OptGringoOwnDuel engine.OptionID = iota + 16 // 1: on (B-317)
	OptSidLethal                                 // 1: off (B-361)
	OptSuzy                                      // 1: immediate (B-376)
)

// options are the table options of B section 20, the default first.
var options = []engine.Option{
	{engine.OptNames, "names", []string{"Scope", "Appaloosa"}, "B-011", "what the horse that brings others nearer is called"},
	{engine.OptCharacterChoice, "characterChoice", []string{"off", "on"}, "B-023", "everybody gets two characters and keeps one"},
	{engine.OptSimplified, "simplified", []string{"off", "on"}, "B-029", "leave out the 13 cards with the book symbol"},
	{engine.OptReshuffle, "reshuffle", []string{"eager", "lazy"}, "B-062", "re-form an empty deck at once, or when a card is needed"},
	{engine.OptBrownDiscard, "brownDiscard", []string{"before", "after"}, "B-063", "a brown card is discarded before or after its effect"},
	{engine.OptSelfTarget, "selfTarget", []string{"off", "on"}, "B-114", "Panic! and Cat Balou may name your own cards in play"},
	{engine.OptOwnDiscard, "ownDiscard", []string{"off", "phase2"}, "B-106", "you may discard your own cards in play in phase 2"},
	{engine.OptDuelCredit, "duelCredit", []string{"cardPlayer", "opponent"}, "B-164", "who is responsible when the challenger loses his Duel"},
	{engine.OptVictoryCheck, "victoryCheck", []string{"afterCard", "immediate"}, "B-176", "look for the winner after the whole card, or at each elimination"},
	{engine.OptBeerFull, "beerFull", []string{"allow", "forbid"}, "B-224", "a Beer at full life may be played without effect"},
	{OptGringoOwnDuel, "gringoOwnDuel", []string{"off", "on"}, "B-317", "El Gringo takes a card from the opponent after losing his own Duel"},
	{OptSidLethal, "sidLethal", []string{"on", "off"}, "B-361", "Sid Ketchum may save himself at the loss of his last life"},
	{OptSuzy, "suzy", []string{"unitEnd", "immediate"}, "B-376", "Suzy Lafayette draws after the card is over, or at once"},
	{engine.OptHeir, "vulture", []string{"all", "handOnly"}, "B-381", "Vulture Sam takes hand and cards in play, or the hand only"},
	{engine.OptSheriffRotation, "sheriffRotation", []string{"off", "on"}, "B-452", "after a game the next player is Sheriff"},
}

var presets = []engine.Preset{
	{"classic", "the game as the 4th edition prints it", nil},
	{"third-edition", "the game as the 3rd edition prints it",
		[][2]string{{"brownDiscard", "after"}, {"gringoOwnDuel", "on"}, {"names", "Appaloosa"}}},
	{"beginner", "without the cards that need the book", [][2]string{{"simplified", "on"}}},
}
