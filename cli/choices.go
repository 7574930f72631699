package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"standoff/engine"
	"standoff/engine/boxes"
	"standoff/p2p/table"
)

// sets are the boxes that the commands play with.
var sets = []string{"base"}

// compile makes the rules of some boxes; it is what tables and verifiers take.
func compile(sets []string) (*engine.Rules, error) { return boxes.Compile(sets...) }

// choosing holds the flags by which a command takes its table options.
type choosing struct {
	players int
	preset  string
	options []string
}

func (c *choosing) flags(cmd *cobra.Command, players int) {
	cmd.Flags().IntVar(&c.players, "players", players, "how many play, 4 to 7")
	cmd.Flags().StringVar(&c.preset, "preset", "classic", "a named choice of options, see \"standoff rules presets\"")
	cmd.Flags().StringArrayVar(&c.options, "option", nil, "NAME=VALUE, one option of the table, see \"standoff rules options\"; may be given again")
}

// choose checks the flags and makes the options of the table of them.
func (c *choosing) choose() (*engine.Rules, table.Choices, error) {
	rules, err := compile(sets)
	if err != nil {
		return nil, table.Choices{}, err
	}
	choices := table.DefaultChoices()
	if rules.Roles(c.players) == nil {
		return nil, choices, misuse("choose 4, 5, 6 or 7, for instance --players 5", "no game for %d players", c.players)
	}
	if err := rules.ParsePreset(&choices.Engine, c.preset); err != nil {
		return nil, choices, misuse("run \"standoff rules presets\" to see what each of them means", "%w", err)
	}
	for _, o := range c.options {
		name, value, ok := strings.Cut(o, "=")
		if !ok {
			return nil, choices, misuse("write --option NAME=VALUE, for instance --option reshuffle=lazy", "option %q has no value", o)
		}
		if err := choices.Set(rules, name, value); err != nil {
			return nil, choices, misuse("run \"standoff rules options\" for all options, their values and defaults", "%w", err)
		}
	}
	return rules, choices, nil
}

// changed lists the options that differ from their defaults, for one line.
func changed(rules *engine.Rules, list [][2]string) string {
	standard := table.DefaultChoices()
	var diff []string
	for i, p := range standard.List(rules) {
		if i < len(list) && list[i] != p {
			diff = append(diff, list[i][0]+"="+list[i][1])
		}
	}
	if diff == nil {
		return "all options at their defaults"
	}
	return fmt.Sprintf("options %s, all others at their defaults", strings.Join(diff, " "))
}
