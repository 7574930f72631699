package peer

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/engine"
	"standoff/engine/base"
	"standoff/engine/bot"
	"standoff/p2p/journal"
	"standoff/p2p/node"
	"standoff/p2p/table"
)

func compile([]string) (*engine.Rules, error) { return engine.Compile(base.Set) }

// seats are the hosts of one table on this machine, with its roster.
func seats(t *testing.T, n int, options map[string]string) (hosts []*node.Host, ids []node.Identity, roster []byte) {
	suite := table.NewRistretto(rand.Reader)
	rules, err := compile(nil)
	require.NoError(t, err)
	choices := table.DefaultChoices()
	for k, v := range options {
		choices.Table[k] = v
	}
	for range n {
		id, err := node.Throwaway()
		require.NoError(t, err)
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b node.Identity) int { x, y := a.Key(), b.Key(); return slices.Compare(x[:], y[:]) })
	offer, err := table.SignOffer(suite, table.Offer{Name: "t", Rules: table.RulesVersion, Sets: []string{"base"},
		Options: choices.List(rules), Seats: uint8(n)}, ids[0].Secret(), rand.Reader)
	require.NoError(t, err)
	_, hash, err := table.ReadOffer(suite, offer)
	require.NoError(t, err)
	var joins [][]byte
	for i, id := range ids {
		h, err := node.New(t.Context(), node.Config{Identity: id})
		require.NoError(t, err)
		t.Cleanup(func() { h.Close() })
		for _, o := range hosts {
			require.NoError(t, h.Meet(o.Addresses()[0]))
		}
		hosts = append(hosts, h)
		j, err := table.SignJoin(suite, hash, string(rune('A'+i)), true, id.Secret(), rand.Reader)
		require.NoError(t, err)
		joins = append(joins, j)
	}
	roster, err = table.SignRoster(suite, offer, joins, ids[0].Secret())
	require.NoError(t, err)
	return hosts, ids, roster
}

func config(h *node.Host, roster []byte, key ed25519.PrivateKey, seed uint64) Config {
	b := bot.New(seed)
	return Config{
		Table:  table.Config{Roster: roster, Rules: compile, Identity: key, Rand: rand.Reader},
		Host:   h,
		Decide: func(v engine.View) (engine.Action, bool) { return b.Act(v, v.Legal()), true },
	}
}

// faulty is a journal on a disk that takes nothing for a while.
type faulty struct {
	*journal.Journal
	full    atomic.Bool
	refused atomic.Int32
}

var errFull = errors.New("no space left on device")

func (f *faulty) Append(r []table.Record) error {
	if f.full.Load() {
		f.refused.Add(1)
		return errFull
	}
	return f.Journal.Append(r)
}

// As long as the journal of a seat cannot be written the seat says nothing, so the table stands still; its person is
// told; and when there is room again the game goes on as if nothing had been.
func TestAFullDiskSilencesTheSeat(t *testing.T) {
	hosts, ids, roster := seats(t, 4, map[string]string{"waits": "0s", "grace": "60s", "clock": "none"})
	data := t.TempDir()
	disk := &faulty{}
	var rounds [4]atomic.Uint32
	var troubles []error
	files := make([][]byte, 4)
	var all sync.WaitGroup
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	for i := range hosts {
		c := config(hosts[i], roster, ids[i].Secret(), uint64(i))
		c.Show = func(t *table.Table, _ table.Ready) {
			round, _ := t.Round()
			rounds[i].Store(round)
		}
		all.Go(func() {
			var end *table.End
			var err error
			if i == 1 {
				c.Trouble = func(err error) { troubles = append(troubles, err) }
				tb, e := table.New(c.Table)
				if e != nil {
					t.Error(e)
					return
				}
				s := newSeat(c, tb)
				if disk.Journal, e = journal.Create(data, tb.Roster().Table); e != nil {
					t.Error(e)
					return
				}
				s.log = disk
				end, files[i], err = s.play(ctx, s.gather)
			} else {
				end, files[i], err = Run(ctx, c)
			}
			if err != nil || end.Result != table.Finished {
				t.Errorf("seat %d: %v, %v", i, end, err)
			}
		})
	}
	require.Eventually(t, func() bool { return rounds[0].Load() > 25 }, 30*time.Second, time.Millisecond)
	disk.full.Store(true)
	require.Eventually(t, func() bool { return disk.refused.Load() > 0 }, 5*time.Second, time.Millisecond)
	stands := rounds[0].Load()
	time.Sleep(1500 * time.Millisecond)
	require.LessOrEqual(t, rounds[0].Load(), stands+1, "the seat has spoken of what is on no disk")
	disk.full.Store(false)
	all.Wait()
	require.Len(t, troubles, 2)
	require.ErrorIs(t, troubles[0], errFull)
	require.NoError(t, troubles[1])
	for _, f := range files[1:] {
		require.Equal(t, files[0], f)
	}
	rep, err := table.Verify(files[1], compile)
	require.NoError(t, err)
	require.Empty(t, rep.Moves)
	left, err := journal.Unfinished(data)
	require.NoError(t, err)
	require.Empty(t, left, "the game is over")
}

// Who leaves goes as soon as another peer knows it, and the others go on.
func TestALeaverGoesAtOnce(t *testing.T) {
	hosts, ids, roster := seats(t, 4, map[string]string{"waits": "0s", "clock": "none"})
	files := make([][]byte, 4)
	var all sync.WaitGroup
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	for i := range hosts {
		c := config(hosts[i], roster, ids[i].Secret(), uint64(i))
		own, leave := context.WithCancel(ctx)
		defer leave()
		var asked time.Time
		c.Show = func(t *table.Table, _ table.Ready) {
			if round, _ := t.Round(); i == 3 && round > 25 && asked.IsZero() {
				asked = time.Now()
				leave()
			}
		}
		all.Go(func() {
			end, file, err := Run(own, c)
			if err != nil {
				t.Errorf("seat %d: %v", i, err)
				return
			}
			files[i] = file
			if i < 3 && end.Result != table.Finished || i == 3 && (end.Result != table.Incomplete || end.Left != 3) {
				t.Errorf("seat %d: %v", i, end)
			}
			if i == 3 && time.Since(asked) > 3*time.Second {
				t.Errorf("it took %v to leave", time.Since(asked))
			}
		})
	}
	all.Wait()
	require.Equal(t, files[0], files[1])
	require.Equal(t, files[0], files[2])
	rep, err := table.Verify(files[0], compile)
	require.NoError(t, err)
	require.Len(t, rep.Moves, 1)
	require.Equal(t, table.Left, rep.Moves[0].Why)
	require.Equal(t, 3, rep.Moves[0].Seat)
}
