package dodge

import "standoff/engine"

// characters are the 15 of this box, D section 5.
var characters = coloured(engine.CharacterCard, []engine.Row{
	{Kind: ApacheKid, Name: "Apache Kid", Life: 3, Rule: apache, Rules: "D-200 D-201 D-202 D-203 D-204 D-205",
		Text: "Cards of Diamonds that others play have no effect on him; those given up in a Duel count."},
	{Kind: BelleStar, Name: "Belle Star", Life: 4, Rule: belle, Rules: "D-207 D-208 D-209",
		Text: "In her turn the cards in play before the others have no effect."},
	{Kind: BillNoface, Name: "Bill Noface", Life: 4, Rule: bill, Rules: "D-211",
		Text: "In phase 1 he draws one card, and one more for each life he lacks."},
	{Kind: ChuckWengam, Name: "Chuck Wengam", Life: 4, Rule: chuck, Do: []engine.Do{heal(engine.Self, -1), draw(2)}, Rules: "D-213 D-214",
		Text: "In his turn he may give up 1 life, never the last, to draw two cards, as often as he likes."},
	{Kind: DocHolyday, Name: "Doc Holyday", Life: 4, Rule: doc, Do: []engine.Do{{What: engine.Pay, N: 2}, shoot(engine.Reach)}, Rules: "D-216 D-217 D-218",
		Text: "Once in his turn he may discard two hand cards for a BANG! effect on another player within reach of his weapon."},
	{Kind: ElenaFuente, Name: "Elena Fuente", Life: 3, Rule: elena, Rules: "D-220 D-221 D-411",
		Text: "She may use any hand card as a Missed!."},
	{Kind: GregDigger, Name: "Greg Digger", Life: 4, Rule: greg, Rules: "D-223",
		Text: "Each time another player is eliminated he regains 2 life."},
	{Kind: HerbHunter, Name: "Herb Hunter", Life: 4, Rule: herb, Rules: "D-225",
		Text: "Each time another player is eliminated he draws two cards."},
	{Kind: JoseDelgado, Name: "José Delgado", Life: 4, Rule: jose, Do: []engine.Do{pay, draw(2)}, Rules: "D-228",
		Text: "Up to twice in his turn he may discard a blue hand card to draw two cards."},
	{Kind: MollyStark, Name: "Molly Stark", Life: 4, Rule: molly, Rules: "D-230 D-231 D-232 D-233",
		Text: "For each hand card that she uses as an answer outside her turn she draws a card."},
	{Kind: PatBrennan, Name: "Pat Brennan", Life: 4, Rule: pat, Rules: "D-236",
		Text: "Instead of drawing in phase 1 he may take one card in play before another player."},
	{Kind: PixiePete, Name: "Pixie Pete", Life: 3, Numbers: engine.Numbers{Draws: 1}, Rules: "D-238",
		Variant: &engine.Variant{Option: OptFirstPrinting, Numbers: engine.Numbers{Draws: 1}},
		Text:    "In phase 1 he draws three cards."},
	{Kind: SeanMallory, Name: "Sean Mallory", Life: 3, Numbers: engine.Numbers{Hold: 10}, Rules: "D-240",
		Variant: &engine.Variant{Option: OptSean, Numbers: engine.Numbers{Hold: 127}},
		Text:    "He may hold up to ten cards at the end of his turn."},
	{Kind: TequilaJoe, Name: "Tequila Joe", Life: 4, Numbers: engine.Numbers{Sip: 1}, Rules: "D-242",
		Text: "Each Beer gives him 2 life instead of 1."},
	{Kind: VeraCuster, Name: "Vera Custer", Life: 3, Rule: vera, Rules: "D-280 D-281 D-282 D-283 D-284 D-285 D-286 D-287 D-288",
		Text: "Before she draws she chooses another character in play and has its ability until her next turn."},
})

// coloured gives a table its one colour.
func coloured(c engine.Colour, rows []engine.Row) []engine.Row {
	for i := range rows {
		rows[i].Colour = c
	}
	return rows
}
