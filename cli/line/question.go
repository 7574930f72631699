package line

import (
	"standoff/cli/i18n"
	"standoff/engine"
)

// question says who did what and what is asked.
func (s *Session) question(v engine.View) []string {
	w := s.words()
	on := v.Ask().On
	p := &v.State().Players[v.Seat]
	with := i18n.With{
		"from": s.name(on.From), "as": s.log.Kind(on.As), "life": int(p.Life), "max": int(p.Max), "n": int(on.N), "chosen": 0,
		"hand": len(p.Hand), "range": v.Reach(v.Seat), "bang": s.tagged(engine.Bang),
	}
	template := w.Other
	switch on.Kind {
	case engine.AtTurn:
		template = w.Turn
	case engine.AtDodge:
		template = w.Shot
	case engine.AtRaid:
		template = w.Raid
	case engine.AtDuel:
		template = either(v.Seat == on.To, w.Duel, w.Duelling)
		with["from"] = s.name(on.From + on.To - v.Seat)
	case engine.AtStore:
		template = w.Store
	case engine.AtLose:
		template = w.Dying
	case engine.AtOrder:
		template = either(p.Status == engine.Out, w.OrderOut, w.Order)
	case engine.AtInherit:
		template, with["from"] = w.Inherit, s.name(on.To)
	case engine.AtFlip:
		template, with["as"] = w.Flip, s.source(v)
	case engine.AtPhase1:
		template, with["n"] = w.Phase1, int(on.N-on.M)
	case engine.AtPutBack:
		template, with["n"] = w.PutBack, len(v.State().Table)-int(on.N)
	case engine.AtSteal:
		template = w.Loot
		if on.M != 0 {
			template = w.Drop
		}
	case engine.AtChoice:
		template = w.Offer
	case engine.AtGive:
		template, with["from"] = w.Give, s.name(next(v.State(), on.To))
	case engine.AtDiscard:
		template, with["n"] = w.Surplus, len(p.Hand)-int(on.N)
	case engine.AtPay:
		template = s.cost(v, with)
	case engine.AtSetup:
		template = w.Choose
		if p.Copy != 0 {
			template = w.Keep
		}
	}
	out := []string{s.put(template, with)}
	if need := s.needs(v, on); need != "" {
		out = append(out, need)
	}
	return out
}

// needs counts what an answer takes and what there is of it (FR-12).
func (s *Session) needs(v engine.View, on engine.Frame) string {
	w := s.words()
	with := i18n.With{"n": 1, "what": s.tagged(engine.Bang)}
	switch on.Kind {
	case engine.AtDodge:
		with["n"], with["what"] = int(on.N), s.tagged(engine.Missed)
	case engine.AtLose:
		with["n"], with["what"] = int(1-v.State().Players[v.Seat].Life), s.tagged(engine.Beer)
	case engine.AtRaid, engine.AtDuel:
	default:
		return ""
	}
	have := map[engine.Slot]bool{}
	for _, a := range v.Legal() {
		if a.Verb == engine.Answer {
			have[a.Card.Slot] = true
		}
	}
	with["have"] = len(have)
	switch {
	case on.Kind == engine.AtDodge && on.M > 0:
		with["flips"] = int(on.M)
		return s.put(w.NeedsFlips, with)
	case len(have) == 0:
		return s.put(w.NeedsAll, with)
	}
	return s.put(w.Needs, with)
}

// counting is the question for several cards, with how many are chosen (FR-33).
func (s *Session) counting(v engine.View, m *menu) string {
	w := s.words()
	template := w.Surplus
	with := i18n.With{"n": m.count, "chosen": len(m.cards), "life": int(v.State().Players[v.Seat].Life)}
	if v.Ask().On.Kind == engine.AtPay {
		template = s.cost(v, with)
	}
	return s.put(template, with)
}

// cost is the question for the cards that something costs, with what that is and what it brings.
func (s *Session) cost(v engine.View, with i18n.With) string {
	st := v.State()
	if n := len(st.Stack); n > 1 {
		if row := s.log.Rules.Row(st.Stack[n-2].As); row != nil {
			with["as"], with["gain"] = s.log.Kind(row.Kind), s.does(row)
			return either(with["gain"] == "", s.words().Pay, s.words().PayFor)
		}
	}
	return s.words().Pay
}

// refusal is the choice to do nothing more, with what that means.
func (s *Session) refusal(v engine.View, a engine.Action) string {
	w := s.words()
	text := w.No
	switch v.Ask().On.Kind {
	case engine.AtTurn:
		if n := len(v.Hand()) - v.HandLimit(v.Seat); n > 0 { // FR-33
			return s.put(w.EndDiscard, i18n.With{"n": n})
		}
		return w.End
	case engine.AtDodge:
		text = w.TakeHit
	case engine.AtRaid, engine.AtDuel:
		text = w.GiveIn
	case engine.AtLose:
		return w.BeOut
	case engine.AtOrder:
		return w.DefaultOrder
	case engine.AtPhase1:
		return w.FromDeck
	case engine.AtSetup:
		return w.NewOne
	case engine.AtPay:
		return w.NotIn
	}
	return withEffect(text, s.effect(v, a))
}

// target is what to know of somebody to aim at.
func (s *Session) target(v engine.View, to engine.Seat) string {
	p := &v.State().Players[to]
	with := i18n.With{"n": int(to) + 1, "seat": s.name(to), "life": int(p.Life), "max": int(p.Max), "hand": len(p.Hand), "distance": v.Distance(v.Seat, to)}
	if to == v.Seat || p.Status != engine.In {
		return s.put(s.words().TargetOut, with)
	}
	return s.put(s.words().Target, with)
}

// tagged is the name of the card that the rules mean by a tag.
func (s *Session) tagged(t engine.Tag) string { return s.log.Tagged(t) }

// source names what the next draw! is for: what tries against a shot, else the card whose check it is.
func (s *Session) source(v engine.View) string {
	st := v.State()
	for i := len(st.Stack) - 1; i >= 0; i-- {
		switch f := st.Stack[i]; {
		case f.Kind == engine.AtRow && f.As != 0:
			return s.log.Kind(f.As)
		case f.Kind == engine.AtDodge:
			for _, a := range v.Legal() {
				if a.Verb != engine.Flip {
					continue
				}
				if _, events, ok := v.Try(a); ok && len(events) > 0 && events[0].Kind == engine.Used {
					return s.log.Kind(events[0].As)
				}
			}
			return s.log.Kind(f.As)
		}
	}
	return s.text.Unknown
}

// next is the next seat clockwise that is in the game.
func next(st *engine.State, s engine.Seat) engine.Seat {
	for range st.N {
		if s = (s + 1) % engine.Seat(st.N); st.Players[s].Status != engine.Out {
			break
		}
	}
	return s
}
