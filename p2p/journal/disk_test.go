package journal

import (
	"errors"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/p2p/table"
)

// disk is a file on a disk that gets full, or whose syncs fail.
type disk struct {
	*os.File
	room   int64 // bytes that there is room for
	broken bool  // syncs and cuts fail
}

var errFull, errBroken = errors.New("no space left"), errors.New("input/output error")

func (d *disk) WriteAt(b []byte, at int64) (int, error) {
	if n := d.room - at; n < int64(len(b)) {
		d.File.WriteAt(b[:max(0, n)], at)
		return int(max(0, n)), errFull
	}
	return d.File.WriteAt(b, at)
}

func (d *disk) Sync() error {
	if d.broken {
		return errBroken
	}
	return d.File.Sync()
}

func (d *disk) Truncate(n int64) error {
	if d.broken {
		return errBroken
	}
	return d.File.Truncate(n)
}

// What a full or failing disk did not take is given again, and nothing of the failed attempts is left, whatever came
// to lie on the disk.
func TestAFullDiskTakesNothingHalf(t *testing.T) {
	for room := range int64(120) {
		dir, id := t.TempDir(), table.Hash{3}
		j, err := Create(dir, id)
		require.NoError(t, err)
		d := &disk{File: j.open.f.(*os.File), room: 1 << 20}
		j.open.f = d
		first := []table.Record{{Kind: table.RecordRoster, Data: []byte("roster")}}
		next := []table.Record{{Kind: table.RecordForeign, Data: make([]byte, 30)}, {Kind: table.RecordOwn, Data: []byte("a seal of mine")}}
		longer := append(next, table.Record{Kind: table.RecordOwn, Data: []byte("another")})
		require.NoError(t, j.Append(first))

		d.room, d.broken = room, room%3 == 0
		failed := j.Append(next)
		if room >= 110 && !d.broken {
			require.NoError(t, failed)
		} else if room < 60 || d.broken {
			require.Error(t, failed)
		}
		d.room, d.broken = 1<<20, false
		want := append(append([]table.Record{}, first...), longer...)
		if failed == nil {
			longer = longer[2:]
		}
		require.NoError(t, j.Append(longer))
		require.NoError(t, j.Close())
		j, records, err := Open(dir, id)
		require.NoError(t, err)
		require.Equal(t, want, records, "room for %d bytes", room)
		require.NoError(t, j.Close())
	}
}
