package cli

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
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
		Use:  "resume [TABLE | --lost [NAME | ADDRESS | CODE]]",
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

// unfinishedGame is a game of this person's that is not over.
type unfinishedGame struct {
	journal.Entry
	roster table.Roster
	others []string // games that are not over either
}

// unfinished finds the latest game that is not over, of those at a table of that name or id if one is given.
func unfinished(set *settings, name string) (*unfinishedGame, error) {
	dir := filepath.Join(set.data, "journals")
	list, err := journal.Unfinished(dir)
	if err != nil {
		return nil, problem(i18n.DataUnread, i18n.With{"why": err, "dir": dir})
	}
	suite := table.NewRistretto(nil)
	var found *unfinishedGame
	var others []string
	for _, e := range list {
		r, err := table.ReadRoster(suite, e.Roster)
		if err != nil {
			continue
		}
		id := hex.EncodeToString(e.Table[:])
		if found == nil && (name == "" || plain(r.Offer.Name) == plain(name) || len(name) >= 4 && strings.HasPrefix(id, strings.ToLower(name))) {
			found = &unfinishedGame{Entry: e, roster: r}
			continue
		}
		others = append(others, fmt.Sprintf("%s (%s)", r.Offer.Name, r.Table))
	}
	if found != nil {
		found.others = others
		return found, nil
	}
	if len(others) > 0 {
		return nil, problem(i18n.NoSuchGame, i18n.With{"what": quoted(name), "list": strings.Join(others, ", ")})
	}
	return nil, problem(i18n.NoGameLeft, i18n.With{"dir": set.data})
}

// resume is the rest of an evening.
func (e *evening) resume(ctx context.Context, set *settings, game *unfinishedGame, peers []node.Address) error {
	var network *[32]byte
	if secret, err := hex.DecodeString(string(game.Kept("network"))); err == nil && len(secret) == len(network) {
		network = (*[32]byte)(secret)
	}
	id, err := node.LoadOrCreate(set.data)
	if err != nil {
		return problem(i18n.IdentityUnread, i18n.With{"why": err, "dir": set.data})
	}
	key := id.Key()
	seat := game.roster.SeatOf(key[:])
	if seat < 0 {
		return problem(i18n.NoSeatThere, i18n.With{"dir": set.data, "name": game.roster.Offer.Name, "file": filepath.Join(set.data, "identity")})
	}
	bots := robotsOf(set.data, game.Table)
	if len(bots) == len(game.roster.Joins)-1 {
		err = e.arriveAlone(ctx, set)
	} else {
		peers = append(peers, peer.PeersOf(filepath.Join(set.data, "journals"), game.Table)...)
		err = e.arrive(ctx, set, network, peers...)
	}
	if err != nil {
		return err
	}
	defer e.depart()
	if err := e.comeBack(&game.roster); err != nil {
		return err
	}
	defer e.talk.Leave()
	if set.mdns {
		e.host.Announce([]string{})
	}
	if e.bots, err = wakeRobots(bots, &game.roster, e.orders(set)); err != nil {
		e.dismiss()
		return err
	}
	defer e.dismiss()
	e.tell("resumes", game.roster.Joins[seat].Nick, e.words().Resumes, i18n.With{"seat": game.roster.Joins[seat].Nick,
		"name": game.roster.Offer.Name, "id": game.roster.Table, "when": game.Written.Format(time.DateTime)})
	if len(game.others) > 0 {
		e.tell("others", "", e.words().OtherGames, i18n.With{"list": strings.Join(game.others, ", ")})
	}
	if !e.alone {
		for _, a := range e.host.Addresses() {
			e.tell("address", "", e.words().Address, i18n.With{"address": a})
		}
		e.tell("asks", "", e.words().Asks, nil)
	}
	_, err = e.play(ctx, game.Roster, func(ctx context.Context, c peer.Config) (*table.End, []byte, error) {
		end, transcript, err := peer.Resume(ctx, c, game.Table)
		if errors.Is(err, journal.ErrInUse) {
			err = problem(i18n.GameInUse, why(err))
		}
		if errors.Is(err, table.ErrKeyless) {
			err = problem(i18n.KeysLost, i18n.With{"why": err, "name": game.roster.Offer.Name})
		}
		return end, transcript, err
	})
	if err == nil && !e.paused {
		e.tell("goodbye", "", e.words().NextGame, nil)
	}
	return err
}

// comeBack lets the players of a running game in, and nobody else, and talks to them.
func (e *evening) comeBack(r *table.Roster) (err error) {
	e.host.Admit(func(k node.Key) bool { return r.SeatOf(k[:]) >= 0 })
	e.talk, err = lobby.Return(e.host, r)
	return err
}
