// Package journal keeps on disk what one seat has said, before anybody hears it.
//
//	table ── Ready.Save ──> Journal.Append ── write, sync ──> disk ── then ──> Ready.Send
//
// A journal is an append-only file of records, each with a check sum. What the program had not finished writing
// when the machine went down is a torn tail: it was never sent, so it is cut off. Secrets lie in a file of their own.
package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"

	"standoff/p2p/table"
)

// Journal is the open journal of one seat at one table.
type Journal struct {
	dir    string
	file   *os.File
	secret *os.File
}

const (
	maxRecord  = 64 << 10
	headerSize = 5 // length of the data, kind
	sumSize    = 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Create starts the journal of a table in the folder dir/tables/ID, which it makes for its owner's eyes only.
// It is an error if there is one already: two programs must not speak for one seat.
func Create(dir string, id table.Hash) (*Journal, error) {
	path := filepath.Join(dir, "tables", fmt.Sprintf("%x", id[:]))
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	j := &Journal{dir: path}
	var err error
	for _, f := range []struct {
		to   **os.File
		name string
	}{{&j.file, "journal"}, {&j.secret, "secret"}} {
		*f.to, err = os.OpenFile(filepath.Join(path, f.name), os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, os.ErrExist) {
			err = fmt.Errorf("this seat has a journal of this table already: %w", err)
		}
		if err != nil {
			j.Close()
			return nil, fmt.Errorf("journal: %w", err)
		}
	}
	return j, nil
}

// Append writes records and returns when they are on disk. After an error nothing that depends on them may be sent.
// Foreign envelopes alone need no sync: they can be asked for again.
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
	if len(secret) > 0 { // first: what is said depends on it
		if err := write(j.secret, secret, true); err != nil {
			return err
		}
	}
	if len(open) == 0 {
		return nil
	}
	return write(j.file, open, sync)
}

func write(f *os.File, b []byte, sync bool) error {
	if _, err := f.Write(b); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	if sync {
		if err := f.Sync(); err != nil {
			return fmt.Errorf("journal: %w", err)
		}
	}
	return nil
}

func frame(to []byte, r table.Record) []byte {
	start := len(to)
	to = binary.BigEndian.AppendUint32(to, uint32(len(r.Data)))
	to = append(to, byte(r.Kind))
	to = append(to, r.Data...)
	return binary.BigEndian.AppendUint32(to, crc32.Checksum(to[start:], castagnoli))
}

// Close closes the files.
func (j *Journal) Close() error {
	var err error
	for _, f := range []*os.File{j.file, j.secret} {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
	}
	return err
}

// Read returns the whole records of a journal or secret file, and how many bytes of torn tail follow them.
// A damaged record that others follow is an error, for then the file was not written by this program alone.
func Read(r io.Reader) (records []table.Record, torn int, err error) {
	b, err := io.ReadAll(io.LimitReader(r, 1<<30))
	if err != nil {
		return nil, 0, fmt.Errorf("journal: %w", err)
	}
	for pos := 0; pos < len(b); {
		rest := b[pos:]
		if len(rest) < headerSize {
			return records, len(rest), nil
		}
		n := int(binary.BigEndian.Uint32(rest))
		whole := headerSize + n + sumSize
		if n > maxRecord || len(rest) < whole {
			return records, len(rest), nil
		}
		if binary.BigEndian.Uint32(rest[headerSize+n:]) != crc32.Checksum(rest[:headerSize+n], castagnoli) {
			if len(rest) > whole {
				return records, len(rest), fmt.Errorf("journal: record %d at byte %d is damaged, and %d bytes follow it", len(records), pos, len(rest)-whole)
			}
			return records, len(rest), nil
		}
		records = append(records, table.Record{Kind: table.RecordKind(rest[4]), Data: rest[headerSize : headerSize+n]})
		pos += whole
	}
	return records, 0, nil
}
