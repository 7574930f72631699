package line

import (
	"slices"
	"strings"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/p2p/peer"
)

// effect says what an action does to the person who takes it, as far as that is certain: it is tried on a copy of
// the game, and what happens there is told.
func (s *Session) effect(v engine.View, a engine.Action) string {
	after, events, ok := v.Try(a)
	if !ok {
		return ""
	}
	t := tried{Session: s, v: v, after: after, a: a}
	for _, e := range events {
		if e.Kind == engine.TurnEnded || e.Kind == engine.TurnStarted {
			break
		}
		t.hear(e)
	}
	return strings.Join(t.tell(), ", ")
}

// tried is what an action would bring.
type tried struct {
	*Session
	v, after           engine.View
	a                  engine.Action
	lost, healed, drew int
	out, missing, shot bool
	idle               string // that it has no effect, and why
	taken              engine.Face
	gone               []string
}

func (t *tried) hear(e engine.Event) {
	me := t.v.Seat
	if e.Kind == engine.Missing && e.To == me {
		t.missing = true
	}
	if e.Seat != me {
		return
	}
	switch e.Kind {
	case engine.LostLife:
		t.lost += int(e.N)
	case engine.Healed:
		t.healed += int(e.N)
	case engine.Drew:
		t.drew += int(e.N)
	case engine.Eliminated:
		t.out = true
	case engine.NoEffect:
		if inVain(t.a, e) {
			t.idle = t.idleness(t.v, e)
		}
	case engine.Picked:
		t.taken = e.Card.Face
	case engine.Attacked:
		t.shot = true
	case engine.Discarded:
		if e.Card.Slot != t.a.Card.Slot {
			t.gone = append(t.gone, t.log.Card(e.Card.Face))
		}
	}
}

func (t *tried) tell() []string {
	w := t.words()
	me := t.v.Seat
	p := &t.after.State().Players[me]
	was := &t.v.State().Players[me]
	life := i18n.With{"life": int(p.Life), "max": int(p.Max)}
	var out []string
	say := func(template string, with i18n.With) { out = append(out, t.put(template, with)) }
	answers := peer.IsAnswer(t.v.Ask().On.Kind) && t.a.Verb == engine.Answer
	on := engine.Frame{}
	if st := t.after.State(); len(st.Stack) > 0 {
		on = st.Stack[len(st.Stack)-1]
	}
	row := t.log.Rules.Row(t.a.As)
	again := t.after.State().Asked == me && on.Kind == t.v.Ask().On.Kind
	switch {
	case t.idle != "":
		out = append(out, t.idle)
	case t.out:
		say(w.YouAreOut, nil)
	case t.lost > 0 && p.Life <= 0:
		say(w.LastLife, nil)
	case t.lost > 0:
		say(w.LifeLeft, life)
	case answers && on.Kind == engine.AtDodge && again && on.N > 0:
		say(w.MoreNeeded, i18n.With{"n": int(on.N)})
	case answers && on.Kind == engine.AtLose && again:
		say(w.MoreNeeded, i18n.With{"n": int(1 - p.Life)})
	case answers && t.v.Ask().On.Kind == engine.AtLose:
		say(w.Survive, life)
	case answers && t.missing:
		say(w.Cancels, nil)
	case answers && on.Kind == engine.AtDuel && !again:
		say(w.ThenMust, i18n.With{"seat": t.name(on.Seat)})
	case answers:
		say(w.Kept, nil)
	case t.healed > 0:
		say(w.Life, life)
	case t.taken != 0 && t.a.At == 0:
		say(w.Shown, i18n.With{"card": t.log.Card(t.taken)})
	}
	switch {
	case t.drew > 0 && t.lost > 0:
		say(w.ThenDraw, i18n.With{"n": t.drew, "as": t.log.Kind(was.Character)})
	case t.a.Verb == engine.Play && t.drew > 0:
		say(w.DrawN, i18n.With{"n": t.drew})
	case answers && max(t.drew, draws(row)) > 0:
		say(w.DrawN, i18n.With{"n": max(t.drew, draws(row))})
	}
	if on.Kind == engine.AtSteal && on.Seat == me && t.lost > 0 {
		say(w.ThenTake, i18n.With{"from": t.name(on.From), "as": t.log.Kind(was.Character)})
	}
	switch {
	case t.a.Verb != engine.Play:
	case len(out) == 0:
		out = t.laid()
	case t.idle == "" && slices.ContainsFunc(row.Do, func(d engine.Do) bool { return d.Who == engine.Others || d.Who == engine.All }):
		out = append(out, t.does(row)) // so far only what it does to oneself
	}
	return out
}

// idles reports whether an action would have no effect, and what is told of that.
func (s *Session) idles(v engine.View, a engine.Action) (engine.Event, bool) {
	_, events, _ := v.Try(a)
	i := slices.IndexFunc(events, func(e engine.Event) bool { return inVain(a, e) })
	if i < 0 {
		return engine.Event{}, false
	}
	return events[i], true
}

