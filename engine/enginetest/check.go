package enginetest

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"standoff/engine"
)

// check looks at everything that must hold whatever the script is about.
func (x *run) check() error {
	st := x.g.State()
	if len(st.Stack) > 0 && st.Stack[len(st.Stack)-1].Kind == engine.AtSetup {
		return nil // nothing is dealt yet
	}
	if err := x.conserved(); err != nil {
		return err
	}
	if (st.Asked != engine.None) == (st.Over != engine.NotOver) {
		return fmt.Errorf("asked: %s, over: %s: just one of them must be", letter(st.Asked), outcomes[st.Over])
	}
	if st.Asked != engine.None {
		legal := x.legal()
		if len(legal) == 0 {
			return fmt.Errorf("%s is asked but has nothing legal to do", letter(st.Asked))
		}
		seen := map[engine.Action]bool{}
		for _, a := range legal {
			if seen[a] {
				return fmt.Errorf("offered twice: %s", x.t.action(a))
			}
			seen[a] = true
			if why := x.g.Why(a); why != engine.Legal {
				return fmt.Errorf("offered, but refused because %s: %s", why, x.t.action(a))
			}
		}
		d := x.g.Default()
		d.Card.Face = x.d.face(d.Card.Slot)
		if !seen[d] {
			return fmt.Errorf("the default is not legal: %s", x.t.action(d))
		}
	}
	for i := range st.Players[:st.N] {
		p := &st.Players[i]
		names := map[engine.Kind]bool{}
		for _, c := range p.Play {
			if k := c.Face.Kind(); names[k] {
				return fmt.Errorf("%s has two %s in play", letter(engine.Seat(i)), x.t.kind(k))
			}
			names[c.Face.Kind()] = true
		}
		v := x.g.View(engine.Seat(i), x.d.known[i])
		if r := x.t.kind(engine.Kind(v.Role())); r != x.role(engine.Seat(i), engine.None) {
			return fmt.Errorf("%s takes itself for %s", letter(engine.Seat(i)), r)
		}
		for j, c := range v.Hand() {
			if c.Slot != p.Hand[j].Slot || c.Face != x.d.face(c.Slot) {
				return fmt.Errorf("%s sees %s in its hand, it is %s", letter(engine.Seat(i)), x.t.face(c.Face), x.t.face(x.d.face(c.Slot)))
			}
		}
		for _, c := range p.Hand {
			if f := x.d.seen(engine.Seat(i), c); f != x.d.face(c.Slot) {
				return fmt.Errorf("%s should know its %s in slot %d, but takes it for %s", letter(engine.Seat(i)), x.t.face(x.d.face(c.Slot)), c.Slot, x.t.face(f))
			}
		}
		for _, k := range x.d.known[i] {
			if f, there := x.d.truth[k.Slot]; there && f != k.Face {
				return fmt.Errorf("%s takes slot %d for %s, it is %s", letter(engine.Seat(i)), k.Slot, x.t.face(k.Face), x.t.face(f))
			}
		}
		if p.Status == engine.Out && (len(p.Hand) > 0 || len(p.Play) > 0) && st.Over == engine.NotOver && !x.dying(engine.Seat(i)) {
			return fmt.Errorf("%s is out but has cards", letter(engine.Seat(i)))
		}
		if p.Life > p.Max || p.Life < 1 && p.Status == engine.In && !x.dying(engine.Seat(i)) {
			return fmt.Errorf("%s has life %d/%d", letter(engine.Seat(i)), p.Life, p.Max)
		}
	}
	back, err := engine.DecodeState(st.Encode(nil))
	if err != nil {
		return fmt.Errorf("the encoded state cannot be read: %w", err)
	}
	if back.Hash() != st.Hash() {
		return fmt.Errorf("the state does not survive its encoding")
	}
	return nil
}

// dying says whether an open question is about the last life point or the cards of s.
func (x *run) dying(s engine.Seat) bool {
	return slices.ContainsFunc(x.g.State().Stack, func(f engine.Frame) bool {
		return f.Seat == s && (f.Kind == engine.AtLose || f.Kind == engine.AtDie || f.Kind == engine.AtOrder) || f.Kind == engine.AtInherit
	})
}

// zones calls do with every card of the playing pack.
func zones(st *engine.State, do func(c engine.Card)) {
	for _, z := range [][]engine.Card{st.Deck, st.Discard, st.Table, st.Played} {
		for _, c := range z {
			do(c)
		}
	}
	for i := range st.Players[:st.N] {
		for _, z := range [][]engine.Card{st.Players[i].Hand, st.Players[i].Play} {
			for _, c := range z {
				do(c)
			}
		}
	}
}

// conserved says whether every card is there once, and no face is shown that is not public, or is false.
func (x *run) conserved() (err error) {
	have := map[engine.Face]int{}
	slots := map[engine.Slot]bool{}
	zones(x.g.State(), func(c engine.Card) {
		if slots[c.Slot] {
			err = fmt.Errorf("slot %d lies in two places", c.Slot)
		}
		slots[c.Slot] = true
		f := x.d.face(c.Slot)
		have[f]++
		switch {
		case f == 0:
			err = fmt.Errorf("slot %d holds no card", c.Slot)
		case c.Face != 0 && c.Face != f:
			err = fmt.Errorf("slot %d shows %s, the card is %s", c.Slot, x.t.face(c.Face), x.t.face(f))
		case c.Face != 0 && !x.d.public[c.Slot]:
			err = fmt.Errorf("slot %d shows %s, which not everybody may know", c.Slot, x.t.face(c.Face))
		}
	})
	if err == nil && !maps.Equal(have, x.pack) {
		err = fmt.Errorf("the cards have changed: now %v", diff(x, have))
	}
	return err
}

// diff lists the cards of which there are more or fewer than in the beginning.
func diff(x *run, have map[engine.Face]int) (out []string) {
	for f, n := range x.pack {
		if have[f] != n {
			out = append(out, fmt.Sprintf("%s: %d of %d", x.t.face(f), have[f], n))
		}
	}
	for f, n := range have {
		if x.pack[f] == 0 {
			out = append(out, fmt.Sprintf("%s: %d too many", x.t.face(f), n))
		}
	}
	slices.Sort(out)
	return out
}

// finish checks what must hold at the end of a run: the luck is used up, and a replay ends in the same place.
func (x *run) finish() error {
	s := x.setup
	if len(s.coins) > 0 || len(s.shuffles) > 0 || len(s.remasks) > 0 {
		return fmt.Errorf("never used: coins %v, %d shuffles, %d remasks", s.coins, len(s.shuffles), len(s.remasks))
	}
	g, err := x.start()
	if err != nil {
		return fmt.Errorf("replay: %w", err)
	}
	var events []engine.Event
	for _, in := range x.d.inputs {
		events = append(events, g.Ready().Events...)
		if err := apply(g, in); err != nil {
			return fmt.Errorf("replay: %w", err)
		}
	}
	events = append(events, g.Ready().Events...)
	if g.State().Hash() != x.g.State().Hash() {
		return fmt.Errorf("a replay ends in another state")
	}
	if len(events)+len(x.d.events) > 0 && !reflect.DeepEqual(events, x.d.events) {
		return fmt.Errorf("a replay has another log")
	}
	return nil
}
