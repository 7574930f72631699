// Package engine plays the rules: a pure function of what everybody at the table can see.
//
//	             Action                                  Need (shuffle, deal, open, remask, give, coin)
//	person/bot ─────────> Game.Step ──> frames ──> Ready ─────────────────────────────> dealer
//	     ^                                 ^         │ Event (the log)                     │
//	     └── View = State + Knowledge <────┼─────────┘ Ask (who decides)                   │
//	                                       └──────────── Game.Supply <── Reply ────────────┘
//
// # The loop
//
// [New] begins a game. Then, for ever: call [Game.Ready]; tell its Events; carry out its Needs in their order; if the last
// of them is an Open, a Coin or a Find, bring the [Reply] to [Game.Supply]; otherwise let Ask.Seat decide among
// [View.Legal] and bring its [Action] to [Game.Step]; stop when the State says Over. A dealer that knows all cards
// (package dealer) and one that nobody knows (cryptography between peers) serve the same needs, so the same game has
// the same hash under both.
//
// # Words
//
//   - A Seat is a place at the table, clockwise from 0; None is nobody.
//   - A Kind is a row of the tables; a Face is what is printed on a card; a Slot is one place of one physical card since
//     its last shuffle or remask. Whoever sees a slot knows nothing of the face.
//   - The State is what a careful onlooker could write down. No hidden face has a place in it, so it can be logged,
//     hashed and compared between peers. Knowledge is the slots whose faces one seat knows. View joins the two.
//   - A Frame is an open question or a unit in work: an attack, a Duel, a lethal window. Frames are plain data on a
//     stack; the top one is worked by its resolver.
//   - A resolution unit (B-115) is an AtUnit frame with what lies above it; when it comes to the top the waiting
//     abilities act in the order in which they arose (B-116).
//   - The board is what is in force now: numbers added up for each seat, rows with hooks in one fixed order. It is
//     computed from the State, never stored.
//
// # What always holds
//
//   - When a call has returned, exactly one of four things is so: a seat is asked, faces are awaited, a number is awaited,
//     or the game is over. Whoever is asked has at least one legal action.
//   - On an error nothing has changed.
//   - Legal and Step have one generator, offer: legal is what it lists for one's own hand, and Step accepts what it
//     lists for the faces that the action opens. It never looks at a card that stays hidden (B-445).
//   - A seat that could answer by public rule is asked, whatever it holds (B-442); the engine passes for it only when
//     it is publicly certain that there is no answer.
//   - Before a random card leaves a hand its owner mixes the hand under fresh slots, and a joint coin names one (B-412).
//   - The same actions and replies give the same State on every machine. There is no clock, no map order, no chance here.
//   - A hostile action or reply is refused; it cannot panic or loop. The faces in an action and in a reply are the
//     dealer's responsibility: it has checked them before. Positions for [FromState] come from one's own files only.
//
// # How to add a card
//
// Add a row to a box's table: colour, copies, the symbols printed on it, numbers. That is all for most cards. What these
// cannot say is one of the functions of [Rule] in the same row. If a rule fits no hook, add a hook here, never a name: the
// core names no card, no character and no box, and a test sees to it. A new box is a package with one [Set]; taking it
// away leaves a program that builds.
//
// # Choices that a reader may wonder about
//
//   - Flipped cards, store cards and looked-at cards lie on State.Table; brown cards whose effect is going on lie in
//     State.Played under brownDiscard = after (B-063); during the set-up State.Events holds the role cards and
//     State.Store the characters that are still to be dealt.
//   - Drawing, shuffling, giving and remasking need no answer, so they are plain function calls; only what needs an
//     answer is a frame.
//   - Reordering options are single conditions where the order is decided; everything else about an option stands in
//     the row that it concerns.
//   - Cards lie in the order of arrival, and that order is public; it says nothing, because slots are remasked before
//     a card is taken at random.
//   - A green card is played twice: from the hand, which lays it, and later from where it lies, which is the only use
//     that its symbols have (D-010, D-011). Card.Mark is the turn in which it was laid.
//   - A cost is a frame above the card that costs it: any hand card will do, so none has to be opened beforehand.
//   - The hooks for reveals, ghosts and equipment come with the boxes that need them.
package engine
