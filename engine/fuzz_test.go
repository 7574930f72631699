package engine_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"standoff/engine"
)

// FuzzPlay plays a game that the input steers: each byte picks a legal action, or says that bytes follow which are
// an action nobody checked. After every step everything that must hold is checked.
func FuzzPlay(f *testing.F) {
	f.Add(uint64(1), uint8(0), []byte{0, 1, 2, 3, 250, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
	f.Add(uint64(2), uint8(5), []byte("the bandit draws first and the deputy shoots twice at nobody"))
	f.Add(uint64(3), uint8(130), []byte{255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 7, 7, 7, 7, 7, 7, 7, 7})
	f.Add(uint64(4), uint8(71), []byte{240, 8, 3, 16, 1, 1, 1, 0, 0, 0, 255, 0, 200, 100, 50, 25, 12, 6, 3, 1, 0})
	f.Fuzz(func(t *testing.T, seed uint64, table uint8, in []byte) {
		s := &sets[seed%uint64(len(sets))]
		m, err := newMatch(s.rules, s.setup(int(table)), seed)
		must(t, "set-up", err)
		if len(in) > 300 {
			in = in[:300]
		}
		for len(in) > 0 && !m.over() {
			b := in[0]
			in = in[1:]
			if b >= 240 {
				in = m.hostile(t, in)
				continue
			}
			if s := m.ask.May; b >= 232 && len(s) > 0 {
				must(t, "coming in", m.comeIn(s[0]))
			} else {
				legal := m.view().Legal()
				must(t, "a legal action", m.step(legal[int(b)%len(legal)]))
			}
			must(t, "invariant", m.check())
		}
		must(t, "replay", m.replay())
	})
}

// hostile takes an action off the input and puts it to the game. A refusal has its type and changes nothing; what
// is accepted is an action of somebody who may act, with a card that could lie there.
func (m *match) hostile(t testing.TB, in []byte) []byte {
	a, in := m.scramble(in)
	before := m.g.State().Hash()
	c := m.g.Clone()
	if err := c.Step(a); err != nil {
		var illegal *engine.IllegalError
		if !errors.As(err, &illegal) || illegal.Reason == engine.Legal || illegal.Action != a || err.Error() == "" {
			t.Fatalf("%+v is refused with %#v", a, err)
		}
		if c.State().Hash() != before {
			t.Fatalf("%+v was refused and has changed the state", a)
		}
		if m.g.Why(a) != illegal.Reason {
			t.Fatalf("%+v: Why and Step disagree", a)
		}
	} else if a.Seat != m.g.State().Asked && !slices.Contains(m.ask.May, a.Seat) {
		t.Fatalf("seat %d was not asked and acts: %+v", a.Seat, a)
	}
	reply := engine.Reply{N: int8(len(in)), Faces: []engine.Face{a.Card.Face}}
	if c = m.g.Clone(); c.Supply(reply) == nil {
		t.Fatalf("nobody waits for %+v and it is accepted", reply)
	}
	if c.State().Hash() != before || m.g.State().Hash() != before {
		t.Fatal("a refused reply has changed the state")
	}
	return in
}

// scramble makes an action of bytes. Half of them start from a legal one, so that the checks behind the first are
// reached as well.
func (m *match) scramble(in []byte) (engine.Action, []byte) {
	next := func() int {
		if len(in) == 0 {
			return 0
		}
		b := in[0]
		in = in[1:]
		return int(b)
	}
	st := m.g.State()
	slot := func() engine.Slot {
		b := next()
		if b&1 == 0 {
			return engine.Slot(b) * 2
		}
		p := &st.Players[b>>1&7]
		cards := append(slices.Clone(p.Hand), p.Play...)
		if len(cards) == 0 {
			return 0
		}
		return cards[b>>4%len(cards)].Slot
	}
	face := func(s engine.Slot) engine.Face {
		b := next()
		if b&3 != 0 {
			return m.d.Face(s)
		}
		return engine.Face(b)<<8 | engine.Face(next())
	}
	var a engine.Action
	how := next()
	if how&1 != 0 {
		legal := m.view().Legal()
		a = legal[(how>>1)%len(legal)]
	} else {
		how = 0xffff
		a.Seat = st.Asked
	}
	if how&2 != 0 && next()&1 != 0 {
		a.Seat = engine.Seat(int8(next()))
	}
	if how&4 != 0 {
		a.Verb = engine.Verb(next() % 10)
	}
	if how&8 != 0 {
		a.As = engine.Kind(next())
	}
	if how&16 != 0 {
		s := slot()
		a.Card = engine.Card{Slot: s, Face: face(s)}
	}
	if how&32 != 0 {
		a.To = engine.Seat(int8(next())%10) - 1
	}
	if how&64 != 0 {
		a.At = slot()
	}
	if how&128 != 0 {
		switch next() % 4 {
		case 0:
			a.N = int8(next())
		case 1:
			s := slot()
			a.With = engine.Card{Slot: s, Face: face(s)}
		case 2:
			a.Card.Mark = int16(next())
		}
	}
	return a, in
}

// TestAnyPlay lets rapid choose table, options and every action; no seat plays to win, so the games go where bots
// never would.
func TestAnyPlay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &sets[rapid.IntRange(0, len(sets)-1).Draw(t, "boxes")]
		setup := engine.Setup{Seats: rapid.SampledFrom(s.seats).Draw(t, "seats")}
		for _, opt := range s.rules.OptionTable() {
			setup.Options[opt.ID] = uint8(rapid.IntRange(0, len(opt.Values)-1).Draw(t, opt.Name))
		}
		m, err := newMatch(s.rules, setup, rapid.Uint64().Draw(t, "seed"))
		if err != nil {
			t.Fatal(err)
		}
		for i := range rapid.IntRange(0, 120).Draw(t, "steps") {
			if m.over() {
				break
			}
			legal := m.view().Legal()
			if may := m.ask.May; len(may) > 0 && rapid.IntRange(0, 3).Draw(t, "comes in") == 0 {
				err = m.comeIn(may[0])
			} else {
				err = m.step(rapid.SampledFrom(legal).Draw(t, "action"))
			}
			if err == nil {
				err = m.check()
			}
			if err != nil {
				t.Fatalf("step %d: %v", i, err)
			}
		}
		if err := m.replay(); err != nil {
			t.Fatal(err)
		}
	})
}

