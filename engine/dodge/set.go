package dodge

import (
	"slices"

	"standoff/engine"
)

// Set is the box Dodge City: it goes with the basic box.
var Set = engine.Set{
	Name:    "dodge",
	Rows:    slices.Concat(cards, characters, house),
	More:    more,
	Options: options,
	Roles: [engine.MaxSeats + 1][]engine.Role{
		3: {engine.Deputy, engine.Outlaw, engine.Renegade},                                                                               // D-050
		8: {engine.Sheriff, engine.Deputy, engine.Deputy, engine.Outlaw, engine.Outlaw, engine.Outlaw, engine.Renegade, engine.Renegade}, // D-040
	},
}
