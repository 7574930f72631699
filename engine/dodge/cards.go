package dodge

import (
	"standoff/engine"
	"standoff/engine/base"
)

// more are the 16 cards of kinds that the basic box has (D-001).
var more = []engine.More{
	{Kind: base.Bang, Copies: "8S 5C 6C KC"},
	{Kind: base.Beer, Copies: "6H 6S"},
	{Kind: base.CatBalou, Copies: "8C"},
	{Kind: base.GeneralStore, Copies: "AS"},
	{Kind: base.Indians, Copies: "5D"},
	{Kind: base.Missed, Copies: "8D"},
	{Kind: base.Panic, Copies: "JH"},
	{Kind: base.Barrel, Copies: "AC"},
	{Kind: base.Dynamite, Copies: "TC"},
	{Kind: base.Mustang, Copies: "5H"},
	{Kind: base.Remington, Copies: "6D"},
	{Kind: base.RevCarabine, Copies: "5S"},
}

// Symbols that several cards share.
var (
	pay    = engine.Do{What: engine.Pay, Who: engine.Self, N: 1}
	missed = engine.Do{What: engine.Dodge, Who: engine.Self, N: 1}
)

func shoot(who engine.Who) engine.Do { return engine.Do{What: engine.Shoot, Who: who, N: 1} }
func take(who engine.Who) engine.Do  { return engine.Do{What: engine.Take, Who: who, N: 1} }
func drop(who engine.Who) engine.Do  { return engine.Do{What: engine.Drop, Who: who, N: 1} }
func draw(n int8) engine.Do          { return engine.Do{What: engine.DrawCards, Who: engine.Self, N: n} }
func heal(who engine.Who, n int8) engine.Do {
	return engine.Do{What: engine.Heal, Who: who, N: n}
}

