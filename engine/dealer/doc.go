// Package dealer is the trusted dealer: one program that holds all cards of a game and shows each seat its own.
//
// It serves practice games, simulation, tests and the look-ahead of bots, where nobody needs protecting from
// whoever runs the program. Between peers the same needs are served by cryptography instead; both dealers give the
// engine the same kind of answers, so the same order of cards gives the same game, hash by hash.
//
//	engine.Game ── Ready: Needs, Events ──> Dealer.Serve ── Supply(Reply) ──> engine.Game
//	                                          │
//	player ── Action ──> Dealer.Step          └── Knowledge(seat) ──> View of that seat ──> player
//
// # How to run a game
//
//	d := dealer.New(game, seed)
//	err := d.Serve()                       // shuffle, deal, … until a seat is asked
//	for game.State().Over == engine.NotOver {
//		seat := game.State().Asked
//		view := game.View(seat, d.Knowledge(seat))
//		err = d.Step(choose(view))         // checks the opened cards, steps, serves
//	}
//
// Whatever depends on luck comes from one [Chance]: a small generator with a written-out algorithm ([New]), so a
// seed means the same game on every machine and under every version of the compiler, or a given [Order] ([WithOrder]),
// so that a game dealt elsewhere can be played again card by card.
//
// # What it keeps
//
// A physical card has a number, its place in the packs of [engine.Game.Packs] one after the other. The dealer maps
// each slot to such a number; a shuffle and a remask move the numbers to fresh slots. A seat's Knowledge grows by Deal and Give, follows
// the seat's own Remask, and loses slots that are gone or public.
package dealer
