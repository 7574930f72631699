// Package enginetest runs readable scripts against the engine: a position or a whole deal, actions, and what must
// then be true. It holds all cards itself and lays the luck down beforehand, so that a script can say who was
// dealt what and what each seat knows.
//
//	testdata/SB-05.txt ──> Script ──> Run ──> engine.FromState / engine.New
//	                                   │            │ Ready: Events, Needs, Ask
//	          "> B answers beer:7H" ───┤            v
//	                 Action ──> Step   └──────> dealer (true faces, coins, what every seat knows)
//	                                                │
//	          "= B 1/4 hand[bang:2C]" <── printed ──┘
//
// # Form
//
// A script is text, one statement a line; lines that begin with -- are remarks.
//
//	# SB-05 Title  [B-041 B-043]      number, title, the rules it is about
//	## name                            a variant; what stands before the first one belongs to each of them
//
// Setup, before the first action. Seats are the letters A B C …, clockwise.
//
//	A: [ROLE] [CHARACTER [COPIED]] [LIFE/MAX] [hand[..]] [play[..]] [out]
//	turn B starts                      the turn of B begins; without "starts" B is in phase 2. Default: turn A
//	deck[top next ...]                 "..." stands for the rest of the pack; without it the deck is just that.
//	discard[bottom top]                Default: deck[...] and discard[]
//	option NAME VALUE
//	coin[CARD NUMBER SEAT ..]          results of the joint coins, in order; a card stands for the fresh slot it lies in
//	shuffle[top next ...]              the deck after a reshuffle; one line each
//	remask[CARD ..]                    the order of a hand after a remask; one line each. Default: as it was
//	game                               no position: a whole game is dealt; the seats say role and character,
//	                                   deck[..] the order of the shuffled cards
//	meanwhile ACTION                   must be refused whenever the engine waits for faces or a coin
//	choices[CHARACTER ..]              the characters as dealt under characterChoice, two to a seat, from the Sheriff on
//	former A CHARACTER [out] [sheriff] a seat of the last game, for a rematch
//
// A seat line replaces an earlier one of the same seat. Who is not named otherwise is "neutral" (a character of four
// life points without an ability) and alive. Roles that are not named are filled in from those of that number of
// players: the Sheriff to the last such seat, the others clockwise in the order Outlaw, Renegade, Deputy. A Sheriff
// has one life point more.
//
// Actions. Several may stand in a line, with " ; " between them.
//
//	> A plays CARD [as NAME] [at SEAT | at SEAT.hand | at SEAT.CARD]
//	> B answers CARD [as NAME]         > B flips                      > B passes
//	> B picks CARD                     > A uses CHARACTER [at SEAT]   > A discards CARD
//	> A uses CHARACTER CARD            > A picks B                     > A picks B.CARD
//	> A ends                           > C keeps / C changes (character, before a rematch)
//	> D comes in                       the any-time ability of a seat that is not asked
//	> D leaves / D returns             answers by default from now on / decides again
//	> D is expelled                    answers by default, and is eliminated as soon as nothing is being resolved
//	> D defaults                       the default action of the asked seat
//	>! ACTION [because REASON]         must be refused and change nothing; REASON is part of the reason's text
//
// Expectations. The line is printed anew from the position, in the parts which it names, and must come out the same.
// Lists in [ ] are in order, lists in { } are sorted; "?" is a card that is not known.
//
//	= B [ROLE] [CHARACTER [COPIED]] 1/4 hand[..] play[..] [out]   "hand 3" counts; "out" is always printed of an eliminated seat
//	                                                     "alone": has no copied character
//	= deck[top next ...]    = deck 51     = deck{..}     the same for discard (top last) and table
//	= turn: B               = asked: B    = asked: none  = may: D
//	= legal: ACTION | ACTION                             everything the asked seat may do, in any order
//	= offered: ACTION       = not offered: ACTION
//	= distance A: B 1 C 2   = reach A 1   = limit A 4    = needed B 2 (Missed! effects still needed)
//	= C sees A.hand[? ?] B.role[?] deck[? ...] discard[..] table[..]
//	= roles[..]             all roles dealt              = pool{..}  what the characters were dealt from
//	= log[KIND ..]: EVENT | EVENT                        all events of these kinds so far
//	= needs[KIND ..]: NEED | NEED                        all work of these kinds asked of the dealer so far
//	= former: A CHARACTER [out] [sheriff] | B ..         what a rematch would be told
//	= name scope: NAME                                   what the table calls a card
//	= over: no              = over: outlaws | B D        who wins, and which seats
//	same flow as VARIANT                                 an onlooker has seen exactly the same: states, events, needs, asks
//	same flow to here as VARIANT                         the same, as the beginning of that variant
//
// go test -run SB-05 -rewrite writes the = lines as they come out; whoever uses it answers for what it wrote.
//
// # What is checked without being said
//
// After every step: each card is there once; somebody is asked or the game is over; who is asked has something
// legal to do; nobody has two cards of a name in play; every owner knows his hand, and nobody knows anything false;
// the State shows no face that is not public; State survives its encoding. After every run: the luck laid down was
// used up, and the same actions and answers give the same State again.
package enginetest
