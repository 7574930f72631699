package enginetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"standoff/engine"
)

var verbs = map[string]engine.Verb{"plays": engine.Play, "answers": engine.Answer, "flips": engine.Flip, "passes": engine.Pass,
	"picks": engine.Pick, "uses": engine.Act, "discards": engine.Discard, "ends": engine.End}

// legal lists what the asked seat may do.
func (x *run) legal() []engine.Action {
	st := x.g.State()
	if st.Asked == engine.None {
		return nil
	}
	return x.g.View(st.Asked, x.d.known[st.Asked]).Legal()
}

func (x *run) legalTexts() []string {
	var out []string
	for _, a := range x.legal() {
		out = append(out, x.t.action(a))
	}
	slices.Sort(out)
	return out
}

// act does one action that must be accepted.
func (x *run) act(s string) error {
	w := strings.Fields(s)
	if len(w) < 2 {
		return fmt.Errorf("no action: %q", s)
	}
	seat, ok := seatOf(w[0])
	if !ok {
		return fmt.Errorf("%q is no seat", w[0])
	}
	switch rest := strings.Join(w[1:], " "); rest {
	case leaves, returns, isExpelled:
		return x.step(presence{seat, rest})
	case "comes in":
		return x.step(comesIn(seat))
	case "defaults":
		a := x.g.Default()
		if a.Seat != seat {
			return fmt.Errorf("%s is asked", letter(a.Seat))
		}
		a.Card.Face = x.d.face(a.Card.Slot)
		return x.step(a)
	}
	want := strings.Join(w, " ")
	for _, a := range x.legal() {
		if x.t.action(a) == want {
			return x.step(a)
		}
	}
	return fmt.Errorf("%q is not offered; asked: %s; legal: %s", want, letter(x.g.State().Asked), strings.Join(x.legalTexts(), " | "))
}

// step gives an input to the engine, serves what follows, and checks.
func (x *run) step(in any) error {
	if err := apply(x.g, in); err != nil {
		return err
	}
	x.d.inputs = append(x.d.inputs, in)
	if a, ok := in.(engine.Action); ok {
		x.d.opened(a)
	}
	if err := x.d.serve(); err != nil {
		return err
	}
	return x.check()
}

// apply gives an input to a game.
func apply(g *engine.Game, in any) error {
	switch in := in.(type) {
	case engine.Action:
		return g.Step(in)
	case engine.Reply:
		return g.Supply(in)
	case comesIn:
		return g.ComeIn(engine.Seat(in))
	case presence:
		switch in.word {
		case leaves:
			return g.StepAway(in.seat)
		case returns:
			return g.StepBack(in.seat)
		}
		return g.Expel(in.seat)
	}
	return fmt.Errorf("no input: %v", in)
}

// refuse does one action that must be refused with nothing changed.
func (x *run) refuse(s string) error {
	s, because, _ := strings.Cut(s, " because ")
	w := strings.Fields(s)
	if slices.Contains(x.legalTexts(), strings.Join(w, " ")) {
		return fmt.Errorf("%q should be refused, but is offered", s)
	}
	in, err := x.build(w)
	if err != nil {
		return err
	}
	before := x.g.State().Hash()
	err = apply(x.g, in)
	var illegal *engine.IllegalError
	if !errors.As(err, &illegal) {
		return fmt.Errorf("%q should be refused as illegal, but: %v", s, err)
	}
	if illegal.Reason == engine.Legal || illegal.Reason == engine.NotYourCard || illegal.Reason == engine.NotACard {
		return fmt.Errorf("%q: refused with the reason %q", s, illegal.Reason)
	}
	if because != "" && !strings.Contains(illegal.Reason.String(), because) {
		return fmt.Errorf("%q should be refused because %q, but: %s", s, because, illegal.Reason)
	}
	if x.g.State().Hash() != before {
		return fmt.Errorf("%q was refused but changed the state", s)
	}
	if r := x.g.Ready(); len(r.Events) > 0 || len(r.Needs) > 0 {
		return fmt.Errorf("%q was refused but left %d events and %d needs", s, len(r.Events), len(r.Needs))
	}
	return nil
}

// build makes the action that w says, legal or not, in the engine's conventions.
func (x *run) build(w []string) (any, error) {
	bad := fmt.Errorf("no action: %q", strings.Join(w, " "))
	if len(w) < 2 {
		return nil, bad
	}
	seat, ok := seatOf(w[0])
	if !ok || int8(seat) >= x.g.State().N {
		return nil, bad
	}
	if strings.Join(w[1:], " ") == "comes in" {
		return comesIn(seat), nil
	}
	a := engine.Action{Seat: seat, Verb: verbs[w[1]], To: engine.None}
	if a.Verb == engine.NoVerb {
		return a, bad
	}
	w = w[2:]
	if len(w) > 0 && a.Verb == engine.Pick { // a card of another seat, or the seat
		if name, _, _ := strings.Cut(w[0], "."); len(name) == 1 {
			w = append([]string{"at"}, w...)
		}
	}
	for len(w) > 0 && w[0] != "at" && w[0] != "as" {
		if k, ok := x.g.Rules().KindBySlug(w[0]); ok {
			a.As = k
		} else {
			c, ok := x.find(seat, w[0], a.Verb)
			if !ok {
				return a, fmt.Errorf("%s has no %s", letter(seat), w[0])
			}
			if a.Verb == engine.Pick {
				a.At = c.Slot
			} else {
				a.Card = c
				if a.Verb == engine.Play || a.Verb == engine.Answer {
					a.As = c.Face.Kind()
				}
			}
		}
		w = w[1:]
	}
	for len(w) >= 2 {
		switch w[0] {
		case "as":
			k, ok := x.g.Rules().KindBySlug(w[1])
			if !ok {
				return a, bad
			}
			a.As = k
		case "at":
			name, card, dot := strings.Cut(w[1], ".")
			if a.To, ok = seatOf(name); !ok {
				return a, bad
			}
			if dot && card != "hand" {
				c, ok := x.find(a.To, card, engine.NoVerb)
				if !ok {
					return a, fmt.Errorf("%s has no %s", name, card)
				}
				a.At = c.Slot
			}
		default:
			return a, bad
		}
		w = w[2:]
	}
	return a, nil
}

// find looks for a card in the hand and the play area of a seat, and on the table.
func (x *run) find(s engine.Seat, name string, v engine.Verb) (engine.Card, bool) {
	st := x.g.State()
	p := &st.Players[s]
	for _, z := range []struct {
		name  string
		cards []engine.Card
	}{{"hand", p.Hand}, {"play", p.Play}, {"table", st.Table}} {
		if z.name == "hand" && (v == engine.NoVerb || v == engine.Flip) {
			continue
		}
		for _, c := range z.cards {
			if f := x.d.face(c.Slot); x.t.face(f) == name {
				return engine.Card{Slot: c.Slot, Face: f}, true
			}
		}
	}
	return engine.Card{}, false
}
