package base

import (
	"slices"

	"standoff/engine"
)

// Set is the basic box: 80 cards, 16 characters, 4 to 7 players.
var Set = engine.Set{
	Name:    "base",
	Rows:    slices.Concat(cards, characters, house),
	Options: options,
	Presets: presets,
	Roles: [engine.MaxSeats + 1][]engine.Role{
		4: roles(1, 0, 2, 1),
		5: roles(1, 1, 2, 1),
		6: roles(1, 1, 3, 1),
		7: roles(1, 2, 3, 1),
	},
}

// roles lists the cards of a line of the table in B section 2.
func roles(sheriffs, deputies, outlaws, renegades int) []engine.Role {
	return slices.Concat(
		slices.Repeat([]engine.Role{engine.Sheriff}, sheriffs),
		slices.Repeat([]engine.Role{engine.Deputy}, deputies),
		slices.Repeat([]engine.Role{engine.Outlaw}, outlaws),
		slices.Repeat([]engine.Role{engine.Renegade}, renegades))
}
