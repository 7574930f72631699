package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"standoff/cli/i18n"
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
		Use:   "host",
		Short: "open a table on this network",
		Long: "Opens a table that others on this network find with \"standoff list\" and join by its name. Where they cannot find it,\n" +
			"they join by the address or the invite code that is printed. When everybody is ready the game begins; from then on\n" +
			"whoever has opened the table has no power over it.",
		Example: "  standoff host\n  standoff host --name saloon --seats 6 --preset third-edition --option clock=none\n  standoff host --seats 5 --bots 2 --private",
		Args:    noArgs,
	}
	cmd.Flags().StringVar(&name, "name", "", "the name of the table")
	cmd.Flags().IntVar(&c.players, "seats", 5, "how many play, 4 to 7; 3 to 8 with --sets dodge")
	cmd.Flags().IntVar(&bots, "bots", 0, "how many of the seats are bots on this machine")
	cmd.Flags().BoolVar(&private, "private", false, "only who has the invite code can come")
	cmd.Flags().Uint16Var(&port, "port", 0, "the port to be reached at, 0 for that of last time or any")
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line, out and in")
	c.optionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		set, err := s.settle(cmd)
		if err != nil {
			return err
		}
		if bots < 0 || bots >= c.players {
			return misuse("leave a seat for yourself, for instance --seats 5 --bots 2", "%d bots do not fit at a table of %d seats", bots, c.players)
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

// arrive makes this peer a host on the network: who is on this machine, and where it listens.
func (e *evening) arrive(ctx context.Context, set *settings, network *[32]byte, peers ...node.Address) error {
	id, err := node.LoadOrCreate(set.data)
	if err != nil {
		return problem(err, "see whether you may write %s, or choose another folder with --data DIR", set.data)
	}
	if e.lock, err = node.LockIdentity(set.data); err != nil {
		return problem(err, "end the other standoff, or play from another folder with --data DIR")
	}
	e.data, e.keep, e.network = filepath.Join(set.data, "journals"), filepath.Join(set.data, "transcripts"), network
	if err := e.writable(); err != nil {
		e.lock.Close()
		return err
	}
	e.me = lobby.Player{Suite: table.NewRistretto(rand.Reader), Identity: id, Rand: rand.Reader, Nick: set.nick}
	e.host, err = hostAt(context.WithoutCancel(ctx), set.data, node.Config{Identity: id, Roam: &node.Roam{Port: set.port}, Network: network, Discover: set.mdns, Peers: peers})
	switch {
	case errors.Is(err, node.ErrPortInUse):
		return problem(err, "choose another with --port, or let --port 0 take any free one")
	case err != nil:
		return problem(err, "run \"standoff doctor\" to see what stands in the way")
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
		return problem(err, "mend or remove the file")
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
		e.bots, err = seatRobots(ctx, bots, e.me, e.host.Addresses()[0], network, true)
		defer e.bots.close()
		if err != nil {
			e.table.Leave()
			return err
		}
	}
	return e.run(ctx)
}

func (s *shell) joining() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "join NAME | ADDRESS | CODE",
		Short: "sit down at a table on this network",
		Long: "Joins a table by its name as \"standoff list\" shows it, or by the address or the invite code that its host's program\n" +
			"prints, which also work where tables do not find each other. You see the rules before you get ready for them.",
		Example: "  standoff join saloon\n  standoff join /ip4/192.168.1.7/tcp/4001/p2p/12D3KooW…\n  standoff join 04C0-A801-…",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return misuse("run \"standoff list\" for the tables there are", "standoff join needs the name of a table, an address or an invite code")
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line, out and in")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		set, err := s.settle(cmd)
		if err != nil {
			return err
		}
		target, err := lobby.ParseTarget(strings.Join(args, " "))
		if err != nil {
			hint := "give the address or the invite code exactly as the host's program prints it"
			var code *lobby.CodeError
			if errors.As(err, &code) && code.Group > 0 {
				hint = fmt.Sprintf("look at group %d again; the groups have four letters each", code.Group)
			}
			return misuse(hint, "%w", err)
		}
		return s.newEvening(set.text, asJSON).join(cmd.Context(), set, target)
	}
	return cmd
}

// join is an evening at somebody else's table.
func (e *evening) join(ctx context.Context, set *settings, target lobby.Target) error {
	var network *[32]byte
	if target.Code != nil {
		a, err := target.Code.Address()
		if err != nil {
			return misuse("ask for the code again", "%w", err)
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
		return problem(err, "mend or remove the file")
	}
	wait, stop := context.WithTimeout(ctx, joinLimit)
	defer stop()
	var opener node.Key
	if target.Address != nil {
		opener = target.Address.Key()
	} else {
		l, err := lobby.Enter(e.host)
		if err != nil {
			return err
		}
		defer l.Close()
		look, enough := context.WithTimeout(wait, listFor)
		found, err := l.Find(look, target.Name)
		enough()
		if err != nil {
			return e.refused(err)
		}
		opener = found.Host
	}
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
		return problem(errors.New(text), "%s", e.text.Advice(r.Reason))
	case errors.Is(err, context.DeadlineExceeded):
		return problem(errors.New(e.text.Why(lobby.Unreachable)), "%s", e.text.Advice(lobby.Unreachable))
	}
	return err
}
