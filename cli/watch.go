package cli

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"standoff/cli/i18n"
	"standoff/cli/line"
	"standoff/p2p/lobby"
	"standoff/p2p/node"
	"standoff/p2p/peer"
	"standoff/p2p/table"
)

// watchLimit is how long a table that does not answer is called.
const watchLimit = 15 * time.Second

func (s *shell) watching() *cobra.Command { return s.coming("watch", (*evening).lookOn) }

// lookOn is an evening beside somebody else's table.
func (e *evening) lookOn(ctx context.Context, set *settings, target lobby.Target) error {
	w := &set.text.Watch
	at, network, err := e.door(ctx, set, target)
	if err != nil {
		return err
	}
	known, err := lobby.LoadKnown(set.data)
	if err != nil {
		return problem(i18n.KnownUnread, why(err))
	}
	e.keep, e.me.Suite = filepath.Join(set.data, "transcripts"), table.NewRistretto(nil)
	if err := e.writable(); err != nil {
		return err
	}
	id, err := node.Throwaway() // the own key stays free to play
	if err != nil {
		return err
	}
	// Nobody dials who looks on, so it listens to this machine alone.
	if e.host, err = node.New(context.WithoutCancel(ctx), node.Config{Identity: id, Network: network, Peers: at}); err != nil {
		return problem(i18n.NoNetwork, why(err))
	}
	defer e.host.Close()
	raw, err := e.knock(ctx, at[0].Key())
	switch {
	case ctx.Err() != nil:
		e.tell("stopped", "", w.Stopped, nil)
		return nil
	case err != nil:
		return err
	}
	r, err := table.ReadRoster(e.me.Suite, raw)
	if err != nil {
		return err
	}
	e.introduce(&r, known)
	return e.follow(ctx, &r)
}

// door is where to ask for the table: addresses of one peer, and the network it is in.
func (e *evening) door(ctx context.Context, set *settings, target lobby.Target) ([]node.Address, *[32]byte, error) {
	switch {
	case target.Code != nil:
		a, err := target.Code.Address()
		if err != nil {
			return nil, nil, misuse(i18n.BadCode, why(err))
		}
		return []node.Address{a}, target.Code.Network(), nil
	case target.Address != nil:
		return []node.Address{*target.Address}, nil, nil
	}
	w := &e.text.Watch
	var found []lobby.Listing
	for tries := 2; tries > 0 && (len(found) == 0 || len(found[0].Addresses) == 0); tries-- { // packets may be lost
		all, err := look(ctx, set)
		if err != nil {
			return nil, nil, err
		}
		found = slices.DeleteFunc(all, func(li lobby.Listing) bool { return !strings.EqualFold(li.Name, target.Name) })
	}
	switch {
	case len(found) == 0:
		return nil, nil, e.refused(&lobby.Refusal{Reason: lobby.NoSuchTable, Detail: target.Name})
	case len(found) > 1:
		return nil, nil, e.refused(&lobby.Refusal{Reason: lobby.Ambiguous, Detail: target.Name})
	}
	switch li := found[0]; {
	case li.Why == lobby.OtherVersion:
		return nil, nil, worded(e.text.Why(li.Why)+": "+li.Detail, w.StaleHint)
	case li.Private:
		return nil, nil, worded(e.text.Why(lobby.Private), w.PrivateHint)
	case li.Why == lobby.Running && !li.Watchable():
		return nil, nil, worded(w.Never, w.NeverHint)
	case len(li.Addresses) == 0:
		return nil, nil, worded(w.Silent, w.SilentHint)
	default:
		return li.Addresses, nil, nil
	}
}

// knock asks at the door until there is a table to look on at, and returns its roster. A table whose game has not
// begun is waited for.
func (e *evening) knock(ctx context.Context, at node.Key) ([]byte, error) {
	w := &e.text.Watch
	again := time.NewTicker(peer.PollEvery)
	defer again.Stop()
	answered, told := time.Now(), false
	for ctx.Err() == nil {
		raw, err := peer.Look(ctx, e.host, at)
		switch {
		case err == nil:
			return raw, nil
		case errors.Is(err, node.ErrNothingToWatch):
			answered = time.Now()
			if !told {
				told = true
				e.tell("waits", "", w.Waits, nil)
			}
		case errors.Is(err, node.ErrNoPlace):
			return nil, worded(w.NoPlace, w.NoPlaceHint)
		case errors.Is(err, peer.ErrNotTrue):
			return nil, worded(w.NotTold, w.NotToldHint)
		case time.Since(answered) > watchLimit:
			return nil, worded(w.Silent, w.SilentHint)
		}
		select {
		case <-again.C:
		case <-ctx.Done():
		}
	}
	return nil, ctx.Err()
}

// introduce tells what table it is and whose, as far as that can be known: a log that somebody has made up with keys of
// his own is as valid as a true one.
func (e *evening) introduce(r *table.Roster, known *lobby.Known) {
	w := &e.text.Watch
	e.tell("table", "", w.Table, i18n.With{"name": r.Offer.Name, "id": r.Table, "n": len(r.Joins)})
	e.tell("rules", "", e.words().Rules, i18n.With{"sets": strings.Join(r.Offer.Sets, " + ")})
	e.choices(r.Offer.Sets, e.differing(r.Offer))
	unmet := false
	for _, j := range r.Joins {
		key := node.Key(j.Key)
		a, other := known.Judge(j.Nick, key)
		text := w.Unmet
		switch {
		case j.Bot:
			text = w.Bot
		case a == lobby.Friend:
			text = w.Met
		case a == lobby.Differs:
			text = w.Other
		}
		unmet = unmet || a != lobby.Friend && !j.Bot
		e.tell("player", j.Nick, text, i18n.With{"seat": j.Nick, "key": key.Short(), "other": other.Short()})
	}
	if unmet {
		e.tell("trust", "", w.Trust, nil)
	}
	if delay, _ := table.Spectators(r.Offer.Options); delay > 0 {
		e.tell("late", "", w.Late, i18n.With{"n": int(delay / time.Minute)})
	}
	e.tell("catches-up", "", w.CatchesUp, nil)
}

// follow looks on until the game or the person ends it.
func (e *evening) follow(ctx context.Context, r *table.Roster) error {
	front := line.NewFront(line.Config{Text: e.text, Out: e.out, JSON: e.json, Rules: e.rulesOf, Watch: true, Table: e.optionLines(&r.Offer)}, r)
	c := peer.Config{Host: e.host, Table: table.Config{Roster: r.Raw, Rules: compile, Suite: e.me.Suite}}
	front.Fit(&c)
	reading, done := context.WithCancel(ctx)
	var all sync.WaitGroup
	all.Go(func() { front.Feed(reading, e.lines) })
	end, transcript, err := peer.Watch(ctx, c)
	done()
	all.Wait()
	if end == nil {
		return err
	}
	if lost := e.store(transcript, r); lost != nil {
		return lost
	}
	switch {
	case end.Result != table.Incomplete:
		e.end(end, r)
		return nil
	case err == nil:
		e.tell("stopped", "", e.text.Watch.Stopped, nil)
	}
	e.transcript()
	if err != nil {
		return worded(e.text.Watch.Gone, e.text.Watch.GoneHint)
	}
	return nil
}
