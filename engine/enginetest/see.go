package enginetest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"standoff/engine"
)

// cards prints a list of cards as viewer sees them, or as they truly are for viewer everybody. A want that ends
// with ... is printed as long as it is.
func (x *run) cards(word string, cards []engine.Card, view func(engine.Card) engine.Face) string {
	name, open, items, _ := list(word)
	var out []string
	for i, c := range cards {
		if n := len(items); n > 0 && items[n-1] == "..." && i == n-1 {
			out = append(out, "...")
			break
		}
		out = append(out, x.t.face(view(c)))
	}
	return bracket(name, open, out)
}

func (x *run) truly(c engine.Card) engine.Face { return x.d.face(c.Slot) }

// pile is a zone by its name, the deck with its top first.
func (x *run) pile(name string) ([]engine.Card, bool) {
	st := x.g.State()
	switch name {
	case "deck":
		top := slices.Clone(st.Deck)
		slices.Reverse(top)
		return top, true
	case "discard":
		return st.Discard, true
	case "table":
		return st.Table, true
	}
	return nil, false
}

// thing prints piles and single numbers.
func (x *run) thing(w []string) (string, error) {
	st := x.g.State()
	name, open, _, isList := list(w[0])
	if isList && len(w) == 1 {
		if cards, ok := x.pile(name); ok {
			return x.cards(w[0], cards, x.truly), nil
		}
		var items []string
		switch name {
		case "roles":
			for i := range x.setup.seats {
				items = append(items, x.role(engine.Seat(i), engine.None))
			}
			slices.Sort(items)
			return bracket(name, open, items), nil
		case "pool":
			for _, f := range x.d.pool {
				items = append(items, x.t.face(f))
			}
			return bracket(name, open, items), nil
		}
	}
	if cards, ok := x.pile(w[0]); ok && len(w) == 2 {
		return fmt.Sprintf("%s %d", w[0], len(cards)), nil
	}
	if len(w) == 3 {
		s, ok := seatOf(w[1])
		if !ok {
			return "", fmt.Errorf("%q is no seat", w[1])
		}
		v := x.g.View(s, x.d.known[s])
		switch w[0] {
		case "reach":
			return fmt.Sprintf("reach %s %d", w[1], v.Reach(s)), nil
		case "limit":
			return fmt.Sprintf("limit %s %d", w[1], v.HandLimit(s)), nil
		case "needed":
			return fmt.Sprintf("needed %s %d", letter(st.Asked), v.Needed()), nil
		}
	}
	return "", fmt.Errorf("no expectation: %s", strings.Join(w, " "))
}

// role is the role of s as viewer knows it, or truly for viewer None.
func (x *run) role(s, viewer engine.Seat) string {
	p := &x.g.State().Players[s]
	switch {
	case p.Role != engine.NoRole:
		return x.t.kind(engine.Kind(p.Role))
	case viewer == engine.None:
		return x.t.face(x.d.face(p.RoleSlot))
	}
	return x.t.face(x.d.known[viewer].Face(p.RoleSlot))
}

// seat prints what w names of a seat.
func (x *run) seat(w []string) (string, error) {
	s, _ := seatOf(w[0])
	p := &x.g.State().Players[s]
	out := w[:1:1]
	for i := 1; i < len(w); i++ {
		t := w[i]
		name, _, _, isList := list(t)
		_, isRole := roleNames[t]
		k, isKind := x.g.Rules().KindBySlug(t)
		switch {
		case t == "out":
		case isRole:
			out = append(out, x.role(s, engine.None))
		case t == "alone":
			if p.Copy != 0 {
				t = x.t.kind(p.Copy)
			}
			out = append(out, t)
		case isKind && x.g.Rules().Row(k).Colour == engine.CharacterCard:
			if slices.Contains(out, x.t.kind(p.Character)) {
				out = append(out, x.t.kind(p.Copy))
			} else {
				out = append(out, x.t.kind(p.Character))
			}
		case strings.Contains(t, "/") && !isList:
			out = append(out, fmt.Sprintf("%d/%d", p.Life, p.Max))
		case isList && name == "hand":
			out = append(out, x.cards(t, p.Hand, x.truly))
		case isList && name == "play":
			out = append(out, x.cards(t, p.Play, x.truly))
		case (t == "hand" || t == "play") && i+1 < len(w):
			i++
			if _, err := strconv.Atoi(w[i]); err != nil {
				return "", err
			}
			out = append(out, t, strconv.Itoa(len(map[string][]engine.Card{"hand": p.Hand, "play": p.Play}[t])))
		default:
			return "", fmt.Errorf("no part of a seat: %s", t)
		}
	}
	if p.Status == engine.Out {
		out = append(out, "out")
	}
	return strings.Join(out, " "), nil
}

// sees prints what a seat sees.
func (x *run) sees(w []string) (string, error) {
	viewer, _ := seatOf(w[0])
	out := w[:2:2]
	view := func(c engine.Card) engine.Face { return x.d.seen(viewer, c) }
	for _, t := range w[2:] {
		name, _, _, ok := list(t)
		if !ok {
			return "", fmt.Errorf("no view: %s", t)
		}
		if cards, ok := x.pile(name); ok {
			out = append(out, x.cards(t, cards, view))
			continue
		}
		owner, zone, _ := strings.Cut(name, ".")
		s, ok := seatOf(owner)
		if !ok {
			return "", fmt.Errorf("no view: %s", t)
		}
		switch zone {
		case "hand":
			out = append(out, x.cards(t, x.g.State().Players[s].Hand, view))
		case "role":
			out = append(out, bracket(name, '[', []string{x.role(s, viewer)}))
		default:
			return "", fmt.Errorf("no view: %s", t)
		}
	}
	return strings.Join(out, " "), nil
}

func (x *run) distances(from string, w []string) (string, error) {
	s, ok := seatOf(from)
	if !ok || len(w)%2 != 0 {
		return "", fmt.Errorf("no distances: %s %v", from, w)
	}
	v := x.g.View(s, x.d.known[s])
	out := "distance " + from + ":"
	for i := 0; i < len(w); i += 2 {
		to, ok := seatOf(w[i])
		if !ok {
			return "", fmt.Errorf("%q is no seat", w[i])
		}
		out += fmt.Sprintf(" %s %d", w[i], v.Distance(s, to))
	}
	return out, nil
}

func (x *run) over() string {
	st := x.g.State()
	if st.Over == engine.NotOver {
		return "over: no"
	}
	var won []engine.Seat
	for _, e := range x.d.events {
		if e.Kind == engine.Won {
			won = append(won, e.Seat)
		}
	}
	if !slices.Equal(won, st.Winners()) {
		return "over: the log and the state have other winners: " + letters(won) + ", " + letters(st.Winners())
	}
	return "over: " + outcomes[st.Over] + " | " + letters(won)
}
