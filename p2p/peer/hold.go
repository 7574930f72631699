package peer

import (
	"fmt"
	"math/rand/v2"
	"time"

	"standoff/engine"
	"standoff/p2p/table"
)

// hold keeps an answer back until a moment that was drawn at random when the question came, whatever the answer is
// and whoever gives it. So neither a pass that a person has set to be automatic nor a quick "no" tells the others
// that no card was there to choose (B-442). The longest hold is the table option waits.
type hold struct {
	longest time.Duration
	round   uint32    // of the open question, plus one
	due     time.Time // before this nothing is sent
	choice  *engine.Action
}

func newHold(r *table.Roster) hold {
	for _, o := range r.Offer.Options {
		if o[0] == "waits" {
			if d, err := time.ParseDuration(o[1]); err == nil {
				return hold{longest: d}
			}
		}
	}
	return hold{}
}

// IsAnswer reports whether a question is one that a hidden card may answer. The answers to these are held back;
// everything else a seat does openly and at its own pace.
func IsAnswer(k engine.FrameKind) bool {
	return k == engine.AtDodge || k == engine.AtRaid || k == engine.AtDuel || k == engine.AtLose
}

// open draws the moment for a question.
func (h *hold) open(round uint32, on engine.FrameKind, now time.Time) {
	h.round, h.choice, h.due = round+1, nil, now
	if IsAnswer(on) && h.longest > 0 {
		h.due = now.Add(rand.N(h.longest) + 1)
	}
}

// release gives the decision out when its time has come.
func (h *hold) release(now time.Time) (a engine.Action, due bool) {
	if h.choice == nil || now.Before(h.due) {
		return a, false
	}
	a, h.choice = *h.choice, nil
	return a, true
}

// decide puts an open question to Decide, once, and sends what is decided when its time has come.
func (s *Seat) decide(asked bool) (sent bool, err error) {
	v, ok := s.t.View()
	if !asked || !ok {
		return false, nil
	}
	if round, _ := s.t.Round(); s.hold.round != round+1 {
		s.hold.open(round, v.Ask().On.Kind, time.Now())
		if s.Decide != nil {
			if a, ok := s.Decide(v); ok {
				s.hold.choice = &a
			}
		}
	}
	a, due := s.hold.release(time.Now())
	if !due {
		return false, nil
	}
	if err := s.t.Act(a); err != nil {
		return false, fmt.Errorf("decision: %w", err)
	}
	return true, nil
}

// Act is the player's decision. An illegal one is refused with its *engine.IllegalError and changes nothing. A legal
// one is sent when the hold of the question is over; until then Recall takes it back.
func (s *Seat) Act(a engine.Action) error {
	v, ok := s.t.View()
	if !ok || !s.t.Asked() {
		return fmt.Errorf("nothing is asked of this seat")
	}
	a.Seat = v.Seat
	if r := v.Why(a); r != engine.Legal {
		return &engine.IllegalError{Seat: v.Seat, Action: a, Reason: r}
	}
	s.hold.choice = &a
	return nil
}

// Held reports whether a decision waits for its hold, so that Recall can still take it back.
func (s *Seat) Held() bool {
	return s.hold.choice != nil && s.t.Asked() && time.Now().Before(s.hold.due)
}

// Recall takes a held decision back and says whether there was one.
func (s *Seat) Recall() bool {
	held := s.Held()
	if held {
		s.hold.choice = nil
	}
	return held
}

// Table is the table, to be looked at.
func (s *Seat) Table() *table.Table { return s.t }

// End is how the table ended, nil while it goes on.
func (s *Seat) End() *table.End { return s.end }

// ComeIn sets whether this seat takes its next chance to come in between the actions of others (B-363 d).
func (s *Seat) ComeIn(yes bool) { s.t.ComeIn(yes) }

// Leave says that this seat leaves. Run ends as soon as another peer knows it; the others may go on without it. With
// Config.Quiet nothing is said, and Run ends at once.
func (s *Seat) Leave() {
	if s.leaving {
		return
	}
	s.leaving, s.leaveBy = true, time.Now()
	if !s.Quiet {
		s.leaveBy = s.leaveBy.Add(leaveLimit)
		s.t.Leave()
	}
}
