package base

import "standoff/engine"

// cards are the 80 cards of the basic box, B section 1 and 10.
var cards = []engine.Row{
	{Kind: Bang, Name: "BANG!", Colour: engine.Brown, Tag: engine.Bang, Do: []engine.Do{{What: engine.Shoot, Who: engine.Reach, N: 1}},
		Copies: "2C 3C 4C 5C 6C 7C 8C 9C 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD QH KH AH AS",
		Text:   "A shot at another player within reach of your weapon: he loses 1 life unless he has a Missed! effect. One a turn. Also given up against Indians! and in a Duel.",
		Rules:  "B-101 B-200 B-201 B-202 B-203"},
	{Kind: Missed, Name: "Missed!", Colour: engine.Brown, Tag: engine.Missed, Do: []engine.Do{{What: engine.Dodge, Who: engine.Self, N: 1}},
		Copies: "2S 3S 4S 5S 6S 7S 8S TC JC QC KC AC",
		Text:   "Cancels a BANG! effect aimed at you. Never played on its own.",
		Rules:  "B-210 B-211 B-212"},
	{Kind: Beer, Name: "Beer", Colour: engine.Brown, Tag: engine.Beer, Do: []engine.Do{{What: engine.Heal, Who: engine.Self, N: 1}},
		Copies: "6H 7H 8H 9H TH JH",
		Text:   "You regain 1 life, in your own turn or at once when you lose your last life. Without effect when two players are left.",
		Rules:  "B-220 B-221 B-222 B-223 B-224 B-225"},
	{Kind: Panic, Name: "Panic!", Colour: engine.Brown, Do: []engine.Do{{What: engine.Take, Who: engine.Near, N: 1}},
		Copies: "JH QH AH 8D",
		Text:   "Take a card of a player at distance 1: a random one from his hand, or one of your choice lying before him.",
		Rules:  "B-250 B-251 B-252 B-253"},
	{Kind: CatBalou, Name: "Cat Balou", Colour: engine.Brown, Do: []engine.Do{{What: engine.Drop, Who: engine.Other, N: 1}},
		Copies: "KH 9D TD JD",
		Text:   "Another player, however far, loses a card to the discard pile: a random one from his hand, or one of your choice lying before him.",
		Rules:  "B-255 B-256"},
	{Kind: Duel, Name: "Duel", Colour: engine.Brown, Book: true, Do: []engine.Do{{What: engine.Duel, Who: engine.Other, N: 1}},
		Copies: "QD JS 8C",
		Text:   "You and another player give up BANG! cards in turn, he first; who first gives none loses 1 life.",
		Rules:  "B-164 B-270 B-271 B-272 B-273 B-274 B-275"},
	{Kind: Stagecoach, Name: "Stagecoach", Colour: engine.Brown, Do: []engine.Do{{What: engine.DrawCards, Who: engine.Self, N: 2}},
		Copies: "9S 9S", Text: "Draw two cards.", Rules: "B-235"},
	{Kind: GeneralStore, Name: "General Store", Colour: engine.Brown, Book: true, Do: []engine.Do{{What: engine.Store, Who: engine.All, N: 1}},
		Copies: "9C QS",
		Text:   "As many cards as players are laid open; beginning with you, everybody takes one.",
		Rules:  "B-240 B-241 B-242 B-243"},
	{Kind: Indians, Name: "Indians!", Colour: engine.Brown, Book: true, Do: []engine.Do{{What: engine.Raid, Who: engine.Others, N: 1}},
		Copies: "KD AD",
		Text:   "Every other player gives up a BANG! card or loses 1 life. Missed! and Barrel do not help.",
		Rules:  "B-265 B-266"},
	{Kind: Gatling, Name: "Gatling", Colour: engine.Brown, Do: []engine.Do{{What: engine.Shoot, Who: engine.Others, N: 1}},
		Copies: "TH",
		Text:   "A shot at every other player, however far. It is no BANG! card and has no limit.",
		Rules:  "B-260 B-261 B-262"},
	{Kind: Saloon, Name: "Saloon", Colour: engine.Brown, Do: []engine.Do{{What: engine.Heal, Who: engine.All, N: 1}},
		Copies: "5H", Text: "Everybody, you included, regains 1 life. It is no Beer.", Rules: "B-230 B-231"},
	{Kind: WellsFargo, Name: "Wells Fargo", Colour: engine.Brown, Do: []engine.Do{{What: engine.DrawCards, Who: engine.Self, N: 3}},
		Copies: "3H", Text: "Draw three cards.", Rules: "B-235"},

	{Kind: Barrel, Name: "Barrel", Colour: engine.Blue, Copies: "QS KS", Numbers: engine.Numbers{Tries: 1},
		Text:  "Each time a BANG! effect is aimed at you, you may \"draw!\" once: a Heart counts as a Missed!.",
		Rules: "B-290 B-291 B-292"},
	{Kind: Dynamite, Name: "Dynamite", Colour: engine.Blue, Book: true, Order: 1, Copies: "2H", Rule: dynamite,
		Text:  "Lay it before yourself. Whoever has it \"draws!\" as his turn begins: on 2 to 9 of Spades it explodes and takes 3 life, else it passes to the left.",
		Rules: "B-041 B-043 B-067 B-285 B-286 B-287 B-288 B-289"},
	{Kind: Jail, Name: "Jail", Colour: engine.Blue, Book: true, Order: 2, Copies: "JS TS 4H", Do: []engine.Do{{What: engine.LayOn, Who: engine.Other, N: 1}}, Rule: jail,
		Text:  "Lay it before any player but the Sheriff. He \"draws!\" as his turn begins: on a Heart he is free, else the turn is skipped. The Jail is discarded.",
		Rules: "B-042 B-280 B-281 B-282 B-283"},
	{Kind: Mustang, Name: "Mustang", Colour: engine.Blue, Copies: "8H 9H", Numbers: engine.Numbers{Far: 1},
		Text: "The others see you 1 farther away.", Rules: "B-082 B-294"},
	{Kind: Scope, Name: "Scope", Other: "Appaloosa", Colour: engine.Blue, Copies: "AS", Numbers: engine.Numbers{Close: 1},
		Text: "You see the others 1 nearer.", Rules: "B-011 B-082 B-294"},
	{Kind: Volcanic, Name: "Volcanic", Colour: engine.Weapon, Book: true, Copies: "TS TC", Numbers: engine.Numbers{Range: 1, Bangs: 99},
		Text: "Range 1; as many BANG! cards a turn as you like.", Rules: "B-101 B-102 B-296 B-297"},
	{Kind: Schofield, Name: "Schofield", Colour: engine.Weapon, Copies: "JC QC KS", Numbers: engine.Numbers{Range: 2},
		Text: "Range 2.", Rules: "B-104 B-296"},
	{Kind: Remington, Name: "Remington", Colour: engine.Weapon, Copies: "KC", Numbers: engine.Numbers{Range: 3},
		Text: "Range 3.", Rules: "B-104 B-296"},
	{Kind: RevCarabine, Name: "Rev. Carabine", Colour: engine.Weapon, Copies: "AC", Numbers: engine.Numbers{Range: 4},
		Text: "Range 4.", Rules: "B-104 B-296"},
	{Kind: Winchester, Name: "Winchester", Colour: engine.Weapon, Copies: "8S", Numbers: engine.Numbers{Range: 5},
		Text: "Range 5.", Rules: "B-104 B-296"},
}

