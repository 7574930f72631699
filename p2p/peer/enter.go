package peer

import (
	"context"
	"fmt"
	"time"

	"standoff/p2p/node"
)

// gather takes in what the room tells until all members are there: nothing should be said into the void. Who does not
// come in time is left to the table, which tells for whom it waits; and whoever has waited enough can leave.
func (s *Seat) gather(ctx context.Context) error {
	late := time.NewTimer(gatherFor)
	defer late.Stop()
	for !s.leaving {
		select {
		case <-s.room.Ready():
			return nil
		case <-late.C:
			return nil
		case f := <-s.Calls:
			f(s)
		case e, ok := <-s.room.Events():
			if !ok {
				return errNoNetwork
			}
			s.hear(e)
		case <-ctx.Done():
			return fmt.Errorf("waiting for the others: %w", s.room.Wait(ctx))
		}
	}
	return nil
}

// settle asks everybody it reaches what they have, before this seat speaks again: should its journal not be the
// newest, their answers show it. It waits until all have answered; or most, and all that are there; after a while for
// one; and for that as long as it takes, unless the journal itself leads to the end.
func (s *Seat) settle(ctx context.Context) error {
	over := time.NewTimer(settleFor)
	defer over.Stop()
	again := time.NewTicker(settleFor / 6)
	defer again.Stop()
	asked, answers, late := map[node.Key]bool{}, map[node.Key]bool{}, false
	came := time.Now() // the last that is there
	for {
		others := len(s.t.Roster().Joins) - 1
		if shown(others, len(answers), len(asked), time.Since(came), late) || s.leaving || s.t.Seat() < 0 || s.t.Ended() {
			return nil
		}
		select {
		case e, ok := <-s.room.Events():
			if !ok {
				return errNoNetwork
			}
			s.hear(e)
			switch e := e.(type) {
			case node.Up:
				asked[e.Peer], came = true, time.Now()
				s.room.Ask(e.Peer, s.t.Want())
			case node.Down:
				delete(asked, e.Peer)
			case node.Answer:
				if e.Err == nil {
					answers[e.From] = true
					delete(asked, e.From)
				}
			}
		case <-again.C:
			for k := range s.behind { // whom a beat has come from
				if !answers[k] {
					s.room.Ask(k, s.t.Want())
				}
			}
		case f := <-s.Calls:
			f(s)
		case <-over.C:
			late = true
			if len(answers) == 0 && !s.t.Conclude() && s.Alone != nil {
				s.Alone(s.room.Missing())
			}
		case <-ctx.Done():
			return fmt.Errorf("waiting for the others: %w", ctx.Err())
		}
	}
}

// shown reports whether so many others have shown what they have of this seat, while some who are there have not answered yet
// and the last came a while ago. That most have keeps those who cheat, being fewer, from being all that were asked because
// they were the quickest to come.
func shown(others, answers, open int, quiet time.Duration, late bool) bool {
	switch {
	case answers >= others:
		return true
	case late:
		return answers > 0
	}
	return 2*answers > others && open == 0 && quiet > settleFor/3
}
