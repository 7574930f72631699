package enginetest

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"standoff/engine"
	"standoff/engine/base"
)

var rewrite = flag.Bool("rewrite", false, "write the = lines of scripts as they come out")

// run is one variant being run.
type run struct {
	setup *setup
	start func() (*engine.Game, error)
	g     *engine.Game
	d     *dealer
	t     text
	pack  map[engine.Face]int // the playing cards at the start
}

// compile makes the rules of a position, with the neutral character, and of a whole game.
func compile(sets []engine.Set) ([2]*engine.Rules, error) {
	sets = append([]engine.Set{base.Set}, sets...)
	plain, err := engine.Compile(sets...)
	if err != nil {
		return [2]*engine.Rules{}, err
	}
	with, err := engine.Compile(append(sets, Neutral)...)
	return [2]*engine.Rules{with, plain}, err
}

// Run runs all variants of s as subtests of t, one after the other.
func (s Script) Run(t *testing.T) {
	flows := map[string][]string{}
	fixed := map[int]string{}
	for _, r := range s.Runs {
		one := func(t *testing.T) {
			for _, err := range s.try(r, flows, fixed) {
				t.Error(err)
			}
		}
		if r.Name == "" {
			one(t)
		} else {
			t.Run(strings.ReplaceAll(r.Name, " ", "_"), one)
		}
	}
	if *rewrite && len(fixed) > 0 {
		if err := s.write(fixed); err != nil {
			t.Error(err)
		}
	}
}

// try runs one variant and says what is wrong. An expectation that does not hold lets it go on, everything else ends
// it. What an onlooker has seen goes into flows, under -rewrite the corrected lines into fixed.
func (s Script) try(r Run, flows map[string][]string, fixed map[int]string) (wrong []error) {
	x := &run{}
	at := func(l Line, err error) error { return fmt.Errorf("%s:%d: %s: %w", s.File, l.No, l.Text, err) }
	begun := false
	for _, l := range r.Lines {
		if !begun && !l.setup() {
			if err := x.begin(r.Lines, s.boxes); err != nil {
				return append(wrong, at(l, err))
			}
			begun = true
		}
		err := x.line(l, begun, flows)
		var differ *differError
		switch {
		case err == nil:
		case errors.As(err, &differ) && *rewrite:
			fixed[l.No] = "= " + differ.got
		case errors.As(err, &differ):
			wrong = append(wrong, at(l, err))
		default:
			return append(wrong, at(l, err))
		}
	}
	if !begun {
		return append(wrong, fmt.Errorf("%s: %s: nothing is done and nothing expected", s.File, r.Name))
	}
	flows[r.Name] = x.d.flow
	if err := x.finish(); err != nil {
		wrong = append(wrong, fmt.Errorf("%s: %s: %w", s.File, r.Name, err))
	}
	return wrong
}

// differError says that an expectation does not hold.
type differError struct{ want, got string }

func (e *differError) Error() string { return fmt.Sprintf("\nwant %s\n got %s", e.want, e.got) }

// line does what one line says.
func (x *run) line(l Line, begun bool, flows map[string][]string) error {
	switch {
	case l.setup():
		if begun {
			return errors.New("a setup line after the first action")
		}
		return nil
	case strings.HasPrefix(l.Text, ">!"):
		return x.refuse(strings.TrimSpace(l.Text[2:]))
	case strings.HasPrefix(l.Text, ">"):
		for a := range strings.SplitSeq(l.Text[1:], ";") {
			if err := x.act(a); err != nil {
				return err
			}
		}
		return nil
	case strings.HasPrefix(l.Text, "="):
		want, got, err := x.expect(strings.TrimSpace(l.Text[1:]))
		if err == nil && want != got {
			return &differError{want, got}
		}
		return err
	}
	return x.same(l.Text, flows)
}

