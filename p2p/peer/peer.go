package peer

import (
	"context"
	"encoding/hex"
	"errors"
	"time"

	"standoff/engine"
	"standoff/p2p/journal"
	"standoff/p2p/node"
	"standoff/p2p/table"
)

// Config is what a peer needs to play one game.
type Config struct {
	Table table.Config // Resume needs no Roster but with Lost: the journal has it
	Host  *node.Host
	Data  string // folder of the journal; empty: keep none

	Network *[32]byte // of a private table, kept beside the journal for those who resume

	// Decide is asked once for every decision of this seat. It may answer at once (a bot) or say false; then the
	// decision comes by Calls and [Seat.Act].
	Decide func(engine.View) (engine.Action, bool)
	// Calls are run on the goroutine of Run: the way in for a front end.
	Calls <-chan func(*Seat)

	// Show is told everything, on the goroutine of Run. It must not keep the table.
	Show func(*table.Table, table.Ready)
	// Keep is given the transcript when the table is over, before the journal is: whoever is killed before it has
	// returned finds the game unfinished, and comes to its end again.
	Keep func(*table.End, []byte) error
	// Alone is told whom a seat that has come back does not reach, and why, when nobody has answered for a while.
	// It goes on asking.
	Alone func([]node.Missing)
	// Barred is told why the own seat, which was taken out, is not let in again now, in which round that is, and for
	// [table.BarWait] until which, once for each bar.
	Barred func(bar table.Bar, round, until uint32)
	// Quiet is for a seat that nobody else would wait for: who leaves says nothing, and the game can be gone on with.
	Quiet bool
	// Late counts the games that go on being served after Run. nil: nobody waits for that.
	Late *Late
	// Onlookers is told how many look on, whenever that has changed.
	Onlookers func(n int)
	// Trouble is told when the journal cannot be written, and nil when it can be again.
	Trouble func(error)
}

// Times of the loop.
const (
	tickEvery  = 100 * time.Millisecond
	gatherFor  = 5 * time.Second // for everybody to be linked with everybody before the first word
	lingerFor  = 3 * time.Second // after the end, for those who are there, have not closed the last round and do not move on
	flushFor   = 300 * time.Millisecond
	leaveLimit = 5 * time.Second  // for another peer to hear that this one leaves
	settleFor  = 3 * time.Second  // for others to show what they have of a seat that comes back
	aloneFor   = 10 * time.Second // without a beat of anybody: the others have gone
	retryEvery = time.Second      // to write the journal
	freshBeat  = 3 * time.Second  // a peer whose last beat is younger is alive
)

// saver is what a peer needs of its [journal.Journal].
type saver interface {
	Append([]table.Record) error
	Keep(name string, b []byte) error
	End(how string) error
	Close() error
}

// Seat is the running peer. It belongs to the goroutine of [Run]; a front end meets it in Config.Calls.
type Seat struct {
	Config
	hold   hold
	t      *table.Table
	room   *node.Room
	start  time.Time
	behind map[node.Key]uint32 // rounds of the others, from their beats
	asked  int                 // questions put to them so far
	beats  [table.MaxSeats]time.Time
	beat   beat
	end    *table.End

	log     saver
	unsaved []table.Record // what the journal did not take yet
	unsent  [][]byte       // and what waits for that
	failing bool
	retry   time.Time
	kept    string // addresses that lie beside the journal
	clock   clock  // and so does this

	leaving bool
	leaveBy time.Time
	over    bool                   // the end is kept
	stands  [table.MaxSeats]uint32 // the round that each seat has told last, whether or not it is there

	curtain   curtain
	ended     time.Time
	barred    table.Bar              // what Barred was told last
	onlookers map[node.Key]time.Time // when each has asked last
	told      int                    // how many there are
	toldAt    time.Time
}

func newSeat(c Config, t *table.Table) *Seat {
	return &Seat{Config: c, hold: newHold(t.Roster()), t: t, start: time.Now(), behind: map[node.Key]uint32{},
		curtain: newCurtain(t.Roster()), onlookers: map[node.Key]time.Time{}}
}

// Run plays one game and returns how it ended, with the transcript. With Table.Lost the game goes on already, and the
// seat, whose journal is lost, says nothing but that until it has been taken out and comes back with fresh keys. The error is about this machine (disk,
// network, an own bug); whatever the others do is in the End. Who leaves a game that goes on gets an End that is
// incomplete and names the own seat as Left.
func Run(ctx context.Context, c Config) (*table.End, []byte, error) {
	t, err := table.New(c.Table)
	if err != nil {
		return nil, nil, err
	}
	s := newSeat(c, t)
	if c.Data != "" && c.Table.Identity != nil {
		j, err := journal.Create(c.Data, t.Roster().Table)
		if err != nil {
			return nil, nil, err
		}
		defer j.Close()
		s.log = j
		if c.Network != nil {
			if err := j.Keep(networkFile, []byte(hex.EncodeToString(c.Network[:]))); err != nil {
				return nil, nil, err
			}
		}
	}
	if c.Table.Lost {
		return s.play(ctx, s.settle)
	}
	return s.play(ctx, s.gather)
}

