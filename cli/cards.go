package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/engine/boxes"
)

func (s *shell) cards() *cobra.Command {
	var asJSON bool
	var b boxing
	cmd := &cobra.Command{
		Use: "cards [NAME]",
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "")
	b.flags(cmd)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		rules, err := b.compile()
		if err != nil {
			return err
		}
		rows := rules.Rows()
		if len(args) > 0 {
			name := strings.Join(args, " ")
			row, err := rowNamed(rules, name)
			if err != nil { // in another box, perhaps
				if rules, err = compile(boxes.Names()); err == nil {
					row, err = rowNamed(rules, name)
				}
			}
			if err != nil {
				return err
			}
			rows = []engine.Row{*row}
		}
		if asJSON {
			var all []card
			for i := range rows {
				all = append(all, s.cardOf(rules, &rows[i]))
			}
			return s.json(all)
		}
		if len(args) > 0 {
			s.card(s.cardOf(rules, &rows[0]))
			return nil
		}
		colour := ""
		for i := range rows {
			c := s.cardOf(rules, &rows[i])
			if c.Colour != colour {
				colour = c.Colour
				s.say("%s", strings.ToUpper(colour))
			}
			s.put(s.texts().Named, i18n.With{"name": s.title(c), "text": c.Text})
		}
		return nil
	}
	return cmd
}

// card is a row as people and scripts see it.
type card struct {
	Name   string   `json:"name"`
	Other  string   `json:"other_name,omitempty"` // under the option names
	Slug   string   `json:"slug"`
	Box    string   `json:"box"`
	Colour string   `json:"colour"`
	Copies []string `json:"copies"` // rank and suit of each
	Life   int      `json:"life,omitempty"`
	Text   string   `json:"text"`
	Rules  []string `json:"rules"` // numbers in the rulebook
}

func (s *shell) cardOf(rules *engine.Rules, row *engine.Row) card {
	c := card{
		Name: row.Name, Other: row.Other, Slug: row.Slug, Box: row.Box, Colour: s.texts().Colours[min(row.Colour, engine.HouseRule)],
		Life: int(row.Life), Text: row.Text, Rules: strings.Fields(row.Rules), Copies: []string{},
	}
	for _, f := range rules.Faces(row.Kind) {
		c.Copies = append(c.Copies, i18n.Print(f))
	}
	return c
}

// title is the name with what counts.
func (s *shell) title(c card) string {
	w := s.texts()
	switch {
	case c.Life > 0:
		return s.words().Put(w.TitleLife, i18n.With{"name": c.Name, "n": c.Life})
	case len(c.Copies) > 1:
		return s.words().Put(w.TitleCards, i18n.With{"name": c.Name, "n": len(c.Copies)})
	}
	return c.Name
}

func (s *shell) card(c card) {
	w := s.texts()
	s.put(w.Named, i18n.With{"name": c.Name, "text": c.Text})
	s.put(w.Kind, i18n.With{"kind": c.Colour, "box": c.Box})
	if c.Other != "" {
		s.put(w.AlsoCalled, i18n.With{"name": c.Other})
	}
	if c.Life > 0 {
		s.put(w.Life, i18n.With{"n": c.Life})
	}
	if len(c.Copies) > 0 {
		s.put(w.Copies, i18n.With{"n": len(c.Copies), "list": strings.Join(c.Copies, " ")})
	}
	if len(c.Rules) > 0 {
		s.put(w.Rulings, i18n.With{"list": strings.Join(c.Rules, " "), "name": c.Slug})
	}
}

// rowNamed finds a row by its name or slug, as people type it.
func rowNamed(rules *engine.Rules, name string) (*engine.Row, error) {
	rows := rules.Rows()
	var names []string
	for i := range rows {
		if p := plain(name); p != "" && (p == plain(rows[i].Name) || p == plain(rows[i].Other) || p == plain(rows[i].Slug)) {
			return &rows[i], nil
		}
		names = append(names, rows[i].Name)
	}
	if near := nearest(name, names); len(near) > 0 {
		return nil, problem(i18n.NoCardNear, i18n.With{"what": quoted(name), "near": strings.Join(near, ", ")})
	}
	return nil, problem(i18n.NoCard, i18n.With{"what": quoted(name)})
}
