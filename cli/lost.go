package cli

import (
	"context"
	"fmt"
	"os"
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

// lost is the rest of an evening for somebody who has the key of a seat and no journal. The others tell where it sits.
// What it has said there nobody can tell it, so it says nothing any more but that: they take the seat out, and it comes
// back with fresh keys.
func (e *evening) lost(ctx context.Context, set *settings, what string, peers []node.Address) error {
	var target lobby.Target
	if what != "" {
		var err error
		if target, err = lobby.ParseTarget(what); err != nil {
			return misuse(i18n.BadTarget, why(err))
		}
	}
	var network *[32]byte
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
	roster, err := e.seek(ctx, target.Name)
	if err != nil {
		return err
	}
	key := e.host.Key()
	seat := roster.Joins[roster.SeatOf(key[:])]
	if stays(&roster.Offer) {
		return problem(i18n.NoneMayGo, i18n.With{"name": roster.Offer.Name, "dir": journal.Folder(e.data, roster.Table)})
	}
	if err := e.comeBack(&roster); err != nil {
		return err
	}
	defer e.talk.Leave()
	e.tell("lost", seat.Nick, e.words().Lost, i18n.With{"seat": seat.Nick, "name": roster.Offer.Name, "id": roster.Table})
	_, err = e.play(ctx, roster.Raw, func(ctx context.Context, c peer.Config) (*table.End, []byte, error) {
		c.Table.Lost = true
		if _, err := os.Stat(journal.Folder(c.Data, roster.Table)); err == nil { // it is there, and its keys may be too
			return peer.Resume(ctx, c, roster.Table)
		}
		return peer.Run(ctx, c)
	})
	return err
}

// seek asks the others for the table at which the own key sits; with a name, for the one of that name.
func (e *evening) seek(ctx context.Context, name string) (table.Roster, error) {
	asking, enough := context.WithTimeout(ctx, seekFor)
	defer enough()
	key := e.host.Key()
	var found []table.Roster
	var names []string
	for _, raw := range e.host.Seatings(asking) {
		r, err := table.ReadRoster(e.me.Suite, raw)
		if err != nil || r.SeatOf(key[:]) < 0 {
			continue
		}
		names = append(names, fmt.Sprintf("%s (%s)", r.Offer.Name, r.Table))
		if name == "" || plain(r.Offer.Name) == plain(name) {
			found = append(found, r)
		}
	}
	switch {
	case ctx.Err() != nil:
		return table.Roster{}, e.interrupted(nil)
	case len(found) == 1:
		return found[0], nil
	case len(names) > 0:
		return table.Roster{}, problem(i18n.SeveralSeats, i18n.With{"list": strings.Join(names, ", ")})
	}
	return table.Roster{}, problem(i18n.NowhereSeated, i18n.With{"key": key.Short()})
}

// stays reports whether a table of that offer goes on without nobody.
func stays(o *table.Offer) bool {
	tolerate := 0
	for _, p := range o.Options {
		if p[0] == "tolerate" && len(p[1]) == 1 {
			tolerate = int(p[1][0] - '0')
		}
	}
	return table.Quorum(int(o.Seats), tolerate) == int(o.Seats)
}
