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
	require.Len(t, files, 2)
	for _, f := range files {
		info, err := os.Stat(f)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
		b, err := os.ReadFile(f)
		require.NoError(t, err)
		if filepath.Base(f) == "secret" {
			secret = b
		} else {
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

func TestDamageInTheMiddleIsNoTornTail(t *testing.T) {
	open, _ := written(t, some...)
	open[7] ^= 1
	_, _, err := journal.Read(bytes.NewReader(open))
	require.ErrorContains(t, err, "damaged")
}

func TestOneJournalPerSeatAndTable(t *testing.T) {
	dir := t.TempDir()
	j, err := journal.Create(dir, table.Hash{1})
	require.NoError(t, err)
	defer j.Close()
	_, err = journal.Create(dir, table.Hash{1})
	require.ErrorContains(t, err, "already")
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
