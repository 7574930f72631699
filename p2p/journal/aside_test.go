package journal_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/p2p/journal"
	"standoff/p2p/table"
)

// flaws are the ways in which what a seat has said can be lost, by what is done to its folder.
var flaws = []struct {
	name   string
	do     func(t *testing.T, dir string)
	flaw   error
	opens  bool // the journal itself is whole
	roster bool // the table is still known
}{
	{"a byte changed in the middle", func(t *testing.T, dir string) { flip(t, filepath.Join(dir, "journal"), 30) }, journal.ErrDamaged, false, true},
	{"a byte changed at the beginning", func(t *testing.T, dir string) { flip(t, filepath.Join(dir, "journal"), 6) }, journal.ErrDamaged, false, false},
	{"a length changed", func(t *testing.T, dir string) { flip(t, filepath.Join(dir, "journal"), 16) }, journal.ErrDamaged, false, true},
	{"the journal is empty", func(t *testing.T, dir string) { require.NoError(t, os.Truncate(filepath.Join(dir, "journal"), 0)) }, journal.ErrDamaged, false, false},
	{"the journal is missing", func(t *testing.T, dir string) { require.NoError(t, os.Remove(filepath.Join(dir, "journal"))) }, journal.ErrNone, false, false},
	{"a byte of the secrets changed", func(t *testing.T, dir string) { flip(t, filepath.Join(dir, "secret"), 8) }, journal.ErrDamaged, false, true},
	{"the secrets are empty", func(t *testing.T, dir string) { require.NoError(t, os.Truncate(filepath.Join(dir, "secret"), 0)) }, table.ErrKeyless, true, true},
	{"the secrets are missing", func(t *testing.T, dir string) { require.NoError(t, os.Remove(filepath.Join(dir, "secret"))) }, table.ErrKeyless, true, true},
}

func flip(t *testing.T, path string, at int) {
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	b[at] ^= 0x40
	require.NoError(t, os.WriteFile(path, b, 0o600))
}

// folder is the journal of a seat that has spoken.
func folder(t *testing.T, dir string, id table.Hash) string {
	j, err := journal.Create(dir, id)
	require.NoError(t, err)
	require.NoError(t, j.Append(append(some, some[1])))
	require.NoError(t, j.Keep("peers", []byte("somewhere")))
	require.NoError(t, j.Close())
	return journal.Folder(dir, id)
}

// A journal that is of no use is listed with what is wrong with it, no opening takes it for a shorter one, and put aside it
// is there byte for byte while the seat may begin another.
func TestAFlawedJournalIsSeenAndPutAside(t *testing.T) {
	id := table.Hash{7}
	for _, f := range flaws {
		t.Run(f.name, func(t *testing.T) {
			dir := t.TempDir()
			path := folder(t, dir, id)
			list, err := journal.Unfinished(dir)
			require.NoError(t, err)
			require.Len(t, list, 1)
			require.NoError(t, list[0].Flaw)
			f.do(t, path)

			list, err = journal.Unfinished(dir)
			require.NoError(t, err)
			require.Len(t, list, 1)
			require.Equal(t, id, list[0].Table)
			require.ErrorIs(t, list[0].Flaw, f.flaw)
			require.Equal(t, f.roster, list[0].Roster != nil)
			require.False(t, list[0].Written.IsZero())
			j, _, err := journal.Open(dir, id)
			if f.opens {
				require.NoError(t, err)
				_, err := journal.PutAside(dir, id)
				require.ErrorIs(t, err, journal.ErrInUse, "nobody takes it away from a program that has it")
				require.NoError(t, j.Close())
			} else {
				require.ErrorIs(t, err, f.flaw)
			}

			before := contents(t, path)
			aside, err := journal.PutAside(dir, id)
			require.NoError(t, err)
			require.Equal(t, path+".damaged-1", aside)
			require.Equal(t, before, contents(t, aside))
			list, err = journal.Unfinished(dir)
			require.NoError(t, err)
			require.Empty(t, list)
			folder(t, dir, id)
			aside, err = journal.PutAside(dir, id)
			require.NoError(t, err)
			require.Equal(t, path+".damaged-2", aside)
			aside, err = journal.PutAside(dir, id)
			require.NoError(t, err)
			require.Empty(t, aside, "there is none any more")
		})
	}
}

func contents(t *testing.T, dir string) map[string]string {
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			b, e := os.ReadFile(path)
			require.NoError(t, e)
			all[d.Name()] = string(b)
		}
		return err
	}))
	return all
}

// A seat that has not said anything yet has nothing to lose.
func TestASeatThatNeverSpokeHasNoFlaw(t *testing.T) {
	dir, id := t.TempDir(), table.Hash{7}
	require.NoError(t, os.MkdirAll(journal.Folder(dir, id), 0o700))
	list, err := journal.Unfinished(dir)
	require.NoError(t, err)
	require.Empty(t, list)
}

// Of a game that is over the mark stays and nothing else; of one that goes on, or that a program still has, everything.
func TestGamesThatAreOverAreSwept(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, journal.Sweep(dir), "there is nothing yet")
	running, ended, held := table.Hash{1}, table.Hash{2}, table.Hash{3}
	before := contents(t, folder(t, dir, running))
	var last *journal.Journal
	for _, id := range []table.Hash{ended, held} {
		folder(t, dir, id)
		j, _, err := journal.Open(dir, id)
		require.NoError(t, err)
		require.NoError(t, j.End("finished"))
		if id == held {
			last = j
		} else {
			require.NoError(t, j.Close())
		}
	}
	for range 2 {
		require.NoError(t, journal.Sweep(dir))
		require.Equal(t, before, contents(t, journal.Folder(dir, running)))
		require.Equal(t, map[string]string{"ended": "finished\n", "lock": ""}, contents(t, journal.Folder(dir, ended)))
		require.Len(t, contents(t, journal.Folder(dir, held)), 5)
	}
	require.NoError(t, last.Close())
	require.NoError(t, journal.Sweep(dir))
	require.Len(t, contents(t, journal.Folder(dir, held)), 2)
	for _, id := range []table.Hash{ended, held} {
		require.True(t, journal.Over(dir, id))
		_, _, err := journal.Open(dir, id)
		require.ErrorIs(t, err, journal.ErrEnded, "it is over, and not lost")
		_, err = journal.Create(dir, id)
		require.ErrorIs(t, err, journal.ErrEnded, "nobody sits down there again")
	}
	require.False(t, journal.Over(dir, running))
}
