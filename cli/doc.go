// Package cli is the program as people and scripts meet it: a table of commands, plain lines, exit codes.
//
//	arguments ──> Main ──> command ──> p2p, engine ──> events ──> i18n.Log ──> lines on standard output
//	                          └── Problem{code, operands} ──> i18n ──> error and hint on standard error, exit code
//
// Data goes to standard output, talk and errors to standard error. An error is one line "standoff: error: …" and,
// where the user can do something about it, one line "standoff: hint: …": no capital at the beginning, no full stop
// at the end. Exit codes: 0 it worked, 1 it did not, 2 the command line was wrong, 3 somebody cheated or a
// transcript was altered.
//
// To add a command, write a function that makes it, put it into the table in main.go and give it a page in i18n's
// manual; help and shell completion follow from the table.
//
// Whatever a person reads is told by package i18n from codes and operands, so that other languages can follow.
//
// # The demonstration
//
// `standoff demo` starts one process of this same program per seat, with the hidden command `seat`. The parent
// carries a few bytes between them until all have the signed roster and know each other's addresses; from then on
// they talk to each other over the network alone, and the parent only listens to what they tell:
//
//	demo ── stdin: open, join, close, sit, bye ──> seat (one process each) <── loopback ──> the other seats
//	demo <── stdout: hello, offer, join, roster, log, end, problem ── seat
//
// The seats end when their standard input ends, so that none outlives its parent.
//
// # An evening at a table
//
// `standoff play`, `host` and `join` are one thing, an evening: a table of package lobby until its game begins, a peer
// with the front of package line for the game, then the question whether there is another one. play is a table on
// loopback whose other seats are bots, each a process of its own with the hidden command `bot`:
//
//	person, program ── lines ──> evening ──> lobby.Table: ready, options, chat ── NewsBegun ──> peer.Run
//	                                                                                              │
//	     another game: Offer, Again <── transcript kept <── End <── line.Front: Show, Decide <────┘
//
// `standoff watch` is an evening beside a table: peer.Watch with the same front, which then asks nothing.
//
// A bot is told on standard input where to sit, gets ready for every offer, and ends when its input does, without a word
// to the table unless its owner has told it to leave. It has an identity and journals in a folder of its own, DATA/bots/…,
// as long as its game is not over: `standoff resume` of its owner starts it again too. What this machine knows of games
// that are not over, by the journals of the person and of the bots, stands in games.go; of a person whose journal is of no use
// the bots' journals tell where the key sits.
package cli
