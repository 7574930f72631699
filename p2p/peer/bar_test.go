package peer

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/engine"
	"standoff/p2p/node"
	"standoff/p2p/table"
)

// told is what a seat was told of not being let in.
type told struct {
	bar          table.Bar
	round, until uint32
}

// A seat that leaves and comes back again and again is told when it has to wait, and until when, and is let in then; after
// its last return it is told that it looks on for good.
func TestASeatThatComesBackTooOftenIsToldWhy(t *testing.T) {
	t.Parallel()
	bars, returns := restless(t)
	require.NotEmpty(t, bars)
	last := bars[len(bars)-1]
	require.Equal(t, table.BarReturns, last.bar)
	require.Equal(t, table.MaxReturns, returns)
	require.Zero(t, last.until)
	require.LessOrEqual(t, len(bars), 4, "three times it has to wait, if it is back before that is over")
	for _, b := range bars[:len(bars)-1] {
		require.Equal(t, table.BarWait, b.bar)
		require.Greater(t, b.until, b.round)
	}
}

// peaceful is a seat that harms nobody: a game of such seats is never over.
func peaceful(c Config) Config {
	bot := c.Decide
	c.Decide = func(v engine.View) (engine.Action, bool) {
		for _, a := range v.Legal() {
			if a.Verb == engine.End || a.Verb == engine.Pass {
				return a, true
			}
		}
		return bot(v)
	}
	return c
}

// restless plays one game in which seat 3 leaves as soon as it is back, until it is not let in any more.
func restless(t *testing.T) (bars []told, returns int) {
	hosts, ids, roster := seats(t, 5, map[string]string{"waits": "0s", "grace": "60s", "clock": "none"})
	data, id := t.TempDir(), mustRoster(t, roster).Table
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	over, stop := context.WithCancel(ctx)
	defer stop()
	var all sync.WaitGroup
	for i := range hosts[:3] {
		all.Go(func() { Run(over, peaceful(config(hosts[i], roster, ids[i].Secret(), uint64(i)))) })
	}
	all.Go(func() { Run(over, peaceful(config(hosts[4], roster, ids[4].Secret(), 4))) })
	host := hosts[3]
	for n := 0; ; n++ {
		own, leave := context.WithCancel(over)
		c := peaceful(config(host, roster, ids[3].Secret(), 3))
		c.Data = data
		begin := uint32(0)
		c.Show = func(tb *table.Table, r table.Ready) {
			round, _ := tb.Round()
			for _, w := range r.News {
				if w.Kind == table.NewsReturned && w.Seat == 3 {
					begin = round
				}
			}
			if n == 0 && round > 20 || begin > 0 && round >= begin && tb.Member(3) && round > begin+1 {
				if begin > 0 {
					returns++
				}
				begin = 0
				leave()
			}
		}
		c.Barred = func(bar table.Bar, round, until uint32) {
			bars = append(bars, told{bar, round, until})
			if bar == table.BarReturns {
				stop()
			}
		}
		var end *table.End
		var err error
		if n == 0 {
			end, _, err = Run(own, c)
		} else {
			end, _, err = Resume(own, c, id)
		}
		leave()
		if err != nil || end.Result != table.Incomplete || over.Err() != nil {
			break
		}
		host.Close()
		host, err = node.New(t.Context(), node.Config{Identity: ids[3]})
		require.NoError(t, err)
		for i, h := range hosts {
			if i != 3 {
				require.NoError(t, host.Meet(h.Addresses()[0]))
			}
		}
	}
	stop()
	all.Wait()
	host.Close()
	return bars, returns
}
