package cli

import (
	"errors"
	"io"
	"strings"

	"standoff/cli/i18n"
	"standoff/engine/boxes"
)

// The rules as they are asked for in a game.

// notInRules is what a person in a game is told of what is not found.
func (e *evening) notInRules(err error) string {
	p, w := (*Problem)(nil), &e.text.Prompts
	switch {
	case !errors.As(err, &p):
		return err.Error()
	case p.About == i18n.NotInRulesNear:
		return e.text.Put(w.NotInRulesBut, p.With)
	case p.About == i18n.NotInRules:
		return e.text.Put(w.NotInRules, p.With)
	}
	return p.Say(e.text)
}

// rulesOf looks something up in the rules, for the command of that name in a game.
func (e *evening) rulesOf(what string) []string {
	rules, err := compile(boxes.Names())
	if err != nil {
		return []string{err.Error()}
	}
	var b strings.Builder
	asked := &shell{out: &sink{w: &b}, err: io.Discard, text: e.text, inGame: true}
	if err := asked.lookUp(rules, what); err != nil {
		return []string{e.notInRules(err)}
	}
	return strings.Split(strings.TrimSpace(b.String()), "\n")
}
