package base

import "standoff/engine"

// characters are the 16 of the basic box, B section 11.
var characters = coloured(engine.CharacterCard, []engine.Row{
	{Kind: BartCassidy, Name: "Bart Cassidy", Life: 4, Rule: bart, Rules: "B-116 B-146 B-301 B-302",
		Text: "For each life he loses he draws a card."},
	{Kind: BlackJack, Name: "Black Jack", Life: 4, Rule: blackJack, Rules: "B-305 B-306",
		Text: "He shows the second card of phase 1; if it is a Heart or a Diamond he draws one more."},
	{Kind: CalamityJanet, Name: "Calamity Janet", Life: 4, Rule: janet, Rules: "B-310 B-311 B-312 B-313",
		Text: "She may use BANG! cards as Missed! and Missed! cards as BANG!."},
	{Kind: ElGringo, Name: "El Gringo", Life: 3, Rule: gringo, Rules: "B-315 B-316 B-317 B-318 B-319",
		Text: "For each life that another player's card costs him he takes a random card from that player's hand."},
	{Kind: JesseJones, Name: "Jesse Jones", Life: 4, Rule: jesse, Rules: "B-321 B-322",
		Text: "He may take the first card of phase 1 at random from another player's hand."},
	{Kind: Jourdonnais, Name: "Jourdonnais", Life: 4, Numbers: engine.Numbers{Tries: 1}, Rules: "B-325 B-326",
		Text: "Against each BANG! effect he may \"draw!\" once: a Heart counts as a Missed!. A Barrel gives him a second try."},
	{Kind: KitCarlson, Name: "Kit Carlson", Life: 4, Rule: kit, Rules: "B-328 B-329",
		Text: "In phase 1 he looks at the top three cards of the deck, keeps two and puts one back."},
	{Kind: LuckyDuke, Name: "Lucky Duke", Life: 4, Numbers: engine.Numbers{Flips: 1}, Rules: "B-331 B-332",
		Text: "For each \"draw!\" he flips two cards and chooses the one that counts."},
	{Kind: PaulRegret, Name: "Paul Regret", Life: 3, Numbers: engine.Numbers{Far: 1}, Rules: "B-334",
		Text: "The others see him 1 farther away."},
	{Kind: PedroRamirez, Name: "Pedro Ramirez", Life: 4, Rule: pedro, Rules: "B-336",
		Text: "He may take the first card of phase 1 from the top of the discard pile."},
	{Kind: RoseDoolan, Name: "Rose Doolan", Life: 4, Numbers: engine.Numbers{Close: 1}, Rules: "B-338",
		Text: "She sees the others 1 nearer."},
	{Kind: SidKetchum, Name: "Sid Ketchum", Life: 4, Rule: sid, Do: []engine.Do{{What: engine.Pay, N: 2}, {What: engine.Heal, N: 1}}, Rules: "B-360 B-361 B-362 B-363 B-364",
		Text: "At any time he may discard two hand cards to regain 1 life."},
	{Kind: SlabTheKiller, Name: "Slab the Killer", Life: 4, Numbers: engine.Numbers{Double: 2}, Rules: "B-370 B-371",
		Text: "It takes two Missed! effects to cancel a BANG! card of his."},
	{Kind: SuzyLafayette, Name: "Suzy Lafayette", Life: 4, Rule: suzy, Rules: "B-375 B-376 B-377 B-378",
		Text: "When her hand is empty she draws a card."},
	{Kind: VultureSam, Name: "Vulture Sam", Life: 4, Numbers: engine.Numbers{Heir: true}, Rules: "B-380 B-381 B-382 B-383 B-384",
		Text: "He takes into his hand all the cards of a player who is eliminated."},
	{Kind: WillyTheKid, Name: "Willy the Kid", Life: 4, Numbers: engine.Numbers{Bangs: 99}, Rules: "B-386",
		Text: "He may play any number of BANG! cards in his turn."},
})

// coloured gives a table its one colour.
func coloured(c engine.Colour, rows []engine.Row) []engine.Row {
	for i := range rows {
		rows[i].Colour = c
	}
	return rows
}

var bart = engine.Rule{
	Lost: func(g *engine.Game, me engine.Seat, l engine.Loss) {
		if l.Seat == me {
			g.Later(BartCassidy, me, engine.None, l.N)
		}
	},
	Trigger: func(g *engine.Game, me engine.Seat, t engine.Trigger) { g.Draw(me, t.N) },
}

