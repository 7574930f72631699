package peer

import (
	"bytes"
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/engine"
	"standoff/p2p/node"
	"standoff/p2p/table"
)

// A parlour is a table of four bots on this machine that admits nobody else, and what the seats have when it is over.
type parlour struct {
	hosts  []*node.Host
	roster []byte
	files  [][]byte
	ends   []*table.End
	all    sync.WaitGroup
	gone   []chan struct{} // closed when a seat has ended
}

// open lets the game begin. change may alter a seat before it does; pace holds every decision up.
func open(t *testing.T, ctx context.Context, options map[string]string, change func(i int, s *Seat), pace time.Duration) *parlour {
	t.Helper()
	values := map[string]string{"waits": "0s", "grace": "60s", "clock": "none"}
	for k, v := range options {
		values[k] = v
	}
	hosts, ids, roster := seats(t, 4, values)
	p := &parlour{hosts: hosts, roster: roster, files: make([][]byte, 4), ends: make([]*table.End, 4)}
	for range hosts {
		p.gone = append(p.gone, make(chan struct{}))
	}
	r, err := table.ReadRoster(table.NewRistretto(nil), roster)
	require.NoError(t, err)
	for i, h := range hosts {
		h.Admit(func(k node.Key) bool { return r.SeatOf(k[:]) >= 0 })
		c := config(h, roster, ids[i].Secret(), uint64(i))
		decide := c.Decide
		if pace > 0 {
			c.Decide = func(v engine.View) (engine.Action, bool) { time.Sleep(pace); return decide(v) }
		}
		tb, err := table.New(c.Table)
		require.NoError(t, err)
		s := newSeat(c, tb)
		if change != nil {
			change(i, s)
		}
		p.all.Go(func() {
			defer close(p.gone[i])
			var err error
			if p.ends[i], p.files[i], err = s.play(ctx, s.gather); err != nil {
				t.Errorf("seat %d: %v", i, err)
			}
		})
	}
	return p
}

// looks finds the table by one of its seats, from a host of its own.
func (p *parlour) looks(t *testing.T, seat int) (*node.Host, []byte) {
	t.Helper()
	id, err := node.Throwaway()
	require.NoError(t, err)
	h, err := node.New(t.Context(), node.Config{Identity: id, Peers: p.hosts[seat].Addresses()})
	require.NoError(t, err)
	t.Cleanup(func() { h.Close() })
	var roster []byte
	require.Eventually(t, func() bool {
		roster, err = Look(t.Context(), h, p.hosts[seat].Key())
		return err == nil
	}, 30*time.Second, 20*time.Millisecond)
	require.Equal(t, p.roster, roster)
	return h, roster
}

func watching(h *node.Host, roster []byte) Config {
	return Config{Host: h, Table: table.Config{Roster: roster, Rules: compile}}
}

