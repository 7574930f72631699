package lobby

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"standoff/p2p/node"
	"standoff/p2p/table"
)

// A Notice is what the opener of a table tells everybody in the lobby, on every heartbeat.
type Notice struct {
	_        struct{} `cbor:",toarray"`
	Version  uint64   // of the lobby
	Protocol uint64   // of the table
	Rules    string
	Name     string
	Seats    uint8
	Taken    uint8
	Phase    Phase
	Private  bool
	Sets     []string
	Changed  [][2]string // options that are not at their defaults, as many as there is room for
	More     bool        // there are more
	Players  []string
	Offer    table.Hash
}

const maxNotice = 1000

func (n Notice) encode() []byte {
	b := encode(n)
	for len(b) > maxNotice && len(n.Changed) > 0 {
		n.Changed, n.More = n.Changed[:len(n.Changed)-1], true
		b = encode(n)
	}
	if len(b) > maxNotice {
		n.Players, n.Sets = nil, nil
		b = encode(n)
	}
	return b
}

func readNotice(b []byte) (n Notice, err error) {
	if len(b) > maxNotice {
		return n, errors.New("notice: too long")
	}
	if err := decode(b, &n); err != nil {
		return n, fmt.Errorf("notice: %w", err)
	}
	texts := append(slices.Clone(n.Sets), n.Players...)
	for _, c := range n.Changed {
		texts = append(texts, c[:]...)
	}
	for _, t := range append(texts, n.Rules) {
		if err := checkText("notice", t); err != nil {
			return n, err
		}
	}
	if n.Phase < Gathering || n.Phase > Begun || n.Seats > table.MaxSeats || n.Taken > n.Seats {
		return n, errors.New("notice: a table that cannot be")
	}
	return n, CheckName(n.Name)
}

// note is the part of a notice that goes out by multicast, for those who cannot or may not connect. Of the options it
// tells the one that matters to them.
func (n Notice) note() []string {
	note := []string{
		"table " + n.Name,
		fmt.Sprintf("seats %d/%d", n.Taken, n.Seats),
		fmt.Sprintf("protocol %d", n.Protocol),
		"rules " + n.Rules,
		"phase " + n.Phase.String(),
	}
	if n.unwatched() {
		note = append(note, "delay never")
	}
	return note
}

// unwatched reports whether the players have agreed that nobody looks on.
func (n Notice) unwatched() bool { return slices.Contains(n.Changed, [2]string{"delay", "never"}) }

// readNote is the inverse of note; ok is false for a host that offers no table.
func readNote(note []string) (n Notice, ok bool) {
	n.Phase = Gathering
	for _, line := range note {
		word, value, _ := strings.Cut(line, " ")
		switch word {
		case "table":
			n.Name = value
		case "seats":
			taken, seats, _ := strings.Cut(value, "/")
			t, err1 := strconv.ParseUint(taken, 10, 8)
			s, err2 := strconv.ParseUint(seats, 10, 8)
			if err1 != nil || err2 != nil || s > table.MaxSeats || t > s {
				return n, false
			}
			n.Taken, n.Seats = uint8(t), uint8(s)
		case "protocol":
			n.Protocol, _ = strconv.ParseUint(value, 10, 32)
		case "rules":
			n.Rules = value
		case "phase":
			if value == Begun.String() {
				n.Phase = Begun
			}
		case "delay":
			if value == "never" {
				n.Changed = append(n.Changed[:0], [2]string{"delay", "never"})
			}
		}
	}
	return n, CheckName(n.Name) == nil && checkText("rules", n.Rules) == nil && len(n.Rules) <= 40
}

// A Listing is a table as it appears in the list.
type Listing struct {
	Notice
	Host      node.Key
	Addresses []node.Address // where the host is, as far as seen by multicast
	Why       Reason         // why one cannot sit down there; 0: one can
	Detail    string         // of OtherVersion: what the host speaks
}

// Watchable reports whether one can look on there; at a private table with its code.
func (l *Listing) Watchable() bool { return l.Why == Running && !l.unwatched() }

func (l *Listing) judge(me node.Key, reached, private bool) {
	l.Why, l.Detail = 0, ""
	switch {
	case l.Host == me:
		l.Why = Self
	case l.Protocol != table.Version || l.Rules != table.RulesVersion || reached && l.Version != Version:
		l.Why, l.Detail = OtherVersion, versions(l.Protocol, l.Rules)
	case l.Phase == Begun:
		l.Why = Running
	case private:
		l.Why = Private
	case l.Taken >= l.Seats:
		l.Why = Full
	case !reached:
		l.Why = Unreachable
	}
}
