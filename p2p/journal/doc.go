// Package journal keeps on disk what one seat has said, before anybody hears it, so that the seat can be taken again
// after a crash.
//
//	table ── Ready.Save ──> Journal.Append ── write, sync ──> disk ── then ──> Ready.Send
//	disk ── Open (cuts the torn tail) ── records ──> table.Resume
//
// A journal is an append-only file of records, each with a check sum. What the program had not finished writing when
// the machine went down is a torn tail: it was never sent, so it is cut off. What a full disk cut short is taken back,
// and written again when there is room. Secrets lie in a file of their own.
//
//	DATA/tables/ID/   journal  what was said and what that rests on
//	                  secret   keys, removed when the game is over
//	                  lock     held by the program that speaks for the seat
//	                  ended    the game is over, and how
//	                  …        what else the peer keeps beside, such as addresses
//
// A journal that is damaged is not gone on with, for nobody knows what the seat has promised: it is put aside as
// ID.damaged-N, and the seat may only ask to be let in again. Of a game that is over nothing stays but ended and lock, once
// it is swept: the transcript has the rest.
package journal
