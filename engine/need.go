package engine

// NeedKind is what only a dealer can do.
type NeedKind uint8

// The needs. Open, Coin and Find bring a [Reply] back and stop the engine; the others are duties to be
// carried out in the order in which they were issued, while the engine runs on.
const (
	NoNeed  NeedKind = iota
	Shuffle          // Old (open cards and face-down ones of one pile) become New, New+1, … in nobody's order
	Deal             // the faces of Old become known to Seat alone
	Open             // the faces of Old become known to all: Reply.Faces in the order of Old
	Remask           // Seat shuffles Old, all in its own possession, into New, New+1, … and keeps knowing them
	Give             // Old pass from Owner's hand, hidden, to Seat; to None: back on the deck, unseen by others
	Coin             // a joint random number below N: Reply.N
	Find             // Seat shows which one of Old has the face Face: Reply.N is its index, Reply.Faces[0] the face
)

// Need is one thing the engine wants of the dealer.
type Need struct {
	Kind  NeedKind
	Pile  Pile
	Seat  Seat   // receiver (Deal, Give), owner (Remask, Find), None for everybody
	Owner Seat   // whose hand Old lies in; None for piles and the table
	Old   []Slot // what goes in
	New   Slot   // first fresh slot (Shuffle, Remask); there are len(Old) of them
	N     int8   // Coin: the number lies in [0, N)
	Face  Face   // Find
}

// Reply is what Open, Coin and Find bring back.
type Reply struct {
	Faces []Face
	N     int8
}

// Ask says who must decide now. May lists the seats that could come in with an any-time ability at this
// point (B-363 d); they answer "I come in" or nothing, without a card.
type Ask struct {
	Seat Seat
	May  []Seat
	On   Frame // the open question, a copy of the top of the stack
}

// Ready is what happened and what is now wanted. Exactly one of these holds when a call has returned: a seat is
// asked, the last need brings an answer back, or the game is over.
type Ready struct {
	Events []Event
	Needs  []Need
	Ask    Ask // Seat None when nobody is asked
}
