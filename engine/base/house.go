package base

import "standoff/engine"

// house are the rules that no card carries: rewards and victory of games with a Sheriff.
var house = []engine.Row{
	{Kind: Rewards, Name: "Rewards and penalty", Colour: engine.HouseRule, Rule: rewards, Rules: "B-160 B-161 B-162",
		Text: "Whoever is responsible for eliminating an Outlaw draws three cards; a Sheriff who eliminates a Deputy discards everything."},
	{Kind: Victory, Name: "Victory", Colour: engine.HouseRule, Rule: victory, Rules: "B-170 B-171 B-172 B-173 B-174 B-176",
		Text: "Sheriff and Deputies win when every Outlaw and Renegade is out. With the Sheriff out the Outlaws win, unless a Renegade is the only one left."},
}

var rewards = engine.Rule{Reward: func(g *engine.Game, dead, by engine.Seat) {
	if !g.HasSheriff() {
		return
	}
	switch g.Players[dead].Role {
	case engine.Outlaw:
		g.Emit(engine.Event{Kind: engine.Rewarded, Seat: by, To: dead, N: 3})
		g.Draw(by, 3)
	case engine.Deputy:
		if g.Players[by].Role == engine.Sheriff {
			g.Emit(engine.Event{Kind: engine.Penalised, Seat: by, To: dead})
			g.Strip(by)
		}
	}
}}

var victory = engine.Rule{Won: func(g *engine.Game) engine.Outcome {
	switch {
	case !g.HasSheriff():
		return engine.NotOver
	case g.Holder(engine.Sheriff) == engine.None:
		if g.Alive() == 1 && g.RolesLeft(engine.Renegade) == 1 {
			return engine.RenegadeWins // B-171
		}
		return engine.OutlawsWin // B-172
	case g.RolesLeft(engine.Outlaw) == 0 && g.RolesLeft(engine.Renegade) == 0:
		return engine.LawWins // B-170
	}
	return engine.NotOver
}}
