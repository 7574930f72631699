package line

import (
	"slices"
	"strings"

	"standoff/cli/i18n"
	"standoff/engine"
)

// hand is what the person has been told of the own hand. Before a card is taken from it at random a hand is hidden anew
// and in another order (B-412): the cards have other slots then, and nothing has come in.
type hand struct {
	held  map[engine.Slot]engine.Face // nil before the first cards
	gone  map[engine.Slot]bool        // cards that an event has told of since
	named map[engine.Slot]bool        // those that it has named
}

// hear takes in what happened to a card.
func (h *hand) hear(e engine.Event, known engine.Knowledge) {
	if e.Card.Slot == 0 {
		return
	}
	if h.gone == nil {
		h.gone, h.named = map[engine.Slot]bool{}, map[engine.Slot]bool{}
	}
	h.gone[e.Card.Slot] = true
	if e.Card.Face != 0 || known.Face(e.Card.Slot) != 0 {
		h.named[e.Card.Slot] = true
	}
}

// gained names the cards that have come into the own hand, as soon as all of it can be read; those that a line before
// has named are left out.
func (s *Session) gained(v engine.View) []string {
	now, h := v.Hand(), &s.hand
	first := h.held == nil
	if first && len(now) == 0 || slices.ContainsFunc(now, func(c engine.Card) bool { return c.Face == 0 }) {
		return nil
	}
	before := map[engine.Face]int{}
	for slot, face := range h.held {
		if !h.gone[slot] {
			before[face]++
		}
	}
	var cards []string
	held := map[engine.Slot]engine.Face{}
	for _, c := range now {
		held[c.Slot] = c.Face
		if before[c.Face] > 0 {
			before[c.Face]--
		} else if first || !h.named[c.Slot] {
			cards = append(cards, s.log.Card(c.Face))
		}
	}
	*h = hand{held: held}
	if cards == nil {
		return nil
	}
	return []string{s.put(either(first, s.words().FirstCards, s.words().NewCards), i18n.With{"cards": strings.Join(cards, ", ")})}
}

// cards lists the own cards and what they do, equal ones together.
func (s *Session) cards(v engine.View) []string {
	var out []string
	hand := v.Hand()
	for i, c := range hand {
		same := func(d engine.Card) bool { return d.Face.Kind() == c.Face.Kind() }
		if slices.IndexFunc(hand, same) < i {
			continue // told with the first of them
		}
		var keys []int
		var prints []string
		for j, d := range hand {
			if same(d) {
				keys, prints = append(keys, j+1), append(prints, i18n.Print(d.Face))
			}
		}
		template := either(len(keys) > 1, s.words().HandSame, s.words().Hand)
		out = append(out, s.put(template, i18n.With{"n": listed(keys, ", "), "card": s.log.Card(c.Face), "name": s.log.Kind(c.Face.Kind()),
			"count": len(keys), "list": strings.Join(prints, " "), "text": s.ofRow(c.Face.Kind())}))
	}
	if out == nil {
		return []string{s.words().HandEmpty}
	}
	return out
}
