package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"standoff/cli/i18n"
	"standoff/p2p/journal"
	"standoff/p2p/lobby"
	"standoff/p2p/node"
	"standoff/p2p/table"
)

func (s *shell) hosting() *cobra.Command {
	c := choosing{players: 5}
	var name string
	var bots int
	var private, asJSON bool
	var port uint16
	cmd := &cobra.Command{
		Use:  "host",
		Args: noArgs,
	}
	cmd.Flags().StringVar(&name, "name", "", "")
	cmd.Flags().IntVar(&c.players, "seats", 5, "")
	cmd.Flags().IntVar(&bots, "bots", 0, "")
	cmd.Flags().BoolVar(&private, "private", false, "")
	cmd.Flags().Uint16Var(&port, "port", 0, "")
	cmd.Flags().BoolVar(&asJSON, "json", false, "")
	c.optionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		set, err := s.settle(cmd)
		if err != nil {
			return err
		}
		if bots < 0 || bots >= c.players {
			return misuse(i18n.TooManyBots, i18n.With{"n": bots, "seats": c.players})
		}
		if name == "" {
			name = set.nick + "'s table"
		}
		offer, changed, err := s.offered(cmd, set, &c, name)
		if err != nil {
			return err
		}
		return s.newEvening(set.text, asJSON).open(cmd.Context(), set, offer, changed, bots, private)
	}
	return cmd
}

// prepare settles who is on this machine and where things are kept.
func (e *evening) prepare(set *settings) error {
	id, err := node.LoadOrCreate(set.data)
	if err != nil {
		return problem(i18n.DataUnwritable, i18n.With{"why": err, "dir": set.data})
	}
	e.me = lobby.Player{Suite: table.NewRistretto(rand.Reader), Identity: id, Rand: rand.Reader, Nick: set.nick}
	e.data, e.keep = journals(set.data), filepath.Join(set.data, "transcripts")
	journal.Sweep(e.data) // what cannot go now goes the next time
	return e.writable()
}

// arrive makes this peer a host on the network.
func (e *evening) arrive(ctx context.Context, set *settings, network *[32]byte, peers ...node.Address) error {
	err := e.prepare(set)
	if err != nil {
		return err
	}
	if e.lock, err = node.LockIdentity(set.data); err != nil {
		return problem(i18n.IdentityInUse, why(err))
	}
	e.network = network
	e.host, err = hostAt(context.WithoutCancel(ctx), set.data, node.Config{Identity: e.me.Identity, Roam: &node.Roam{Port: set.port}, Network: network, Discover: set.mdns, Peers: peers})
	switch {
	case errors.Is(err, node.ErrPortInUse):
		return problem(i18n.PortTaken, why(err))
	case err != nil:
		return problem(i18n.NoNetwork, why(err))
	}
	return nil
}

// open is an evening at one's own table on the network.
func (e *evening) open(ctx context.Context, set *settings, offer table.Offer, changed [][2]string, bots int, private bool) error {
	var secret [16]byte
	code := lobby.Code{}
	var network *[32]byte
	if private {
		if _, err := rand.Read(secret[:]); err != nil {
			return err
		}
		code.Secret = secret
		network = code.Network()
	}
	if err := e.arrive(ctx, set, network); err != nil {
		return err
	}
	defer e.depart()
	known, err := lobby.LoadKnown(set.data)
	if err != nil {
		return problem(i18n.KnownUnread, why(err))
	}
	l, err := lobby.Enter(e.host)
	if err != nil {
		return err
	}
	defer l.Close()
	if e.table, err = lobby.Open(l, lobby.OpenConfig{Player: e.me, Offer: offer, Changed: changed, Private: private, Known: known}); err != nil {
		return err
	}
	e.opener = true
	e.tell("key", "", e.words().Key, i18n.With{"key": e.host.Key().Short()})
	for _, a := range e.host.Addresses() {
		e.tell("address", "", e.words().Address, i18n.With{"address": a})
		code.At, code.Key = a.Place(), e.host.Key()
		if code.At.Addr().Unmap().Is4() {
			e.tell("code", "", e.words().Code, i18n.With{"code": code})
		}
	}
	if bots > 0 {
		e.bots, err = seatRobots(set.data, bots, e.me, e.orders(set))
		defer e.dismiss()
		if err != nil {
			e.table.Leave()
			return err
		}
	}
	return e.run(ctx)
}

func (s *shell) joining() *cobra.Command { return s.coming("join", (*evening).join) }

// coming is a command that goes to a table of others, to sit down or to look on.
func (s *shell) coming(name string, come func(*evening, context.Context, *settings, lobby.Target) error) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: name + " NAME | ADDRESS | CODE",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return misuse(i18n.TargetNeeded, i18n.With{"command": c.CommandPath()})
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		set, err := s.settle(cmd)
		if err != nil {
			return err
		}
		target, err := targetOf(args)
		if err != nil {
			return err
		}
		return come(s.newEvening(set.text, asJSON), cmd.Context(), set, target)
	}
	return cmd
}

// targetOf reads where somebody wants to go.
func targetOf(args []string) (lobby.Target, error) {
	target, err := lobby.ParseTarget(strings.Join(args, " "))
	if err != nil {
		var code *lobby.CodeError
		if errors.As(err, &code) && code.Group > 0 {
			return target, misuse(i18n.BadCodeGroup, i18n.With{"why": err, "n": code.Group})
		}
		return target, misuse(i18n.BadTarget, why(err))
	}
	return target, nil
}

// join is an evening at somebody else's table.
func (e *evening) join(ctx context.Context, set *settings, target lobby.Target) error {
	var network *[32]byte
	if target.Code != nil {
		a, err := target.Code.Address()
		if err != nil {
			return misuse(i18n.BadCode, why(err))
		}
		network, target.Address = target.Code.Network(), &a
	}
	var peers []node.Address
	if target.Address != nil {
		peers = append(peers, *target.Address)
	}
	if err := e.arrive(ctx, set, network, peers...); err != nil {
		return err
	}
	defer e.depart()
	known, err := lobby.LoadKnown(set.data)
	if err != nil {
		return problem(i18n.KnownUnread, why(err))
	}
	var opener node.Key
	if target.Address != nil {
		opener = target.Address.Key()
	} else {
		l, err := lobby.Enter(e.host)
		if err != nil {
			return err
		}
		defer l.Close()
		wait, stop := context.WithTimeout(ctx, joinLimit)
		found, err := l.Find(wait, target.Name)
		stop()
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		if err != nil {
			return e.refused(err)
		}
		opener = found.Host
	}
	wait, stop := context.WithTimeout(ctx, joinLimit)
	defer stop()
	if e.table, err = lobby.Sit(wait, e.host, opener, e.me, known); err != nil {
		return e.refused(err)
	}
	return e.run(ctx)
}

// refused says why one cannot sit down.
func (e *evening) refused(err error) error {
	var r *lobby.Refusal
	switch {
	case errors.As(err, &r):
		text := e.text.Why(r.Reason)
		if r.Detail != "" {
			text += ": " + r.Detail
		}
		return worded(text, e.text.Advice(r.Reason))
	case errors.Is(err, context.DeadlineExceeded):
		return worded(e.text.Why(lobby.Unreachable), e.text.Advice(lobby.Unreachable))
	case errors.Is(err, context.Canceled):
		return worded(e.words().Interrupted, e.words().EndedJoin)
	}
	return err
}