// cards are the 22 new kinds, D section 4.
var cards = []engine.Row{
	{Kind: Punch, Name: "Punch", Colour: engine.Brown, Copies: "TS", Do: []engine.Do{shoot(engine.Near)},
		Text:  "A BANG! effect on another player at distance 1. It is no BANG! card.",
		Rules: "D-004 D-009 D-100"},
	{Kind: Dodge, Name: "Dodge", Colour: engine.Brown, Copies: "7D KH", Do: []engine.Do{missed, draw(1)},
		Text:  "Cancels a BANG! effect aimed at you, and you draw a card.",
		Rules: "D-002 D-102 D-103 D-104"},
	{Kind: Springfield, Name: "Springfield", Colour: engine.Brown, Copies: "KS", Do: []engine.Do{pay, shoot(engine.Other)},
		Text:  "Discard another card: a BANG! effect on any other player, however far.",
		Rules: "D-020 D-021 D-022 D-106"},
	{Kind: Brawl, Name: "Brawl", Colour: engine.Brown, Copies: "JS", Do: []engine.Do{pay, drop(engine.Others)},
		Text:  "Discard another card: every other player loses a card to the discard pile, a random one from his hand or one of your choice lying before him.",
		Rules: "D-020 D-108 D-109"},
	{Kind: RagTime, Name: "Rag Time", Colour: engine.Brown, Copies: "9H", Do: []engine.Do{pay, take(engine.Other)},
		Text:  "Discard another card: take a card of any other player, a random one from his hand or one of your choice lying before him.",
		Rules: "D-020 D-111 D-400"},
	{Kind: Tequila, Name: "Tequila", Colour: engine.Brown, Copies: "9C", Do: []engine.Do{pay, heal(engine.Any, 1)},
		Text:  "Discard another card: any player, you included, regains 1 life. It is no Beer.",
		Rules: "D-006 D-020 D-113"},
	{Kind: Whisky, Name: "Whisky", Colour: engine.Brown, Copies: "QH", Do: []engine.Do{pay, heal(engine.Self, 2)},
		Text:  "Discard another card: you regain 2 life. It is no Beer.",
		Rules: "D-006 D-020 D-115"},

	{Kind: Hideout, Name: "Hideout", Colour: engine.Blue, Copies: "KD", Numbers: engine.Numbers{Far: 1},
		Text: "The others see you 1 farther away; a Mustang adds to it.", Rules: "D-008 D-133"},
	{Kind: Binocular, Name: "Binocular", Other: "Silver", Colour: engine.Blue, Copies: "TD", Numbers: engine.Numbers{Close: 1},
		Text: "You see the others 1 nearer; a Scope adds to it.", Rules: "D-008 D-133"},

	{Kind: Bible, Name: "Bible", Colour: engine.Green, Copies: "TH", Do: []engine.Do{missed, draw(1)},
		Text:  "From the next turn on, discard it from play: it cancels a BANG! effect aimed at you, and you draw a card.",
		Rules: "D-012 D-103 D-120"},
	{Kind: Sombrero, Name: "Sombrero", Colour: engine.Green, Copies: "7C", Do: []engine.Do{missed},
		Text: "From the next turn on, discard it from play: it cancels a BANG! effect aimed at you.", Rules: "D-012 D-120 D-121"},
	{Kind: TenGallonHat, Name: "Ten Gallon Hat", Colour: engine.Green, Copies: "JD", Do: []engine.Do{missed},
		Text: "From the next turn on, discard it from play: it cancels a BANG! effect aimed at you.", Rules: "D-012 D-120 D-121"},
	{Kind: IronPlate, Name: "Iron Plate", Colour: engine.Green, Copies: "AD QS", Do: []engine.Do{missed},
		Text: "From the next turn on, discard it from play: it cancels a BANG! effect aimed at you.", Rules: "D-007 D-012 D-120 D-121"},
	{Kind: Knife, Name: "Knife", Colour: engine.Green, Copies: "8H", Do: []engine.Do{shoot(engine.Near)},
		Text: "In a later turn of yours, discard it from play: a BANG! effect on another player at distance 1.", Rules: "D-011 D-125"},
	{Kind: Derringer, Name: "Derringer", Colour: engine.Green, Copies: "7S", Do: []engine.Do{shoot(engine.Near), draw(1)},
		Text:  "In a later turn of yours, discard it from play: a BANG! effect on another player at distance 1, and you draw a card.",
		Rules: "D-011 D-125 D-126"},
	{Kind: Pepperbox, Name: "Pepperbox", Colour: engine.Green, Copies: "AH", Do: []engine.Do{shoot(engine.Reach)},
		Text:  "In a later turn of yours, discard it from play: a BANG! effect on another player within reach of your weapon.",
		Rules: "D-011 D-125 D-127"},
	{Kind: BuffaloRifle, Name: "Buffalo Rifle", Colour: engine.Green, Copies: "QC", Do: []engine.Do{shoot(engine.Other)},
		Text:  "In a later turn of yours, discard it from play: a BANG! effect on any other player, however far.",
		Rules: "D-011 D-125"},
	{Kind: Howitzer, Name: "Howitzer", Colour: engine.Green, Copies: "9S", Do: []engine.Do{shoot(engine.Others)},
		Text: "In a later turn of yours, discard it from play: a BANG! effect on every other player.", Rules: "D-011 D-125"},
	{Kind: Canteen, Name: "Canteen", Colour: engine.Green, Copies: "7H", Do: []engine.Do{heal(engine.Self, 1)},
		Text: "In a later turn of yours, discard it from play: you regain 1 life. It is no Beer.", Rules: "D-006 D-130"},
	{Kind: PonyExpress, Name: "Pony Express", Colour: engine.Green, Copies: "QD", Do: []engine.Do{draw(3)},
		Text: "In a later turn of yours, discard it from play: draw three cards.", Rules: "D-130"},
	{Kind: CanCan, Name: "Can Can", Colour: engine.Green, Copies: "JC", Do: []engine.Do{drop(engine.Other)},
		Text:  "In a later turn of yours, discard it from play: any other player loses a card to the discard pile, a random one from his hand or one of your choice lying before him.",
		Rules: "D-130 D-402"},
	{Kind: Conestoga, Name: "Conestoga", Colour: engine.Green, Copies: "9D", Do: []engine.Do{take(engine.Other)},
		Text:  "In a later turn of yours, discard it from play: take a card of any other player, a random one from his hand or one of your choice lying before him.",
		Rules: "D-130 D-400 D-401"},
}
