package dodge

import (
	"standoff/engine"
	"standoff/engine/base"
)

// The options that only this box reads.
const (
	OptApacheDuel    engine.OptionID = iota + 24 // 1: a Duel of Diamonds works on Apache Kid (D-201)
	OptMolly                                     // 1: only Missed!, Beer and BANG! count for Molly Stark (D-231)
	OptSean                                      // 1: Sean Mallory has no hand limit (D-240)
	OptFirstPrinting                             // 1: Pixie Pete draws 4, José Delgado has no limit (D-228, D-238)
)

// options are the table options of D section 8, the default first.
var options = []engine.Option{
	{ID: base.OptJailWithout, Name: "jail3p", Values: []string{"anyone", "nobody"}, Rule: "D-056",
		Help: "whom the Jail may hold in a game of three, which has no Sheriff"},
	{ID: OptApacheDuel, Name: "apacheDuel", Values: []string{"immune", "duelsWork"}, Rule: "D-201",
		Help: "whether a Duel card of Diamonds leaves Apache Kid alone"},
	{ID: OptMolly, Name: "molly", Values: []string{"anyHandCard", "listed"}, Rule: "D-231",
		Help: "for which answers Molly Stark draws: any hand card, or Missed!, Beer and BANG! only"},
	{ID: OptSean, Name: "sean", Values: []string{"10", "unlimited"}, Rule: "D-240",
		Help: "how many cards Sean Mallory may keep"},
	{ID: OptFirstPrinting, Name: "firstPrinting", Values: []string{"off", "on"}, Rule: "D-238",
		Help: "as first printed: Pixie Pete draws four cards, José Delgado has no limit"},
	{ID: engine.OptExtras, Name: "dodgeDraw", Values: []string{"atOnce", "unitEnd"}, Rule: "D-103",
		Help: "when the card of a Dodge or Bible is drawn: inside the attack or after it"},
	{ID: engine.OptCopyDies, Name: "veraKeepsDead", Values: []string{"on", "off"}, Rule: "D-285",
		Help: "Vera Custer keeps the ability of somebody who is eliminated until her next choice"},
}
