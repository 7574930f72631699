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
	var all bool
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
			what := strings.Join(args, " ")
			if all {
				what += everything
			}
			return s.lookUp(rules, what)
		},
	}
	b.flags(cmd)
	cmd.Flags().BoolVar(&all, "all", false, "")
	return cmd
}

// few is how many rules are told of a word that is asked for; everything behind it brings the others.
const (
	few        = 10
	everything = " all"
)

// rule prints a rule, and what the steps of a turn and the table row are that it names.
func (s *shell) rule(r ruling) {
	s.put(s.texts().Named, i18n.With{"name": r.Number, "text": r.Text})
	told := map[string]bool{}
	if m := stepOut.FindStringSubmatch(r.Text); m != nil {
		told[m[1]] = true // the rule itself says it
	}
	if tableRow.MatchString(r.Text) { // of the players and their roles (B-020)
		if rules, err := compile(boxes.Names()); err == nil {
			s.players(rules)
		}
	}
	for _, label := range step.FindAllString(r.Text, -1) {
		if !told[label] {
			told[label] = true
			s.step(label)
		}
	}
}

// step prints what a step is that the rules name by a label; false where there is none.
func (s *shell) step(label string) bool {
	text, ok := steps()[label]
	if ok {
		template := s.texts().Step
		if label[0] == 'E' {
			template = s.texts().StepOut
		}
		s.put(template, i18n.With{"name": label, "text": text})
	}
	return ok
}

// players prints how many of which role there are for every number of players.
func (s *shell) players(rules *engine.Rules) {
	for n := range engine.MaxSeats + 1 {
		if roles := rules.Roles(n); roles != nil {
			s.put("{what}", i18n.With{"what": s.words().Cast(roles)})
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

// lookUp answers a question about the rules: a few of them, or all where that word stands behind. The more particular
// meaning of a word comes first. A word of the glossary may be an option or a topic as well: then both are told.
func (s *shell) lookUp(rules *engine.Rules, what string) error {
	what, all := strings.CutSuffix(what, everything)
	most := few
	if all {
		most = len(rulings())
	}
	switch plain(what) {
	case "":
		s.topics()
		return nil
	case "options", "option":
		for _, o := range optionRows(rules) {
			s.option(o, o.help)
		}
		return nil
	case "presets", "preset":
		s.term(what)
		s.presets(rules)
		return nil
	case "roles", "role":
		s.roles(rules)
		s.players(rules)
		s.topic("victory", most)
		return nil
	case "players", "player", "numberofplayers":
		s.players(rules)
		return nil
	}
	if anyRule.MatchString(what) || anyNumber.MatchString(what) {
		return s.number(what)
	}
	if s.step(strings.ToUpper(what)) {
		return nil
	}
	for _, word := range inflected(what) {
		if s.row(rules, word, most) || s.optionNamed(rules, word) {
			return nil
		}
		term := s.term(word)
		if s.topic(word, most) || term {
			return nil
		}
	}
	return unknownRule(rules, s.words(), what)
}

// number prints the rule of a number, or those of all books that have it.
func (s *shell) number(what string) error {
	found := false
	for _, r := range rulings() {
		if _, n, _ := strings.Cut(r.Number, "-"); n == what && r.present() || r.Number == ruleNumber(what) {
			s.put(s.texts().Place, i18n.With{"book": r.box(), "place": r.place()})
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
func (s *shell) row(rules *engine.Rules, what string, most int) bool {
	row, missing := rowNamed(rules, what)
	if missing != nil {
		return false
	}
	s.put(s.texts().Named, i18n.With{"name": row.Name, "text": row.Text})
	if row.Colour == engine.RoleCard {
		s.term(what)
	}
	var its []ruling
	for _, number := range strings.Fields(row.Rules) {
		if r, ok := ruleByNumber(number); ok {
			its = append(its, r)
		}
	}
	for _, r := range its[:min(most, len(its))] {
		s.rule(r)
	}
	s.more(what, len(its)-most)
	return true
}

// more says that there are so many rules more, and how to see them.
func (s *shell) more(what string, n int) {
	if n <= 0 {
		return
	}
	with := i18n.With{"n": n, "what": what, "rules": s.texts().AskedAs, "all": " --all"}
	if s.inGame {
		with["rules"], with["all"] = s.texts().AskedInGame, everything
	}
	s.put(s.texts().More, with)
}

// optionNamed prints an option with its rule; where a word of the glossary means it, that is what it is.
func (s *shell) optionNamed(rules *engine.Rules, what string) bool {
	for _, o := range optionRows(rules) {
		if plain(o.name) != plain(what) {
			continue
		}
		text := o.help
		if t, ok := s.words().Term(what, plain); ok {
			text = t.Text
		}
		s.option(o, text)
		if r, ok := ruleByNumber(o.rule); ok {
			s.rule(r)
		}
		return true
	}
	return false
}

// term prints what a word of this program means.
func (s *shell) term(what string) bool {
	for _, word := range inflected(what) {
		if t, ok := s.words().Term(word, plain); ok {
			s.put(s.texts().Named, i18n.With{"name": t.Words[0], "text": t.Text})
			return true
		}
	}
	return false
}

// inflected are a word as it is typed, in the singular and in the plural.
func inflected(word string) []string {
	return []string{word, strings.TrimSuffix(word, "s"), word + "s"}
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
		s.put(w.Topic, i18n.With{"book": r.box(), "topic": r.Topic, "number": r.Number, "n": count[r.Book+r.Topic]})
	}
}

// topic prints the rules that say what a word means, or else those under a heading that holds it; false when there is
// none of either. Where there are more than most, the first are printed and how many there are besides.
func (s *shell) topic(what string, most int) bool {
	p := plain(what)
	var means, under []ruling
	for _, r := range rulings() {
		number, title, _ := strings.Cut(r.Topic, ". ")
		switch {
		case p == "" || !r.present():
		case slices.Contains(r.terms, p):
			means = append(means, r)
		case p == number || strings.Contains(plain(title), p) || p == plain(r.About):
			under = append(under, r)
		}
	}
	n, all := len(means)+len(under), append(means, under...)
	if len(means) > 0 && n > most {
		all = means
	}
	all = all[:min(most, len(all))]
	heading := ""
	for _, r := range all {
		if r.Book+r.Topic != heading {
			heading = r.Book + r.Topic
			s.put(s.texts().Heading, i18n.With{"book": r.box(), "topic": r.Topic})
		}
		s.rule(r)
	}
	s.more(what, n-len(all))
	return n > 0
}

// option prints an option with its values; an option of the rules with the number of its rule.
func (s *shell) option(o optionRow, text string) {
	if o.rule != "" {
		text = s.words().Put(s.texts().Ruled, i18n.With{"text": text, "number": o.rule})
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
