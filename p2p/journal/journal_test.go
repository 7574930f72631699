package journal_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/p2p/journal"
	"standoff/p2p/table"
)

func written(t *testing.T, records ...table.Record) (open, secret []byte) {
	dir := t.TempDir()
	j, err := journal.Create(dir, table.Hash{7})
	require.NoError(t, err)
	for _, r := range records {
		require.NoError(t, j.Append([]table.Record{r}))
	}
	require.NoError(t, j.Close())
	files, err := filepath.Glob(filepath.Join(dir, "tables", "*", "*"))
	require.NoError(t, err)
	require.Len(t, files, 3)
	for _, f := range files {
		info, err := os.Stat(f)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
		b, err := os.ReadFile(f)
		require.NoError(t, err)
		switch filepath.Base(f) {
		case "secret":
			secret = b
		case "journal":
			open = b
		}
	}
	return open, secret
}

var some = []table.Record{
	{Kind: table.RecordRoster, Data: []byte("roster")},
	{Kind: table.RecordSecret, Data: []byte("for my eyes")},
	{Kind: table.RecordForeign, Data: []byte("another's say")},
	{Kind: table.RecordOwn, Data: bytes.Repeat([]byte("own"), 1000)},
}

func TestSecretsLieApart(t *testing.T) {
	open, secret := written(t, some...)
	require.NotContains(t, string(open), "my eyes")
	records, torn, err := journal.Read(bytes.NewReader(open))
	require.NoError(t, err)
	require.Zero(t, torn)
	require.Equal(t, []table.Record{some[0], some[2], some[3]}, records)
	records, _, err = journal.Read(bytes.NewReader(secret))
	require.NoError(t, err)
	require.Equal(t, some[1:2], records)
}

func TestTornTailIsCutAtEveryByte(t *testing.T) {
	open, _ := written(t, some...)
	whole := 0
	for n := range len(open) + 1 {
		records, torn, err := journal.Read(bytes.NewReader(open[:n]))
		require.NoError(t, err, "cut after %d bytes", n)
		require.GreaterOrEqual(t, len(records), whole, "a record is lost by a longer file")
		whole = len(records)
		rest, _, err := journal.Read(bytes.NewReader(open[:n-torn]))
		require.NoError(t, err)
		require.Equal(t, records, rest)
	}
	require.Equal(t, 3, whole)
}

// Whatever byte is changed before the last record, a length among them, nothing is taken for a torn tail and cut off.
func TestDamageInTheMiddleIsNoTornTail(t *testing.T) {
	open, _ := written(t, some...)
	last := len(open) - 5 - len(some[3].Data) - 4
	for i := range last {
		for _, flip := range []byte{1, 0x10, 0x80, 0xff} {
			b := bytes.Clone(open)
			b[i] ^= flip
			records, _, err := journal.Read(bytes.NewReader(b))
			require.ErrorIs(t, err, journal.ErrDamaged, "byte %d", i)
			require.Less(t, len(records), 2)
		}
	}
}

// What a power cut leaves of a file that was being lengthened are often nothing but zeros.
func TestZerosAreATornTail(t *testing.T) {
	open, _ := written(t, some...)
	for _, n := range []int{1, 9, 10, 4096} {
		records, torn, err := journal.Read(bytes.NewReader(append(bytes.Clone(open), make([]byte, n)...)))
		require.NoError(t, err)
		require.Equal(t, n, torn)
		require.Len(t, records, 3)
	}
}

func TestOneJournalPerSeatAndTable(t *testing.T) {
	dir := t.TempDir()
	j, err := journal.Create(dir, table.Hash{1})
	require.NoError(t, err)
	_, err = journal.Create(dir, table.Hash{1})
	require.ErrorIs(t, err, journal.ErrInUse)
	_, _, err = journal.Open(dir, table.Hash{1})
	require.ErrorIs(t, err, journal.ErrInUse)
	require.NoError(t, j.Close())

	_, err = journal.Create(dir, table.Hash{1})
	require.ErrorIs(t, err, journal.ErrExists)
	require.ErrorContains(t, err, "standoff resume")
	_, _, err = journal.Open(dir, table.Hash{2})
	require.ErrorIs(t, err, journal.ErrNone)
}

// Whatever a crash has left at the end is cut off, and what is written then follows what was whole.
func TestAJournalGoesOnAfterATornTail(t *testing.T) {
	dir, id := t.TempDir(), table.Hash{9}
	j, err := journal.Create(dir, id)
	require.NoError(t, err)
	require.NoError(t, j.Append(some))
	require.NoError(t, j.Close())
	path := filepath.Join(journal.Folder(dir, id), "journal")
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, tail := range [][]byte{nil, {0}, {0, 0, 0, 5, 3, 1}, whole[:len(whole)-1], bytes.Repeat([]byte{0}, 40)[:9]} {
		require.NoError(t, os.WriteFile(path, append(bytes.Clone(whole), tail...), 0o600))
		j, records, err := journal.Open(dir, id)
		if len(tail) > 1000 { // the records at its front are whole ones
			require.NoError(t, err)
			require.Len(t, records, 6)
			require.NoError(t, j.Close())
			continue
		}
		require.NoError(t, err)
		require.Equal(t, []table.Record{some[1], some[0], some[2], some[3]}, records)
		more := table.Record{Kind: table.RecordOwn, Data: []byte("more")}
		require.NoError(t, j.Append([]table.Record{more}))
		require.NoError(t, j.Close())
		j, records, err = journal.Open(dir, id)
		require.NoError(t, err)
		require.Equal(t, more, records[len(records)-1])
		require.Len(t, records, 5)
		require.NoError(t, j.Close())
	}
}

func TestUnfinishedGamesAreFound(t *testing.T) {
	dir := t.TempDir()
	list, err := journal.Unfinished(dir)
	require.NoError(t, err)
	require.Empty(t, list)
	for i := range byte(3) {
		j, err := journal.Create(dir, table.Hash{i})
		require.NoError(t, err)
		require.NoError(t, j.Append(some))
		require.NoError(t, j.Keep("peers", []byte{i}))
		if i == 1 {
			require.NoError(t, j.End("finished"))
		}
		require.NoError(t, j.Close())
	}
	j, err := journal.Create(dir, table.Hash{7}) // nothing was ever written
	require.NoError(t, err)
	require.NoError(t, j.Close())
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "tables", "something else"), 0o700))

	list, err = journal.Unfinished(dir)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.ElementsMatch(t, []table.Hash{{0}, {2}}, []table.Hash{list[0].Table, list[1].Table})
	require.Equal(t, []byte("roster"), list[0].Roster)
	require.Equal(t, []byte{list[0].Table[0]}, list[0].Kept("peers"))
	require.Nil(t, list[0].Kept("network"))
	info, err := os.Stat(filepath.Join(journal.Folder(dir, table.Hash{1}), "secret"))
	require.NoError(t, err)
	require.Zero(t, info.Size(), "the secrets of a game that is over")
}

func FuzzRead(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1, 3, 9, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		records, torn, _ := journal.Read(bytes.NewReader(b))
		if torn > len(b) || len(records) > len(b) {
			t.Fatal("more than there is")
		}
	})
}
