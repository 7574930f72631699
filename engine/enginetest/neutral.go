package enginetest

import "standoff/engine"

// neutral is the kind of the character without an ability.
const neutral engine.Kind = 255

// Neutral is a box for tests: one character of four life points without an ability.
var Neutral = engine.Set{Name: "test", Rows: []engine.Row{
	{Kind: neutral, Name: "Neutral", Colour: engine.CharacterCard, Life: 4, Text: "No ability.", Rules: "B-300"},
}}
