package engine_test

import (
	"bytes"
	"testing"

	"standoff/engine"
	"standoff/engine/base"
)

// table is a position of n seats in phase 2 of seat 0, characters without ability, 4 lives each.
func table(n int) engine.State {
	s := engine.State{N: int8(n), Keeper: 0, First: engine.None, Asked: engine.None, Next: 1}
	for i := range n {
		s.Players[i] = engine.Player{Life: 4, Max: 4}
	}
	s.Players[0].Role = engine.Sheriff
	s.EnterPlay(0)
	return s
}

// place puts a card before a seat.
func place(s *engine.State, seat engine.Seat, k engine.Kind) {
	s.Players[seat].Play = append(s.Players[seat].Play, engine.Card{Slot: s.Next, Face: engine.MakeFace(k, 9, engine.Hearts)})
	s.Next++
}

// The worked table of the rulebook, section 5: distances from A to the others and from the others to A.
func TestDistanceTable(t *testing.T) {
	r := compiled(t)
	const A, B, C, D = 0, 1, 2, 3
	for _, c := range []struct {
		name     string
		set      func(s *engine.State)
		from, to [5]int
	}{
		{"nothing", func(s *engine.State) {}, [5]int{1, 2, 3, 2, 1}, [5]int{1, 2, 3, 2, 1}},
		{"A has Mustang", func(s *engine.State) { place(s, A, base.Mustang) }, [5]int{1, 2, 3, 2, 1}, [5]int{2, 3, 4, 3, 2}},
		{"A has Scope", func(s *engine.State) { place(s, A, base.Scope) }, [5]int{1, 1, 2, 1, 1}, [5]int{1, 2, 3, 2, 1}},
		{"A has Scope, C has Mustang", func(s *engine.State) { place(s, A, base.Scope); place(s, C, base.Mustang) },
			[5]int{1, 2, 2, 1, 1}, [5]int{1, 2, 3, 2, 1}},
		{"A has Scope, B has Mustang", func(s *engine.State) { place(s, A, base.Scope); place(s, B, base.Mustang) },
			[5]int{1, 1, 2, 1, 1}, [5]int{1, 2, 3, 2, 1}},
		{"A is Rose Doolan with Scope", func(s *engine.State) { s.Players[A].Character = base.RoseDoolan; place(s, A, base.Scope) },
			[5]int{1, 1, 1, 1, 1}, [5]int{1, 2, 3, 2, 1}},
		{"A is Paul Regret with Mustang", func(s *engine.State) { s.Players[A].Character = base.PaulRegret; place(s, A, base.Mustang) },
			[5]int{1, 2, 3, 2, 1}, [5]int{3, 4, 5, 4, 3}},
		{"A is Paul Regret, D has Scope", func(s *engine.State) { s.Players[A].Character = base.PaulRegret; place(s, D, base.Scope) },
			[5]int{1, 2, 3, 2, 1}, [5]int{2, 3, 3, 3, 2}},
		{"B eliminated", func(s *engine.State) { s.Players[B].Status = engine.Out }, [5]int{0, 1, 2, 2, 1}, [5]int{0, 1, 2, 2, 1}},
		{"B and C eliminated", func(s *engine.State) { s.Players[B].Status, s.Players[C].Status = engine.Out, engine.Out },
			[5]int{0, 0, 1, 2, 1}, [5]int{0, 0, 1, 2, 1}},
	} {
		s := table(6)
		c.set(&s)
		g, err := engine.FromState(r, s)
		if err != nil {
			t.Fatal(c.name, err)
		}
		for i := range 5 {
			x := engine.Seat(i + 1)
			if got := [2]int{g.Distance(A, x), g.Distance(x, A)}; got != [2]int{c.from[i], c.to[i]} {
				t.Errorf("%s: A to %c and back %v, want %d and %d", c.name, 'A'+x, got, c.from[i], c.to[i])
			}
		}
	}
}

