package cli

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"standoff/cli/i18n"
	"standoff/p2p/journal"
	"standoff/p2p/lobby"
	"standoff/p2p/node"
	"standoff/p2p/peer"
	"standoff/p2p/table"
)

func (s *shell) resume() *cobra.Command {
	var at []string
	var asJSON, lost bool
	cmd := &cobra.Command{
		Use:  "resume [TABLE | --lost [TABLE | ADDRESS | CODE]]",
		Args: cobra.ArbitraryArgs,
	}
	cmd.Flags().StringArrayVar(&at, "peer", nil, "")
	cmd.Flags().BoolVar(&lost, "lost", false, "")
	cmd.Flags().BoolVar(&asJSON, "json", false, "")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		set, err := s.settle(cmd)
		if err != nil {
			return err
		}
		var peers []node.Address
		for _, p := range at {
			a, err := node.ParseAddress(p)
			if err != nil {
				return misuse(i18n.BadPeer, why(err))
			}
			peers = append(peers, a)
		}
		if lost {
			return s.newEvening(set.text, asJSON).lost(cmd.Context(), set, strings.Join(args, " "), peers)
		}
		game, err := unfinished(set, strings.Join(args, " "))
		if err != nil {
			return err
		}
		return s.newEvening(set.text, asJSON).resume(cmd.Context(), set, game, peers)
	}
	return cmd
}

// unfinished finds the latest game that is not over, of those at a table of that name or id if one is given.
func unfinished(set *settings, name string) (*unfinishedGame, error) {
	games, err := gamesHere(set.data)
	if err != nil {
		return nil, err
	}
	var found *unfinishedGame
	var others []string
	for i := range games {
		if g := &games[i]; found == nil && (name == "" || g.called(name)) {
			found = g
		} else {
			others = append(others, g.String())
		}
	}
	switch {
	case found == nil && len(others) > 0:
		return nil, problem(i18n.NoSuchGame, i18n.With{"what": quoted(name), "list": strings.Join(others, ", ")})
	case found == nil:
		return nil, problem(i18n.NoGameLeft, i18n.With{"dir": set.data})
	case found.Flaw != nil:
		return nil, found.hindered(found.Flaw)
	}
	found.others = others
	return found, nil
}

// resume is the rest of an evening.
func (e *evening) resume(ctx context.Context, set *settings, game *unfinishedGame, peers []node.Address) error {
	if err := game.free(set.data); err != nil {
		return game.hindered(err)
	}
	if err := e.arriveFor(ctx, set, game, peers); err != nil {
		return err
	}
	defer e.depart()
	return e.goOn(ctx, set, game, false)
}

// free tries whether the journal can be had, before anything is said.
func (g *unfinishedGame) free(data string) error {
	j, _, err := journal.Open(journals(data), g.Table)
	if err != nil {
		return err
	}
	return j.Close()
}

// arriveFor makes this peer a host where a game of this machine is played, and says if its key has no seat there.
func (e *evening) arriveFor(ctx context.Context, set *settings, game *unfinishedGame, peers []node.Address) error {
	id, err := node.LoadOrCreate(set.data)
	if err != nil {
		return problem(i18n.IdentityUnread, i18n.With{"why": err, "dir": set.data})
	}
	if key := id.Key(); game.roster.SeatOf(key[:]) < 0 {
		return problem(i18n.NoSeatThere, i18n.With{"dir": set.data, "name": game.roster.Offer.Name, "file": filepath.Join(set.data, "identity")})
	}
	if game.amongBots() {
		return e.arriveAlone(ctx, set)
	}
	for _, dir := range append([]string{journals(set.data)}, game.bots...) {
		peers = append(peers, peer.PeersOf(dir, game.Table)...)
	}
	return e.arrive(ctx, set, game.network(), peers...)
}

// goOn comes back to a game, together with the bots of this machine; with lost also where the journal is of no use.
func (e *evening) goOn(ctx context.Context, set *settings, game *unfinishedGame, lost bool) error {
	if err := e.comeBack(&game.roster); err != nil {
		return err
	}
	defer e.talk.Leave()
	if set.mdns {
		e.host.Announce([]string{})
	}
	e.paused = e.alone // until it is over
	var err error
	e.bots, err = wakeRobots(game.bots, &game.roster, e.orders(set))
	defer e.dismiss()
	if err != nil {
		return err
	}
	key, w := e.host.Key(), e.words()
	nick := game.roster.Joins[game.roster.SeatOf(key[:])].Nick
	with := i18n.With{"seat": nick, "name": game.roster.Offer.Name, "id": game.roster.Table, "when": game.Written.Format(time.DateTime)}
	if game.Flaw != nil {
		e.tell("lost", nick, w.Lost, with)
	} else {
		e.tell("resumes", nick, w.Resumes, with)
	}
	if game.short() {
		e.tell("short", "", w.Short, i18n.With{"n": game.fit, "m": len(game.roster.Joins)})
	}
	if len(game.others) > 0 {
		e.tell("others", "", w.OtherGames, i18n.With{"list": strings.Join(game.others, ", ")})
	}
	if !e.alone {
		for _, a := range e.host.Addresses() {
			e.tell("address", "", w.Address, i18n.With{"address": a})
		}
		e.tell("asks", "", w.Asks, nil)
	}
	_, err = e.play(ctx, game.roster.Raw, func(ctx context.Context, c peer.Config) (*table.End, []byte, error) {
		c.Table.Lost = lost
		end, transcript, err := peer.Resume(ctx, c, game.Table)
		return end, transcript, game.hindered(err)
	})
	if err == nil && !e.paused {
		e.tell("goodbye", "", w.NextGame, nil)
	}
	return err
}

// hindered puts into words what keeps a person from a game, where that lies in the journal.
func (g *unfinishedGame) hindered(err error) error {
	id := g.Table.String()
	switch {
	case errors.Is(err, journal.ErrInUse):
		return problem(i18n.GameInUse, why(err))
	case errors.Is(err, journal.ErrEnded):
		return problem(i18n.GameEnded, why(err))
	case errors.Is(err, fs.ErrPermission):
		return problem(i18n.JournalClosed, i18n.With{"why": err, "dir": g.Dir})
	case !peer.Useless(err):
		return err
	case g.known() && stays(&g.roster.Offer) && g.amongBots():
		return problem(i18n.GameLost, i18n.With{"why": err, "id": id, "dir": g.Dir})
	case g.known() && stays(&g.roster.Offer):
		return problem(i18n.NoneMayGo, i18n.With{"why": err, "name": g.roster.Offer.Name, "dir": g.Dir, "id": id})
	}
	return problem(i18n.JournalLost, i18n.With{"why": err, "id": id})
}

// comeBack lets the players of a running game in, and nobody else, and talks to them.
func (e *evening) comeBack(r *table.Roster) (err error) {
	e.host.Admit(func(k node.Key) bool { return r.SeatOf(k[:]) >= 0 })
	e.talk, err = lobby.Return(e.host, r)
	return err
}
