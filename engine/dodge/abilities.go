package dodge

import (
	"standoff/engine"
	"standoff/engine/base"
)

// What symbols and numbers cannot say of the characters.

// apache is left alone by a card when all its faces are Diamonds by the suit that counts now. Answers in a Duel never
// come by here; the Duel card itself does, unless the option lets it work (D-201).
var apache = engine.Rule{
	Immune: func(g *engine.Game, me, by engine.Seat, faces []engine.Face) bool {
		for _, f := range faces {
			if g.Suit(by, f) != engine.Diamonds || f.Kind() == base.Duel && g.Option(OptApacheDuel) != 0 {
				return false
			}
		}
		return true
	},
}

var belle = engine.Rule{
	Mute: func(g *engine.Game, me engine.Seat, src engine.Source) bool {
		return g.Turn == me && src.From == engine.InPlay && src.Seat != me
	},
}

var bill = engine.Rule{
	Due: func(g *engine.Game, me engine.Seat, n int8) int8 {
		p := &g.Players[me]
		return n - 1 + p.Max - p.Life
	},
}

// chuck pays first and draws when what that brought about is over (D-214).
var chuck = engine.Rule{
	Offer: func(g *engine.Game, me engine.Seat, at engine.FrameKind, open []engine.Card, out []engine.Action) []engine.Action {
		if at == engine.AtTurn && g.Players[me].Life >= 2 {
			out = append(out, engine.Action{Seat: me, Verb: engine.Act, As: ChuckWengam, To: engine.None})
		}
		return out
	},
	Act: func(g *engine.Game, me engine.Seat, a engine.Action) {
		g.Own(ChuckWengam, me, 0)
		g.Lose(me, engine.None, 1)
	},
	Run: func(g *engine.Game, f *engine.Frame) {
		me := f.Seat
		g.Pop()
		g.Draw(me, 2)
	},
}

// doc names his target, pays two cards of his choice, and shoots. The two cards are the top of the discard pile then;
// if both are Diamonds they leave Apache Kid alone (D-217).
var doc = engine.Rule{
	Offer: func(g *engine.Game, me engine.Seat, at engine.FrameKind, open []engine.Card, out []engine.Action) []engine.Action {
		if at != engine.AtTurn || g.Players[me].Used > 0 || g.HandNumber(me) < 2 {
			return out
		}
		for s := g.NextSeat(me); s != me; s = g.NextSeat(s) {
			if g.Distance(me, s) <= g.Reach(me) {
				out = append(out, engine.Action{Seat: me, Verb: engine.Act, As: DocHolyday, To: s})
			}
		}
		return out
	},
	Act: func(g *engine.Game, me engine.Seat, a engine.Action) {
		g.Players[me].Used++
		g.Own(DocHolyday, me, 0)
		g.Top().To = a.To
		g.Pay(me, 2)
	},
	Run: func(g *engine.Game, f *engine.Frame) {
		me, to := f.Seat, f.To
		g.Pop()
		paid := g.Discard[len(g.Discard)-2:]
		if g.Immune(to, me, paid[0].Face, paid[1].Face) {
			g.Emit(engine.Event{Kind: engine.NoEffect, Seat: me, To: to, As: DocHolyday})
			return
		}
		g.Attack(me, to, DocHolyday, 1)
	},
}

var elena = engine.Rule{
	As: func(g *engine.Game, me engine.Seat, f engine.Face) engine.Tag { return engine.Missed },
}

var greg = engine.Rule{
	Dead: func(g *engine.Game, me, dead engine.Seat) { g.Heal(me, 2) },
}

var herb = engine.Rule{
	Dead: func(g *engine.Game, me, dead engine.Seat) { g.Draw(me, 2) },
}

var jose = engine.Rule{
	Offer: func(g *engine.Game, me engine.Seat, at engine.FrameKind, open []engine.Card, out []engine.Action) []engine.Action {
		if at != engine.AtTurn || g.Players[me].Used >= 2 && g.Option(OptFirstPrinting) == 0 {
			return out
		}
		for _, c := range open {
			switch g.Rules().Row(c.Face.Kind()).Colour {
			case engine.Blue, engine.Weapon:
				out = append(out, engine.Action{Seat: me, Verb: engine.Act, As: JoseDelgado, Card: c, To: engine.None})
			}
		}
		return out
	},
	Act: func(g *engine.Game, me engine.Seat, a engine.Action) {
		p := &g.Players[me]
		p.Used = min(p.Used+1, 2)
		g.DiscardFromHand(me, a.Card)
		g.Draw(me, 2)
	},
}

// molly draws at the end of the unit, one card for each that she used (D-232).
var molly = engine.Rule{
	Used: func(g *engine.Game, me engine.Seat, a engine.Action) {
		if g.Turn == me || a.Verb != engine.Answer {
			return
		}
		if g.Option(OptMolly) != 0 && g.Rules().Row(a.As).Tag == 0 {
			return
		}
		g.Later(MollyStark, me, engine.None, 1)
	},
	Trigger: func(g *engine.Game, me engine.Seat, t engine.Trigger) { g.Draw(me, t.N) },
}

// pat takes one card in play for all that is due (D-236).
var pat = engine.Rule{
	Offer: func(g *engine.Game, me engine.Seat, at engine.FrameKind, open []engine.Card, out []engine.Action) []engine.Action {
		if at != engine.AtPhase1 {
			return out
		}
		for s := g.NextSeat(me); s != me; s = g.NextSeat(s) {
			for _, c := range g.Players[s].Play {
				out = append(out, engine.Action{Seat: me, Verb: engine.Act, As: PatBrennan, To: s, At: c.Slot})
			}
		}
		return out
	},
	Act: func(g *engine.Game, me engine.Seat, a engine.Action) {
		g.Instead(g.Top().N)
		g.Steal(me, a.To, a.At, true)
	},
}

// vera chooses before phase 1; the core takes the copy back before her next choice and when her turn is lost (D-281).
var vera = engine.Rule{
	Choose: func(g *engine.Game, me engine.Seat) { g.Choice(me, VeraCuster) },
	Offer: func(g *engine.Game, me engine.Seat, at engine.FrameKind, open []engine.Card, out []engine.Action) []engine.Action {
		if at != engine.AtChoice {
			return out
		}
		for s := g.NextSeat(me); s != me; s = g.NextSeat(s) {
			out = append(out, engine.Action{Seat: me, Verb: engine.Pick, As: VeraCuster, To: s})
		}
		return out
	},
	Act: func(g *engine.Game, me engine.Seat, a engine.Action) { g.SetCopy(me, g.Players[a.To].Character) },
}
