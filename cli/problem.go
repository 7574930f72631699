package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"standoff/cli/i18n"
)

// The exit codes of every command.
const (
	OK      = 0
	Failure = 1
	Usage   = 2 // the command line was wrong
	Cheated = 3 // somebody cheated, or a transcript was altered
)

// Problem is why a command has failed, with what the user can do about it: a code of the catalogue and its operands,
// so that it is put into words only where it is told.
type Problem struct {
	Exit  int
	About i18n.Complaint
	With  i18n.With // "why" is the error below, where there is one

	what, advice string // where another part of the catalogue has the words
}

// problem makes a failure.
func problem(about i18n.Complaint, with i18n.With) *Problem {
	return &Problem{Exit: Failure, About: about, With: with}
}

// misuse makes an error of the command line.
func misuse(about i18n.Complaint, with i18n.With) *Problem {
	return &Problem{Exit: Usage, About: about, With: with}
}

// cheated makes what is proved against somebody.
func cheated(about i18n.Complaint, with i18n.With) *Problem {
	return &Problem{Exit: Cheated, About: about, With: with}
}

// worded makes a failure of words that another part of the catalogue has.
func worded(what, advice string) *Problem { return &Problem{Exit: Failure, what: what, advice: advice} }

// Words are what is wrong, and what to do about it, "" where there is nothing to advise.
func (p *Problem) Words(text *i18n.Catalogue) (what, advice string) {
	if p.About == i18n.Worded {
		return p.what, p.advice
	}
	return text.Complain(p.About, p.With)
}

// Say puts the problem into words where it is an operand of another.
func (p *Problem) Say(text *i18n.Catalogue) string {
	what, _ := p.Words(text)
	return what
}

func (p *Problem) Error() string {
	return p.Say(&i18n.English)
}

func (p *Problem) Unwrap() error {
	err, _ := p.With["why"].(error)
	return err
}

// report prints an error and its hint, and returns the exit code.
func (s *shell) report(err error) int {
	if err == nil {
		return OK
	}
	what, hint, exit := err.Error(), "", Failure
	if p := (*Problem)(nil); errors.As(err, &p) {
		words, advice := p.Words(s.words())
		if err == error(p) {
			what = words
		}
		hint, exit = advice, p.Exit
	}
	fmt.Fprintln(s.err, follow(s.words().Put(s.texts().Error, i18n.With{"what": oneLine(what)})))
	if hint != "" {
		fmt.Fprintln(s.err, follow(s.words().Put(s.texts().Hint, i18n.With{"advice": hint})))
	}
	return exit
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// quoted marks what somebody has typed as that.
func quoted(s string) string { return strconv.Quote(s) }

// why is the operand of an error from below, alone.
func why(err error) i18n.With { return i18n.With{"why": err} }
