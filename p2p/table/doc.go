// Package table is the protocol of a game without a dealer: who may say what when, how the log grows, and what
// counts as proof that somebody broke the rules. ../PROTOCOL.md describes every message.
//
//	player ── Act ─────────────┐                        ┌── Step, Supply ──> engine.Game
//	network ── Receive ──> Table (one goroutine's) ──> state ── expect ──> round: who contributes what
//	clock ── Tick ─────────────┘        │               └── proofs, layers ──> Suite (package crypto)
//	                                    └── Ready: Save (first!), Send, Fetch, News, Faults, Strays, Ask, End
//
// The package does no input or output, starts no goroutine, reads no clock and takes its randomness from a reader,
// so eight tables and a hostile network run in one test, the same way every time.
//
// # The log
//
// A game is a list of rounds. What a round is about follows from the log before it (state.expect): everybody's keys,
// a shuffle by one seat, layers that come off cards, a decision. A round has two beats. Each contributor says; when
// a member holds all contributions and has verified them, it works out the state after the round and seals both.
// The round is closed when all have sealed the same. So no two peers ever see another order, nobody leads, and no
// layer of a card is published for a choice that some member might not have seen.
//
// The seals that closed a round are kept with it, for all rounds: whoever follows without speaking (an observer, a seat
// that is away or has lost its journal) takes a round for closed on them alone, however late it comes. Were it enough
// that somebody speaks in the next round, one cheater could lead it into a log that no member has.
//
// Every envelope names the table, the round and the hash of the log before it, which covers the engine's state, and
// is signed. The says alone, in the order of rounds and seats, are the transcript: [Replay] follows it with the
// same code as the players did, and [Verify] is a Replay to the end.
//
// # Cards
//
// A slot of the engine is an ElGamal pair with a mask: the set of seats whose layers are on it. A pile has the layers
// of all; a card dealt to a seat has its layer alone and only that seat can read it; an open card has none. The state
// has no place for a hidden face. What one seat may know is in its party, which never leaves the machine.
//
// # Where to look
//
//	wire.go      envelopes, limits, packets          roster.go   offer, join, roster; option.go the table's options
//	state.go     what is a function of the log       round.go read.go   kinds of round, what comes next, what a say must be
//	genesis.go   keys, shares, places                mix.go strip.go own.go act.go finish.go recover.go   one kind of round each
//	table.go     one peer: says, seals, closing      ready.go    what the caller must do; catchup.go, gate.go, wish.go
//	suite.go     what the table asks of cryptography ristretto.go, ristretto_proofs.go   the answer
//	transcript.go replay.go trailer.go verify.go report.go   the file of a game, and the verdict on it
//	fault.go evidence.go   what counts as proof, for strangers too   stray.go   what accuses nobody
//	held.go hear.go prove.go close.go keep.go   what comes in, and what comes of it
//	vote.go value.go closing.go call.go   how a round closes, also without a seat
//	patience.go suspicion.go ballot.go    whom this peer suspects, on which ground, and when it calls
//	absence.go repair.go   after a removal or a return
//	fate.go           what ends a game for who may be behind
//	wish.go           leave, lost, return                          resume.go     from the journal
//
// # When a seat does not come along
//
// A round that does not close at ballot 0 closes at a higher one: all others call for going on without the seat, each
// names what it holds, and the value is a function of those calls; what somebody may have closed already is taken
// over (vote). Nothing but calls brings time into the log. A seat that was removed stays in the game, as the option
// away says; the members wrap its cards, lift its layers with their shares of its key, deal new shares, and the need
// in work starts again in the form for the new members (repair). Its questions are answered by the default that every
// peer derives. It may come back with fresh keys, which lie on nothing before they are shared.
//
//	silent ─ suspects ─> call ─ all others ─> seal ─> closed without it ─> guard, lift, share, check ─> the game goes on
//	away ─ wish with fresh keys ─> taken up by a say ─> share, check, enter, its cards dealt to it ─> it plays again
//
// # Where this differs from the first design
//
// An act round carries only the layers of the cards that the decision shows; remasks and gifts that go with it are
// rounds of their own, so that there is one way to serve a need. Opening an owner's cards is a strip round with the
// owner as its only contributor, not an own round. A seat is expelled (option away, value out; or for a fault) as soon
// as nothing is being resolved. A seat that calls, but calls for something else than all others, or seals what nobody
// has, is suspected too: else it could hold the table up for ever. Who is suspected in a ballot keeps its time from
// ballot to ballot.
package table
