package peer

import (
	"errors"
	"strings"
	"time"

	"standoff/p2p/journal"
	"standoff/p2p/node"
	"standoff/p2p/table"
)

// Files beside the journal.
const (
	peersFile   = "peers"   // addresses of the others, one a line
	networkFile = "network" // secret of a private table, in hexadecimal
	clockFile   = "clock"   // thinking time that this seat has used
)

var errNoJournal = errors.New("the journal cannot be written")

// store puts records on the disk and reports whether everything is there. What a full disk does not take waits.
func (s *Seat) store(records []table.Record) bool {
	if s.log == nil {
		return true
	}
	s.unsaved = append(s.unsaved, records...)
	if len(s.unsaved) == 0 {
		return true
	}
	if s.failing && time.Now().Before(s.retry) {
		return false
	}
	err := s.log.Append(s.unsaved)
	if was := s.failing; was != (err != nil) && s.Trouble != nil {
		s.Trouble(err)
	}
	s.failing, s.retry = err != nil, time.Now().Add(retryEvery)
	if err != nil {
		return false
	}
	s.unsaved = nil
	return true
}

// maxUnsent bounds what waits for the journal; the table says it all again anyway.
const maxUnsent = 64

// send broadcasts packets, unless something they say is not on the disk yet.
func (s *Seat) send(stored bool, packets [][]byte) error {
	if !stored {
		if len(s.unsent)+len(packets) <= maxUnsent {
			s.unsent = append(s.unsent, packets...)
		}
		return nil
	}
	packets, s.unsent = append(s.unsent, packets...), nil
	for _, p := range packets {
		if err := s.room.Broadcast(p); err != nil {
			return err
		}
	}
	return nil
}

// note keeps the addresses of the others beside the journal, for a start at which nobody can be asked.
func (s *Seat) note() {
	if s.log == nil || s.failing {
		return
	}
	var b strings.Builder
	for i, j := range s.t.Roster().Joins {
		if i == s.t.Seat() {
			continue
		}
		for _, a := range s.Host.Known(node.Key(j.Key)) {
			b.WriteString(a.String() + "\n")
		}
	}
	if text := b.String(); text != s.kept && s.log.Keep(peersFile, []byte(text)) == nil {
		s.kept = text
	}
}

// PeersOf are the addresses of the others that a peer has kept beside its journal; none where there are none.
func PeersOf(data string, id table.Hash) []node.Address {
	e := journal.Entry{Dir: journal.Folder(data, id)}
	kept := e.Kept(peersFile)
	var out []node.Address
	for _, line := range strings.Fields(string(kept)) {
		if a, err := node.ParseAddress(line); err == nil {
			out = append(out, a)
		}
	}
	return out
}