// Resume goes on with the game of which the data folder has a journal, where it stands now: see the package
// documentation. Its errors are those of Run, of [journal.Open] and [table.ErrKeyless]. With Table.Lost and its Roster a
// journal that is [Useless] is put aside, and the seat comes back without it, as in Run.
func Resume(ctx context.Context, c Config, id table.Hash) (*table.End, []byte, error) {
	lost := c.Table.Lost
	c.Table.Lost = false
	c.Table.Spent = spentOf(c.Data, id, time.Now())
	j, t, err := reopen(c, id)
	if lost && Useless(err) {
		if _, err := journal.PutAside(c.Data, id); err != nil {
			return nil, nil, err
		}
		c.Table.Lost = true
		return Run(ctx, c)
	}
	if err != nil {
		return nil, nil, err
	}
	defer j.Close()
	s := newSeat(c, t)
	s.log = j
	return s.play(ctx, s.settle)
}

// reopen sits down again with the journal of a table.
func reopen(c Config, id table.Hash) (*journal.Journal, *table.Table, error) {
	j, records, err := journal.Open(c.Data, id)
	if err != nil {
		return nil, nil, err
	}
	t, err := table.Resume(c.Table, records)
	if err != nil {
		j.Close()
		return nil, nil, err
	}
	return j, t, nil
}

// Useless reports whether an error of Resume, or the flaw of a [journal.Entry], says that nobody can go on by this journal:
// it is missing or damaged, or its keys are lost. The seat can come back without it.
func Useless(err error) bool {
	return errors.Is(err, journal.ErrNone) || errors.Is(err, journal.ErrDamaged) || errors.Is(err, table.ErrKeyless)
}

// play enters the room, waits there for what has to come first, and plays to the end.
func (s *Seat) play(ctx context.Context, first func(context.Context) error) (*table.End, []byte, error) {
	roster := s.t.Roster()
	rc := node.RoomConfig{Table: roster.Table, Machine: gate{s.t.Gate()}, Beat: s.blob(), Seating: roster.Raw, Spectators: s.curtain.places()}
	for _, j := range roster.Joins {
		rc.Members = append(rc.Members, node.Key(j.Key))
	}
	var err error
	if s.room, err = s.Host.Join(rc); err != nil {
		return nil, nil, err
	}
	served := false
	defer func() {
		if !served {
			s.room.Close()
		}
	}()
	r := s.t.Ready()
	if s.store(r.Save); s.failing { // nothing has begun yet: better not to
		return nil, nil, errNoJournal
	}
	if s.Show != nil {
		s.Show(s.t, r)
	}
	s.note()
	if err := first(ctx); err != nil {
		return nil, nil, err
	}
	s.note() // before the first word: whoever has spoken knows where the others are
	if err := s.t.Start(); err != nil {
		return nil, nil, err
	}
	end, err := s.run(ctx)
	if end != nil && err == nil {
		err = s.keep(end)
	}
	file := s.t.Transcript()
	if end != nil && end.Result == table.Finished && !s.allHave(nil) {
		served = true
		s.serve()
	}
	return end, file, err
}

// keep puts the transcript where it belongs, and then ends the journal.
func (s *Seat) keep(end *table.End) error {
	if s.over {
		return nil
	}
	s.over = true
	if s.Keep != nil {
		if err := s.Keep(end, s.t.Transcript()); err != nil {
			return err
		}
	}
	if s.log == nil || end.Result == table.Incomplete || s.failing {
		return nil
	}
	return s.log.End(end.Result.String())
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

var errNoNetwork = errors.New("the network is gone")

func (s *Seat) run(ctx context.Context) (*table.End, error) {
	tick := time.NewTicker(tickEvery)
	defer tick.Stop()
	var deadline time.Time
	var best uint32
	heard := time.Now()
	for {
		end, err := s.flush()
		if err == nil && end != nil && !s.over {
			s.room.Beat() // the others see at once that this peer has the end
			err = s.keep(end)
		}
		if err != nil {
			return end, err
		}
		if end != nil && s.ended.IsZero() {
			s.ended = time.Now()
		}
		switch {
		case end != nil && (deadline.IsZero() || s.slowest() > best):
			best, deadline = s.slowest(), time.Now().Add(lingerFor)
			if end.Result != table.Finished {
				deadline = time.Now().Add(flushFor)
			}
		case end != nil && (s.allThere() || time.Now().After(deadline)) && !s.watched():
			return end, nil
		case end == nil && s.leaving && s.t.Free() && deadline.IsZero():
			deadline = time.Now().Add(flushFor)
		case end == nil && s.leaving && (time.Now().After(s.leaveBy) || !deadline.IsZero() && time.Now().After(deadline)):
			return s.gone(), nil
		}
		select {
		case e, ok := <-s.room.Events():
			if !ok && end == nil && s.leaving && s.t.Free() {
				return s.gone(), nil // nobody needs this peer any more
			}
			if !ok {
				return end, errNoNetwork
			}
			s.hear(e)
		case <-tick.C:
			s.tick()
			if len(s.behind) > 0 {
				heard = time.Now()
			} else if end == nil && time.Since(heard) > aloneFor {
				s.t.Conclude()
			}
		case f := <-s.Calls:
			f(s)
		case <-ctx.Done():
			if end != nil {
				return end, nil
			}
			s.Leave()
			ctx = context.WithoutCancel(ctx)
		}
	}
}

// gone is the end of a game that this seat has left.
func (s *Seat) gone() *table.End {
	return &table.End{Result: table.Incomplete, Left: s.t.Seat(), Reason: "this seat left"}
}

// flush does what the table wants done, in its order, until it wants nothing more.
func (s *Seat) flush() (*table.End, error) {
	for {
		r := s.t.Ready()
		s.end = r.End
		round, _ := s.t.Round()
		s.curtain.reach(round, time.Now())
		if err := s.send(s.store(r.Save), r.Send); err != nil {
			return r.End, err
		}
		s.tell()
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
