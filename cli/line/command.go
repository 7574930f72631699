package line

import (
	"slices"
	"strconv"
	"strings"

	"standoff/cli/i18n"
	"standoff/engine"
)

// command answers a question about the game, or changes a setting. It never changes what is chosen so far.
func (s *Session) command(v engine.View, ok bool, command string, words []string, input string) Reply {
	w, args := s.words(), words[1:]
	if wrong := s.misformed(command, words); wrong != "" {
		return s.say(wrong)
	}
	switch command {
	case "help":
		return s.say(s.help...)
	case "leave":
		return s.asksToLeave()
	case "undo":
		return s.undo(v)
	case "log":
		return s.say(s.ofTurn(args)...)
	case "last":
		return s.say(s.last(args)...)
	case "tell":
		return s.tell(input)
	case "auto":
		if len(args) > 0 {
			return s.setAuto(v, on(args))
		}
		return s.say(s.isAuto(), s.toChange(command))
	case "confirm":
		if len(args) > 0 {
			s.confirm = on(args)
			return s.say(either(s.confirm, w.ConfirmOn, w.ConfirmOff))
		}
		return s.say(either(s.confirm, w.ConfirmOn, w.ConfirmOff), s.toChange(command))
	case "options":
		return s.say(s.options...)
	case "rules":
		return s.say(s.lookUp(args)...)
	}
	if !ok || !s.seated() {
		return s.say(w.NoGame)
	}
	switch command {
	case "ask":
		if s.m == nil {
			return s.say(s.waiting(v)...)
		}
		return s.say(s.open(v)...)
	case "wait":
		return s.say(s.waiting(v)...)
	case "life":
		return s.say(s.lives(v)...)
	case "seats":
		return s.say(s.seats(v)...)
	case "who":
		return s.say(s.who(v, args)...)
	case "range":
		return s.say(s.ranges(v)...)
	case "time":
		return s.say(s.times(v)...)
	case "pile":
		return s.say(s.piles(v))
	}
	if v.Seat == engine.None {
		return s.say(w.NotAsked)
	}
	switch command {
	case "hand":
		return s.say(s.cards(v)...)
	case "role":
		return s.say(s.own(v)...)
	case "why":
		return s.say(s.why(v, args)...)
	case "in":
		if len(args) > 0 {
			return s.comeIn(v, on(args))
		}
		return s.say(s.isIn(v)...)
	case "pass", "end":
		return s.decline(v, command, words[0])
	}
	return s.say(w.NotAsked)
}

// decline is pass or end: each is taken only where it is what Enter does.
func (s *Session) decline(v engine.View, command, typed string) Reply {
	w := s.words()
	if s.m == nil {
		return s.say(w.NotAsked)
	}
	if e := s.m.enter; e != nil && len(s.path) == 0 {
		on := v.Ask().On.Kind
		instead := on == engine.AtOrder || on == engine.AtPhase1 || on == engine.AtSetup // there Enter does something all the same
		switch {
		case command == "end" && e.act.Verb == engine.End, command == "pass" && e.act.Verb == engine.Pass && !instead:
			return s.settle(v, e)
		case e.act.Verb == engine.End:
			return s.say(s.put(w.PassAtTurn, i18n.With{"what": typed}))
		}
	}
	return s.say(append([]string{s.put(w.NoChoice, i18n.With{"what": typed})}, s.open(v)...)...)
}

func either(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}

// Said is the line for what somebody says.
func (s *Session) Said(nick, text string) string {
	return s.put(s.words().Tell, i18n.With{"seat": nick, "text": text})
}

// own is the own role, what others there are in this game, and the own character.
func (s *Session) own(v engine.View) []string {
	w := s.words()
	p := &v.State().Players[v.Seat]
	role := w.YourRole
	if p.Role != engine.NoRole {
		role = w.YourGoal
	}
	out := []string{s.put(role, i18n.With{"as": s.log.Role(v.Role()), "text": s.ofRow(engine.Kind(v.Role()))}), s.cast(v)}
	if p.Character != 0 {
		out = append(out, s.put(w.YourCharacter, i18n.With{"as": s.log.Kind(p.Character), "text": s.ofRow(p.Character)}))
	}
	return out
}

// cast says how many players of which role there are in this game.
func (s *Session) cast(v engine.View) string { return s.text.Cast(v.Rules().Roles(int(v.State().N))) }

func (s *Session) ofRow(k engine.Kind) string {
	if row := s.log.Rules.Row(k); row != nil {
		return row.Text
	}
	return ""
}

func (s *Session) lives(v engine.View) []string {
	var out []string
	st := v.State()
	for i := range engine.Seat(st.N) {
		p := &st.Players[i]
		out = append(out, s.put(s.words().LifeOf, i18n.With{"seat": s.label(i), "life": int(p.Life), "max": int(p.Max)}))
	}
	return out
}

func (s *Session) seats(v engine.View) []string {
	var out []string
	for i := range engine.Seat(v.State().N) {
		out = append(out, s.seat(v, i))
	}
	return append(out, s.cast(v))
}

