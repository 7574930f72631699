package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"standoff/engine"
)

// RulesVersion changes whenever the same log could give another game. Peers of different versions do not sit
// down together, and a verifier says so before it judges anything.
const RulesVersion = "standoff-rules/1"

// Option is one row of the table's own options; together with those of the rules they are the one list that
// players see and sign.
type Option struct {
	Name    string
	Default string
	Values  string // for a person
	Help    string
	check   func(string) bool
}

// Options are the table's own options.
var Options = []Option{
	{"tolerate", "1", "0, 1, 2, 3", "how many seats may fail at once; also decides how many seats together could look at cards", oneOf("0", "1", "2", "3")},
	{"grace", "20s", "2s to 600s", "how long a silent seat is waited for", seconds(2, 600)},
	{"clock", "5m+20s", "none, or BANK+INCREMENT with a bank of 10s to 3600s or 1m to 120m and an increment of 0s to 600s", "thinking time of each seat", clock},
	{"away", "defaults", "defaults, out", "what the rules do with a seat that is away", oneOf("defaults", "out")},
	{"audit", "on", "on, off", "show all keys after the game, so that every hidden card can be checked", oneOf("on", "off")},
	{"waits", "3s", "0s to 10s", "an automatic pass waits a random time up to this, so that it tells nothing", seconds(0, 10)},
	{"delay", "0m", "0m to 60m, never", "spectators see the table this much later; never: there are none", watching},
}

func oneOf(values ...string) func(string) bool {
	return func(v string) bool { return slices.Contains(values, v) }
}

func number(v, unit string, lo, hi int) bool {
	n, ok := strings.CutSuffix(v, unit)
	i, err := strconv.Atoi(n)
	return ok && err == nil && i >= lo && i <= hi && strconv.Itoa(i) == n
}

func seconds(lo, hi int) func(string) bool {
	return func(v string) bool { return number(v, "s", lo, hi) }
}

func watching(v string) bool { return v == "never" || number(v, "m", 0, 60) }

// Spectators says what the options of a table have agreed on for those who look on: how much later they see a round
// than it was closed, and whether there are any at all.
func Spectators(options [][2]string) (delay time.Duration, ok bool) {
	for _, o := range options {
		if o[0] == "delay" && watching(o[1]) && o[1] != "never" {
			delay, err := time.ParseDuration(o[1])
			return delay, err == nil
		}
	}
	return 0, false
}

func clock(v string) bool {
	bank, inc, ok := strings.Cut(v, "+")
	return v == "none" || ok && (number(bank, "m", 1, 120) || number(bank, "s", 10, 3600)) && number(inc, "s", 0, 600)
}

// Choices are the agreed options: those of the rules as the engine takes them, those of the table by name.
type Choices struct {
	Engine engine.Options
	Table  map[string]string
}

// DefaultChoices has every option at its default.
func DefaultChoices() Choices {
	c := Choices{Table: map[string]string{}}
	for _, o := range Options {
		c.Table[o.Name] = o.Default
	}
	return c
}

// Set gives one option a value; the error says which options and values there are.
func (c *Choices) Set(r *engine.Rules, name, value string) error {
	for _, o := range Options {
		if o.Name == name {
			if !o.check(value) {
				return fmt.Errorf("option %s cannot be %q: it takes %s", name, value, o.Values)
			}
			c.Table[name] = value
			return nil
		}
	}
	var names []string
	for _, o := range r.OptionTable() {
		if o.Name == name {
			return r.ParseOption(&c.Engine, name, value)
		}
		names = append(names, o.Name)
	}
	for _, o := range Options {
		names = append(names, o.Name)
	}
	return fmt.Errorf("there is no option %q; there are %s", name, strings.Join(names, ", "))
}

// List is every option with its value, in the order of the tables: what an [Offer] carries.
func (c *Choices) List(r *engine.Rules) [][2]string {
	var l [][2]string
	for _, o := range r.OptionTable() {
		l = append(l, [2]string{o.Name, r.Option(c.Engine, o.Name)})
	}
	for _, o := range Options {
		l = append(l, [2]string{o.Name, c.Table[o.Name]})
	}
	return l
}

// ReadChoices is the inverse of List; it insists on the complete list in its order.
func ReadChoices(r *engine.Rules, list [][2]string) (Choices, error) {
	c := DefaultChoices()
	for _, p := range list {
		if err := c.Set(r, p[0], p[1]); err != nil {
			return c, err
		}
	}
	if !slices.Equal(c.List(r), list) {
		return c, fmt.Errorf("the offer does not list every option of this program once, in order")
	}
	return c, nil
}

func (c *Choices) tolerate() int { return int(c.Table["tolerate"][0] - '0') }
func (c *Choices) audit() bool   { return c.Table["audit"] == "on" }

// failures is d(m): how many of m members may fail at once (the table's section on membership).
func failures(m, tolerate int) int {
	limit := (m - 2) / 2
	if m == 3 {
		limit = 1
	}
	return max(0, min(tolerate, limit))
}

// Quorum is q(m): how many of m members can go on without the others, and how many together could look at cards.
// When it equals m nothing is shared and nobody can be missing.
func Quorum(m, tolerate int) int { return m - failures(m, tolerate) }
