package i18n

import "slices"

// Term is a word that the program uses and that a rule or a card does not explain.
type Term struct {
	Words []string // how it is asked for, the name first
	Text  string
}

// Term finds the term that somebody asks for by one of its words. Words are compared as plain reduces them.
func (c *Catalogue) Term(what string, plain func(string) string) (Term, bool) {
	i := slices.IndexFunc(c.Glossary, func(t Term) bool {
		return slices.ContainsFunc(t.Words, func(w string) bool { return plain(w) == plain(what) })
	})
	if i < 0 {
		return Term{}, false
	}
	return c.Glossary[i], true
}

// englishGlossary are the terms in alphabetic order.
var englishGlossary = []Term{
	{[]string{"active player", "active"}, "who is in turn"},
	{[]string{"address"}, "where a player's program is reached, and whose it is: it can be given to join and watch as it is printed"},
	{[]string{"answer", "no answer"}, "a shot is answered with a Missed! or a card that counts as one, Indians! and a Duel with a BANG! card; without an answer it takes 1 life. Whoever might answer is asked, who holds nothing that does as well, so that the question tells nothing of the hand"},
	{[]string{"audit"}, "after the last move every player shows the key of this game, so that all hidden cards can be read and checked"},
	{[]string{"auto", "automatic pass", "pass"}, "auto on answers a question for you when you have no card to answer with; auto off asks you each time. A pass means: no answer, or no further card"},
	{[]string{"away"}, "who has left or is not heard any more is away: the rules play the default for that seat, or it is out of the game"},
	{[]string{"bank", "time", "thinking time"}, "the thinking time of a player for the whole game. Each decision has the increment on top, so with clock=5m+20s one decision may take 5 min 20 s at first; a decision that takes longer than the increment uses up the bank, a shorter one fills it again. The command time shows what is left"},
	{[]string{"bot", "bots"}, "a player whom the program plays; it knows its own cards only, and sits there with keys and proofs as people do"},
	{[]string{"character", "ability"}, "the person whom you play: its bullets are your life, its ability is yours alone"},
	{[]string{"clock", "increment"}, "how long everybody may think, written bank+increment, or none; who lets it run out is played for by the default"},
	{[]string{"coin", "joint coin", "joint number"}, "a number by chance that all players make together, so that nobody can choose it; it says which card is taken at random"},
	{[]string{"come in", "in", "any time", "any-time ability"}, "an ability such as Sid Ketchum's may be used at any time, also between the moves of others: in on takes every chance until in off"},
	{[]string{"deck", "discard pile", "pile"}, "cards are drawn from the deck, face down, and go to the discard pile, face up; an empty deck is made of the discard pile again, shuffled by all"},
	{[]string{"default"}, "what is done when you press Enter, or when you do not decide in time: it is shown as the line that begins with Enter. Where there is none, type a number"},
	{[]string{"draw!", "draw"}, "turn the top card of the deck over: its suit and rank decide whether a Barrel, a Jail, a Dynamite helps or harms. To draw without the mark is to take cards into the hand"},
	{[]string{"edition", "editions", "print", "prints", "the bullet"}, "the game has been printed several times (The Bullet is the 4th edition with its boxes), and the printed rules differ here and there; a rule says so behind the word Editions, and which of them this program follows"},
	{[]string{"equipment", "blue", "blue card", "blue cards", "green", "green card", "green cards", "brown", "brown card", "brown cards", "colour"}, "the colour of a card says how it is used. Brown: it does what it says and goes to the discard pile. Blue: equipment, it stays in play before a player and works from then on. Green, of Dodge City: it is laid before oneself like a blue card, and used from the next turn on by discarding it"},
	{[]string{"evidence"}, "what proves to anybody that a player's program has cheated; it is kept as a file beside the transcripts"},
	{[]string{"grace"}, "how long the others wait for a player whose program is not heard any more before they go on without"},
	{[]string{"hand limit", "surplus"}, "how many cards may stay in the hand at the end of the own turn: as many as one has life; the others are discarded. At other times there is no limit"},
	{[]string{"in play", "play area"}, "cards that lie face up before a player; all see them, and others may take or discard them"},
	{[]string{"invite code", "code"}, "the address of a table as letters and digits that can be read out; a private table is joined by it alone"},
	{[]string{"journal"}, "what a program writes down during a game, so that standoff resume can take the seat again after a crash"},
	{[]string{"key", "keys", "identity key", "card key", "proof", "share", "shares"}, "there are two kinds. The identity key is who you are: the same in all games, its short form stands in the lobby. The card keys are secret numbers of each player, new for each game, which hide and open the cards; a proof shows that one was used rightly without showing it, and shares let enough of the others stand in for who is gone"},
	{[]string{"lethal window", "dying", "last life"}, "the moment between the loss of the last life and being out: a Beer or Sid Ketchum's ability can still save. Whoever could have one is asked, and \"no Beer\" says that none was played"},
	{[]string{"life", "lives", "bullets"}, "how many hits you can still take, and how many cards you may keep at the end of your turn; it never rises above its maximum"},
	{[]string{"limit", "bang limit", "limits"}, "in one turn one BANG! card, unless a Volcanic or an ability allows more; before one player no two cards of one name, and one weapon"},
	{[]string{"mask", "masked", "re-mask", "re-masked", "re-masking", "slot"}, "a hidden card has a number, its slot; to mask it anew gives it another, so that nobody can follow it"},
	{[]string{"missed effect", "missed! effect"}, "what cancels a BANG! effect: a Missed!, a Heart drawn for a Barrel, or another card with that symbol"},
	{[]string{"peer", "peers", "seat", "place"}, "each player's program is a peer of all others: none is in charge. Seats are counted from 1, clockwise around the table"},
	{[]string{"phases", "phase", "phase 1", "phase 2", "phase 3", "turn"}, "a turn has three: 1 draw two cards, 2 play any number of cards but one BANG! at most, 3 discard down to your life"},
	{[]string{"preset", "presets"}, "a choice of table options under one name, as an edition prints the game"},
	{[]string{"range", "distance", "reach", "in range"}, "distance counts the players on the shorter way around to somebody, the one aimed at among them, changed by horses and the like; range is how far your weapon carries, 1 without one. A BANG! needs a target whose distance is not above your range; rules distance tells more"},
	{[]string{"responsible", "responsible player", "killer"}, "who played the card, or used the ability, by which somebody lost a life; a Dynamite has nobody"},
	{[]string{"result", "finished", "void", "incomplete"}, "finished: played to the end and signed by all; void: it counts for nobody, as somebody left or cheated; incomplete: it ended early"},
	{[]string{"round"}, "one step of a game that all players sign: a move, a shuffle, a card opened. A turn takes many"},
	{[]string{"ruling", "rulings"}, "a decision of this program where the printed rules are silent or disagree"},
	{[]string{"seal", "sign", "signed", "signature"}, "every player signs what was said in a round; that seals it, and nobody can change it any more"},
	{[]string{"sheriff", "first turn"}, "a joint number of all players, which nobody can choose, says at which seat the Sheriff sits; all other roles are dealt from those shuffled. With table option sheriffRotation the role passes to the next seat in another game. The Sheriff begins; with three players there is none, and the Deputy begins"},
	{[]string{"shuffle", "shuffles"}, "at the beginning everything that is hidden is shuffled: the playing cards (80 in the base game), the characters (16) and the roles but that of the Sheriff, who is public; with 4 players these are 99 cards. Every player shuffles the deck and hides it under a key of their own, one after the other, with a proof; nobody knows the order"},
	{[]string{"spectator", "spectators", "watch", "delay"}, "somebody who looks on: sees what all players see and no more; table option delay shows it later, or to nobody"},
	{[]string{"suit", "heart", "hearts", "spade", "spades", "diamond", "diamonds", "club", "clubs", "rank"}, "each card has a rank, 2 to 10, J, Q, K, A, and a suit: ♠ Spades, ♥ Hearts, ♦ Diamonds, ♣ Clubs. They count when it is turned over for a draw!: a Heart helps, for a Barrel and a Jail, and 2 to 9 of Spades set the Dynamite off"},
	{[]string{"symbol", "symbols"}, "a picture on a card that says what it does: one life, a shot, a card drawn. Cards with the symbol of a BANG! shoot but are no BANG! cards and have no limit"},
	{[]string{"tolerate", "fail"}, "how many players may fail without the game being lost, and so how many can be spared when cards are opened: all others together could look at every card. Of three to five who are left no more than one can be spared, of six or seven two, of two none"},
	{[]string{"transcript"}, "the file of a game with everything that the players have signed: standoff show prints it, standoff verify checks it"},
	{[]string{"trigger", "triggers"}, "an ability that acts by itself when something has happened, such as Bart Cassidy's draw for a lost life; it acts at the end of the unit"},
	{[]string{"unit", "units", "resolution unit", "end of the unit"}, "what runs to its end before anything else can happen: the share of one player in a Gatling or Indians!, any other card with its answers, a whole Duel, one draw!, one phase. Some abilities wait for the end of the unit"},
	{[]string{"verify"}, "check a transcript: every signature, proof and move; it needs nothing but the file"},
	{[]string{"waits"}, "an automatic pass waits for a random time up to this, so that nobody can tell it from one that was thought about; 0s: it goes out at once"},
	{[]string{"weapon"}, "a card that lies before you and sets your range; you have one at most, and the Colt .45 with range 1 without any"},
	{[]string{"zone", "zones"}, "where cards can be: the deck, the discard pile, a hand, in play before a player"},
}
