package line

import (
	"slices"
	"strconv"
	"strings"

	"standoff/cli/i18n"
	"standoff/engine"
)

// why says why a card cannot be used now, at anybody or at one seat.
func (s *Session) why(v engine.View, args []string) []string {
	w := s.words()
	if len(args) == 0 {
		return []string{w.Which2}
	}
	hand := v.Hand()
	to := engine.None
	card := -1
	if n, err := strconv.Atoi(args[0]); err == nil {
		card = n - 1
		if len(args) > 1 {
			seat, ok := s.place0(v, args[1:])
			if !ok {
				return []string{s.put(w.NoSeat, i18n.With{"what": strings.Join(args[1:], " ")})}
			}
			to = seat
		}
	} else {
		want := plain(strings.Join(args, ""))
		card = slices.IndexFunc(hand, func(c engine.Card) bool { return strings.HasPrefix(plain(s.log.Card(c.Face)), want) })
	}
	if card < 0 || card >= len(hand) {
		return []string{s.put(w.NoCardThere, i18n.With{"what": strings.Join(args, " ")})}
	}
	return s.whyCard(v, hand[card], to)
}

// whyCard tries every use of a card and tells what stands against it.
func (s *Session) whyCard(v engine.View, c engine.Card, to engine.Seat) []string {
	w := s.words()
	name := s.log.Card(c.Face)
	c.Mark = 0
	row := v.Rules().Row(c.Face.Kind())
	if row == nil {
		return []string{s.put(w.NoCardThere, i18n.With{"what": name})}
	}
	for _, a := range v.Legal() {
		if (a.Card.Slot == c.Slot || a.With.Slot == c.Slot || a.At == c.Slot) && (to == engine.None || a.To == to) {
			return []string{s.possible(v, a, name)}
		}
	}
	switch v.Ask().On.Kind {
	case engine.AtPhase1, engine.AtFlip:
		if v.State().Asked == v.Seat && v.State().Turn == v.Seat {
			return []string{w.DrawFirst}
		}
	}
	verb := engine.Answer
	if on := v.Ask().On.Kind; v.State().Asked != v.Seat || on == engine.AtTurn {
		verb = engine.Play
	}
	a := engine.Action{Seat: v.Seat, Verb: verb, As: row.Kind, Card: engine.Card{Slot: c.Slot, Face: c.Face}, To: engine.None}
	if verb == engine.Answer || !aimed(row) {
		why := v.Why(a)
		reason := s.text.Reason(why)
		if verb == engine.Answer && (why == engine.NoUseHere || why == engine.NotOffered) {
			reason = s.answeredBy(v.Ask().On)
		}
		return []string{s.put(w.WhyNot, i18n.With{"what": name, "reason": reason})}
	}
	var out []string
	same := engine.Legal
	for t := range engine.Seat(v.State().N) {
		if to != engine.None && t != to || to == engine.None && (t == v.Seat || v.State().Players[t].Status == engine.Out) {
			continue
		}
		a.To = t
		r := v.Why(a)
		if len(out) == 0 {
			same = r
		} else if same != r {
			same = engine.Legal
		}
		out = append(out, s.whyAt(v, name, t, r))
	}
	if to == engine.None && same != engine.Legal && same != engine.OutOfReach && same != engine.TooFar {
		return []string{s.put(w.WhyNot, i18n.With{"what": name, "reason": s.text.Reason(same)})}
	}
	return out
}

// possible says for what a card can be chosen now.
func (s *Session) possible(v engine.View, a engine.Action, name string) string {
	w := s.words()
	with := i18n.With{"what": name}
	switch on := v.Ask().On.Kind; {
	case on == engine.AtOrder:
		return s.put(w.CanGoNext, with)
	case on == engine.AtPutBack:
		return s.put(w.CanPutBack, with)
	case on == engine.AtGive:
		return s.put(w.CanGive, with)
	case a.Verb == engine.Discard:
		return s.put(w.CanDiscard, with)
	case a.Verb == engine.Answer:
		return s.put(w.CanAnswer, with)
	}
	if e, idle := s.idles(v, a); idle && a.Verb == engine.Play {
		with["effect"] = s.idleness(v, e)
		return s.put(w.CanButIdle, with)
	}
	return s.put(w.CanBeUsed, with)
}

// answeredBy says what answers the open question.
func (s *Session) answeredBy(on engine.Frame) string {
	w := s.words()
	with := i18n.With{"missed": s.tagged(engine.Missed), "bang": s.tagged(engine.Bang), "beer": s.tagged(engine.Beer), "as": s.log.Kind(on.As)}
	switch on.Kind {
	case engine.AtDodge:
		return s.put(w.ByMissed, with)
	case engine.AtRaid, engine.AtDuel:
		return s.put(w.ByBang, with)
	case engine.AtLose:
		return s.put(w.ByBeer, with)
	}
	return w.ByNumber
}

func (s *Session) whyAt(v engine.View, name string, t engine.Seat, r engine.Reason) string {
	w := s.words()
	with := i18n.With{"what": name, "seat": s.label(t), "reason": s.text.Reason(r), "distance": v.Distance(v.Seat, t), "n": v.Reach(v.Seat)}
	switch r {
	case engine.OutOfReach:
		return s.put(w.WhyRange, with)
	case engine.TooFar:
		return s.put(w.WhyTooFar, with)
	}
	with["what"] = s.put(w.AtSeat, with)
	return s.put(w.WhyNot, with)
}

// aimed reports whether a card names a target.
func aimed(row *engine.Row) bool {
	return slices.ContainsFunc(row.Do, func(d engine.Do) bool {
		return d.Who == engine.Near || d.Who == engine.Reach || d.Who == engine.Other || d.Who == engine.Any
	})
}
