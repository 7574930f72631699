package line

import (
	"cmp"
	"slices"
	"strings"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/p2p/peer"
)

// choice is one choice: an action, or the choices below it.
type choice struct {
	key  int
	text string
	kids []*choice
	act  *engine.Action

	kind stepKind
	id   int64
	seat engine.Seat // of a target
	also []int       // keys of steps that had one choice only and were taken at once
}

type stepKind uint8

const (
	stepRoot stepKind = iota
	stepThing
	stepAs
	stepWith
	stepSeat
	stepPlace
	stepNumber
)

// step is one stage of a choice.
type step struct {
	kind stepKind
	id   int64
	key  int // 0: the next free number
	text string
	seat engine.Seat
}

// menu is what can be answered to one question.
type menu struct {
	head  []string
	root  choice
	enter *choice // what Enter does; nil: nothing
	tip   string  // how to type a choice with its target; "" when that has been told

	count int   // of cards to discard together; 0: an ordinary choice
	cards []int // keys chosen so far, in order
}

// build makes the menu of the open question.
func (s *Session) build(v engine.View) *menu {
	m := &menu{head: s.question(v)}
	on := v.Ask().On
	if on.Kind == engine.AtDiscard || on.Kind == engine.AtPay {
		m.count = int(on.N)
		if on.Kind == engine.AtDiscard {
			m.count = len(v.Hand()) - int(on.N)
		}
	}
	for _, a := range v.Legal() {
		if a.Verb == engine.Pass || a.Verb == engine.End {
			m.enter = &choice{act: &a, text: s.refusal(v, a)}
			continue
		}
		n := &m.root
		for _, st := range s.steps(v, a) {
			n = n.kid(st)
		}
		n.act = &a
	}
	free := len(v.Hand())
	if len(m.root.kids) > 0 && m.root.kids[0].act != nil && m.root.kids[0].act.Verb == engine.Pick {
		free = 0
	}
	number(&m.root, free)
	for _, k := range m.root.kids {
		s.collapse(k)
	}
	if m.enter == nil && m.count == 0 && len(m.root.kids) > 0 {
		m.enter = first(m.root.kids[0])
	}
	ascend(&m.root)
	m.tip = s.tip(m)
	return m
}

func first(n *choice) *choice {
	for n.act == nil {
		n = n.kids[0]
	}
	return n
}

// kid finds or adds the choice of a step.
func (n *choice) kid(st step) *choice {
	for _, k := range n.kids {
		if k.kind == st.kind && k.id == st.id {
			return k
		}
	}
	k := &choice{key: st.key, text: st.text, kind: st.kind, id: st.id, seat: st.seat}
	n.kids = append(n.kids, k)
	return k
}

// number gives keys to the choices that have none of their own, after those of the hand.
func number(n *choice, next int) {
	for _, k := range n.kids {
		next = max(next, k.key)
	}
	for _, k := range n.kids {
		if k.key == 0 {
			next++
			k.key = next
		}
		number(k, 0)
	}
}

// ascend puts the choices in the order of their keys.
func ascend(n *choice) {
	slices.SortStableFunc(n.kids, func(a, b *choice) int { return a.key - b.key })
	for _, k := range n.kids {
		ascend(k)
	}
}

// collapse takes a stage with one choice together with the one before it.
func (s *Session) collapse(n *choice) {
	for len(n.kids) == 1 && n.act == nil {
		k := n.kids[0]
		n.text = s.joined(n, k)
		n.also = append(n.also, k.key)
		n.kids, n.act = k.kids, k.act
	}
	for _, k := range n.kids {
		s.collapse(k)
	}
}

func (s *Session) joined(n, k *choice) string {
	switch k.kind {
	case stepSeat:
		return s.put(s.words().AtSeat, i18n.With{"what": n.text, "seat": s.label(k.seat)})
	case stepPlace:
		return s.put(s.words().AtPlace, i18n.With{"what": n.text, "card": k.text})
	case stepAs:
		return k.text
	}
	return n.text + ", " + k.text
}

// steps are the stages by which a person comes to an action: the thing, what it is used as, at whom, at which card.
func (s *Session) steps(v engine.View, a engine.Action) []step {
	st := []step{s.thing(v, a)}
	if a.Card.Face != 0 && a.As != 0 && a.As != a.Card.Face.Kind() {
		st = append(st, step{kind: stepAs, id: int64(a.As),
			text: s.put(s.words().UsedAs, i18n.With{"card": s.log.Card(a.Card.Face), "as": s.log.Kind(a.As)})})
	}
	if a.With.Slot != 0 {
		st = append(st, step{kind: stepWith, id: int64(a.With.Slot), key: handKey(v, a.With.Slot), text: s.log.Card(a.With.Face)})
	}
	if a.To != engine.None && st[0].kind == stepThing {
		st = append(st, step{kind: stepSeat, id: int64(a.To), key: int(a.To) + 1, seat: a.To, text: s.target(v, a.To)})
		if place, ok := s.place(v, a); ok {
			st = append(st, place)
		}
	}
	if a.N != 0 && a.Verb != engine.Pick {
		st = append(st, step{kind: stepNumber, id: int64(a.N), key: int(a.N), text: s.put("{n}", i18n.With{"n": int(a.N)})})
	}
	return st
}

