package peer

import (
	"fmt"
	"time"

	"standoff/p2p/journal"
	"standoff/p2p/table"
)

// clock is what is kept of the thinking time of this seat: a program that starts again goes on counting where the others
// have counted on.
type clock struct {
	bank  time.Duration // used up
	round uint32        // of the open decision
	asked time.Time     // since when it is open; zero when there is none
}

// noteClock keeps the thinking time beside the journal when a decision is asked for, and when it is over.
func (s *Seat) noteClock() {
	spent := s.t.Spent()
	c := clock{bank: spent.Bank, round: spent.Round}
	if spent.Open > 0 {
		c.asked = time.Now().Add(-spent.Open)
		if s.clock.round == c.round && !s.clock.asked.IsZero() {
			c.asked = s.clock.asked
		}
	}
	if c != s.clock && s.log != nil && !s.failing && s.log.Keep(clockFile, []byte(c.text())) == nil {
		s.clock = c
	}
}

// text is what the file holds: milliseconds of the bank, the round, and the moment of the question in milliseconds since
// 1970, 0 for none.
func (c clock) text() string {
	var asked int64
	if !c.asked.IsZero() {
		asked = c.asked.UnixMilli()
	}
	return fmt.Sprintf("%d %d %d\n", c.bank.Milliseconds(), c.round, asked)
}

// spentOf is the thinking time that the program before this one has kept, none when there is nothing that can be
// understood.
func spentOf(data string, id table.Hash, now time.Time) table.Spent {
	e := journal.Entry{Dir: journal.Folder(data, id)}
	var bank, asked int64
	var s table.Spent
	if n, _ := fmt.Sscanf(string(e.Kept(clockFile)), "%d %d %d", &bank, &s.Round, &asked); n != 3 || bank < 0 || asked < 0 {
		return table.Spent{}
	}
	s.Bank = time.Duration(min(bank, maxBank.Milliseconds())) * time.Millisecond
	if asked > 0 {
		s.Open = max(0, now.Sub(time.UnixMilli(asked)))
	}
	return s
}

// maxBank is more than any table gives.
const maxBank = 24 * time.Hour