// TestAway lets seats step away and come back all along; the game goes on with their defaults.
func TestAway(t *testing.T) {
	for seed := range uint64(40) {
		s := &sets[seed/4%uint64(len(sets))]
		m, err := newMatch(s.rules, engine.Setup{Seats: s.seats[int(seed)%len(s.seats)]}, seed)
		must(t, "set-up", err)
		where := fmt.Sprintf("seed %d", seed)
		for !m.over() && m.steps < 400 {
			s := engine.Seat(m.steps % int(m.g.State().N))
			switch {
			case m.steps%5 != 0:
			case m.g.State().Players[s].Away:
				must(t, where, m.g.StepBack(s))
			default:
				must(t, where, m.g.StepAway(s))
			}
			must(t, where, m.serve())
			st := m.g.State()
			legal := m.view().Legal()
			a := legal[(m.steps*7+int(seed))%len(legal)]
			if st.Players[st.Asked].Away {
				a = m.d.Open(m.g.Default())
			}
			must(t, where, m.step(a))
			must(t, where, m.check())
		}
	}
}

// FuzzDecodeState reads any bytes as a State: no panic, and what is read is written as the same bytes again.
func FuzzDecodeState(f *testing.F) {
	for seed := range uint64(3) {
		m, err := newMatch(baseRules, engine.Setup{Seats: 5}, seed)
		must(f, "set-up", err)
		for range 40 * seed {
			legal := m.view().Legal()
			must(f, "step", m.step(legal[0]))
		}
		f.Add(m.g.State().Encode(nil))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		st, err := engine.DecodeState(in)
		if err != nil {
			return
		}
		if out := st.Encode(nil); !slices.Equal(in, out) {
			t.Fatalf("read from %x, written as %x", in, out)
		}
	})
}

// TestNoSecretInState plays games side by side: one with a dealer who knows all cards, and one that is only told
// what everybody is told, the actions with the cards they open and the replies. Their encodings are the same after
// every step, so a State cannot hold a face that was not made public.
func TestNoSecretInState(t *testing.T) {
	for seed := range uint64(12) {
		s := &sets[seed%uint64(len(sets))]
		setup := s.setup(int(seed))
		m, err := newMatch(s.rules, setup, seed)
		must(t, "set-up", err)
		told, err := engine.New(s.rules, setup)
		must(t, "set-up", err)
		for heard := 0; ; {
			for ; heard < len(m.inputs); heard++ {
				switch in := m.inputs[heard]; {
				case in.action != nil:
					err = told.Step(*in.action)
				case in.reply != nil:
					err = told.Supply(*in.reply)
				default:
					err = told.ComeIn(in.comeIn)
				}
				must(t, "told", err)
			}
			if !slices.Equal(m.g.State().Encode(nil), told.State().Encode(nil)) {
				t.Fatalf("seed %d, step %d: the dealer's game knows more than was said", seed, m.steps)
			}
			if m.over() || m.steps > 500 {
				break
			}
			legal := m.view().Legal()
			must(t, "step", m.step(legal[(5*m.steps+int(seed))%len(legal)]))
		}
	}
}
