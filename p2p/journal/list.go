package journal

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"standoff/p2p/table"
)

// Entry is the journal of a game that is not over.
type Entry struct {
	Table   table.Hash
	Roster  []byte    // as signed; nil where the journal does not tell
	Written time.Time // when something was last added
	Dir     string    // its folder
	Flaw    error     // why the game cannot be gone on with by it: ErrNone, ErrDamaged, [table.ErrKeyless], or of the file system
}

// Unfinished lists the journals of games that are not over in the data folder dir, the latest first, those with a flaw
// among them. Folders of seats that have never said anything and other files are left out.
func Unfinished(dir string) ([]Entry, error) {
	root := filepath.Join(dir, "tables")
	folders, err := os.ReadDir(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("journals: %w", err)
	}
	var list []Entry
	for _, d := range folders {
		e := Entry{Dir: filepath.Join(root, d.Name())}
		id, err := hex.DecodeString(d.Name())
		if err != nil || len(id) != len(e.Table) || !d.IsDir() || over(e.Dir) || !begun(e.Dir) {
			continue
		}
		e.Table = table.Hash(id)
		e.look(d)
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b Entry) int { return b.Written.Compare(a.Written) })
	return list, nil
}

// Over reports whether a data folder has the mark of a game at a table that is over.
func Over(dir string, id table.Hash) bool { return over(Folder(dir, id)) }

// over reports whether the game of a folder is.
func over(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, endedFile))
	return err == nil
}

// begun reports whether anything was ever kept in a folder besides its lock, as far as one can see.
func begun(dir string) bool {
	files, err := os.ReadDir(dir)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	return slices.ContainsFunc(files, func(d fs.DirEntry) bool {
		i, err := d.Info()
		return d.Name() != lockName && (err != nil || i.Size() > 0)
	})
}

// look reads the journal, and changes nothing.
func (e *Entry) look(folder fs.DirEntry) {
	info, err := os.Stat(filepath.Join(e.Dir, openFile))
	if err != nil {
		info, _ = folder.Info()
	}
	if info != nil {
		e.Written = info.ModTime()
	}
	records, err := readFile(filepath.Join(e.Dir, openFile))
	if len(records) > 0 && records[0].Kind == table.RecordRoster {
		e.Roster = records[0].Data
	}
	has := func(k table.RecordKind) bool {
		return slices.ContainsFunc(records, func(r table.Record) bool { return r.Kind == k })
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Flaw = ErrNone
	case err != nil:
		e.Flaw = err
	case e.Roster == nil:
		e.Flaw = fmt.Errorf("%w: it does not say who sits at the table", ErrDamaged)
	default:
		secrets, err := readFile(filepath.Join(e.Dir, secretFile))
		switch {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			e.Flaw = err
		case len(secrets) == 0 && has(table.RecordOwn) && !has(table.RecordLost):
			e.Flaw = table.ErrKeyless
		}
	}
}

// readFile reads the whole records of a file.
func readFile(path string) ([]table.Record, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	records, _, err := Read(f)
	return records, err
}

// Kept reads a small file that lies beside the journal; nil if there is none.
func (e *Entry) Kept(name string) []byte {
	b, err := os.ReadFile(filepath.Join(e.Dir, name))
	if err != nil {
		return nil
	}
	return b
}
