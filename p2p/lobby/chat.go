package lobby

import (
	"errors"
	"fmt"
	"time"

	"standoff/p2p/node"
)

// ErrTooFast is returned for a line of chat that comes too soon after the others.
var ErrTooFast = errors.New("tell: too many lines, wait a second")

// Everybody may say five lines at once and then one a second. What a peer says beyond that is not shown.
const (
	tellBurst = 5
	tellRate  = 1
)

// chat is how much each has said lately.
type chat map[node.Key]*meter

func (c chat) allow(k node.Key, now time.Duration) bool {
	if c[k] == nil {
		if len(c) >= maxMeters {
			clear(c)
		}
		c[k] = &meter{}
	}
	return c[k].allow(now, tellBurst, tellRate)
}

// say puts a line of one's own into out.
func (c chat) say(out *Out, now time.Duration, me node.Key, text string, to []node.Key) error {
	text = clean(text)
	switch {
	case text == "":
		return errors.New("tell: nothing to say")
	case len(text) > MaxTell:
		return fmt.Errorf("tell: a line has at most %d bytes, this one %d", MaxTell, len(text))
	case !c.allow(me, now):
		return ErrTooFast
	}
	b := packet(kindTell, text)
	if len(to) == 0 {
		out.Send = append(out.Send, Letter{Bytes: b})
	}
	for _, k := range to {
		out.Send = append(out.Send, Letter{k, b})
	}
	return nil
}

// hear takes in a line that somebody who sits here said.
func (c chat) hear(out *Out, now time.Duration, from Seat, body []byte) {
	var text string
	if len(body) > MaxTell+8 || decode(body, &text) != nil || len(text) > MaxTell || clean(text) == "" {
		return
	}
	if c.allow(from.Key, now) {
		out.News = append(out.News, News{Kind: NewsTold, Seat: from, Text: clean(text)})
	}
}