// begin sets up the position or begins the game, as the setup lines say.
func (x *run) begin(lines []Line, boxes func() ([2]*engine.Rules, error)) error {
	if boxes == nil {
		boxes = func() ([2]*engine.Rules, error) { return compile(nil) }
	}
	rules, err := boxes()
	if err != nil {
		return err
	}
	r := rules[0]
	s := &setup{rest: true}
	for _, l := range lines {
		if l.Text == "game" {
			r = rules[1]
		}
	}
	for _, l := range lines {
		if !l.setup() {
			break
		}
		if err := s.read(r, l.Text); err != nil {
			return fmt.Errorf("line %d: %w", l.No, err)
		}
	}
	if err := s.fill(r); err != nil {
		return err
	}
	x.setup = s
	x.d = &dealer{setup: s, whole: s.game, truth: map[engine.Slot]engine.Face{}, bags: map[engine.Slot]*bag{}, public: map[engine.Slot]bool{}}
	if s.game {
		x.start = func() (*engine.Game, error) {
			return engine.New(r, engine.Setup{Seats: len(s.seats), Options: s.options, Former: s.former})
		}
	} else {
		st, truth, err := s.state(r)
		if err != nil {
			return err
		}
		x.d.truth = truth
		x.start = func() (*engine.Game, error) { return engine.FromState(r, st) }
		for i := range st.Players[:st.N] {
			p := &st.Players[i]
			if p.Role != engine.NoRole {
				x.d.public[p.RoleSlot] = true
			}
			x.d.known[i].Learn(p.RoleSlot, truth[p.RoleSlot])
			for _, c := range p.Hand {
				x.d.known[i].Learn(c.Slot, truth[c.Slot])
			}
		}
		zones(&st, func(c engine.Card) {
			if c.Face != 0 {
				x.d.public[c.Slot] = true
			}
		})
	}
	if x.g, err = x.start(); err != nil {
		return err
	}
	x.d.g = x.g
	x.t = text{r, x.d}
	if s.game {
		for _, p := range x.g.Packs() {
			for i, f := range p.Faces {
				x.d.truth[p.First+engine.Slot(i)] = f
				x.d.public[p.First+engine.Slot(i)] = true
			}
		}
	}
	x.pack = map[engine.Face]int{}
	for _, f := range x.d.truth {
		if row := r.Row(f.Kind()); row.Colour >= engine.Brown && row.Colour <= engine.Green {
			x.pack[f]++
		}
	}
	x.d.meanwhile = func() error { return x.meanwhile(s.meanwhile) }
	if err := x.d.serve(); err != nil {
		return err
	}
	return x.check()
}

// meanwhile tries actions at a moment at which nobody is asked: all must be refused.
func (x *run) meanwhile(actions []string) error {
	for _, a := range actions {
		if err := x.refuse(a); err != nil {
			return err
		}
	}
	return nil
}

// same compares what an onlooker has seen in this run and in an earlier one.
func (x *run) same(line string, flows map[string][]string) error {
	name, here := strings.CutPrefix(line, "same flow to here as ")
	if !here {
		name = strings.TrimPrefix(line, "same flow as ")
	}
	other, ok := flows[name]
	if !ok {
		return fmt.Errorf("no earlier variant is called %q", name)
	}
	if here && len(other) > len(x.d.flow) {
		other = other[:len(x.d.flow)]
	}
	for i := range min(len(other), len(x.d.flow)) {
		if other[i] != x.d.flow[i] {
			return fmt.Errorf("an onlooker can tell them apart at step %d:\n%s\n%s", i, other[i], x.d.flow[i])
		}
	}
	if len(other) != len(x.d.flow) {
		return fmt.Errorf("an onlooker can tell them apart: %d steps, not %d", len(x.d.flow), len(other))
	}
	return nil
}

// write puts the corrected lines into the file.
func (s Script) write(fixed map[int]string) error {
	b, err := os.ReadFile(s.File)
	if err != nil {
		return err
	}
	lines := strings.Split(string(b), "\n")
	for no, text := range fixed {
		lines[no-1] = text
	}
	return os.WriteFile(s.File, []byte(strings.Join(lines, "\n")), 0o644)
}

// Cited lists the rules that scripts name in their titles, in order.
func Cited(scripts []Script) []string {
	var out []string
	for _, s := range scripts {
		out = append(out, s.Rules...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
