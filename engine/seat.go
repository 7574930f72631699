package engine

// Seat is a place at the table, clockwise from 0. The zero value is a real seat; [None] is nobody.
type Seat int8

// None stands where no seat is meant: nobody asked, nobody responsible, the top of the deck as a receiver.
const None Seat = -1

// MaxSeats is the largest table (B section 2).
const MaxSeats = 8

// Role is what a seat plays for (B-020). The zero value means that the role is not shown.
type Role uint8

// The roles, in the order in which prints list them.
const (
	NoRole Role = iota
	Sheriff
	Deputy
	Outlaw
	Renegade
)

// Status says whether a seat is in the game.
type Status uint8

// The three ways of being at the table. A Ghost is in play for its own turn only and cannot lose life.
const (
	In Status = iota
	Out
	Ghost
)
