// Package line is play by lines of text: for a terminal, a screen reader, a pipe, or a program.
//
//	table.News, engine.View ──> Session.Tell, Session.Ask ──> lines ──> Writer ──> person
//	person ── a line ──> Session.Enter ──> Reply{lines, action, chat, leave} ──> peer.Seat
//
// A [Session] is pure: it is told what happened and what is asked, takes one line of input at a time and gives back
// lines and perhaps an action. It does no input or output and knows no clock, so tests talk to it directly. Choices
// come from View.Legal alone, and what each of them does comes from trying it on a copy of the game, so no card or
// character is named here and the cards of every box are explained.
//
// A [Front] is the thin shell around it: it runs on the goroutine that owns the table, as what a peer shows and
// decides, and hands over each line that a reader brings. With JSON it speaks objects instead of lines (see json.go).
//
// What a person composes stays here until it is complete: a card, its target, the cards to discard. Then it is sent
// and cannot be taken back, unless the peer still holds it (package peer says why it does).
package line
