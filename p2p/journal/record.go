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

// Read returns the whole records of a journal or secret file, and how many bytes of torn tail follow them: what is not
// whole and what no whole record follows. Where one does, records of the middle are gone, for instance by a bad disk: ErrDamaged,
// with the records before.
func Read(r io.Reader) (records []table.Record, torn int, err error) {
	b, err := io.ReadAll(io.LimitReader(r, 1<<30))
	if err != nil {
		return nil, 0, fmt.Errorf("journal: %w", err)
	}
	for pos := 0; pos < len(b); {
		rest := b[pos:]
		n := whole(rest)
		if n == 0 {
			for i := range rest {
				if i > 0 && whole(rest[i:]) > 0 {
					return records, len(rest), fmt.Errorf("%w: record %d at byte %d cannot be read, and others follow it", ErrDamaged, len(records), pos)
				}
			}
			return records, len(rest), nil
		}
		records = append(records, table.Record{Kind: table.RecordKind(rest[4]), Data: rest[headerSize : n-sumSize]})
		pos += n
	}
	return records, 0, nil
}

// whole is the length of the record at the beginning of b, 0 where there is no whole one.
func whole(b []byte) int {
	if len(b) < headerSize {
		return 0
	}
	data := binary.BigEndian.Uint32(b)
	end := headerSize + int64(data)
	if data > maxRecord || int64(len(b)) < end+sumSize || binary.BigEndian.Uint32(b[end:]) != crc32.Checksum(b[:end], castagnoli) {
		return 0
	}
	return int(end) + sumSize
}
