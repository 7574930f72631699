package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/p2p/table"
)

func (s *shell) show() *cobra.Command {
	return &cobra.Command{
		Use:   "show FILE",
		Short: "print a game from its transcript, one fact a line",
		Long: "Replays a game and prints it: who plays under which key and options, then every turn. The transcript is checked\n" +
			"on the way; where it is false, the text ends there, with the exit code that verify gives.",
		Example: "  standoff show game/seat-0.standoff | less",
		Args:    oneFile,
		RunE: func(_ *cobra.Command, args []string) error {
			file, err := readTranscript(args[0])
			if err != nil {
				return err
			}
			return s.print(file)
		},
	}
}

// print tells the game of a transcript, and judges it at the end.
func (s *shell) print(file []byte) error {
	v := &verdict{Options: map[string]string{}}
	r, err := table.Open(file, compile)
	if err != nil {
		v.reject(err)
		return v.problem
	}
	_, roster := r.Progress()
	v.seat(roster)
	s.say("table: %s, %s", v.name, v.table)
	s.say("rules: %s, version %s", strings.Join(v.Sets, " + "), roster.Offer.Rules)
	for _, o := range v.list {
		s.say("option: %s = %s", o[0], o[1])
	}
	for _, p := range v.Players {
		s.say("seat %d: %s", p.Seat, p)
	}
	log := &i18n.Log{Text: &i18n.English, Reader: engine.None}
	for more := true; more && err == nil; {
		more, err = r.Round()
		if g, events := r.Game(); more && g != nil {
			if log.Rules == nil {
				log.Rules, log.Options, log.Names = g.Rules(), g.State().Options, around(roster, r.SeatAt)
				s.say("around the table: %s", strings.Join(log.Names, ", "))
			}
			for _, e := range events {
				if e.Kind == engine.TurnStarted {
					s.say("")
				}
				if line := log.Event(e); line != "" {
					s.say("%s", line)
				}
			}
		}
	}
	var rep *table.Report
	if err == nil {
		rep, err = r.Report()
	}
	s.say("")
	if err != nil {
		v.Rounds, _ = r.Progress()
		v.reject(err)
	} else {
		v.accept(rep)
	}
	s.verdict(v)
	if v.problem != nil {
		return v.problem
	}
	return nil
}
