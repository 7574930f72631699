package journal

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"standoff/p2p/internal/storage"
	"standoff/p2p/table"
)

var (
	// ErrExists is returned by Create when the seat has a journal of the table already: it has spoken there, and only
	// who knows what it said may go on.
	ErrExists = errors.New("this seat has a journal of this table already: \"standoff resume\" goes on with it")
	// ErrInUse is returned when another program has the journal open.
	ErrInUse = errors.New("another program plays at this table from this data folder")
	// ErrNone is returned by Open when there is no journal.
	ErrNone = errors.New("there is no journal of this table")
	// ErrDamaged is returned by Open when records are lost in the middle of the journal, or all of them: what the seat has
	// said and promised is not known any more.
	ErrDamaged = errors.New("the journal is damaged")
	// ErrEnded is returned by Open and Create when the game is over: its secrets are gone, and nothing can be resumed.
	ErrEnded = errors.New("this game is over")
)

// Journal is the open journal of one seat at one table. While it is open no other program can open it.
type Journal struct {
	dir          string
	lock         *os.File
	open, secret part
}

// part is one of the two files. Only what lies below whole is known to be on the disk.
type part struct {
	f     file
	whole int64
	spilt bool // a failed attempt may have left something behind whole
}

// file is what a journal needs of an [os.File].
type file interface {
	io.WriterAt
	Truncate(int64) error
	Sync() error
	Close() error
}

// names of the files.
const (
	openFile   = "journal"
	secretFile = "secret"
	lockName   = "lock"
	endedFile  = "ended"
)

// Folder is where the journal of a table lies in the data folder dir.
func Folder(dir string, id table.Hash) string {
	return filepath.Join(dir, "tables", hex.EncodeToString(id[:]))
}

// Create starts the journal of a table in its [Folder], which it makes for its owner's eyes only. Errors: ErrExists,
// ErrInUse, ErrEnded, and those of the file system.
func Create(dir string, id table.Hash) (*Journal, error) {
	path := Folder(dir, id)
	if over(path) {
		return nil, fmt.Errorf("journal: %w", ErrEnded)
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	return enter(path, os.O_CREATE|os.O_EXCL)
}

// Open takes up the journal of a table again: it cuts off a torn tail and returns the records, secrets first. Errors:
// ErrNone, ErrInUse, ErrEnded, ErrDamaged, and those of the file system.
func Open(dir string, id table.Hash) (*Journal, []table.Record, error) {
	path := Folder(dir, id)
	if over(path) {
		return nil, nil, fmt.Errorf("journal: %w", ErrEnded)
	}
	if _, err := os.Stat(filepath.Join(path, openFile)); errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("journal: %w", ErrNone)
	}
	j, err := enter(path, os.O_CREATE)
	if err != nil {
		return nil, nil, err
	}
	var records []table.Record
	for _, p := range []*part{&j.secret, &j.open} {
		list, err := p.read()
		if err != nil {
			j.Close()
			return nil, nil, err
		}
		records = append(records, list...)
	}
	if j.open.whole == 0 && begun(path) {
		j.Close()
		return nil, nil, fmt.Errorf("%w: it is empty", ErrDamaged)
	}
	return j, records, nil
}

// enter locks the folder and opens the files.
func enter(path string, flag int) (*Journal, error) {
	j := &Journal{dir: path}
	var err error
	if j.lock, err = lockFolder(path); err != nil {
		return nil, err
	}
	for _, n := range []struct {
		p    *part
		name string
	}{{&j.open, openFile}, {&j.secret, secretFile}} {
		f, err := os.OpenFile(filepath.Join(path, n.name), os.O_RDWR|flag, 0o600)
		if errors.Is(err, fs.ErrExist) {
			err = ErrExists
		}
		if err != nil {
			j.Close()
			return nil, fmt.Errorf("journal: %w", err)
		}
		n.p.f = f
	}
	if err := storage.SyncFolder(path); err != nil {
		j.Close()
		return nil, fmt.Errorf("journal: %w", err)
	}
	return j, nil
}

// read returns the whole records and cuts off what follows them.
func (p *part) read() ([]table.Record, error) {
	f := p.f.(*os.File)
	records, torn, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%w (%s)", err, f.Name())
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	p.whole = size - int64(torn)
	if torn > 0 {
		if err := errors.Join(f.Truncate(p.whole), f.Sync()); err != nil {
			return nil, fmt.Errorf("journal: cut the torn tail: %w", err)
		}
	}
	return records, nil
}

// Append writes records and returns when they are on disk. After an error nothing that depends on them may be sent,
// and the same records are to be given again: of the failed attempt nothing counts. Foreign envelopes alone need no
// sync: they can be asked for again.
func (j *Journal) Append(records []table.Record) error {
	var open, secret []byte
	sync := false
	for _, r := range records {
		if r.Kind == table.RecordSecret {
			secret = frame(secret, r)
			continue
		}
		open = frame(open, r)
		sync = sync || r.Kind != table.RecordForeign
	}
	if err := j.secret.write(secret, true); err != nil { // first: what is said depends on it
		return err
	}
	return j.open.write(open, sync)
}

// write puts b behind what is whole. What a failed attempt has left there is written over, for after a failed sync
// nobody knows what the disk has.
func (p *part) write(b []byte, sync bool) error {
	if len(b) == 0 {
		return nil
	}
	var err error
	if p.spilt {
		err = p.f.Truncate(p.whole)
	}
	if err == nil {
		p.spilt = true
		_, err = p.f.WriteAt(b, p.whole)
	}
	if err == nil && sync {
		err = p.f.Sync()
	}
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	p.whole += int64(len(b))
	p.spilt = false
	return nil
}

// Keep puts a small file of the peer's beside the journal, whole or not at all.
func (j *Journal) Keep(name string, b []byte) error {
	to := filepath.Join(j.dir, name)
	temp := to + ".new"
	if err := os.WriteFile(temp, b, 0o600); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	if err := os.Rename(temp, to); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	return nil
}

// End notes that the game is over, and how, and removes the secrets: nothing can be resumed any more.
func (j *Journal) End(how string) error {
	if err := j.Keep(endedFile, []byte(how+"\n")); err != nil {
		return err
	}
	if err := os.Truncate(filepath.Join(j.dir, secretFile), 0); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	return nil
}

// Close closes the files and gives the lock back.
func (j *Journal) Close() error {
	var err error
	for _, p := range []*part{&j.open, &j.secret} {
		if p.f != nil {
			err = errors.Join(err, p.f.Close())
		}
	}
	return errors.Join(err, j.lock.Close())
}
