// Package promo is the three characters that came with The Bullet: Uncle Will, Johnny Kisch, Claus "The Saint". They
// go with the basic box, with or without others.
//
//	promo.Set ── engine.Compile(base.Set, promo.Set) ──> Rules
//
// Rule numbers D-300 ff. are those of engine/rulebook/dodge-city.md, section 6.
package promo

import (
	"standoff/engine"
	"standoff/engine/base"
)

// The kinds of this box.
const (
	UncleWill engine.Kind = iota + 112
	JohnnyKisch
	Claus
)

// Set is the box.
var Set = engine.Set{Name: "promo", Rows: []engine.Row{
	{Kind: UncleWill, Name: "Uncle Will", Colour: engine.CharacterCard, Life: 4, Rule: will, Rules: "D-300 D-301 D-302",
		Text: "Once in his turn he may play any hand card as a General Store."},
	{Kind: JohnnyKisch, Name: "Johnny Kisch", Colour: engine.CharacterCard, Life: 4, Rule: johnny, Rules: "D-310 D-311",
		Text: "When he puts a card into play, all other cards in play of that name are discarded."},
	{Kind: Claus, Name: "Claus \"The Saint\"", Colour: engine.CharacterCard, Life: 3, Rule: claus, Rules: "D-320 D-321 D-322 D-323 D-405",
		Text: "In phase 1 he draws one card more than there are players, keeps two and gives one to each of the others."},
}}

// will plays a card under another name; a General Store of his own does not need the ability (D-301).
var will = engine.Rule{
	Offer: func(g *engine.Game, me engine.Seat, at engine.FrameKind, open []engine.Card, out []engine.Action) []engine.Action {
		if at != engine.AtTurn || g.Players[me].Used > 0 {
			return out
		}
		for _, c := range open {
			if c.Face.Kind() != base.GeneralStore {
				out = append(out, engine.Action{Seat: me, Verb: engine.Play, As: base.GeneralStore, Card: c, To: engine.None})
			}
		}
		return out
	},
	Used: func(g *engine.Game, me engine.Seat, a engine.Action) {
		if a.Verb == engine.Play && a.As == base.GeneralStore && a.Card.Face.Kind() != base.GeneralStore {
			g.Players[me].Used++
		}
	},
}

// johnny lays a card; the others of that name go, clockwise from him (D-310, D-311).
var johnny = engine.Rule{
	Used: func(g *engine.Game, me engine.Seat, a engine.Action) {
		if a.Verb != engine.Play || !lies(g, a.Card.Slot) {
			return
		}
		s := me
		for range g.Alive() {
			for _, c := range g.Players[s].Play {
				if c.Face.Kind() == a.As && c.Slot != a.Card.Slot {
					g.DiscardFromPlay(s, c.Slot)
					break // nobody has two of a name (B-103)
				}
			}
			s = g.NextSeat(s)
		}
	},
}

// lies says whether the card in that slot is in play before somebody.
func lies(g *engine.Game, at engine.Slot) bool {
	for s := range engine.Seat(g.N) {
		for _, c := range g.Players[s].Play {
			if c.Slot == at {
				return true
			}
		}
	}
	return false
}

// claus looks at one card for every seat and one more, and gives to each other seat in turn (D-321). An event that
// changes what is due changes only his own share.
var claus = engine.Rule{
	Phase1: func(g *engine.Game, me engine.Seat, f *engine.Frame) bool {
		g.GiveOut(me, f.N)
		g.Peek(me, int(f.N)-1+g.Alive())
		return true
	},
}
