package journal

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"standoff/p2p/table"
)

// A record is the length of its data (4 bytes), its kind (1), the data, and the CRC-32C of all that (4).
const (
	maxRecord  = 64 << 10
	headerSize = 5
	sumSize    = 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func frame(to []byte, r table.Record) []byte {
	start := len(to)
	to = binary.BigEndian.AppendUint32(to, uint32(len(r.Data)))
	to = append(to, byte(r.Kind))
	to = append(to, r.Data...)
	return binary.BigEndian.AppendUint32(to, crc32.Checksum(to[start:], castagnoli))
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
