// Package bot plays: it wants to win, and it knows no more than a person in its seat.
//
//	engine.Event (public) ──> History ──┐
//	                                    ├──> Bot.Act(View, legal) ──> engine.Action
//	View: State + own cards, Legal ─────┘
//
// A bot gets a View, which holds no card of another seat, and the list of legal actions, which is the only source
// of what it answers; so it can neither cheat nor play an illegal action. Given the same seed, view and history it
// does the same: its only luck is a taste for this or that target, which follows from the seed and the number of
// the turn.
//
// # How it thinks
//
// In three steps, each in a file of its own:
//
//  1. sides.go: who is a friend? Open roles, its own role, the number of roles at such a table (B-020) and what the
//     seats have done to each other (history.go) give each seat a figure between friend and enemy.
//  2. turn.go and care.go: in phase 2 every legal action gets a score, and the best one above 0 is played. Free gains come
//     first (drawing cards, laying horses and barrels), then what hurts enemies, and last what may hurt itself.
//  3. answer.go: what is asked of it in between. It keeps cards by their use at this moment (worth.go).
//
// The rows of the boxes are read by colour, tag, symbols and numbers (traits.go), never by name. So it lays a weapon of
// a box that it has never heard of, and shoots with any card that shoots.
//
// [Play] runs one whole game between bots.
package bot
