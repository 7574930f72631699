// Package peer is one machine at one table: the pure table, the network room that carries its packets, the journal
// that remembers what it said, and whoever decides.
//
//	person, bot ── Decide, Actions ──┐                     ┌── Save ──> journal (synced first)
//	room ── packets, beats, asks ──> Run ── table.Table ── Ready ── Send ──> room ──> other peers
//	clock ── Tick ───────────────────┘                     └── News, Ask, End ──> Show
//
// Run is the one goroutine that owns the table; everything else reaches it by channels. It ends when the game is
// over and the others have the end too, when somebody leaves, or when its context does: then it says that it
// leaves.
package peer
