package engine

// OptionID numbers a table option. Every box has its own range; the core owns 0 to 15.
type OptionID uint8

// MaxOptions bounds the option numbers.
const MaxOptions = 64

// Option is one row of the table of options: what may be agreed on before a game. The first value is the default.
type Option struct {
	ID     OptionID
	Name   string   // as players write it: reshuffle
	Values []string // eager, lazy
	Rule   string   // B-062
	Help   string   // one line, for a person
}

// Options holds one value index for every option. The zero value is the default of everything.
type Options [MaxOptions]uint8

// Preset is a named choice of options: classic, third-edition, beginner.
type Preset struct {
	Name   string
	Help   string
	Values [][2]string // option name, value
}
