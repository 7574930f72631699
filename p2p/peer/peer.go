package peer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/fxamacker/cbor/v2"

	"standoff/engine"
	"standoff/p2p/journal"
	"standoff/p2p/node"
	"standoff/p2p/table"
)

// Config is what a peer needs to play one game.
type Config struct {
	Table table.Config
	Host  *node.Host
	Data  string // folder of the journal; empty: keep none

	// Decide is asked once for every decision of this seat. It may answer at once (a bot) or say false; then the
	// decision comes by Calls and [Seat.Act].
	Decide func(engine.View) (engine.Action, bool)
	// Calls are run on the goroutine of Run: the way in for a front end.
	Calls <-chan func(*Seat)

	// Show is told everything, on the goroutine of Run. It must not keep the table.
	Show func(*table.Table, table.Ready)
}

// Times of the loop.
const (
	tickEvery = 100 * time.Millisecond
	lingerFor = 3 * time.Second // after the end, for those who have not closed the last round
	flushFor  = 300 * time.Millisecond
)

// beat is what the heartbeat carries: where this peer's log stands.
type beat struct {
	_     struct{} `cbor:",toarray"`
	Round uint32
	Head  table.Hash
}

// Seat is the running peer. It belongs to the goroutine of [Run]; a front end meets it in Config.Calls.
type Seat struct {
	Config
	hold   hold
	t      *table.Table
	room   *node.Room
	log    *journal.Journal
	start  time.Time
	behind map[node.Key]uint32 // rounds of the others, from their beats
	round  uint32
	end    *table.End
}

// Run plays one game and returns how it ended, with the transcript. The error is about this machine (disk,
// network, an own bug); whatever the others do is in the End.
func Run(ctx context.Context, c Config) (*table.End, []byte, error) {
	t, err := table.New(c.Table)
	if err != nil {
		return nil, nil, err
	}
	roster := t.Roster()
	s := &Seat{Config: c, hold: newHold(roster), t: t, start: time.Now(), behind: map[node.Key]uint32{}}
	if c.Data != "" && c.Table.Identity != nil {
		if s.log, err = journal.Create(c.Data, roster.Table); err != nil {
			return nil, nil, err
		}
		defer s.log.Close()
	}
	rc := node.RoomConfig{Table: roster.Table, Machine: gate{t.Gate()}}
	for _, j := range roster.Joins {
		rc.Members = append(rc.Members, node.Key(j.Key))
	}
	if s.room, err = c.Host.Join(rc); err != nil {
		return nil, nil, err
	}
	defer s.room.Close()
	if err := s.wait(ctx); err != nil {
		return nil, nil, err
	}
	if err := t.Start(); err != nil {
		return nil, nil, err
	}
	end, err := s.run(ctx)
	return end, t.Transcript(), err
}

// gate lets the room ask the table's gate.
type gate struct{ *table.Gate }

func (g gate) Check(packet []byte) node.Verdict {
	switch g.Look(packet) {
	case table.Accept:
		return node.Accept
	case table.Ignore:
		return node.Ignore
	}
	return node.Reject
}

// wait takes in what the room tells until all members are there: nothing may be said into the void.
func (s *Seat) wait(ctx context.Context) error {
	for {
		select {
		case <-s.room.Ready():
			return nil
		case e, ok := <-s.room.Events():
			if !ok {
				return errors.New("the network is gone")
			}
			s.hear(e)
		case <-ctx.Done():
			return fmt.Errorf("waiting for the others: %w", s.room.Wait(ctx))
		}
	}
}

func (s *Seat) run(ctx context.Context) (*table.End, error) {
	tick := time.NewTicker(tickEvery)
	defer tick.Stop()
	var deadline time.Time
	for {
		end, err := s.flush()
		if err != nil {
			return end, err
		}
		if end != nil && deadline.IsZero() {
			deadline = time.Now().Add(lingerFor)
			if end.Result != table.Finished {
				deadline = time.Now().Add(flushFor)
			}
		}
		if end != nil && (s.allThere() || time.Now().After(deadline)) {
			return end, nil
		}
		select {
		case e, ok := <-s.room.Events():
			if !ok {
				return end, errors.New("the network is gone")
			}
			s.hear(e)
		case <-tick.C:
			s.t.Tick(time.Since(s.start))
		case f := <-s.Calls:
			f(s)
		case <-ctx.Done():
			if end != nil {
				return end, nil
			}
			s.t.Leave()
			ctx = context.WithoutCancel(ctx)
		}
	}
}

// flush does what the table wants done, in its order, until it wants nothing more.
func (s *Seat) flush() (*table.End, error) {
	for {
		r := s.t.Ready()
		s.end = r.End
		if s.log != nil {
			if err := s.log.Append(r.Save); err != nil {
				return r.End, err
			}
		}
		for _, p := range r.Send {
			if err := s.room.Broadcast(p); err != nil {
				return r.End, err
			}
		}
		if round, head := s.t.Round(); round != s.round {
			s.round = round
			if b, err := cbor.Marshal(beat{Round: round, Head: head}); err == nil {
				s.room.SetBeat(b)
			}
		}
		if r.Fetch != nil {
			s.ask(r.Fetch)
		}
		if s.Show != nil {
			s.Show(s.t, r)
		}
		if sent, err := s.decide(r.Ask); err != nil || !sent {
			return r.End, err
		}
	}
}

// ask puts a question to the peer that is furthest ahead.
func (s *Seat) ask(question []byte) {
	var best node.Key
	found := false
	for k, round := range s.behind {
		if !found || round > s.behind[best] || round == s.behind[best] && k.String() < best.String() {
			best, found = k, true
		}
	}
	if found {
		s.room.Ask(best, question) // a refusal is as good as no answer: the table asks again
	}
}

func (s *Seat) hear(e node.Event) {
	switch e := e.(type) {
	case node.Packet:
		s.t.Receive(e.Bytes) // strays are of no interest
	case node.Answer:
		for _, p := range e.Packets {
			s.t.Receive(p)
		}
	case node.Request:
		if packets, err := s.t.Serve(e.Body); err == nil {
			e.Reply(packets)
		} else {
			e.Reply(nil)
		}
	case node.Beat:
		var b beat
		if cbor.Unmarshal(e.Blob, &b) == nil {
			s.behind[e.Peer] = b.Round
			if round, _ := s.t.Round(); b.Round > round {
				s.room.Ask(e.Peer, s.t.Want())
			}
		}
	case node.Down:
		delete(s.behind, e.Peer)
	case node.Lost:
		s.ask(s.t.Want())
	}
}

// allThere reports whether every other peer has told that its log is as long as this one, or has gone.
func (s *Seat) allThere() bool {
	round, _ := s.t.Round()
	for _, b := range s.behind {
		if b < round {
			return false
		}
	}
	return true
}
