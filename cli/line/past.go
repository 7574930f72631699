package line

import (
	"slices"
	"strconv"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/p2p/table"
)

// told is a line of the log, with the turn it belongs to.
type told struct {
	turn int
	text string
}

// maxLog bounds the lines that log and last can look back at.
const maxLog = 4000

// fall is how somebody was eliminated; turn 0: not at all.
type fall struct {
	turn int
	by   engine.Seat
}

// Tell turns news into lines. v is the position after them; ok is false before there is a game. To who comes
// back to a game the turn that is played is told, and that those before can be asked for.
func (s *Session) Tell(v engine.View, ok bool, news []table.News) []string {
	var out []string
	if ok {
		s.log.Known = v.Known
	}
	last := -1
	if s.turn == 0 && s.me != engine.None {
		last = lastTurn(news)
	}
	for i, n := range news {
		if i == last {
			out = s.missed(v)
		}
		e := n.Event
		if begins(n) {
			s.turn++
		}
		if line := s.log.News(n); line != "" {
			out = append(out, line)
			s.remember(line)
		}
		if n.Kind != table.NewsHappened || !ok {
			continue
		}
		s.hand.hear(e, v.Known)
		if winners := v.State().Winners(); e.Kind == engine.Won && e.Seat == winners[len(winners)-1] {
			out = append(out, s.ending(v)...)
		}
		if s.me != engine.None && e.Seat == s.me {
			out = append(out, s.befell(v, e)...)
		}
	}
	if ok && s.me != engine.None {
		out = append(append(out, s.gained(v)...), s.buried(v, slices.ContainsFunc(news, begins))...)
	}
	return out
}

// lastTurn is where the last of several turns begins; -1 if there are not several.
func lastTurn(news []table.News) int {
	last, turns := -1, 0
	for i, n := range news {
		if begins(n) {
			last, turns = i, turns+1
		}
	}
	if turns < 2 {
		return -1
	}
	return last
}

// begins reports whether a turn begins.
func begins(n table.News) bool {
	return n.Kind == table.NewsHappened && n.Event.Kind == engine.TurnStarted
}

// missed stands for turns that are over.
func (s *Session) missed(v engine.View) []string {
	return append([]string{s.put(s.words().Missed, i18n.With{"n": s.turn})}, s.own(v)...)
}

// befell is what else is to be told of something that happened to the person.
func (s *Session) befell(v engine.View, e engine.Event) []string {
	switch e.Kind {
	case engine.Dealt:
		return s.own(v)
	case engine.Eliminated:
		s.dying, s.fell = true, fall{s.turn, e.To}
	}
	return nil
}

// ending sums up a game that is over: who everybody was and what became of them, and of the person last.
func (s *Session) ending(v engine.View) []string {
	w, st := s.words(), v.State()
	winners := st.Winners()
	var out []string
	for i := range engine.Seat(st.N) {
		p := &st.Players[i]
		out = append(out, s.put(w.Last, i18n.With{"seat": s.label(i), "role": s.log.Role(p.Role),
			"fate": either(p.Status == engine.Out, w.LastOut, ""), "wins": either(slices.Contains(winners, i), w.LastWins, "")}))
	}
	if s.me == engine.None {
		return out
	}
	if f := s.fell; f.turn > 0 {
		fell := either(f.by == engine.None || f.by == s.me, w.YouFell, w.YouFellBy)
		out = append(out, s.put(fell, i18n.With{"n": f.turn, "to": s.name(f.by)}))
	}
	return append(out, s.put(either(slices.Contains(winners, s.me), w.YouWin, w.YouLose),
		i18n.With{"role": s.log.Role(st.Players[s.me].Role), "outcome": s.log.Outcome(st.Over)}))
}

func (s *Session) remember(line string) {
	s.past = append(s.past, told{s.turn, line})
	if n := len(s.past) - maxLog; n > 0 {
		s.past = slices.Delete(s.past, 0, n)
	}
}

// last is the end of the log.
func (s *Session) last(args []string) []string {
	n := 10
	if len(args) > 0 {
		n, _ = strconv.Atoi(args[0])
	}
	return s.retold(s.past[max(0, len(s.past)-n):])
}

// ofTurn is what happened in one turn.
func (s *Session) ofTurn(args []string) []string {
	turn := s.turn
	if len(args) > 0 {
		turn, _ = strconv.Atoi(args[0])
	}
	if turn > s.turn {
		return []string{s.put(s.words().NoTurn, i18n.With{"what": turn, "n": s.turn})}
	}
	return s.retold(slices.DeleteFunc(slices.Clone(s.past), func(t told) bool { return t.turn != turn }))
}

// retold are lines of the log once more.
func (s *Session) retold(past []told) []string {
	var out []string
	for _, t := range past {
		out = append(out, t.text)
	}
	if out == nil {
		return []string{s.words().NoLog}
	}
	return out
}