// Two who come in the middle of a game, by different seats, and one who comes before its first round have the players'
// transcript in the end; one who stops leaves no trace, and nothing of them is on the log.
func TestSpectatorsHaveThePlayersTranscript(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Second)
	defer cancel()
	var most atomic.Int32
	p := open(t, ctx, nil, func(i int, s *Seat) {
		s.Onlookers = func(n int) { most.Store(max(most.Load(), int32(n))) }
	}, 20*time.Millisecond)
	type seen struct {
		end  *table.End
		file []byte
		err  error
	}
	results := make([]seen, 4)
	var all sync.WaitGroup
	var middle sync.WaitGroup
	middle.Add(1)
	look := func(i, seat int, show func(round uint32, stop func())) {
		h, roster := p.looks(t, seat)
		own, stop := context.WithCancel(ctx)
		defer stop()
		c := watching(h, roster)
		c.Show = func(tb *table.Table, _ table.Ready) {
			if v, ok := tb.View(); ok && v.Seat != -1 {
				t.Error("a spectator has a seat")
			}
			round, _ := tb.Round()
			show(round, stop)
		}
		end, file, err := Watch(own, c)
		results[i] = seen{end, file, err}
	}
	once := sync.OnceFunc(middle.Done)
	all.Go(func() {
		look(0, 0, func(round uint32, _ func()) {
			if round > 30 {
				once()
			}
		})
	})
	middle.Wait()
	all.Go(func() { look(1, 1, func(uint32, func()) {}) })
	all.Go(func() { look(2, 3, func(uint32, func()) {}) })
	all.Go(func() {
		look(3, 2, func(round uint32, stop func()) {
			if round > 10 {
				stop()
			}
		})
	})
	all.Wait()
	p.all.Wait()
	for i := range p.files {
		require.Equal(t, table.Finished, p.ends[i].Result)
		require.Equal(t, p.files[0], p.files[i])
	}
	require.Positive(t, most.Load(), "the players are told that somebody looks on")
	require.LessOrEqual(t, most.Load(), int32(4))
	rep, err := table.Verify(p.files[0], compile)
	require.NoError(t, err)
	require.Empty(t, rep.Moves)
	for i, r := range results[:3] {
		require.NoError(t, r.err, i)
		require.Equal(t, table.Finished, r.end.Result, i)
		require.Equal(t, p.ends[0].Winners, r.end.Winners)
		require.Equal(t, p.files[0], r.file, "spectator %d has another transcript", i)
	}
	require.NoError(t, results[3].err)
	require.Equal(t, table.Incomplete, results[3].end.Result)
	rep, err = table.Verify(results[3].file, compile)
	require.NoError(t, err)
	require.Equal(t, table.Incomplete, rep.Result)
}

// While a player thinks nobody is silent, for a spectator no more than for the players.
func TestASpectatorTakesNobodyWhoThinksForSilent(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	asked := make(chan struct{})
	ask := sync.OnceFunc(func() { close(asked) }) // another seat may be asked when the first has left
	p := open(t, ctx, nil, func(_ int, s *Seat) {
		s.Decide = func(engine.View) (engine.Action, bool) { ask(); return engine.Action{}, false }
	}, 0)
	<-asked
	h, roster := p.looks(t, 0)
	c, begun, shown := watching(h, roster), time.Now(), false
	c.Show = func(tb *table.Table, _ table.Ready) {
		if round, _ := tb.Round(); round > 8 {
			shown = true
			if m := tb.Waits(5 * time.Second); len(m) > 0 {
				t.Errorf("%v are taken for silent", m)
			}
			if time.Since(begun) > 8*time.Second {
				cancel()
			}
		}
	}
	_, _, err := Watch(ctx, c)
	require.NoError(t, err)
	require.True(t, shown)
	p.all.Wait()
}

// At a table that is shown later no spectator sees a round earlier than that after the first seat has closed it; when
// the game is over it sees the rest.
func TestASpectatorSeesALateTable(t *testing.T) {
	t.Parallel()
	const late = 3 * time.Second
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Second)
	defer cancel()
	var mu sync.Mutex
	first := map[uint32]time.Time{} // when a round was the open one somewhere
	over := time.Time{}
	p := open(t, ctx, nil, func(_ int, s *Seat) {
		s.curtain.delay = late
		s.Show = func(tb *table.Table, r table.Ready) {
			mu.Lock()
			defer mu.Unlock()
			round, _ := tb.Round()
			if _, ok := first[round]; !ok {
				first[round] = time.Now()
			}
			if r.End != nil && over.IsZero() {
				over = time.Now()
			}
		}
	}, 50*time.Millisecond)
	h, roster := p.looks(t, 1)
	c := watching(h, roster)
	during, best := 0, uint32(0)
	c.Show = func(tb *table.Table, _ table.Ready) {
		mu.Lock()
		defer mu.Unlock()
		round, _ := tb.Round()
		if round > best && over.IsZero() {
			best = round
			if since := time.Since(first[round]); since < late {
				t.Errorf("round %d is open for the spectator %v after it was for the first seat", round, since)
			}
			during++
		}
	}
	end, file, err := Watch(ctx, c)
	require.NoError(t, err)
	require.Equal(t, table.Finished, end.Result)
	p.all.Wait()
	require.Equal(t, p.files[0], file)
	require.NotZero(t, during, "the table was shown at the end only")
}

