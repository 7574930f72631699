package line

import (
	"time"

	"standoff/cli/i18n"
	"standoff/engine"
)

// hurryAt is when somebody who decides is warned that the time runs out.
var hurryAt = []time.Duration{30 * time.Second, 10 * time.Second}

// clock is the thinking time left to a place; false where there is no clock.
func (s *Session) clock(p engine.Seat) (time.Duration, bool) {
	if p < 0 || int(p) >= len(s.clocks) {
		return 0, false
	}
	return s.clocks[p], true
}

// hurry reports whether it is time for a warning, once for each of them.
func (s *Session) hurry() bool {
	left, ok := s.clock(s.me)
	due := 0
	for ok && due < len(hurryAt) && left <= hurryAt[due] {
		due++
	}
	now := due > s.hurried
	s.hurried = due
	return now
}

// overruled ends the open question: the rules have answered it.
func (s *Session) overruled() {
	s.m, s.path, s.sure, s.sent, s.queue = nil, nil, nil, nil, nil
}

// span is a length of time in words.
func (s *Session) span(d time.Duration) string {
	n := int(d / time.Second)
	if n < 60 {
		return s.put(s.words().Seconds, i18n.With{"s": n})
	}
	return s.put(s.words().Minutes, i18n.With{"m": n / 60, "s": n % 60})
}

// thinking is the line about the own time, for under a question; nil where there is no clock.
func (s *Session) thinking() []string {
	if left, ok := s.clock(s.me); ok {
		return []string{s.put(s.words().Thinking, i18n.With{"time": s.span(left)})}
	}
	return nil
}

// times tells everybody's thinking time.
func (s *Session) times(v engine.View) []string {
	var out []string
	for p := range engine.Seat(v.State().N) {
		if left, ok := s.clock(p); ok && v.State().Players[p].Status == engine.In {
			out = append(out, s.put(s.words().ClockOf, i18n.With{"seat": s.label(p), "time": s.span(left)}))
		}
	}
	if out == nil {
		out = []string{s.words().NoClock}
	}
	return out
}