// A state encodes, decodes and hashes as itself, in the middle of a question too; a clone shares nothing.
func TestEncoding(t *testing.T) {
	r := compiled(t)
	s := table(5)
	for i := range 3 {
		s.Players[0].Hand = append(s.Players[0].Hand, engine.Card{Slot: s.Next})
		s.Players[1].Hand = append(s.Players[1].Hand, engine.Card{Slot: s.Next + 1})
		s.Deck = append(s.Deck, engine.Card{Slot: s.Next + 2})
		s.Next += 3
		_ = i
	}
	place(&s, 1, base.Barrel)
	g, err := engine.FromState(r, s)
	if err != nil {
		t.Fatal(err)
	}
	before := g.State().Hash()
	copied := g.Clone()
	shot := engine.Card{Slot: g.State().Players[0].Hand[0].Slot, Face: engine.MakeFace(base.Bang, 2, engine.Diamonds)}
	if err := g.Step(engine.Action{Seat: 0, Verb: engine.Play, As: base.Bang, Card: shot, To: 1}); err != nil {
		t.Fatal(err)
	}
	if copied.State().Hash() != before {
		t.Error("the clone has changed with the game")
	}
	if err := g.Step(engine.Action{Seat: 1, Verb: engine.Flip, To: engine.None}); err != nil {
		t.Fatal(err)
	}
	code := g.State().Encode(nil)
	back, err := engine.DecodeState(code)
	if err != nil || !bytes.Equal(back.Encode(nil), code) || back.Hash() != g.State().Hash() || back.Opening != 1 {
		t.Fatalf("%v, opening %d", err, back.Opening)
	}
	// Resumed in the middle of the flip it asks for the same card and goes on to the same state.
	again, err := engine.FromState(r, back)
	if err != nil {
		t.Fatal(err)
	}
	ready := again.Ready()
	if n := len(ready.Needs); n != 1 || ready.Needs[0].Kind != engine.Open || ready.Needs[0].Old[0] != back.Wanted[0] {
		t.Fatalf("resumed with %+v", ready)
	}
	face := engine.Reply{Faces: []engine.Face{engine.MakeFace(base.Beer, 9, engine.Hearts)}}
	for _, x := range []*engine.Game{g, again} {
		if err := x.Supply(engine.Reply{}); err == nil {
			t.Fatal("a reply without faces is accepted")
		}
		if err := x.Supply(engine.Reply{Faces: []engine.Face{engine.MakeFace(base.Beer, 2, engine.Spades)}}); err == nil {
			t.Fatal("a face that no pack has is accepted")
		}
		if err := x.Supply(face); err != nil {
			t.Fatal(err)
		}
	}
	if g.State().Hash() != again.State().Hash() || g.State().Asked != 0 {
		t.Error("the resumed game went another way")
	}
	for cut := range code {
		if _, err := engine.DecodeState(code[:cut]); err == nil {
			t.Fatalf("%d bytes of %d are decoded", cut, len(code))
		}
	}
	if _, err := engine.DecodeState(append(code, 0)); err == nil {
		t.Error("a byte too many is decoded")
	}
}

// Positions with a shape that no game has are refused.
func TestFromStateRefuses(t *testing.T) {
	r := compiled(t)
	for name, spoil := range map[string]func(s *engine.State){
		"no seats":              func(s *engine.State) { s.N = 0 },
		"too many seats":        func(s *engine.State) { s.N = 9 },
		"no question":           func(s *engine.State) { s.Stack = nil },
		"a seat out of range":   func(s *engine.State) { s.Stack[0].Seat = 6 },
		"an unknown question":   func(s *engine.State) { s.Stack[0].Kind = 200 },
		"a card of no row":      func(s *engine.State) { s.Stack[0].Kind, s.Stack[0].As = engine.AtPlay, 250 },
		"two things at once":    func(s *engine.State) { s.Asked, s.Coin = 0, 2 },
		"a slot twice":          func(s *engine.State) { s.Deck = []engine.Card{{Slot: 1}, {Slot: 1}}; s.Next = 2 },
		"a slot never numbered": func(s *engine.State) { s.Deck = []engine.Card{{Slot: 7}} },
		"a trigger of nobody":   func(s *engine.State) { s.Queue = []engine.Trigger{{Seat: engine.None}} },
	} {
		s := table(5)
		spoil(&s)
		if _, err := engine.FromState(r, s); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
