// Package peer is one machine at one table: the pure table, the network room that carries its packets, the journal
// that remembers what it said, and whoever decides.
//
//	person, bot ── Decide, Actions ──┐                     ┌── Save ──> journal (synced first)
//	room ── packets, beats, asks ──> Run ── table.Table ── Ready ── Send ──> room ──> other peers
//	clock ── Tick ───────────────────┘                     └── News, Ask, End ──> Show
//	journal ── records ──> Resume ── the same from there
//
// Run is the one goroutine that owns the table; everything else reaches it by channels. It ends when the game is
// over and the others who are there have the end too, when somebody leaves and another peer knows it, or when its
// context does: then it says that it leaves. The end goes on being served to those who are not there until they have it
// or the host closes: somebody may have been killed in the last moment.
//
// Resume takes the seat again after a crash: it reads the journal, asks everybody it reaches what they have of this
// seat, and only then speaks. A seat that was removed meanwhile asks to be let in again; the table does that by
// itself. A seat that reaches nobody comes to the end by its journal if that leads there; else it tells whom it misses.
// A journal that is missing, damaged or without its keys is never gone on with: with Table.Lost it is put aside, the seat
// says nothing but that until the others have taken it out, and it comes back with fresh keys.
// Its thinking time goes on where the others have counted on: the own clock is kept beside the journal (clock.go).
//
// The order on the disk: addresses of the others before the first word, what is said before it is sent, the transcript
// before the journal is ended.
//
// Watch is a table without a seat: it asks the members in turn, follows what they answer and says nothing. What they
// answer whom, and how late, stands in onlooker.go.
//
//	room ── Request of a spectator ──> Seat: rounds old enough ── Fetch ──> Watch ── table.Table ──> Show
//
// As long as the journal cannot be written nothing is sent at all; Config.Trouble is told, and it is tried again every
// second.
package peer