// The seat by which somebody has come leaves and its machine goes; the others go on without it, by a ballot, and the
// spectator with them, to the same transcript.
func TestASpectatorOutlivesTheSeatItCameBy(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Second)
	defer cancel()
	came := make(chan struct{})
	calls := make(chan func(*Seat), 1)
	p := open(t, ctx, nil, func(i int, s *Seat) {
		if i != 3 {
			return
		}
		s.Calls = calls
		leave := sync.OnceFunc(func() {
			calls <- func(s *Seat) { s.Leave() }
		})
		s.Show = func(tb *table.Table, _ table.Ready) {
			select {
			case <-came:
				if round, _ := tb.Round(); round > 25 {
					leave()
				}
			default:
			}
		}
	}, 30*time.Millisecond)
	h, roster := p.looks(t, 3)
	c := watching(h, roster)
	close(came)
	c.Show = func(_ *table.Table, r table.Ready) {
		for _, n := range r.News {
			if n.Kind == table.NewsRemoved && n.Seat == 3 {
				go func() {
					<-p.gone[3]
					p.hosts[3].Close()
				}()
			}
		}
	}
	end, file, err := Watch(ctx, c)
	require.NoError(t, err)
	require.Equal(t, table.Finished, end.Result)
	p.all.Wait()
	require.Equal(t, p.files[0], file)
	rep, err := table.Verify(file, compile)
	require.NoError(t, err)
	require.Len(t, rep.Moves, 1)
	require.Equal(t, table.Left, rep.Moves[0].Why)
}

// A table that ends because somebody leaves ends for the spectator too.
func TestASpectatorSeesTheTableBreakUp(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Second)
	defer cancel()
	came := make(chan struct{})
	calls := make(chan func(*Seat), 1)
	p := open(t, ctx, map[string]string{"tolerate": "0"}, func(i int, s *Seat) {
		if i == 3 {
			s.Calls = calls
		}
	}, 30*time.Millisecond)
	h, roster := p.looks(t, 1)
	c := watching(h, roster)
	leave := sync.OnceFunc(func() {
		close(came)
		calls <- func(s *Seat) { s.Leave() }
	})
	c.Show = func(tb *table.Table, _ table.Ready) {
		if round, _ := tb.Round(); round > 20 {
			leave()
		}
	}
	end, file, err := Watch(ctx, c)
	require.NoError(t, err)
	<-came
	require.Equal(t, table.Void, end.Result, "%+v", end)
	require.Equal(t, 3, end.Left)
	p.all.Wait()
	rep, err := table.Verify(file, compile)
	require.NoError(t, err)
	require.Equal(t, table.Void, rep.Result)
	require.Equal(t, 3, rep.Left)
}

// Who asks for what there is not, for everything again and again, or about another table, costs the seats nothing that
// the game would notice.
func TestHostileQuestionsDoNotDisturbTheGame(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Second)
	defer cancel()
	p := open(t, ctx, nil, nil, 0)
	r, err := table.ReadRoster(table.NewRistretto(nil), p.roster)
	require.NoError(t, err)
	over := make(chan struct{})
	var all sync.WaitGroup
	for i := range 3 {
		h, _ := p.looks(t, i)
		tb, err := table.New(watching(h, p.roster).Table)
		require.NoError(t, err)
		everything := tb.Want()
		all.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-over:
					return
				case <-time.After(5 * time.Millisecond):
				}
				question := everything
				switch n % 4 {
				case 1:
					question = []byte{0xff}
				case 2:
					question = bytes.Repeat([]byte{0x81}, node.MaxRequest)
				case 3:
					question = append(bytes.Clone(everything), 0)
				}
				at := p.hosts[n%len(p.hosts)].Key()
				go func() { _, _ = h.Fetch(ctx, at, r.Table, question) }()
			}
		})
	}
	p.all.Wait()
	close(over)
	all.Wait()
	for i := range p.files {
		require.Equal(t, table.Finished, p.ends[i].Result)
		require.Equal(t, p.files[0], p.files[i])
	}
	rep, err := table.Verify(p.files[0], compile)
	require.NoError(t, err)
	require.Empty(t, rep.Moves)
}

