package peer

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/p2p/journal"
	"standoff/p2p/node"
	"standoff/p2p/table"
)

// watched is a journal whose records and small files the test sees.
type watched struct {
	*journal.Journal
	records []table.Record
	peers   string // kept last
	blind   bool   // something was said before all addresses were kept
	others  int
}

func (w *watched) Append(list []table.Record) error {
	for _, r := range list {
		w.records = append(w.records, r)
		w.blind = w.blind || r.Kind == table.RecordOwn && len(strings.Fields(w.peers)) < w.others
	}
	return w.Journal.Append(list)
}

func (w *watched) Keep(name string, b []byte) error {
	if name == peersFile {
		w.peers = string(b)
	}
	return w.Journal.Keep(name, b)
}

// Whoever has said anything has where the others are beside its journal: killed in its first moments, it finds them
// again. And whoever has sealed the result and is killed then finds the end by its journal alone, though all others have
// gone; it is the same end.
func TestWhoIsKilledInItsFirstOrLastMoments(t *testing.T) {
	t.Parallel()
	hosts, ids, roster := seats(t, 4, map[string]string{"waits": "0s", "grace": "60s", "clock": "none"})
	files := make([][]byte, 4)
	logs := make([]*watched, 4)
	var all sync.WaitGroup
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	for i := range hosts {
		tb, err := table.New(config(hosts[i], roster, ids[i].Secret(), uint64(i)).Table)
		require.NoError(t, err)
		s := newSeat(config(hosts[i], roster, ids[i].Secret(), uint64(i)), tb)
		kept := false
		s.Keep = func(end *table.End, file []byte) error {
			kept = end.Result == table.Finished
			files[i] = file
			return nil
		}
		logs[i] = &watched{others: len(hosts) - 1}
		logs[i].Journal, err = journal.Create(t.TempDir(), tb.Roster().Table)
		require.NoError(t, err)
		s.log = logs[i]
		all.Go(func() {
			end, file, err := s.play(ctx, s.gather)
			if err != nil || end.Result != table.Finished || !kept || string(file) != string(files[i]) {
				t.Errorf("seat %d: %v, %v, kept %v", i, end, err, kept)
			}
		})
	}
	all.Wait()
	for i, l := range logs {
		require.False(t, l.blind, "seat %d has spoken before it had kept where the others are", i)
		require.Equal(t, files[0], files[i])
		hosts[i].Close()
	}

	records := logs[2].records
	for records[len(records)-1].Kind != table.RecordOwn { // its seal of the result is the last thing that it says
		records = records[:len(records)-1]
	}
	data, id := t.TempDir(), mustRoster(t, roster).Table
	j, err := journal.Create(data, id)
	require.NoError(t, err)
	require.NoError(t, j.Append(records))
	require.NoError(t, j.Close())
	host, err := node.New(t.Context(), node.Config{Identity: ids[2]})
	require.NoError(t, err)
	defer host.Close()
	c := config(host, roster, ids[2].Secret(), 2)
	c.Data = data
	end, file, err := Resume(ctx, c, id)
	require.NoError(t, err)
	require.Equal(t, table.Finished, end.Result)
	require.Equal(t, files[0], file)
	_, _, err = Resume(ctx, c, id)
	require.ErrorIs(t, err, journal.ErrEnded)
}

// Who comes back to a game in progress and finds nobody is told whom it misses, and goes on asking.
func TestWhoComesBackAndFindsNobody(t *testing.T) {
	t.Parallel()
	hosts, ids, roster := seats(t, 4, nil)
	data := t.TempDir()
	tb, err := table.New(config(hosts[1], roster, ids[1].Secret(), 1).Table)
	require.NoError(t, err)
	j, err := journal.Create(data, tb.Roster().Table)
	require.NoError(t, err)
	require.NoError(t, j.Append(tb.Ready().Save))
	require.NoError(t, j.Close())
	for i, h := range hosts {
		if i != 1 {
			h.Close()
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c := config(hosts[1], roster, ids[1].Secret(), 1)
	c.Data = data
	var missing []node.Missing
	c.Alone = func(m []node.Missing) {
		missing = m
		cancel()
	}
	end, _, err := Resume(ctx, c, tb.Roster().Table)
	require.ErrorIs(t, err, context.Canceled)
	require.Nil(t, end)
	require.Len(t, missing, 3)
	for _, m := range missing {
		require.NotEmpty(t, m.Why)
	}
}

func mustRoster(t *testing.T, raw []byte) table.Roster {
	r, err := table.ReadRoster(table.NewRistretto(nil), raw)
	require.NoError(t, err)
	return r
}
