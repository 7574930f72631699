package peer

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/p2p/node"
	"standoff/p2p/table"
)

// missed runs the first three seats of four until each of them has told that it waits for the fourth; done waits for
// their ends.
func missed(t *testing.T, first context.Context, hosts []*node.Host, ids []node.Identity, roster []byte) (done func() []*table.End) {
	ends := make([]*table.End, 3)
	var told, all sync.WaitGroup
	told.Add(3)
	for i := range ends {
		c, ctx := config(hosts[i], roster, ids[i].Secret(), uint64(i)), context.WithoutCancel(first)
		if i == 0 {
			ctx = first
		}
		tell := sync.OnceFunc(told.Done)
		c.Show = func(t *table.Table, _ table.Ready) {
			if m := t.Missing(); len(m) == 1 && m[0].Seat == 3 && m[0].Since > time.Second {
				tell()
			}
		}
		all.Go(func() {
			defer tell()
			var err error
			if ends[i], _, err = Run(ctx, c); err != nil {
				t.Errorf("seat %d: %v", i, err)
			}
		})
	}
	told.Wait()
	return func() []*table.End { all.Wait(); return ends }
}

// Whose program ends between the roster and the first word is missed like anybody who falls silent later: the others
// are told for whom they wait, and one who has waited enough ends the game for all.
func TestWhoNeverComesIsNamed(t *testing.T) {
	t.Parallel()
	hosts, ids, roster := seats(t, 4, map[string]string{"waits": "0s", "clock": "none"})
	require.NoError(t, hosts[3].Close())
	enough, leave := context.WithCancel(t.Context())
	done := missed(t, enough, hosts, ids, roster)
	leave()
	for _, end := range done() {
		require.Equal(t, table.Void, end.Result)
		require.Zero(t, end.Left)
	}
}

func TestWhoComesLateHasMissedNothing(t *testing.T) {
	t.Parallel()
	hosts, ids, roster := seats(t, 4, map[string]string{"waits": "0s", "clock": "none"})
	done := missed(t, t.Context(), hosts, ids, roster)
	end, _, err := Run(t.Context(), config(hosts[3], roster, ids[3].Secret(), 3))
	require.NoError(t, err)
	for _, end := range append(done(), end) {
		require.Equal(t, table.Finished, end.Result)
	}
}

// Who waits for the others can leave by a word, as at any other time.
func TestWhoWaitsForTheOthersCanLeave(t *testing.T) {
	t.Parallel()
	hosts, ids, roster := seats(t, 4, nil)
	for _, h := range hosts[1:] {
		require.NoError(t, h.Close())
	}
	c := config(hosts[0], roster, ids[0].Secret(), 0)
	calls := make(chan func(*Seat))
	c.Calls = calls
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	go func() {
		select {
		case calls <- (*Seat).Leave:
		case <-ctx.Done():
		}
	}()
	end, _, err := Run(ctx, c)
	require.NoError(t, err)
	require.NoError(t, ctx.Err())
	require.Equal(t, table.Void, end.Result)
	require.Zero(t, end.Left)
}
