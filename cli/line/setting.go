package line

import (
	"slices"
	"strconv"
	"strings"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/p2p/peer"
)

// misformed says what is wrong with what was typed after a command, "" for nothing. Who a seat and what a card is, and
// how many turns there have been, the commands themselves say.
func (s *Session) misformed(command string, words []string) string {
	w, args := s.words(), words[1:]
	with := i18n.With{"command": words[0], "what": strings.Join(args, " "), "turn": s.turn}
	fine := len(args) == 0
	switch command {
	case "tell", "rules", "why":
		return ""
	case "auto", "confirm", "in":
		fine = fine || len(args) == 1 && slices.Contains([]string{"on", "off"}, strings.ToLower(args[0]))
	case "log", "last":
		if len(args) == 1 {
			n, err := strconv.Atoi(args[0])
			fine = err == nil && (n > 0 || n == 0 && command == "log")
		}
	case "who":
		if fine = !fine || s.me != engine.None; !fine {
			with["what"] = words[0]
		}
	}
	switch form := w.Forms[command]; {
	case fine:
		return ""
	case form == "":
		return s.put(w.NothingMore, with)
	default:
		with["form"] = s.put(form, with)
		return s.put(w.BadForm, with)
	}
}

// on reads on or off.
func on(args []string) bool { return strings.EqualFold(args[0], "on") }

// toChange says how a setting that has been shown is changed.
func (s *Session) toChange(command string) string {
	return s.put(s.words().ToChange, i18n.With{"command": command})
}

// isAuto says whether a question without an answer is passed by itself.
func (s *Session) isAuto() string {
	w := s.words()
	switch {
	case !s.auto:
		return w.AutoOff
	case s.waits > 0:
		return s.put(w.AutoWaits, i18n.With{"time": s.span(s.waits)})
	}
	return w.AutoOn
}

// setAuto sets whether a question without an answer is passed by itself; the one that is open already too.
func (s *Session) setAuto(v engine.View, on bool) Reply {
	w := s.words()
	s.auto = on
	lines := []string{s.isAuto()}
	switch {
	case !on || s.m == nil || !peer.IsAnswer(v.Ask().On.Kind):
		return s.say(lines...)
	case !s.hopeless(v):
		return s.say(append(lines, w.AutoYours)...)
	}
	r := s.send(*s.m.enter.act)
	r.Lines = append(lines, w.Auto)
	return r
}

// isIn says whether the person comes in between the moves of others.
func (s *Session) isIn(v engine.View) []string {
	w := s.words()
	as := i18n.With{"as": s.log.Kind(v.State().Players[v.Seat].Character)}
	if !s.in && !aside(v) {
		return []string{s.put(w.InNone, as)}
	}
	return []string{s.put(either(s.in, w.InOn, w.InOff), as), s.toChange("in")}
}

// comeIn sets whether the person uses the ability of the character between the moves of others, where it has one.
func (s *Session) comeIn(v engine.View, in bool) Reply {
	w := s.words()
	as := i18n.With{"as": s.log.Kind(v.State().Players[v.Seat].Character)}
	if in && !aside(v) {
		return s.say(s.put(w.InNone, as))
	}
	s.in = in
	return Reply{Lines: []string{s.put(either(in, w.InOn, w.InOff), as)}, ComeIn: &in}
}

// aside reports whether the own character could ever come in between the moves of others: whether its rule offers that
// to somebody who lacks life and holds cards enough.
func aside(v engine.View) bool {
	st := v.State()
	g, err := engine.New(v.Rules(), engine.Setup{Seats: int(st.N), Options: st.Options})
	if err != nil {
		return false
	}
	p := &g.Players[v.Seat]
	p.Character, p.Status, p.Life, p.Max, p.Hand = st.Players[v.Seat].Character, engine.In, 1, 2, make([]engine.Card, 4)
	for _, k := range []engine.Kind{p.Character, st.Players[v.Seat].Copy} {
		row := v.Rules().Row(k)
		if row != nil && row.Offer != nil && len(row.Offer(g, v.Seat, engine.AtAside, nil, nil)) > 0 {
			return true
		}
	}
	return false
}

// tell says something to the others; the line for it comes when it has gone out.
func (s *Session) tell(input string) Reply {
	if _, text, ok := strings.Cut(strings.TrimSpace(input), " "); ok && strings.TrimSpace(text) != "" {
		return Reply{Tell: strings.TrimSpace(text)}
	}
	return s.say(s.words().NothingToTell)
}
