package journal

import (
	"bytes"
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
	Roster  []byte    // as signed
	Written time.Time // when something was last added
	Dir     string    // its folder
}

// Unfinished lists the journals of games that are not over in the data folder dir, the latest first. Folders that hold
// no readable journal are left out.
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
		if err != nil || len(id) != len(e.Table) || !e.read() {
			continue
		}
		e.Table = table.Hash(id)
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b Entry) int { return b.Written.Compare(a.Written) })
	return list, nil
}

// read looks at the beginning of the journal, and whether the game is over.
func (e *Entry) read() bool {
	if _, err := os.Stat(filepath.Join(e.Dir, endedFile)); err == nil {
		return false
	}
	path := filepath.Join(e.Dir, openFile)
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	e.Written = info.ModTime()
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	first := make([]byte, headerSize+maxRecord+sumSize)
	n, _ := f.Read(first)
	records, _, _ := Read(bytes.NewReader(first[:n]))
	if len(records) == 0 || records[0].Kind != table.RecordRoster {
		return false
	}
	e.Roster = records[0].Data
	return true
}

// Kept reads a small file that lies beside the journal; nil if there is none.
func (e *Entry) Kept(name string) []byte {
	b, err := os.ReadFile(filepath.Join(e.Dir, name))
	if err != nil {
		return nil
	}
	return b
}