// inVain reports whether an event says that an action has no effect at all, not only on one of many.
func inVain(a engine.Action, e engine.Event) bool {
	return e.Kind == engine.NoEffect && e.Seat == a.Seat && (e.To == engine.None || e.To == a.Seat || e.To == a.To)
}

// idleness says that a card has no effect, and why as far as the rules have one word for it.
func (s *Session) idleness(v engine.View, e engine.Event) string {
	w := s.words()
	to := e.To
	if to == engine.None {
		to = e.Seat
	}
	p, row := &v.State().Players[to], s.log.Rules.Row(e.As)
	with := i18n.With{"seat": s.label(to), "as": s.log.Kind(p.Character)}
	heals := row != nil && slices.ContainsFunc(row.Do, func(d engine.Do) bool { return d.What == engine.Heal })
	switch {
	case heals && row.Tag&engine.Beer != 0 && v.Alive() <= 2:
		with["why"] = w.TwoLeft
	case heals && p.Life >= p.Max:
		with["why"] = s.put(either(to == v.Seat, w.AtFullLife, w.FullLife), with)
	case to != e.Seat:
		with["why"] = s.put(w.Immune, with)
	default:
		return w.NothingHappens
	}
	return s.put(w.Idle, with)
}

// draws are the cards that a card lets its player draw besides what else it does.
func draws(row *engine.Row) int {
	n := 0
	for _, d := range row.Do {
		if d.What == engine.DrawCards {
			n += int(d.N)
		}
	}
	return n
}

// laid says what changes by a card that stays on the table, or by its symbols what it does.
func (t *tried) laid() []string {
	w := t.words()
	me := t.v.Seat
	var out []string
	say := func(template string, with i18n.With) { out = append(out, t.put(template, with)) }
	a, b := t.v.Numbers(me), t.after.Numbers(me)
	row := t.log.Rules.Row(t.a.As)
	if row.Colour == engine.Weapon {
		say(w.Reach, i18n.With{"n": t.after.Reach(me), "now": t.v.Reach(me)})
	}
	if b.Far > a.Far {
		say(w.Farther, i18n.With{"n": int(b.Far - a.Far)})
	}
	if b.Close > a.Close {
		say(w.Nearer, i18n.With{"n": int(b.Close - a.Close)})
	}
	if b.Tries > a.Tries {
		say(w.Tries, nil)
	}
	if b.Bangs > a.Bangs {
		say(w.AnyNumber, i18n.With{"bang": t.tagged(engine.Bang)})
	}
	for _, card := range t.gone {
		say(w.Replaces, i18n.With{"card": card})
	}
	switch {
	case len(out) > 0:
		return out
	case row.Colour != engine.Brown:
		return []string{strings.TrimSuffix(row.Text, ".")}
	case t.a.To != engine.None:
		return nil // the question for the target has said it
	}
	if text := t.symbols(t.v, t.a.As); text != "" {
		return []string{text}
	}
	return nil
}

// symbols says what a card does to others.
func (s *Session) symbols(v engine.View, as engine.Kind) string {
	row := s.log.Rules.Row(as)
	if row == nil {
		return ""
	}
	if slices.ContainsFunc(row.Do, func(d engine.Do) bool { return d.What == engine.Pay || d.What == engine.Drop && d.Who == engine.Others }) {
		return strings.TrimSuffix(row.Text, ".") // more than the symbols one by one say
	}
	return s.does(row)
}

// does says what the symbols of a row do, but for its cost.
func (s *Session) does(row *engine.Row) string {
	w := s.words()
	var out []string
	for _, d := range row.Do {
		if int(d.What) >= len(w.Symbols) {
			continue
		}
		text := w.Symbols[d.What]
		if all := w.SymbolsAll[d.What]; all != "" && (d.Who == engine.Others || d.Who == engine.All) {
			text = all
		}
		if text != "" {
			out = append(out, s.put(text, i18n.With{"n": int(d.N), "bang": s.tagged(engine.Bang)}))
		}
	}
	return strings.Join(out, ", ")
}

// warning is the question before something that is probably not meant, "" for everything else: a card without effect
// (FR-08), a card of one's own as the target (FR-26).
func (s *Session) warning(v engine.View, n *choice) string {
	a := *n.act
	if a.Verb != engine.Play {
		return ""
	}
	row := v.Rules().Row(a.As)
	healing := row != nil && slices.ContainsFunc(row.Do, func(d engine.Do) bool { return d.What == engine.Heal && d.Who == engine.Any })
	if a.To == v.Seat && !healing {
		return s.put(s.words().SureOwn, i18n.With{"what": s.full(n)})
	}
	if e, idle := s.idles(v, a); idle && (e.To == v.Seat || e.To == engine.None) {
		return s.put(s.words().Sure, i18n.With{"what": s.full(n), "effect": s.idleness(v, e)})
	}
	return ""
}
