package cli

import (
	"context"
	"strings"
	"time"

	"standoff/cli/i18n"
	"standoff/p2p/journal"
	"standoff/p2p/lobby"
	"standoff/p2p/node"
	"standoff/p2p/peer"
	"standoff/p2p/table"
)

// seekFor is how long the others are asked at which table a key sits.
const seekFor = 15 * time.Second

// lost is the rest of an evening for somebody who has the key of a seat and no journal that is of use. Where it sits the
// journals on this machine tell, those of its bots too, or else the others. What it has said there nobody can tell it, so
// it says nothing any more but that: they take the seat out, and it comes back with fresh keys.
func (e *evening) lost(ctx context.Context, set *settings, what string, peers []node.Address) error {
	var target lobby.Target
	if what != "" {
		var err error
		if target, err = lobby.ParseTarget(what); err != nil {
			return misuse(i18n.BadTarget, why(err))
		}
	}
	var game *unfinishedGame
	var err error
	if target.Address == nil && target.Code == nil {
		if game, err = lostHere(set, target.Name); err != nil {
			return err
		}
	}
	if game != nil && game.known() {
		if err := e.arriveFor(ctx, set, game, peers); err != nil {
			return err
		}
		defer e.depart()
		return e.goOn(ctx, set, game, true)
	}
	var network *[32]byte
	if game != nil { // where the others were lies beside the journal still
		network, peers = game.network(), append(peers, peer.PeersOf(journals(set.data), game.Table)...)
		target.Name = game.Table.String()
	}
	if target.Code != nil {
		a, err := target.Code.Address()
		if err != nil {
			return misuse(i18n.BadCode, why(err))
		}
		network, target.Address = target.Code.Network(), &a
	}
	if target.Address != nil {
		peers = append(peers, *target.Address)
	}
	if err := e.arrive(ctx, set, network, peers...); err != nil {
		return err
	}
	defer e.depart()
	e.tell("seeks", "", e.words().Seeks, i18n.With{"key": e.host.Key().Short()})
	if game, err = e.seek(ctx, set, target.Name); err != nil {
		return err
	}
	if err := game.lostly(set.data); err != nil {
		return err
	}
	return e.goOn(ctx, set, game, true)
}

// lostHere finds the game of this machine that only the key of its seat leads back to: one whose journal is of no use, or
// whose id is given. nil where there is none. Who sits at its table need not be known here.
func lostHere(set *settings, name string) (*unfinishedGame, error) {
	games, err := gamesHere(set.data)
	if err != nil {
		return nil, err
	}
	var found []*unfinishedGame
	var names []string
	for i := range games {
		g := &games[i]
		if g.Flaw != nil && (name == "" || g.called(name)) || g.hasID(name) {
			found, names = append(found, g), append(names, g.String())
		}
	}
	switch len(found) {
	case 0:
		return nil, nil
	case 1:
		return found[0], found[0].lostly(set.data)
	}
	return nil, problem(i18n.SeveralSeats, i18n.With{"list": strings.Join(names, ", ")})
}

// lostly says what is in the way of coming back by the key alone, before anything is said to anybody.
func (g *unfinishedGame) lostly(data string) error {
	err := g.free(data)
	if err == nil {
		err = g.Flaw // keys that are lost
	}
	if err == nil || peer.Useless(err) && !(g.known() && stays(&g.roster.Offer)) {
		return nil
	}
	return g.hindered(err)
}

// seek asks the others for the table at which the own key sits; with a name, for the one of that name or id.
func (e *evening) seek(ctx context.Context, set *settings, name string) (*unfinishedGame, error) {
	asking, enough := context.WithTimeout(ctx, seekFor)
	defer enough()
	here, err := gamesHere(set.data)
	if err != nil {
		return nil, err
	}
	key := e.host.Key()
	var found []*unfinishedGame
	var names []string
	for _, raw := range e.host.Seatings(asking) {
		r, err := table.ReadRoster(e.me.Suite, raw)
		if err != nil || r.SeatOf(key[:]) < 0 {
			continue
		}
		g := &unfinishedGame{Entry: journal.Entry{Table: r.Table, Dir: journal.Folder(e.data, r.Table), Flaw: journal.ErrNone}}
		for i := range here {
			if here[i].Table == r.Table {
				g = &here[i]
			}
		}
		g.roster, g.bots = r, robotsOf(set.data, r.Table)
		names = append(names, g.String())
		if name == "" || g.called(name) {
			found = append(found, g)
		}
	}
	switch {
	case ctx.Err() != nil:
		return nil, e.interrupted(nil)
	case len(found) == 1:
		return found[0], nil
	case len(names) > 0:
		return nil, problem(i18n.SeveralSeats, i18n.With{"list": strings.Join(names, ", ")})
	}
	return nil, problem(i18n.NowhereSeated, i18n.With{"key": key.Short()})
}

// stays reports whether a table of that offer waits for everybody.
func stays(o *table.Offer) bool {
	return table.Quorum(int(o.Seats), tolerated(o)) == int(o.Seats)
}

// tolerated is how many seats may fail at once at a table of that offer.
func tolerated(o *table.Offer) int {
	for _, p := range o.Options {
		if p[0] == "tolerate" && len(p[1]) == 1 {
			return int(p[1][0] - '0')
		}
	}
	return 0
}
