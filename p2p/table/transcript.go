package table

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// magic opens every transcript file.
const magic = "standoff transcript 1\n"

// maxTranscript bounds a file, in bytes; a long game has a few megabytes.
const maxTranscript = 64 << 20

// Transcript is the file of the game as far as it has come: roster, then per round its says in the order of seats.
// A finished game ends with the results; an unfinished one carries as a trailer the seals of its last closed
// round, what was said of the open one, and what ended it. Honest peers of a finished game have the same bytes.
func (t *Table) Transcript() []byte {
	out := t.file(len(t.log))
	put := func(b []byte) { out = appendFrame(out, b) }
	if t.end != nil && t.end.Result == Finished {
		return out
	}
	if n := len(t.log); n > 0 {
		for _, e := range t.log[n-1].seals {
			put(e.Raw)
		}
	}
	for s := range MaxSeats {
		for _, h := range t.open.says[s][:min(1, len(t.open.says[s]))] {
			put(h.env.Raw)
		}
	}
	if t.end != nil && t.end.Fault != nil {
		for _, raw := range t.end.Fault.Evidence {
			if !t.holds(raw) {
				put(raw)
			}
		}
	}
	for _, e := range t.ended {
		put(e.Raw)
	}
	return out
}

// file is the transcript of the first rounds.
func (t *Table) file(rounds int) []byte {
	out := appendFrame([]byte(magic), t.st.roster.Raw)
	for _, r := range t.log[:min(rounds, len(t.log))] {
		for _, list := range [][]Envelope{r.says, r.calls, r.evidence} {
			for _, e := range list {
				out = appendFrame(out, e.Raw)
			}
		}
	}
	return out
}

func appendFrame(out, b []byte) []byte {
	return append(binary.BigEndian.AppendUint32(out, uint32(len(b))), b...)
}

// holds reports whether raw is among the says of the open round.
func (t *Table) holds(raw []byte) bool {
	for _, list := range t.open.says {
		if len(list) > 0 && bytes.Equal(list[0].env.Raw, raw) {
			return true
		}
	}
	return false
}

// tear is where the messages of a transcript stop before the file does. Either the file was cut off there, which
// takes nothing from what comes before, or a length is not what it was.
type tear struct {
	err     error
	altered bool
}

// readFrames cuts a transcript into roster and envelopes, as many as are whole.
func readFrames(file []byte) (roster []byte, envelopes [][]byte, torn *tear, err error) {
	if len(file) > maxTranscript {
		return nil, nil, nil, fmt.Errorf("a transcript of %d bytes, at most %d are read", len(file), maxTranscript)
	}
	if !bytes.HasPrefix(file, []byte(magic)) {
		return nil, nil, nil, fmt.Errorf("not a standoff transcript: it does not begin with %q", magic)
	}
	pos := len(magic)
	for pos < len(file) {
		if len(file)-pos < 4 {
			torn = &tear{err: fmt.Errorf("the file ends in the middle of a message at byte %d", pos)}
			break
		}
		n := int(binary.BigEndian.Uint32(file[pos:]))
		if n > MaxPacket {
			torn = &tear{fmt.Errorf("byte %d: a message of %d bytes, at most %d are allowed", pos, n, MaxPacket), true}
			break
		}
		if rest := file[pos+4:]; len(rest) < n {
			torn = &tear{err: fmt.Errorf("the file ends in the middle of a message at byte %d", pos)}
			if beginsWhole(rest) {
				torn = &tear{fmt.Errorf("byte %d: the length of a message is not that of the message", pos), true}
			}
			break
		}
		b := file[pos+4 : pos+4+n]
		if roster == nil {
			roster = b
		} else {
			envelopes = append(envelopes, b)
		}
		pos += 4 + n
	}
	if roster == nil {
		if torn != nil && torn.altered {
			return nil, nil, nil, torn.err
		}
		return nil, nil, nil, fmt.Errorf("the transcript is cut off before its roster")
	}
	return roster, envelopes, torn, nil
}

// beginsWhole reports whether b begins with a whole envelope.
func beginsWhole(b []byte) bool {
	if len(b) <= sigSize {
		return false
	}
	var t text
	_, err := decMode.UnmarshalFirst(b[sigSize:], &t)
	return err == nil
}
