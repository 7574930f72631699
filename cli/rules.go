package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/engine/boxes"
	"standoff/p2p/table"
)

func (s *shell) rules() *cobra.Command {
	var b boxing
	cmd := &cobra.Command{
		Use: "rules [NAME | NUMBER | TOPIC | options | presets]",
		RunE: func(_ *cobra.Command, args []string) error {
			names := boxes.Names()
			if b.promos || len(b.sets) > 0 {
				names = b.names()
			}
			rules, err := compile(names)
			if err != nil {
				return misuse(i18n.NoBox, why(err))
			}
			return s.lookUp(rules, strings.Join(args, " "))
		},
	}
	b.flags(cmd)
	return cmd
}

// rule prints a rule, and what the steps of a turn are that it names.
func (s *shell) rule(r ruling) {
	s.put(s.texts().Named, i18n.With{"name": r.Number, "text": r.Text})
	told := map[string]bool{}
	for _, label := range step.FindAllString(r.Text, -1) {
		if !told[label] {
			told[label] = true
			s.put(s.texts().Step, i18n.With{"name": label, "text": steps()[label]})
		}
	}
}

// roles prints the roles and what each is for.
func (s *shell) roles(rules *engine.Rules) {
	for _, row := range rules.Rows() {
		if row.Colour == engine.RoleCard {
			s.put(s.texts().Named, i18n.With{"name": row.Name, "text": row.Text})
		}
	}
}

// lookUp answers a question about the rules; the more particular meaning of a word comes first.
func (s *shell) lookUp(rules *engine.Rules, what string) error {
	switch plain(what) {
	case "":
		s.topics()
		return nil
	case "options", "option":
		s.options(rules)
		return nil
	case "presets", "preset":
		s.presets(rules)
		return nil
	}
	if plain(what) == "roles" || plain(what) == "role" {
		s.roles(rules)
		s.topic("victory")
		return nil
	}
	if r, ok := ruleByNumber(what); ok {
		s.put(s.texts().Place, i18n.With{"book": r.Book, "place": r.place()})
		s.rule(r)
		return nil
	}
	if anyNumber.MatchString(what) {
		found := false
		for _, r := range rulings() {
			if r.present() && strings.HasSuffix(r.Number, what) {
				s.put(s.texts().Place, i18n.With{"book": r.Book, "place": r.place()})
				s.rule(r)
				found = true
			}
		}
		if !found {
			return problem(i18n.NoRule, i18n.With{"what": what})
		}
		return nil
	}
	if anyRule.MatchString(what) {
		return problem(i18n.NoRule, i18n.With{"what": strings.ToUpper(what)})
	}
	row, missing := rowNamed(rules, what)
	if missing == nil {
		s.put(s.texts().Named, i18n.With{"name": row.Name, "text": row.Text})
		for _, number := range strings.Fields(row.Rules) {
			if r, ok := ruleByNumber(number); ok {
				s.rule(r)
			}
		}
		return nil
	}
	for _, o := range rules.OptionTable() {
		if plain(o.Name) == plain(what) {
			s.option(o.Name, o.Values[0], strings.Join(o.Values, ", "), o.Help)
			if r, ok := ruleByNumber(o.Rule); ok {
				s.rule(r)
			}
			return nil
		}
	}
	for _, o := range table.Options {
		if plain(o.Name) == plain(what) {
			s.option(o.Name, o.Default, o.Values, o.Help)
			return nil
		}
	}
	if s.topic(what) {
		return nil
	}
	return unknownRule(rules, what)
}

func unknownRule(rules *engine.Rules, what string) error {
	var names []string
	for _, row := range rules.Rows() {
		names = append(names, row.Name)
	}
	for _, o := range rules.OptionTable() {
		names = append(names, o.Name)
	}
	for _, o := range table.Options {
		names = append(names, o.Name)
	}
	if near := nearest(what, names); len(near) > 0 {
		return problem(i18n.NotInRulesNear, i18n.With{"what": quoted(what), "near": strings.Join(near, ", ")})
	}
	return problem(i18n.NotInRules, i18n.With{"what": quoted(what)})
}

// place says where in the book a rule stands.
func (r ruling) place() string {
	if r.About != "" {
		return r.Topic + ", " + r.About
	}
	return r.Topic
}

// topics lists what can be asked for.
func (s *shell) topics() {
	w := s.texts()
	for _, text := range []string{w.AskCard, w.AskNumber, w.AskOptions, w.AskTopic, w.AskedMarks} {
		s.put(text, nil)
	}
	count := map[string]int{}
	var order []ruling
	for _, r := range rulings() {
		if !r.present() {
			continue // the box is not in this program yet
		}
		key := r.Book + r.Topic
		if count[key]++; count[key] == 1 {
			order = append(order, r)
		}
	}
	for _, r := range order {
		s.put(w.Topic, i18n.With{"book": r.Book, "topic": r.Topic, "number": r.Number, "n": count[r.Book+r.Topic]})
	}
}

// topic prints all rules under a heading that holds the words asked for; false when there is none.
func (s *shell) topic(what string) bool {
	heading := ""
	for _, r := range rulings() {
		number, title, _ := strings.Cut(r.Topic, ". ")
		if p := plain(what); p != number && !strings.Contains(plain(title), p) && p != plain(r.About) || !r.present() {
			continue
		}
		if r.Topic != heading {
			heading = r.Topic
			s.put(s.texts().Heading, i18n.With{"book": r.Book, "topic": heading})
		}
		s.rule(r)
	}
	return heading != ""
}

func (s *shell) option(name, standard, values, help string) {
	s.put(s.texts().OptionHelp, i18n.With{"name": name, "text": help, "list": values, "value": standard})
}

func (s *shell) options(rules *engine.Rules) {
	for _, o := range rules.OptionTable() {
		s.option(o.Name, o.Values[0], strings.Join(o.Values, ", "), o.Help+" ("+o.Rule+")")
	}
	for _, o := range table.Options {
		s.option(o.Name, o.Default, o.Values, o.Help)
	}
}

func (s *shell) presets(rules *engine.Rules) {
	for _, p := range rules.Presets() {
		values := s.texts().AllDefaults
		if len(p.Values) > 0 {
			values = ""
			for i, v := range p.Values {
				values += [2]string{"", ", "}[min(i, 1)] + v[0] + "=" + v[1]
			}
		}
		s.put(s.texts().Preset, i18n.With{"name": p.Name, "text": p.Help, "list": values})
	}
}