// dynamite is checked before everything else (B-041). On 2 to 9 of Spades it is discarded and takes 3 life of nobody's
// doing; else it goes to the next seat that has none (B-287, D-013).
var dynamite = engine.Rule{
	Check: func(g *engine.Game, me engine.Seat, at engine.Slot) {
		g.Own(Dynamite, me, at)
		g.FlipFor(me)
	},
	Run: func(g *engine.Game, f *engine.Frame) {
		me, at := f.Seat, f.At
		g.Pop()
		explodes := g.Flip != 0 && g.Suit(me, g.Flip) == engine.Spades && g.Flip.Rank() <= 9
		g.Emit(engine.Event{Kind: engine.FlipResult, Seat: me, To: engine.None, As: Dynamite, N: one(!explodes)})
		if explodes {
			g.DiscardFromPlay(me, at)
			g.Lose(me, engine.None, 3)
			return
		}
		for s := g.NextSeat(me); s != me; s = g.NextSeat(s) {
			if _, has := g.PlayCard(s, Dynamite); !has {
				g.MoveInPlay(me, s, at)
				return
			}
		}
	},
}

// jail lets its prisoner go on a Heart; else the turn is lost. It is discarded after the flipped card (B-281).
var jail = engine.Rule{
	Refuse: func(g *engine.Game, a engine.Action) engine.Reason {
		switch {
		case g.Players[a.To].Role == engine.Sheriff:
			return engine.SheriffSafe // B-280
		case g.Option(OptJailWithout) != 0 && !g.HasSheriff():
			return engine.Forbidden // D-056
		}
		return engine.Legal
	},
	Check: func(g *engine.Game, me engine.Seat, at engine.Slot) {
		g.Own(Jail, me, at)
		g.FlipFor(me)
	},
	Run: func(g *engine.Game, f *engine.Frame) {
		me, at := f.Seat, f.At
		g.Pop()
		free := g.Flip != 0 && g.Suit(me, g.Flip) == engine.Hearts
		g.Emit(engine.Event{Kind: engine.FlipResult, Seat: me, To: engine.None, As: Jail, N: one(free)})
		c, _ := g.PlayCard(me, Jail)
		g.DiscardFromPlay(me, at)
		if !free {
			g.LoseTurn(engine.Card{Slot: c.Slot, Face: c.Face})
		}
	},
}

func one(b bool) int8 {
	if b {
		return 1
	}
	return 0
}