var blackJack = engine.Rule{
	Drawn: func(g *engine.Game, me engine.Seat, f *engine.Frame, c engine.Card) bool {
		if f.M != 2 {
			return false
		}
		if s := g.Suit(me, c.Face); c.Face != 0 && (s == engine.Hearts || s == engine.Diamonds) {
			f.N++
		}
		return true
	},
}

var janet = engine.Rule{
	As: func(g *engine.Game, me engine.Seat, f engine.Face) engine.Tag {
		switch f.Kind() {
		case Bang:
			return engine.Missed
		case Missed:
			return engine.Bang
		}
		return 0
	},
}

// gringo takes from the player of the card; after a lost Duel of his own only under the option (B-317).
var gringo = engine.Rule{
	Lost: func(g *engine.Game, me engine.Seat, l engine.Loss) {
		if l.Seat != me {
			return
		}
		from := l.Player
		if from == me {
			from = engine.None
			if g.Option(OptGringoOwnDuel) != 0 {
				from = l.Rival
			}
		}
		if from != engine.None {
			g.Later(ElGringo, me, from, l.N)
		}
	},
	Trigger: func(g *engine.Game, me engine.Seat, t engine.Trigger) {
		for range min(int(t.N), g.HandNumber(t.By)) {
			g.Steal(me, t.By, 0, true)
		}
	},
}

var jesse = engine.Rule{
	Offer: func(g *engine.Game, me engine.Seat, at engine.FrameKind, open []engine.Card, out []engine.Action) []engine.Action {
		if at != engine.AtPhase1 {
			return out
		}
		for s := g.NextSeat(me); s != me; s = g.NextSeat(s) {
			if g.HandNumber(s) > 0 {
				out = append(out, engine.Action{Seat: me, Verb: engine.Act, As: JesseJones, To: s})
			}
		}
		return out
	},
	Act: func(g *engine.Game, me engine.Seat, a engine.Action) {
		g.Instead(1)
		g.Steal(me, a.To, 0, true)
	},
}

var kit = engine.Rule{
	Phase1: func(g *engine.Game, me engine.Seat, f *engine.Frame) bool {
		if f.N >= 3 {
			return false // all three would be his
		}
		g.PutBack(me, f.N)
		g.Peek(me, 3)
		return true
	},
}

var pedro = engine.Rule{
	Offer: func(g *engine.Game, me engine.Seat, at engine.FrameKind, open []engine.Card, out []engine.Action) []engine.Action {
		if at == engine.AtPhase1 && len(g.State().Discard) > 0 {
			out = append(out, engine.Action{Seat: me, Verb: engine.Act, As: PedroRamirez, To: engine.None})
		}
		return out
	},
	Act: func(g *engine.Game, me engine.Seat, a engine.Action) {
		g.Instead(1)
		g.TakeDiscard(me)
	},
}

// sid pays two cards for 1 life: when he is asked, and between two actions of others (B-363).
var sid = engine.Rule{
	Offer: func(g *engine.Game, me engine.Seat, at engine.FrameKind, open []engine.Card, out []engine.Action) []engine.Action {
		p := &g.Players[me]
		switch at {
		case engine.AtTurn, engine.AtDodge, engine.AtRaid, engine.AtDuel, engine.AtAside:
		case engine.AtLose:
			if g.Option(OptSidLethal) != 0 {
				return out
			}
		default:
			return out
		}
		if len(p.Hand) >= 2 && p.Life < p.Max {
			out = append(out, engine.Action{Seat: me, Verb: engine.Act, As: SidKetchum, To: engine.None})
		}
		return out
	},
	Act: func(g *engine.Game, me engine.Seat, a engine.Action) {
		g.Own(SidKetchum, me, 0)
		g.Pay(me, 2)
	},
	Run: func(g *engine.Game, f *engine.Frame) {
		me := f.Seat
		g.Pop()
		if g.Result != 0 {
			g.Heal(me, 1)
		}
	},
}

// suzy draws at the end of the unit if her hand is still empty then, or at once under the option (B-376).
var suzy = engine.Rule{
	Emptied: func(g *engine.Game, me engine.Seat) {
		if g.Option(OptSuzy) != 0 {
			g.Draw(me, 1)
			return
		}
		g.Later(SuzyLafayette, me, engine.None, 1)
	},
	Trigger: func(g *engine.Game, me engine.Seat, t engine.Trigger) {
		if g.HandNumber(me) == 0 {
			g.Draw(me, 1)
		}
	},
}
