package cli

import (
	"slices"
	"strings"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/p2p/table"
)

// optionRow is an option of a table, of the rules or of the table itself, as a person reads it.
type optionRow struct {
	name, standard, values, help string
	rule                         string // its number; "" for an option of the table itself
}

// optionRows are all options of a table with such rules, in the order of the tables.
func optionRows(rules *engine.Rules) []optionRow {
	var rows []optionRow
	for _, o := range rules.OptionTable() {
		rows = append(rows, optionRow{o.Name, o.Values[0], strings.Join(o.Values, ", "), o.Help, o.Rule})
	}
	for _, o := range table.Options {
		rows = append(rows, optionRow{name: o.Name, standard: o.Default, values: o.Values, help: o.Help})
	}
	return rows
}

// chosen is the template for an option that a table has chosen, with its meaning, and its operands.
func chosen(w *i18n.ReportTexts, rules *engine.Rules, o [2]string) (string, i18n.With) {
	rows := optionRows(rules)
	i := slices.IndexFunc(rows, func(r optionRow) bool { return r.name == o[0] })
	if i < 0 {
		return w.OptionOnly, i18n.With{"name": o[0], "value": o[1]}
	}
	template := w.Option
	if o[1] == rows[i].standard {
		template = w.OptionStandard
	}
	return template, i18n.With{"name": o[0], "value": o[1], "standard": rows[i].standard, "text": rows[i].help}
}

// choices shows options of the table with what they mean.
func (e *evening) choices(sets []string, list [][2]string) {
	for _, l := range e.meanings(sets, list) {
		e.tell("option", "", "{what}", i18n.With{"what": l})
	}
}

// optionLines are all options of a table with what they mean, a line each.
func (e *evening) optionLines(o *table.Offer) []string { return e.meanings(o.Sets, o.Options) }

func (e *evening) meanings(sets []string, list [][2]string) []string {
	rules, err := compile(sets)
	var lines []string
	for _, o := range list {
		template, with := e.text.Report.OptionOnly, i18n.With{"name": o[0], "value": o[1]}
		if err == nil {
			template, with = chosen(&e.text.Report, rules, o)
		}
		lines = append(lines, e.text.Put(template, with))
	}
	return lines
}

// amongBots reports whether all others at the table are bots of this program.
func (e *evening) amongBots() bool {
	return e.alone || e.table != nil && e.bots != nil && len(e.bots.all)+1 == int(e.table.View().Offer.Seats)
}

// tolerance says how many peers may fail, and what that costs: how many together could look at cards.
func (e *evening) tolerance(o table.Offer) {
	m, tolerate := int(o.Seats), 1
	for _, o := range o.Options {
		if o[0] == "tolerate" && len(o[1]) == 1 {
			tolerate = int(o[1][0] - '0')
		}
	}
	if q := table.Quorum(m, tolerate); q < m {
		e.tell("tolerance", "", e.words().Tolerance, i18n.With{"d": m - q, "m": m, "q": q})
	} else {
		e.tell("tolerance", "", e.words().NoTolerance, i18n.With{"m": m})
	}
}

// differing lists the options that are not at their defaults.
func (e *evening) differing(o table.Offer) [][2]string {
	rules, err := compile(o.Sets)
	if err != nil {
		return o.Options
	}
	return notDefault(rules, o.Options)
}

func notDefault(rules *engine.Rules, list [][2]string) [][2]string {
	standard := table.DefaultChoices()
	var diff [][2]string
	for i, p := range standard.List(rules) {
		if i < len(list) && list[i] != p {
			diff = append(diff, list[i])
		}
	}
	return diff
}
