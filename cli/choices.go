package cli

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/engine/boxes"
	"standoff/p2p/table"
)

// compile makes the rules of some boxes; it is what tables and verifiers take.
func compile(sets []string) (*engine.Rules, error) { return boxes.Compile(sets...) }

// boxing holds the flags by which a command takes the boxes to play with.
type boxing struct {
	sets   []string
	promos bool
}

func (b *boxing) flags(cmd *cobra.Command) {
	cmd.Flags().StringSliceVar(&b.sets, "sets", nil, "")
	cmd.Flags().BoolVar(&b.promos, "promos", false, "")
}

// names are the boxes chosen, the basic one first.
func (b *boxing) names() []string {
	names := []string{"base"}
	for _, n := range b.sets {
		if n != "base" && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	if b.promos && !slices.Contains(names, "promo") {
		names = append(names, "promo")
	}
	return names
}

// compile makes the rules of the boxes chosen.
func (b *boxing) compile() (*engine.Rules, error) {
	rules, err := compile(b.names())
	if err != nil {
		return nil, misuse(i18n.NoBox, why(err))
	}
	return rules, nil
}

// choosing holds the flags by which a command takes its table options.
type choosing struct {
	boxing
	players int
	preset  string
	options []string
}

func (c *choosing) flags(cmd *cobra.Command, players int) {
	cmd.Flags().IntVar(&c.players, "players", players, "")
	c.optionFlags(cmd)
}

// choose checks the flags and makes the options of the table of them.
func (c *choosing) choose() (*engine.Rules, table.Choices, error) {
	rules, err := c.compile()
	if err != nil {
		return nil, table.Choices{}, err
	}
	choices := table.DefaultChoices()
	if rules.Roles(c.players) == nil {
		return nil, choices, noGameFor(rules, c.players)
	}
	if err := rules.ParsePreset(&choices.Engine, c.preset); err != nil {
		return nil, choices, misuse(i18n.BadPreset, why(err))
	}
	for _, o := range c.options {
		name, value, ok := strings.Cut(o, "=")
		if !ok {
			return nil, choices, misuse(i18n.OptionEmpty, i18n.With{"what": quoted(o)})
		}
		if err := choices.Set(rules, name, value); err != nil {
			return nil, choices, misuse(i18n.BadOption, why(err))
		}
	}
	return rules, choices, nil
}

// numbers lists how many can play, with so many more or fewer for each: "4, 5, 6 or 7".
func numbers(rules *engine.Rules, more int) string {
	list := ""
	var can []int
	for n := range engine.MaxSeats + 1 {
		if rules.Roles(n) != nil {
			can = append(can, n)
		}
	}
	for i, n := range can {
		switch {
		case i > 0 && i == len(can)-1:
			list += " or "
		case i > 0:
			list += ", "
		}
		list += strconv.Itoa(n + more)
	}
	return list
}

// noGameFor says that so many cannot play, how many can, and with which box more or fewer.
func noGameFor(rules *engine.Rules, players int) *Problem {
	var more otherBoxes
	for _, n := range boxes.Names()[1:] {
		if r, err := compile([]string{"base", n}); err == nil && r.Roles(players) != nil {
			more = append(more, i18n.With{"n": players, "box": n})
		}
	}
	return misuse(i18n.NoGameFor, i18n.With{"n": players, "numbers": numbers(rules, 0), "more": more})
}

// otherBoxes are boxes with which a number can play.
type otherBoxes []i18n.With

// Say puts them behind a hint.
func (o otherBoxes) Say(text *i18n.Catalogue) string {
	more := ""
	for _, with := range o {
		more += text.Put(text.Report.CanWith, with)
	}
	return more
}

// changed lists the options that differ from their defaults, for one line.
func (s *shell) changed(rules *engine.Rules, list [][2]string) string {
	var diff []string
	for _, o := range notDefault(rules, list) {
		diff = append(diff, o[0]+"="+o[1])
	}
	if diff == nil {
		return s.texts().AllDefaults
	}
	return s.words().Put(s.texts().OtherDefaults, i18n.With{"list": strings.Join(diff, " ")})
}