// thing is the first stage: a card, an ability, a draw!, something that lies there.
func (s *Session) thing(v engine.View, a engine.Action) step {
	w := s.words()
	switch {
	case a.Card.Slot != 0:
		return step{kind: stepThing, id: int64(a.Card.Slot), key: handKey(v, a.Card.Slot), text: s.log.Card(a.Card.Face)}
	case a.Verb == engine.Flip:
		return step{kind: stepThing, id: -1, text: s.put(w.Draw, i18n.With{"as": s.source(v), "missed": s.tagged(engine.Missed)})}
	case a.Verb == engine.Act:
		return step{kind: stepThing, id: -2 - int64(a.As), text: s.put(w.Ability, i18n.With{"as": s.log.Kind(a.As)})}
	case a.At != 0 && a.To == engine.None:
		key := 0
		if v.Ask().On.Kind != engine.AtSetup {
			key = 1 + slices.IndexFunc(v.State().Table, func(c engine.Card) bool { return c.Slot == a.At })
		}
		return step{kind: stepThing, id: int64(a.At), key: key, text: s.log.Card(v.Face(a.At))}
	case a.To != engine.None: // a card of somebody, without an own one
		if place, ok := s.place(v, a); ok {
			return step{kind: stepPlace, id: place.id, text: place.text}
		}
		return step{kind: stepSeat, id: int64(a.To), key: int(a.To) + 1, seat: a.To, text: s.target(v, a.To)}
	}
	return step{kind: stepThing, id: -1000 - int64(a.As)<<8 - int64(a.N), text: s.put(w.Take, i18n.With{"what": s.log.Kind(a.As)})}
}

// place is the stage that names a card of the target: one in play, or any of the hand.
func (s *Session) place(v engine.View, a engine.Action) (step, bool) {
	if a.To == engine.None || a.Verb != engine.Pick && !s.loots(v, a.As) {
		return step{}, false
	}
	p := &v.State().Players[a.To]
	if a.At == 0 {
		return step{kind: stepPlace, id: 0, key: 1, text: s.put(s.words().AnyCard, i18n.With{"n": len(p.Hand)})}, true
	}
	i := slices.IndexFunc(p.Play, func(c engine.Card) bool { return c.Slot == a.At })
	return step{kind: stepPlace, id: int64(a.At), key: i + 2, text: s.log.Card(v.Face(a.At))}, true
}

// loots reports whether a card named so takes or drops a card of its target.
func (s *Session) loots(v engine.View, as engine.Kind) bool {
	row := v.Rules().Row(as)
	return row != nil && slices.ContainsFunc(row.Do, func(d engine.Do) bool { return d.What == engine.Take || d.What == engine.Drop })
}

// handKey is the number of a hand card, 0 for another card.
func handKey(v engine.View, slot engine.Slot) int {
	return 1 + slices.IndexFunc(v.Hand(), func(c engine.Card) bool { return c.Slot == slot })
}

// lines shows a list of choices.
func (s *Session) lines(v engine.View, m *menu, at *choice) []string {
	w := s.words()
	var out []string
	if at == &m.root {
		out = append(out, m.head...)
		if m.count > 0 {
			out = []string{s.counting(v, m)}
			switch n := len(at.kids); {
			case len(m.cards) == m.count:
			case n > 1 && m.count > 1:
				out = append(out, s.put(w.Marking, i18n.With{"n": at.kids[0].key, "m": at.kids[1].key}))
			default:
				out = append(out, w.MarkOne)
			}
		}
		out = append(out, s.thinking()...)
		if _, clock := s.clock(s.me); clock && m.count > 0 && m.enter == nil {
			out = append(out, s.put(either(len(m.cards) == 0, w.RunsOut, w.RunsOutChosen), i18n.With{"n": m.count}))
		}
	} else {
		out = append(out, s.deeper(at), w.TypeNumber)
	}
	for _, k := range at.kids {
		what := s.describe(v, k)
		if m.count > 0 && slices.Contains(m.cards, k.key) {
			what = s.put(w.Chosen, i18n.With{"what": k.text})
		}
		if k.kind == stepSeat && k.act != nil || k.kind == stepSeat && len(k.kids) > 0 {
			out = append(out, k.text)
			continue
		}
		out = append(out, s.put(w.Choice, i18n.With{"n": k.key, "what": what}))
	}
	if at != &m.root {
		return append(out, w.Back)
	}
	if m.count > 0 && len(m.cards) == m.count {
		out = append(out, s.put(w.Default, i18n.With{"what": w.Discard}))
	}
	if m.tip != "" {
		out = append(out, m.tip)
	}
	if cards := s.useless(v, m); cards != "" {
		out = append(out, s.put(w.NotNow, i18n.With{"cards": cards}))
	}
	if m.enter != nil && len(m.cards) == 0 {
		what := m.enter.text
		if m.enter.key > 0 {
			what = s.put("{n}", i18n.With{"n": m.enter.key})
		}
		out = append(out, s.put(w.Default, i18n.With{"what": what}))
	}
	return out
}

