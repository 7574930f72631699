package cli

import (
	"fmt"
	"strings"

	"standoff/cli/i18n"
	"standoff/p2p/table"
)

// Where the seats of a demonstration stand.

// count tells every round, beginning with the one to which the journal leads.
func (w *seated) count(t *table.Table, resumed bool) {
	round, _ := t.Round()
	switch {
	case !w.begun && resumed:
		w.out.Encode(report{Journal: round})
	case round > w.round:
		w.out.Encode(report{Round: round})
	}
	w.begun, w.round = true, round
}

// standing says where a table stands still, and for whom it waits; "" while it moves.
func standing(t *table.Table) string {
	var who []string
	for _, m := range t.Missing() {
		if m.Since >= waitsFor {
			who = append(who, fmt.Sprintf("%s (%s)", t.Roster().Joins[m.Seat].Nick, m.What))
		}
	}
	if who == nil {
		return ""
	}
	round, _ := t.Round()
	return i18n.English.Put(i18n.English.Report.StandsIn, i18n.With{"n": round, "list": strings.Join(who, ", ")})
}

// where says for whom the seats wait.
func (d *demonstration) where() string {
	var b strings.Builder
	for _, p := range d.seats {
		text := ""
		switch {
		case p.dead:
			text = d.texts().Dead
		case p.end == nil && p.stands != "":
			text = d.texts().Standing
		case p.end == nil:
			text = d.texts().Untold
		}
		b.WriteString(d.words().Put(text, i18n.With{"seat": p.nick, "what": p.stands}))
	}
	return b.String()
}