// seat is all about one place in one line.
func (s *Session) seat(v engine.View, i engine.Seat) string {
	w := s.words()
	st := v.State()
	p := &st.Players[i]
	with := i18n.With{"n": int(i) + 1, "seat": s.name(i), "life": int(p.Life), "max": int(p.Max), "hand": len(p.Hand),
		"character": s.log.Kind(p.Character), "role": w.RoleHidden, "distance": "", "time": "", "play": w.NothingInPlay}
	marks := ""
	for _, m := range []struct {
		yes  bool
		text string
	}{{i == v.Seat, w.SeatYou}, {int(i) < len(s.bots) && s.bots[i], w.SeatBot}, {p.Away, w.SeatAway}, {i == st.Turn, w.SeatTurn}, {i == st.Asked, w.SeatAsked}} {
		marks += either(m.yes, m.text, "")
	}
	with["marks"] = marks
	switch {
	case p.Role != engine.NoRole:
		with["role"] = s.log.Role(p.Role)
	case i == v.Seat && v.Role() != engine.NoRole:
		with["role"] = s.log.Role(v.Role())
	}
	if d := v.Distance(v.Seat, i); v.Seat != engine.None && d > 0 {
		with["distance"] = s.put(w.SeatDistance, i18n.With{"distance": d, "what": either(d <= v.Reach(v.Seat), w.InRange, w.OutOfRange)})
	}
	if left, ok := s.clock(i); ok {
		with["time"] = s.put(w.SeatTime, i18n.With{"time": s.span(left)})
	}
	var cards []string
	for _, c := range p.Play {
		cards = append(cards, s.log.Card(c.Face))
	}
	if cards != nil {
		with["play"] = s.put(w.InPlay, i18n.With{"cards": strings.Join(cards, ", ")})
	}
	if p.Status == engine.Out {
		return s.put(w.SeatOut, with)
	}
	return s.put(w.SeatLine, with)
}

// who is a seat, its character and the cards before it, with what they do.
func (s *Session) who(v engine.View, args []string) []string {
	i, ok := s.place0(v, args)
	if !ok {
		return []string{s.put(s.words().NoSeat, i18n.With{"what": strings.Join(args, " ")})}
	}
	p := &v.State().Players[i]
	out := []string{s.seat(v, i)}
	if text := s.ofRow(p.Character); text != "" {
		out = append(out, withEffect(s.log.Kind(p.Character), text))
	}
	for _, c := range p.Play {
		out = append(out, withEffect(s.log.Card(c.Face), s.ofRow(c.Face.Kind())))
	}
	return out
}

// place0 reads the number or the nick of a seat.
func (s *Session) place0(v engine.View, args []string) (engine.Seat, bool) {
	if len(args) == 0 {
		return v.Seat, v.Seat != engine.None
	}
	if n, err := strconv.Atoi(args[0]); err == nil {
		return engine.Seat(n - 1), len(args) == 1 && n >= 1 && n <= int(v.State().N)
	}
	i := slices.IndexFunc(s.log.Names, func(name string) bool { return strings.EqualFold(name, strings.Join(args, " ")) })
	return engine.Seat(i), i >= 0
}

func (s *Session) ranges(v engine.View) []string {
	w := s.words()
	if v.Seat == engine.None {
		return []string{w.NotAsked}
	}
	out := []string{s.put(w.Range, i18n.With{"n": v.Reach(v.Seat)})}
	for i := range engine.Seat(v.State().N) {
		if d := v.Distance(v.Seat, i); d > 0 {
			out = append(out, s.put(w.RangeOf, i18n.With{"n": int(i) + 1, "seat": s.name(i), "distance": d,
				"what": either(d <= v.Reach(v.Seat), w.InRange, w.OutOfRange)}))
		}
	}
	return out
}

// piles tells deck and discard pile, with the card on top (FR-20).
func (s *Session) piles(v engine.View) string {
	st := v.State()
	with := i18n.With{"deck": len(st.Deck), "discard": len(st.Discard)}
	if n := len(st.Discard); n > 0 {
		with["card"] = s.log.Card(st.Discard[n-1].Face)
		return s.put(s.words().PileTop, with)
	}
	return s.put(s.words().Piles, with)
}

func (s *Session) waiting(v engine.View) []string {
	if a := v.State().Asked; a != engine.None {
		return []string{s.put(s.words().WaitingFor, i18n.With{"seat": s.label(a)})}
	}
	return []string{s.words().Waiting}
}

func (s *Session) lookUp(args []string) []string {
	what := strings.Join(args, " ")
	if s.Rules != nil {
		return s.Rules(what)
	}
	if s.seated() {
		for _, row := range s.log.Rules.Rows() {
			if plain(row.Name) == plain(what) {
				return []string{withEffect(row.Name, row.Text)}
			}
		}
	}
	return []string{s.put(s.words().NoCardThere, i18n.With{"what": what})}
}
