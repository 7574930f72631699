// Package dodge is the box Dodge City: 40 cards for the deck, 15 characters, and games of three and of eight players.
//
//	dodge.Set ── engine.Compile(base.Set, dodge.Set) ──> Rules ──> the same frames as for the basic box
//	   rows: symbols, numbers, functions        │
//	   More: copies of cards of the basic box ──┘
//
// It adds data and a few functions to what the core knows already. What is new in this box is general in the core:
//
//   - Green cards (D-010 ff.) are rows of colour Green: laid from the hand, used from play in a later turn.
//   - The cost "discard another card" (D-020) is the symbol Pay before the others.
//   - Dodge and Bible are two symbols: a Missed! effect, then a card from the deck (D-103).
//   - Brawl is the symbol Drop for all others; the core asks for a choice at each of them (D-109).
//   - Three players are a line of roles without a Sheriff, and one house rule for reward and victory (D-050 ff.).
//
// Files: cards.go and characters.go are the tables; abilities.go holds what their symbols and numbers cannot say;
// three.go the house rule; options.go the table options of section 8 of the digest; kinds.go the numbers of the rows.
//
// Rule numbers D-001 ff. are those of engine/rulebook/dodge-city.md. Nothing outside this folder names it but the list of boxes: a
// program without both builds and plays the basic game.
package dodge
