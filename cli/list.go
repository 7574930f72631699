package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"standoff/cli/i18n"
	"standoff/p2p/lobby"
	"standoff/p2p/node"
)

// How long tables are looked for; and how long one waits to reach a table that was seen, and then to be seated.
const (
	listFor   = 2500 * time.Millisecond
	joinLimit = 15 * time.Second
)

// listed is a table as scripts see it.
type listed struct {
	Name      string            `json:"name"`
	Taken     int               `json:"taken"`
	Seats     int               `json:"seats"`
	Sets      []string          `json:"sets"`
	Options   map[string]string `json:"options"` // those not at their defaults
	Players   []string          `json:"players"`
	Protocol  int               `json:"protocol"`
	Rules     string            `json:"rules"`
	Private   bool              `json:"private"`
	Phase     string            `json:"phase"`
	Key       string            `json:"key"`
	Addresses []string          `json:"addresses"`
	Joinable  bool              `json:"joinable"`
	Why       string            `json:"why,omitempty"` // it is not
	Watchable bool              `json:"watchable"`
	Detail    string            `json:"detail,omitempty"`
}

func (s *shell) list() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:  "list",
		Args: noArgs,
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		set, err := s.settle(cmd)
		if err != nil {
			return err
		}
		all, err := look(cmd.Context(), set)
		if err != nil {
			return err
		}
		if asJSON {
			out := []listed{}
			for _, li := range all {
				out = append(out, listedOf(li))
			}
			return s.json(out)
		}
		s.tables(set.text, all)
		return nil
	}
	return cmd
}

// look finds the tables without showing who looks.
func look(ctx context.Context, set *settings) ([]lobby.Listing, error) {
	id, err := node.Throwaway()
	if err != nil {
		return nil, err
	}
	h, err := node.New(ctx, node.Config{Identity: id, Roam: &node.Roam{}, Discover: set.mdns})
	if err != nil {
		return nil, problem(i18n.NoNetwork, why(err))
	}
	defer h.Close()
	l, err := lobby.Enter(h)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	return l.List(ctx, listFor), nil
}

func (s *shell) tables(text *i18n.Catalogue, all []lobby.Listing) {
	w := &text.Lobby
	if len(all) == 0 {
		s.say("%s", w.NoTables)
		s.say("%s", follow(w.NoTablesHint))
	}
	for _, li := range all {
		with := i18n.With{"name": li.Name, "taken": int(li.Taken), "seats": int(li.Seats), "rules": rulesText(text, li), "players": strings.Join(li.Players, ", "), "why": ""}
		if len(li.Players) == 0 {
			with["players"] = text.Unknown
		}
		if li.Why == 0 {
			s.say("%s", follow(text.Put(w.Listed, with)))
			continue
		}
		if li.Watchable() {
			running := text.Watch.Listed
			if li.Private {
				running = text.Watch.ListedPrivate
			}
			s.say("%s", follow(text.Put(running, with)))
			continue
		}
		why := text.Why(li.Why)
		if li.Detail != "" {
			why += ": " + li.Detail
		}
		with["why"] = why
		s.say("%s", text.Put(w.ListedWhy, with))
	}
}

func rulesText(text *i18n.Catalogue, li lobby.Listing) string {
	list := strings.Join(li.Sets, " + ")
	if list == "" {
		list = li.Rules
	}
	for _, o := range li.Changed {
		list += " " + o[0] + "=" + o[1]
	}
	if li.More {
		list = text.Put(text.Report.MoreOptions, i18n.With{"list": list})
	}
	return list
}

func listedOf(li lobby.Listing) listed {
	out := listed{Name: li.Name, Taken: int(li.Taken), Seats: int(li.Seats), Sets: append([]string{}, li.Sets...), Options: map[string]string{},
		Players: append([]string{}, li.Players...), Protocol: int(li.Protocol), Rules: li.Rules, Private: li.Private, Phase: li.Phase.String(),
		Key: fmt.Sprintf("%x", li.Host[:]), Addresses: []string{}, Joinable: li.Why == 0, Watchable: li.Watchable(), Detail: li.Detail}
	for _, o := range li.Changed {
		out.Options[o[0]] = o[1]
	}
	for _, a := range li.Addresses {
		out.Addresses = append(out.Addresses, a.String())
	}
	if li.Why != 0 {
		out.Why = li.Why.String()
	}
	return out
}

// alone is the program without a command: the tables there are, and the offer to join one or to open one.
func (s *shell) alone(cmd *cobra.Command) error {
	set, err := s.settle(cmd)
	if err != nil {
		return err
	}
	w := &set.text.Lobby
	s.say("%s", w.Looking)
	all, err := look(cmd.Context(), set)
	if err != nil {
		return err
	}
	s.tables(set.text, all)
	s.say("%s", follow(w.Alone))
	if !isScreen(s.in) {
		return nil
	}
	e := s.newEvening(set.text, false)
	e.out.Lines(w.AskTable)
	e.out.Prompt()
	select {
	case input, ok := <-e.lines:
		e.out.Entered()
		input = strings.TrimSpace(input)
		switch {
		case !ok || input == "":
			return nil
		case strings.EqualFold(input, "host"):
			c := choosing{players: 5, preset: set.preset}
			offer, changed, err := s.offered(cmd, set, &c, set.nick+"'s table")
			if err != nil {
				return err
			}
			return e.open(cmd.Context(), set, offer, changed, 0, false)
		}
		target, err := lobby.ParseTarget(input)
		if err != nil {
			return misuse(i18n.BadTableName, why(err))
		}
		return e.join(cmd.Context(), set, target)
	case <-cmd.Context().Done():
		return nil
	}
}
