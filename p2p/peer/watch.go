package peer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"standoff/p2p/node"
	"standoff/p2p/table"
)

// Times of who looks on.
const (
	PollEvery  = 300 * time.Millisecond // between two questions
	fetchLimit = 8 * time.Second        // for one answer
	avoidFor   = time.Minute            // whoever did not answer in that time
	lostAfter  = 30 * time.Second       // without an answer of anybody
	revisit    = 3 * time.Second        // while somebody is not reached: others may know by now where it is
	byeLimit   = time.Second
)

// ErrNobodyAnswers ends a Watch at a table where nobody is left to ask.
var ErrNobodyAnswers = errors.New("nobody at the table answers any more")

// ErrNotTrue is returned by Look for what cannot be so.
var ErrNotTrue = errors.New("what it tells of its table is not true")

// Look asks a peer which table it plays, and for the roster of that. That the roster is the one it plays by and that
// the peer has a seat there is checked; whether its keys are those of the people one thinks, only a person can say.
// Errors: [node.ErrNotLinked], [node.ErrNothingToWatch], [node.ErrNoPlace], [ErrNotTrue], others of the network.
func Look(ctx context.Context, h *node.Host, at node.Key) ([]byte, error) {
	id, err := h.Visit(ctx, at)
	if err != nil {
		return nil, err
	}
	answer, err := h.Fetch(ctx, at, id, nil)
	if err != nil {
		return nil, err
	}
	if len(answer) != 1 { // none: it cannot write its journal now, so it says nothing
		return nil, fmt.Errorf("look at %s: %d answers instead of the roster", at.Short(), len(answer))
	}
	r, err := table.ReadRoster(table.NewRistretto(nil), answer[0])
	switch {
	case err != nil:
		return nil, fmt.Errorf("look at %s: %w: %w", at.Short(), ErrNotTrue, err)
	case r.Table != table.Hash(id):
		return nil, fmt.Errorf("look at %s: the roster is of another table: %w", at.Short(), ErrNotTrue)
	case r.SeatOf(at[:]) < 0:
		return nil, fmt.Errorf("look at %s: it has no seat at the table that it tells of: %w", at.Short(), ErrNotTrue)
	}
	return answer[0], nil
}

// fetched is what one member has answered.
type fetched struct {
	from    node.Key
	packets [][]byte
	err     error
	visited bool // and has told where the others are
}

// watcher is a seat without one: it asks the members in turn what has happened, says nothing, and follows.
type watcher struct {
	*Seat
	members []node.Key
	turn    int // whom to ask next
	asking  bool
	answers chan fetched
	next    time.Time
	heard   time.Time
	avoid   map[node.Key]time.Time
	apart   bool      // somebody is not reached
	visited time.Time // when somebody was asked last where the others are
}

// Watch looks on at a game, of which Config.Table has the roster and no identity, and returns how it ended with the
// transcript as far as it came. It asks the members in turn: one that holds something back, or has gone, does not stop
// it. Decide, Data, Network and Trouble of the config are not used. When ctx ends, or by [Seat.Leave], the End is
// incomplete; nobody at the table notices. Its errors are ErrNobodyAnswers and those of [table.New].
func Watch(ctx context.Context, c Config) (*table.End, []byte, error) {
	c.Table.Identity = nil
	t, err := table.New(c.Table)
	if err != nil {
		return nil, nil, err
	}
	w := &watcher{Seat: newSeat(c, t), answers: make(chan fetched, 1), heard: time.Now(), avoid: map[node.Key]time.Time{}}
	for _, j := range t.Roster().Joins {
		w.members = append(w.members, node.Key(j.Key))
	}
	if err := t.Start(); err != nil {
		return nil, nil, err
	}
	end, err := w.run(ctx)
	return end, t.Transcript(), err
}

func (w *watcher) run(ctx context.Context) (*table.End, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	tick := time.NewTicker(tickEvery)
	defer tick.Stop()
	for {
		r := w.t.Ready()
		w.end = r.End
		if w.Show != nil {
			w.Show(w.t, r)
		}
		switch {
		case r.End != nil:
			w.bye(ctx)
			return r.End, nil
		case w.leaving || ctx.Err() != nil:
			return &table.End{Result: table.Incomplete, Left: -1, Reason: "watched no longer"}, nil
		case time.Since(w.heard) > lostAfter:
			return &table.End{Result: table.Incomplete, Left: -1, Reason: ErrNobodyAnswers.Error()}, ErrNobodyAnswers
		}
		if !w.asking && !time.Now().Before(w.next) {
			w.ask(ctx)
		}
		select {
		case a := <-w.answers:
			w.take(a)
		case <-tick.C:
			w.t.Tick(time.Since(w.start))
		case f := <-w.Calls:
			f(w.Seat)
		case <-ctx.Done():
		}
	}
}

// ask puts the question to the next member.
func (w *watcher) ask(ctx context.Context) {
	w.turn++
	who := w.members[w.turn%len(w.members)]
	if time.Now().Before(w.avoid[who]) {
		return
	}
	w.asking = true
	question := w.t.Want()
	visit := w.apart && time.Since(w.visited) > revisit
	go func() {
		ctx, cancel := context.WithTimeout(ctx, fetchLimit)
		defer cancel()
		if visit {
			_, _ = w.Host.Visit(ctx, who)
		}
		packets, err := w.Host.Fetch(ctx, who, w.t.Roster().Table, question)
		w.answers <- fetched{who, packets, err, visit && !errors.Is(err, node.ErrNotLinked)}
	}()
}

// take follows what a member has answered; what there is more of is asked for at once.
func (w *watcher) take(a fetched) {
	w.asking = false
	if a.visited {
		w.apart, w.visited = false, time.Now()
	}
	before, _ := w.t.Round()
	for _, p := range a.packets {
		w.t.Receive(p) // what is of no use changes nothing
	}
	if seat := w.t.Roster().SeatOf(a.from[:]); a.err == nil && seat >= 0 {
		w.t.Alive(seat)
	}
	now := time.Now()
	switch round, _ := w.t.Round(); {
	case errors.Is(a.err, node.ErrNotLinked):
		w.apart = true
		w.next = now.Add(PollEvery / time.Duration(len(w.members)))
	case errors.Is(a.err, context.DeadlineExceeded):
		w.avoid[a.from] = now.Add(avoidFor)
	case a.err != nil:
		w.next = now.Add(PollEvery / time.Duration(len(w.members)))
	case round > before:
		w.heard = now
	default:
		w.heard, w.next = now, now.Add(PollEvery)
	}
}

// bye asks all members once more: whoever has nothing to add knows that it is not waited for.
func (w *watcher) bye(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, byeLimit)
	defer cancel()
	question := w.t.Want()
	done := make(chan struct{}, len(w.members))
	for _, who := range slices.Clone(w.members) {
		go func() {
			_, _ = w.Host.Fetch(ctx, who, w.t.Roster().Table, question)
			done <- struct{}{}
		}()
	}
	for range w.members {
		<-done
	}
}
