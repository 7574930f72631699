package node

import (
	"bufio"
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

func FuzzFrame(f *testing.F) {
	f.Add([]byte{}, 10)
	f.Add([]byte{3, 1, 2, 3}, 10)
	f.Add([]byte{0x80, 0x00}, 10)
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}, 1<<20)
	f.Fuzz(func(t *testing.T, b []byte, limit int) {
		limit = min(max(limit, 0), maxFrame)
		in := bufio.NewReader(bytes.NewReader(b))
		var again bytes.Buffer
		for {
			frame, err := readFrame(in, limit)
			if err != nil {
				break
			}
			if len(frame) > limit {
				t.Fatalf("frame of %d bytes, limit %d", len(frame), limit)
			}
			if err := writeFrame(&again, frame); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.HasPrefix(b, again.Bytes()) {
			t.Fatalf("read from %x, written again %x: two forms of one frame", b, again.Bytes())
		}
	})
}

func FuzzHello(f *testing.F) {
	f.Add(encode(hello{Version: 1, Table: [32]byte{1}, Records: [][]byte{{1}, {2}}}))
	f.Add(encode(reply{Code: welcome, Version: 1}))
	f.Add(encode(poster{Code: welcome, Version: 1, Table: [32]byte{1}, Records: [][]byte{{1}}}))
	f.Add([]byte{0x9f, 0xff})
	f.Fuzz(func(t *testing.T, b []byte) {
		if a, err := decodePoster(b); err == nil {
			require.LessOrEqual(t, len(a.Records), maxRecords)
		}
		if h, err := decodeHello(b); err == nil {
			again, err := decodeHello(encode(h))
			require.NoError(t, err)
			require.Equal(t, h.Version, again.Version)
			require.LessOrEqual(t, len(h.Records), maxRecords)
		}
		if r, err := decodeReply(b); err == nil {
			require.NotEmpty(t, r.why())
		}
		if records, err := decodeRecords(b); err == nil {
			require.LessOrEqual(t, len(records), maxRecords)
		}
	})
}
