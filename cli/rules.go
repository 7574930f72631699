package cli

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/engine/boxes"
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

// lookUp answers a question about the rules; the more particular meaning of a word comes first. A word of the glossary
// may be an option or a topic as well: then both are told.
func (s *shell) lookUp(rules *engine.Rules, what string) error {
	switch plain(what) {
	case "":
		s.topics()
		return nil
	case "options", "option":
		for _, o := range optionRows(rules) {
			s.option(o)
		}
		return nil
	case "presets", "preset":
		s.term(what)
		s.presets(rules)
		return nil
	case "roles", "role":
		s.roles(rules)
		s.topic("victory")
		return nil
	}
	if anyRule.MatchString(what) || anyNumber.MatchString(what) {
		return s.number(what)
	}
	if s.row(rules, what) {
		return nil
	}
	option := s.optionNamed(rules, what)
	term := s.term(what)
	if !option && !s.topic(what) && !term {
		return unknownRule(rules, s.words(), what)
	}
	return nil
}

// number prints the rule of a number, or those of all books that have it.
func (s *shell) number(what string) error {
	found := false
	for _, r := range rulings() {
		if _, n, _ := strings.Cut(r.Number, "-"); n == what && r.present() || r.Number == ruleNumber(what) {
			s.put(s.texts().Place, i18n.With{"book": r.Book, "place": r.place()})
			s.rule(r)
			found = true
		}
	}
	if !found {
		return problem(i18n.NoRule, i18n.With{"what": cmp.Or(ruleNumber(what), what)})
	}
	return nil
}

// row prints a card, a character or a role with its rules.
func (s *shell) row(rules *engine.Rules, what string) bool {
	row, missing := rowNamed(rules, what)
	if missing != nil {
		return false
	}
	s.put(s.texts().Named, i18n.With{"name": row.Name, "text": row.Text})
	for _, number := range strings.Fields(row.Rules) {
		if r, ok := ruleByNumber(number); ok {
			s.rule(r)
		}
	}
	return true
}

// optionNamed prints an option with its rule.
func (s *shell) optionNamed(rules *engine.Rules, what string) bool {
	for _, o := range optionRows(rules) {
		if plain(o.name) != plain(what) {
			continue
		}
		s.option(o)
		if r, ok := ruleByNumber(o.rule); ok {
			s.rule(r)
		}
		return true
	}
	return false
}

// term prints what a word of this program means.
func (s *shell) term(what string) bool {
	t, ok := s.words().Term(what, plain)
	if ok {
		s.put(s.texts().Named, i18n.With{"name": t.Words[0], "text": t.Text})
	}
	return ok
}

// unknownRule says that the rules know no such word, and which it may be.
func unknownRule(rules *engine.Rules, text *i18n.Catalogue, what string) error {
	var names []string
	for _, row := range rules.Rows() {
		names = append(names, row.Name)
	}
	for _, o := range optionRows(rules) {
		names = append(names, o.name)
	}
	for _, t := range text.Glossary {
		names = append(names, t.Words...)
	}
	slices.Sort(names)
	if near := nearest(what, slices.Compact(names)); len(near) > 0 {
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
	command := w.AskedAs
	if s.inGame {
		command = w.AskedInGame
	}
	var terms []string
	for _, t := range s.words().Glossary {
		terms = append(terms, t.Words[0])
	}
	for _, text := range []string{w.AskCard, w.AskNumber, w.AskOptions, w.AskTopic, w.AskTerm, w.AskedMarks} {
		s.put(text, i18n.With{"rules": command, "list": strings.Join(terms, ", ")})
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

// option prints an option with its values; an option of the rules with the number of its rule.
func (s *shell) option(o optionRow) {
	text := o.help
	if o.rule != "" {
		text = s.words().Put(s.texts().Ruled, i18n.With{"text": o.help, "number": o.rule})
	}
	s.put(s.texts().OptionHelp, i18n.With{"name": o.name, "text": text, "list": o.values, "value": o.standard})
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