func TestNobodyLooksOnWhereTheTableHasAgreedSo(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	p := open(t, ctx, map[string]string{"delay": "never"}, nil, 0)
	id, err := node.Throwaway()
	require.NoError(t, err)
	h, err := node.New(t.Context(), node.Config{Identity: id, Peers: p.hosts[0].Addresses()})
	require.NoError(t, err)
	defer h.Close()
	done := make(chan struct{})
	go func() { p.all.Wait(); close(done) }()
	for {
		select {
		case <-done:
			return
		case <-time.After(20 * time.Millisecond):
			if _, err := Look(t.Context(), h, p.hosts[0].Key()); !errors.Is(err, node.ErrNotLinked) && !errors.Is(err, node.ErrNothingToWatch) {
				require.Error(t, err)
			}
		}
	}
}

// A table whose seats have all gone is not waited for, and what was seen is kept.
func TestASpectatorGivesUpWhereNobodyAnswers(t *testing.T) {
	t.Parallel()
	_, _, roster := seats(t, 4, nil)
	id, err := node.Throwaway()
	require.NoError(t, err)
	h, err := node.New(t.Context(), node.Config{Identity: id})
	require.NoError(t, err)
	defer h.Close()
	tb, err := table.New(watching(h, roster).Table)
	require.NoError(t, err)
	w := &watcher{Seat: newSeat(watching(h, roster), tb), answers: make(chan fetched, 1), avoid: map[node.Key]time.Time{}}
	w.members = []node.Key{{1}}
	w.heard = time.Now().Add(-lostAfter)
	end, err := w.run(t.Context())
	require.ErrorIs(t, err, ErrNobodyAnswers)
	require.Equal(t, table.Incomplete, end.Result)
}

// The players are told how many look on, but not by the second, nor more than there can be.
func TestWhoComesAndGoesDoesNotFillTheScreen(t *testing.T) {
	t.Parallel()
	var told []int
	s := &Seat{onlookers: map[node.Key]time.Time{}, Config: Config{Onlookers: func(n int) { told = append(told, n) }}}
	for i := range 200 {
		s.lookedOn(node.Key{byte(i)}, false)
		s.count()
	}
	require.Equal(t, []int{1}, told)
	require.LessOrEqual(t, len(s.onlookers), maxOnlooker)
	s.toldAt = time.Now().Add(-2 * tellEvery)
	s.count()
	require.Equal(t, []int{1, MaxSpectators}, told)
	for k := range s.onlookers {
		s.onlookers[k] = time.Now().Add(-2 * onlookerFor)
	}
	s.toldAt = time.Now().Add(-2 * tellEvery)
	s.count()
	require.Equal(t, []int{1, MaxSpectators, 0}, told)
}

func TestACurtainHoldsBackByTheClockOfTheSeat(t *testing.T) {
	t.Parallel()
	at := func(s int) time.Time { return time.Unix(1000+int64(s), 0) }
	c := curtain{delay: time.Minute}
	require.Zero(t, c.before(at(0)))
	c.reach(3, at(0)) // as after a start from the journal
	c.reach(3, at(5))
	c.reach(4, at(30))
	c.reach(6, at(31))
	require.EqualValues(t, 0, c.before(at(59)))
	require.EqualValues(t, 3, c.before(at(60)))
	require.EqualValues(t, 4, c.before(at(90)))
	require.EqualValues(t, 6, c.before(at(91)))
	require.EqualValues(t, 6, c.before(at(9000)), "what is open is never shown")
	now := curtain{}
	now.reach(3, at(0))
	require.EqualValues(t, math.MaxUint32, now.before(at(0)))
}
