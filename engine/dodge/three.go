package dodge

import "standoff/engine"

// house is the one rule that no card of this box carries.
var house = []engine.Row{
	{Kind: ThreePlayers, Name: "Three players", Colour: engine.HouseRule, Rule: three,
		Rules: "D-050 D-051 D-052 D-053 D-054 D-055 D-057 D-058",
		Text:  "Without a Sheriff the Deputy hunts the Renegade, he the Outlaw, and he the Deputy. Whoever eliminates his target has won, else the last one alive; every elimination brings three cards."},
}

// target is whom each role hunts (D-051).
var target = map[engine.Role]engine.Role{
	engine.Deputy:   engine.Renegade,
	engine.Renegade: engine.Outlaw,
	engine.Outlaw:   engine.Deputy,
}

// victories are the ends of such a game by the role that wins.
var victories = map[engine.Role]engine.Outcome{
	engine.Deputy:   engine.DeputyWins,
	engine.Renegade: engine.RenegadeWins,
	engine.Outlaw:   engine.OutlawWins,
}

// three rewards every elimination, remembers who has hunted down his target, and looks for the winner: him, or the last
// one alive (D-052, D-054, D-058).
var three = engine.Rule{
	Reward: func(g *engine.Game, dead, by engine.Seat) {
		if g.HasSheriff() {
			return
		}
		if target[g.Players[by].Role] == g.Players[dead].Role {
			g.Players[by].Done = true
		}
		g.Emit(engine.Event{Kind: engine.Rewarded, Seat: by, To: dead, N: 3})
		g.Draw(by, 3)
	},
	Won: func(g *engine.Game) engine.Outcome {
		if g.HasSheriff() {
			return engine.NotOver
		}
		for s := range engine.Seat(g.N) {
			if p := &g.Players[s]; g.In(s) && (p.Done || g.Alive() == 1) {
				return victories[p.Role]
			}
		}
		return engine.NotOver
	},
}
