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
	"standoff/p2p/node"
	"standoff/p2p/peer"
	"standoff/p2p/table"
)

func (s *shell) resume() *cobra.Command {
	var at []string
	var asJSON, lost bool
	cmd := &cobra.Command{
		Use:   "resume [TABLE | --lost [NAME | ADDRESS | CODE]]",
		Short: "go on with a game after a crash, or come back to one",
		Long: "Takes your seat again in the latest game that is not over, or in that whose table has the name or id given: after a\n" +
			"crash, a power cut or a change of address, and also when the others have gone on without you. The journal in the data\n" +
			"folder knows what you have said and where the others were; where they are now, they tell each other. Only the key in\n" +
			"the data folder can do this: a name means nothing.\n\n" +
			"With --lost the key is enough, where the journal is lost: another player, found on the network or at the address\n" +
			"given, says where it sits. Your seat is taken out and comes back with new keys and its cards.",
		Example: "  standoff resume\n  standoff resume saloon\n  standoff resume --lost saloon\n  standoff resume --no-mdns --peer /ip4/192.168.1.7/tcp/4001/p2p/12D3KooW…",
		Args:    cobra.ArbitraryArgs,
	}
	cmd.Flags().StringArrayVar(&at, "peer", nil, "the address of one of the others, where they are not found otherwise; may be given again")
	cmd.Flags().BoolVar(&lost, "lost", false, "the journal is lost, and only the key is there")
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line, out and in")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		set, err := s.settle(cmd)
		if err != nil {
			return err
		}
		var peers []node.Address
		for _, p := range at {
			a, err := node.ParseAddress(p)
			if err != nil {
				return misuse("give the address exactly as another player's program prints it", "%w", err)
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
}

// unfinished finds the latest game that is not over, of those at a table of that name or id if one is given.
func unfinished(set *settings, name string) (*unfinishedGame, error) {
	dir := filepath.Join(set.data, "journals")
	list, err := journal.Unfinished(dir)
	if err != nil {
		return nil, problem(err, "see whether you may read %s", dir)
	}
	suite := table.NewRistretto(nil)
	var others []string
	for _, e := range list {
		r, err := table.ReadRoster(suite, e.Roster)
		if err != nil {
			continue
		}
		id := hex.EncodeToString(e.Table[:])
		if name == "" || plain(r.Offer.Name) == plain(name) || len(name) >= 4 && strings.HasPrefix(id, strings.ToLower(name)) {
			return &unfinishedGame{e, r}, nil
		}
		others = append(others, fmt.Sprintf("%s (%s)", r.Offer.Name, r.Table))
	}
	if len(others) > 0 {
		return nil, problem(fmt.Errorf("there is no unfinished game at a table %q", name), "there are: %s", strings.Join(others, ", "))
	}
	return nil, problem(fmt.Errorf("there is no unfinished game in %s", set.data),
		"a game is known by its journal: where it lies in another folder, name that with --data DIR, and where it is lost, run standoff resume --lost; games against bots on this machine end with the program")
}

// resume is the rest of an evening.
func (e *evening) resume(ctx context.Context, set *settings, game *unfinishedGame, peers []node.Address) error {
	var network *[32]byte
	if secret, err := hex.DecodeString(string(game.Kept("network"))); err == nil && len(secret) == len(network) {
		network = (*[32]byte)(secret)
	}
	id, err := node.LoadOrCreate(set.data)
	if err != nil {
		return problem(err, "see whether you may read %s, or choose another folder with --data DIR", set.data)
	}
	key := id.Key()
	seat := game.roster.SeatOf(key[:])
	if seat < 0 {
		return problem(fmt.Errorf("the key in %s has no seat at the table %s", set.data, game.roster.Offer.Name),
			"only the key that has sat down can take the seat again: put back the file %s of that game", filepath.Join(set.data, "identity"))
	}
	data := filepath.Join(set.data, "journals")
	if err := e.arrive(ctx, set, network, append(peers, peer.PeersOf(data, game.Table)...)...); err != nil {
		return err
	}
	defer e.depart()
	e.host.Admit(func(k node.Key) bool { return game.roster.SeatOf(k[:]) >= 0 })
	if set.mdns {
		e.host.Announce([]string{})
	}
	e.tell("resumes", game.roster.Joins[seat].Nick, e.words().Resumes, i18n.With{"seat": game.roster.Joins[seat].Nick,
		"name": game.roster.Offer.Name, "id": game.roster.Table, "when": game.Written.Format(time.DateTime)})
	for _, a := range e.host.Addresses() {
		e.tell("address", "", e.words().Address, i18n.With{"address": a})
	}
	e.tell("asks", "", e.words().Asks, nil)
	_, err = e.play(ctx, game.Roster, func(ctx context.Context, c peer.Config) (*table.End, []byte, error) {
		end, transcript, err := peer.Resume(ctx, c, game.Table)
		if errors.Is(err, journal.ErrInUse) {
			err = problem(err, "end the other standoff first")
		}
		if errors.Is(err, table.ErrKeyless) {
			err = problem(err, "come back without them: standoff resume --lost %s", game.roster.Offer.Name)
		}
		return end, transcript, err
	})
	return err
}
