package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/p2p/table"
)

func (s *shell) show() *cobra.Command {
	var options bool
	cmd := &cobra.Command{
		Use:  "show FILE",
		Args: oneFile,
		RunE: func(_ *cobra.Command, args []string) error {
			file, err := readTranscript(args[0])
			if err != nil {
				return err
			}
			return s.print(file, options)
		},
	}
	cmd.Flags().BoolVar(&options, "options", false, "")
	return cmd
}

// print tells the game of a transcript as far as it is valid, and gives the verdict; all options of its table, or those
// that are not at their defaults.
func (s *shell) print(file []byte, options bool) error {
	v := judge(file)
	if v.roster != nil {
		if err := s.retell(file, v, options); err != nil {
			return err
		}
	}
	s.conclusion(v)
	if v.problem != nil {
		return v.problem
	}
	return nil
}

// retell replays the rounds of a transcript whose verdict is known, and prints what happened in them.
func (s *shell) retell(file []byte, v *verdict, options bool) error {
	r, err := table.Open(file, compile)
	if err != nil {
		return err
	}
	s.heading(v)
	list := v.list
	if !options {
		list = notDefault(v.rules, v.list)
	}
	for _, o := range list {
		s.put(chosen(s.texts(), v.rules, o))
	}
	for _, p := range v.around() {
		s.player(playerVerdict{Seat: p.Seat, Nick: p.Nick, Key: p.Key, Bot: p.Bot, Place: p.Place})
	}
	x := retelling{shell: s, log: &i18n.Log{Text: s.words()}, turn: engine.None}
	for _, j := range v.roster.Joins {
		x.log.Players = append(x.log.Players, j.Nick)
	}
	for {
		more, err := r.Round()
		if err != nil || !more {
			s.say("")
			return nil // the verdict says why
		}
		g, events := r.Game()
		if g == nil {
			continue
		}
		if x.log.Rules == nil {
			x.log.Rules, x.log.Options, x.log.Names = g.Rules(), g.State().Options, around(v.roster, r.SeatAt)
			var places []string
			for i, name := range x.log.Names {
				places = append(places, s.words().Put(s.texts().AroundAt, i18n.With{"n": i + 1, "seat": name}))
			}
			s.put(s.texts().Around, i18n.With{"list": strings.Join(places, ", ")})
		}
		known, err := r.Secrets(v.keys)
		if err != nil {
			return err
		}
		x.round(g.State(), r.Defaults(), events, known)
	}
}

// retelling prints a game, with roles and hands for a reader who knows them.
type retelling struct {
	*shell
	log  *i18n.Log
	turn engine.Seat   // in turn, as long as its hand is still to be told; else None
	hand []engine.Card // of the seat in turn when it could first act
}

// round prints what happened in a round, after which the position is st. The secret roles are told when the cards
// are dealt, the hand of the seat in turn before its first move: only then it has what it has drawn.
func (x *retelling) round(st *engine.State, defaults []int, events []engine.Event, known engine.Knowledge) {
	if len(events) > 0 && x.hand != nil {
		x.say("%s", x.log.Holds(x.turn, x.hand))
		x.turn, x.hand = engine.None, nil
	}
	x.log.Known = known
	for _, seat := range defaults {
		x.say("%s", x.log.News(table.News{Kind: table.NewsDefault, Seat: seat}))
	}
	for _, e := range events {
		if e.Kind == engine.TurnStarted {
			x.turn, x.hand = e.Seat, nil
			x.say("")
		}
		if line := x.log.Event(e); line != "" {
			x.say("%s", line)
		}
		if e.Kind == engine.Dealt {
			if f := known.Face(st.Players[e.Seat].RoleSlot); f != 0 {
				x.say("%s", x.log.Secret(e.Seat, engine.Role(f.Kind())))
			}
		}
	}
	if known != nil && x.turn != engine.None && st.Asked == x.turn && st.Stack[len(st.Stack)-1].Kind == engine.AtTurn {
		x.hand = st.Players[x.turn].Hand
	}
}
