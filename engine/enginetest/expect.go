package enginetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"standoff/engine"
)

// expect prints want anew: want, with every part as it really is. Two equal texts mean that the expectation holds.
func (x *run) expect(want string) (norm, got string, err error) {
	norm = strings.Join(strings.Fields(want), " ")
	if norm == "" {
		return "", "", errors.New("nothing is expected")
	}
	if w := words(norm); len(w) > 1 {
		if _, seat := seatOf(w[0]); seat {
			norm = x.sorted(norm)
			if w[1] == "sees" {
				got, err = x.sees(words(norm))
			} else {
				got, err = x.seat(words(norm))
			}
			return norm, got, err
		}
	}
	head, rest, colon := strings.Cut(norm, ":")
	rest = strings.TrimSpace(rest)
	w := words(head)
	switch {
	case colon && head == "turn":
		got = "turn: " + letter(x.g.State().Turn)
	case colon && head == "asked":
		got = "asked: " + letter(x.g.State().Asked)
	case colon && head == "may":
		got = "may: " + letters(x.d.may)
	case colon && head == "legal":
		items := strings.Split(rest, " | ")
		slices.Sort(items)
		return "legal: " + strings.Join(items, " | "), "legal: " + strings.Join(x.legalTexts(), " | "), nil
	case colon && (head == "offered" || head == "not offered"):
		got = "not offered: " + rest
		if slices.Contains(x.legalTexts(), rest) {
			got = "offered: " + rest
		}
	case colon && len(w) == 2 && w[0] == "distance":
		got, err = x.distances(w[1], strings.Fields(rest))
	case colon && head == "over":
		got = x.over()
	case colon && head == "former":
		got = x.former()
	case colon && len(w) == 2 && w[0] == "name":
		if k, ok := x.g.Rules().KindBySlug(w[1]); ok {
			got = head + ": " + x.g.Rules().Name(x.g.State().Options, k)
		}
	case colon && strings.HasPrefix(head, "log["):
		got, err = x.log(head)
	case colon && strings.HasPrefix(head, "needs["):
		got, err = x.needs(head)
	default:
		norm = x.sorted(norm)
		got, err = x.thing(words(norm))
	}
	return norm, got, err
}

// sorted puts the lists in braces of an expectation in order.
func (x *run) sorted(s string) string {
	w := words(s)
	for i := range w {
		name, open, items, ok := list(w[i])
		if ok && open == '{' {
			w[i] = bracket(name, open, items)
		}
	}
	return strings.Join(w, " ")
}

func letters(s []engine.Seat) string {
	if len(s) == 0 {
		return "none"
	}
	var out []string
	for _, s := range s {
		out = append(out, letter(s))
	}
	return strings.Join(out, " ")
}

// former is what a rematch would be told.
func (x *run) former() string {
	f := x.g.Former()
	var out []string
	for i := range x.setup.seats {
		t := letter(engine.Seat(i)) + " " + x.t.kind(f.Characters[i])
		if !f.Alive[i] {
			t += " out"
		}
		if f.Sheriff == engine.Seat(i) {
			t += " sheriff"
		}
		out = append(out, t)
	}
	return "former: " + strings.Join(out, " | ")
}

func (x *run) log(head string) (string, error) {
	_, _, names, _ := list(head)
	var kinds []engine.EventKind
	for _, n := range names {
		k, ok := eventKind(n)
		if !ok {
			return "", fmt.Errorf("no kind of event: %s", n)
		}
		kinds = append(kinds, k)
	}
	var out []string
	for _, e := range x.d.events {
		if slices.Contains(kinds, e.Kind) {
			out = append(out, x.t.event(e))
		}
	}
	return strings.TrimSpace(head + ": " + strings.Join(out, " | ")), nil
}

func (x *run) needs(head string) (string, error) {
	_, _, names, _ := list(head)
	var kinds []engine.NeedKind
	for _, n := range names {
		k, ok := needNames[n]
		if !ok {
			return "", fmt.Errorf("no kind of need: %s", n)
		}
		kinds = append(kinds, k)
	}
	var out []string
	for _, l := range x.d.needs {
		if slices.Contains(kinds, l.need.Kind) {
			out = append(out, x.t.need(l))
		}
	}
	return strings.TrimSpace(head + ": " + strings.Join(out, " | ")), nil
}