// tip tells once how a choice is typed together with its target.
func (s *Session) tip(m *menu) string {
	for _, k := range m.root.kids {
		if !s.tipped && k.act == nil && k.kids[0].kind == stepSeat {
			s.tipped = true
			return s.put(s.words().Tip, i18n.With{"n": k.key, "m": k.kids[0].key})
		}
	}
	return ""
}

// deeper is the question of a stage below the first.
func (s *Session) deeper(at *choice) string {
	w := s.words()
	switch at.kids[0].kind {
	case stepSeat:
		return s.put(w.Whom, i18n.With{"what": at.text})
	case stepPlace:
		return s.put(w.Which, i18n.With{"what": s.thingText(at), "seat": s.label(at.seat)})
	}
	return s.put(w.How, i18n.With{"what": at.text})
}

// thingText is what the path before the target was about.
func (s *Session) thingText(at *choice) string {
	for i := len(s.path) - 1; i >= 0; i-- {
		if s.path[i].kind != stepSeat {
			return s.path[i].text
		}
	}
	return at.text
}

// describe is a choice with what it does.
func (s *Session) describe(v engine.View, k *choice) string {
	if k.act != nil {
		effect := s.effect(v, *k.act)
		_, idle := s.idles(v, *k.act)
		switch a := k.act; {
		case a.Verb == engine.Play && a.To != engine.None && a.To != v.Seat && len(k.also) > 0 && !idle:
			effect = cmp.Or(s.symbols(v, a.As), effect)
		case effect != "" || a.Verb == engine.Discard:
		case a.Verb == engine.Pick && a.At != 0 && a.To == engine.None:
			effect = strings.TrimSuffix(s.ofRow(v.Face(a.At).Kind()), ".")
		case a.Verb == engine.Pick && a.As != 0, a.Verb == engine.Act:
			effect = strings.TrimSuffix(s.ofRow(a.As), ".")
		}
		return withEffect(k.text, effect)
	}
	if k.kids[0].kind == stepSeat {
		var seats []string
		others := ""
		for _, t := range k.kids {
			if t.kind == stepSeat {
				seats = append(seats, s.label(t.seat))
			} else {
				others += s.put(s.words().OrAs, i18n.With{"what": t.text})
			}
		}
		return withEffect(s.put(s.words().Same, i18n.With{"what": k.text, "seats": strings.Join(seats, ", ")})+others, s.aim(v, k))
	}
	if k.kids[0].kind == stepPlace {
		return withEffect(k.text, s.aim(v, k))
	}
	return k.text
}

// aim says what a choice with more to choose does to whom it is aimed at, whether there is one seat or several.
func (s *Session) aim(v engine.View, k *choice) string {
	a := first(k).act
	effect := s.symbols(v, a.As)
	if effect == "" && a.Verb == engine.Act {
		effect = strings.TrimSuffix(s.ofRow(a.As), ".")
	}
	return effect
}

func withEffect(text, effect string) string {
	if effect == "" {
		return text
	}
	return text + ": " + effect
}

// useless lists the hand cards that have no use now.
func (s *Session) useless(v engine.View, m *menu) string {
	if on := v.Ask().On.Kind; on != engine.AtTurn && !peer.IsAnswer(on) {
		return ""
	}
	var cards []string
	for i, c := range v.Hand() {
		if !slices.ContainsFunc(m.root.kids, func(k *choice) bool { return k.id == int64(c.Slot) && k.kind == stepThing }) {
			cards = append(cards, s.put(s.words().Numbered, i18n.With{"n": i + 1, "card": s.log.Card(c.Face)}))
		}
	}
	return strings.Join(cards, ", ")
}
