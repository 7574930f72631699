package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"standoff/cli/i18n"
	"standoff/p2p/lobby"
	"standoff/p2p/node"
	"standoff/p2p/table"
)

func (s *shell) play() *cobra.Command {
	var c choosing
	var bots int
	var asJSON bool
	cmd := &cobra.Command{
		Use:  "play",
		Args: noArgs,
	}
	cmd.Flags().IntVar(&bots, "bots", 4, "")
	cmd.Flags().BoolVar(&asJSON, "json", false, "")
	c.optionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		rules, err := c.compile()
		if err != nil {
			return err
		}
		if rules.Roles(bots+1) == nil {
			return misuse(i18n.NoGameWithBots, i18n.With{"n": bots, "numbers": numbers(rules, -1)})
		}
		set, err := s.settle(cmd)
		if err != nil {
			return err
		}
		c.players = bots + 1
		offer, changed, err := s.offered(cmd, set, &c, "play")
		if err != nil {
			return err
		}
		return s.newEvening(set.text, asJSON).withBots(cmd.Context(), set, offer, changed, bots)
	}
	return cmd
}

// arriveAlone makes this peer a host on this machine alone.
func (e *evening) arriveAlone(ctx context.Context, set *settings) error {
	if err := e.prepare(set); err != nil {
		return err
	}
	var err error
	if e.host, err = node.New(context.WithoutCancel(ctx), node.Config{Identity: e.me.Identity}); err != nil {
		return problem(i18n.NoLoopback, why(err))
	}
	e.alone = true
	return nil
}

// withBots is an evening of one person with bots on this machine.
func (e *evening) withBots(ctx context.Context, set *settings, offer table.Offer, changed [][2]string, bots int) error {
	if err := e.arriveAlone(ctx, set); err != nil {
		return err
	}
	defer e.depart()
	l, err := lobby.Enter(e.host)
	if err != nil {
		return err
	}
	defer l.Close()
	if e.table, err = lobby.Open(l, lobby.OpenConfig{Player: e.me, Offer: offer, Changed: changed, Countdown: -1}); err != nil {
		return err
	}
	e.opener = true
	e.bots, err = seatRobots(set.data, bots, e.me, e.orders(set))
	defer e.dismiss()
	if err != nil {
		e.table.Leave()
		return err
	}
	return e.run(ctx)
}

// optionFlags are the flags of a table's boxes and options without the number of players.
func (c *choosing) optionFlags(cmd *cobra.Command) {
	c.boxing.flags(cmd)
	cmd.Flags().StringVar(&c.preset, "preset", "classic", "")
	cmd.Flags().StringArrayVar(&c.options, "option", nil, "")
}

// offered makes the offer of a table of flags and settings. Against bots alone answers are not held back.
func (s *shell) offered(cmd *cobra.Command, set *settings, c *choosing, name string) (table.Offer, [][2]string, error) {
	if !cmd.Flags().Changed("preset") {
		c.preset = set.preset
	}
	c.options = append(slices.Clone(set.options), c.options...)
	rules, choices, err := c.choose()
	if err != nil {
		return table.Offer{}, nil, err
	}
	if cmd.Name() == "play" && !slices.ContainsFunc(c.options, func(o string) bool { return strings.HasPrefix(o, "waits=") }) {
		choices.Table["waits"] = "0s" // bots are not fooled by waiting
	}
	if err := lobby.CheckName(name); err != nil {
		return table.Offer{}, nil, misuse(i18n.BadName, why(err))
	}
	list := choices.List(rules)
	return table.Offer{Name: name, Rules: table.RulesVersion, Sets: c.names(), Options: list, Seats: uint8(c.players)}, notDefault(rules, list), nil
}

// checkNick refuses a nick that no table takes.
func checkNick(nick string) error {
	if err := lobby.CheckNick(nick); err != nil {
		return misuse(i18n.BadNick, i18n.With{"what": quoted(nick), "why": err})
	}
	return nil
}
