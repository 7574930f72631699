package table

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/engine"
)

// publication is one layer that a seat has published: x·base.
type publication struct {
	seat int
	base Point
}

// layersSaid lists what one say publishes, worked out from the needs and the cards shown alone: what rule R allows.
// Every layer is checked to be what it should be, with the secrets that nobody at the table has.
func (g *recording) layersSaid(t *testing.T, s *step, e Envelope) []publication {
	t.Helper()
	seat, st := int(e.Seat), s.prev
	var bases, layers []Point
	switch s.ex.Kind {
	case RoundStrip:
		layers = partOf[stripPart](t, e).Layers
		off := map[engine.Slot]bool{}
		for _, n := range st.needs[:s.ex.needs] {
			switch n.Kind {
			case engine.Coin:
				require.True(t, n.Mask.Has(seat))
				bases = append(bases, n.Coin)
				continue
			case engine.Deal, engine.Open:
			default:
				t.Fatalf("a strip round serves %v", n.Kind)
			}
			for _, id := range n.Old {
				sl := st.slot(id)
				if sl.Card != hidden || !sl.Mask.Has(seat) || off[id] || n.Kind == engine.Deal && st.seat(n.Seat) == seat {
					continue
				}
				require.False(t, n.Owner != engine.None && st.seat(n.Owner) != seat, "a layer on another's card")
				off[id] = true
				bases = append(bases, sl.C.C1)
			}
		}
	case RoundAct:
		b := partOf[actPart](t, e)
		layers = b.Layers
		for i, id := range []engine.Slot{b.Card, b.With} {
			if id == 0 || i == 1 && id == b.Card {
				continue
			}
			if sl := st.slot(id); sl.Card == hidden {
				require.Equal(t, seat, s.ex.Asked)
				require.Equal(t, seat, int(sl.Owner), "a card is shown by its owner only")
				bases = append(bases, sl.C.C1)
			}
		}
	case RoundOwn:
		for _, n := range partOf[ownPart](t, e).Needs {
			require.Empty(t, n.Layer, "remasking and giving publish no layer")
		}
	}
	require.Len(t, layers, len(bases), "round %d (%v): seat %d", st.round, s.ex.Kind, seat)
	var all []publication
	for i, b := range bases {
		require.Equal(t, Point{}, st.suite.Read(g.net.tables[seat].me.x, Cipher{C1: b, C2: layers[i]}), "the layer is not x·c1")
		all = append(all, publication{seat, b})
	}
	return all
}

func attackOracle(t *testing.T) {
	g := recorded(t)
	t.Run("rule R through a whole game", func(t *testing.T) {
		published := map[publication]int{}
		type version struct {
			id   engine.Slot
			c1   Point
			mask Seats // what is on it when it first lies there
		}
		versions := map[Point]version{}
		opened := map[engine.Slot]bool{}
		for i := range g.steps {
			s := &g.steps[i]
			for _, e := range s.says {
				for _, p := range g.layersSaid(t, s, e) {
					before, twice := published[p]
					require.False(t, twice, "seat %d publishes one layer in rounds %d and %d", p.seat, before, i)
					published[p] = i
				}
			}
			c1 := map[Point]engine.Slot{}
			for _, sl := range s.cur.slots {
				if sl.Card != hidden {
					opened[sl.ID] = true
					continue
				}
				other, shared := c1[sl.C.C1]
				require.False(t, shared, "slots %d and %d share c1 after round %d", sl.ID, other, i)
				c1[sl.C.C1] = sl.ID
				for _, seat := range sl.Mask.List() {
					_, out := published[publication{seat, sl.C.C1}]
					require.False(t, out, "slot %d: the layer of seat %d counts as on it and is published", sl.ID, seat)
				}
				if v, ok := versions[sl.C.C1]; ok {
					require.Equal(t, v.id, sl.ID, "c1 comes back under another slot")
				} else {
					versions[sl.C.C1] = version{sl.ID, sl.C.C1, sl.Mask}
				}
			}
		}
		require.Greater(t, len(versions), 100)
		readable := 0
		for _, v := range versions {
			all := true
			for _, seat := range v.mask.List() {
				if _, out := published[publication{seat, v.c1}]; !out {
					all = false
				}
			}
			if all {
				readable++
				require.True(t, opened[v.id], "everybody can read slot %d, which was never opened", v.id)
			}
		}
		require.Positive(t, readable)
	})
	t.Run("c1 reuse", func(t *testing.T) {
		s := g.find(t, "reshuffle", func(s *step) bool {
			return s.ex.Kind == RoundMix && s.prev.pass == 0 && s.prev.round > 30
		})
		seat := s.ex.From.List()[0]
		foreign := s.prev.slots[slices.IndexFunc(s.prev.slots, func(x slot) bool {
			return x.Card == hidden && x.Owner >= 0 && int(x.Owner) != seat
		})].C.C1
		for what, change := range map[string]func(out []Cipher){
			"within the pile":            func(out []Cipher) { out[1].C1 = out[0].C1 },
			"with a card in a hand":      func(out []Cipher) { out[1].C1 = foreign },
			"a whole card of the hand":   func(out []Cipher) { out[0] = s.prev.slots[len(s.prev.slots)-1].C },
			"c1 the identity, no secret": func(out []Cipher) { out[0].C1 = Point{} },
		} {
			b := partOf[mixPart](t, s.says[0])
			change(b.Piles[0].Out)
			_, wrong := s.prev.read(s.ex, seat, sayOf(RoundMix, b))
			require.NotNil(t, wrong, what)
			g.convicts(t, s, seat, FaultShuffle, g.say(s.prev, seat, b))
		}
		t.Run("between two piles of one say", func(t *testing.T) {
			s := g.find(t, "first mix", func(s *step) bool { return s.ex.Kind == RoundMix })
			b := partOf[mixPart](t, s.says[0])
			b.Piles[0].Out[0].C1 = b.Piles[1].Out[0].C1
			_, wrong := s.prev.read(s.ex, int(s.says[0].Seat), sayOf(RoundMix, b))
			require.NotNil(t, wrong, "two piles share c1")
			require.ErrorContains(t, wrong, "one randomness")
		})
		for _, kind := range []string{"remask", "give to a seat", "give to the deck"} {
			s := g.find(t, kind, func(s *step) bool { _, ok := s.serves(kind); return ok })
			seat := s.ex.From.List()[0]
			b := partOf[ownPart](t, s.says[0])
			i := slices.IndexFunc(s.prev.needs[:s.ex.needs], func(n openNeed) bool { return transfer(n) == kind })
			other := slices.IndexFunc(s.prev.slots, func(x slot) bool { return x.Card == hidden && int(x.Owner) != seat })
			b.Needs[i].Out[0].C1 = s.prev.slots[other].C.C1
			_, wrong := s.prev.read(s.ex, seat, sayOf(RoundOwn, b))
			require.NotNil(t, wrong, kind)
			require.ErrorContains(t, wrong, "one randomness", kind)
			g.convicts(t, s, seat, FaultShape, g.say(s.prev, seat, b))
		}
	})
}

// truth is which card lies in every slot, from the keys of all.
type truth struct {
	t     testing.TB
	key   []Secret // by seat
	known map[Cipher]int16
}

func (g *recording) truth(t testing.TB) *truth {
	tr := &truth{t: t, known: map[Cipher]int16{}}
	for _, tbl := range g.net.tables {
		tr.key = append(tr.key, tbl.me.x)
	}
	return tr
}

// number is the physical card in a slot of st.
func (tr *truth) number(st *state, s *slot) int16 {
	if s.Card != hidden {
		return s.Card
	}
	if n, ok := tr.known[s.C]; ok {
		return n
	}
	m := s.C
	for _, seat := range s.Mask.List() {
		m.C2 = st.suite.Read(tr.key[seat], m)
	}
	card, ok := st.packs.card[m.C2]
	require.True(tr.t, ok, "slot %d holds no card", s.ID)
	tr.known[s.C] = card
	return card
}

func attackStartList(t *testing.T) {
	g := recorded(t)
	t.Run("the cards of a game", func(t *testing.T) {
		tr := g.truth(t)
		checked := 0
		for i := range g.steps {
			st := g.steps[i].cur
			if st.packs == nil {
				continue
			}
			var at [engine.ShopPile + 1]map[int16]engine.Slot
			for k := range st.slots {
				s := &st.slots[k]
				if at[s.Pile] == nil {
					at[s.Pile] = map[int16]engine.Slot{}
				}
				n := tr.number(st, s)
				other, twice := at[s.Pile][n]
				require.False(t, twice, "after round %d slots %d and %d hold one card", st.round-1, other, s.ID)
				at[s.Pile][n] = s.ID
			}
			for p, faces := range st.packs.face {
				require.Len(t, at[p], len(faces), "after round %d the cards of pile %d are not all there", st.round-1, p)
			}
			checked++
		}
		require.Greater(t, checked, 100)
	})
	// A say of a mix holds outputs and a proof, never inputs: everybody takes those from the state.
	forge := func(s *step, pile int, change func(in []Cipher) []Cipher) {
		t.Helper()
		seat, st := s.ex.From.List()[0], s.prev
		me, n := g.party(s, seat), st.needs[pile]
		b := partOf[mixPart](t, s.says[0])
		in := change(slices.Clone(st.mixInput(pile)))
		out, proof, err := st.suite.Shuffle(me.rand, mixPlace(st.at(seat, s.ex), n), uint8(n.Pile), st.joint,
			slotIDs(n.Old), fresh(n.New, len(n.Old)), in)
		require.NoError(t, err)
		b.Piles[pile] = mixedPile{Out: out, Proof: proof}
		g.convicts(t, s, seat, FaultShuffle, g.say(st, seat, b))
	}
	first := g.find(t, "first pass", func(s *step) bool { return s.ex.Kind == RoundMix && s.prev.pass == 0 })
	last := g.find(t, "last pass", func(s *step) bool { return s.ex.Kind == RoundMix && s.prev.pass == 3 })
	again := g.find(t, "reshuffle", func(s *step) bool { return s.ex.Kind == RoundMix && s.prev.round > 30 })
	for what, change := range map[string]func(st *state) func(in []Cipher) []Cipher{
		"a card twice, another missing": func(*state) func(in []Cipher) []Cipher {
			return func(in []Cipher) []Cipher { in[1] = in[0]; return in }
		},
		"a card that is not in the pack": func(st *state) func(in []Cipher) []Cipher {
			return func(in []Cipher) []Cipher {
				in[0] = st.suite.Trivial(st.suite.CardPoint(uint8(engine.PlayingPile), 250), st.joint)
				return in
			}
		},
		"another order": func(*state) func(in []Cipher) []Cipher {
			return func(in []Cipher) []Cipher { in[0], in[1] = in[1], in[0]; return in }
		},
	} {
		t.Run(what, func(t *testing.T) {
			for _, s := range []*step{first, last, again} {
				forge(s, s.ex.needs-1, change(s.prev))
			}
		})
	}
	t.Run("the pass before left out", func(t *testing.T) {
		forge(last, 0, func([]Cipher) []Cipher {
			var in []Cipher
			for _, id := range last.prev.needs[0].Old {
				in = append(in, last.prev.input(last.prev.slot(id), last.prev.joint))
			}
			return in
		})
	})
}

func attackCrossPile(t *testing.T) {
	g := recorded(t)
	s := g.find(t, "first mix", func(s *step) bool { return s.ex.Kind == RoundMix })
	st, seat := s.prev, s.ex.From.List()[0]
	me := g.party(s, seat)
	playing := slices.IndexFunc(st.needs[:s.ex.needs], func(n openNeed) bool { return n.Pile == engine.PlayingPile })
	roles := slices.IndexFunc(st.needs[:s.ex.needs], func(n openNeed) bool { return n.Pile == engine.RolePile })
	require.GreaterOrEqual(t, playing, 0)
	require.GreaterOrEqual(t, roles, 0)
	n := st.needs[playing]
	role := st.suite.Trivial(st.suite.CardPoint(uint8(engine.RolePile), 0), st.joint)
	t.Run("a role card into the playing deck", func(t *testing.T) {
		in := st.mixInput(playing)
		in[7] = role
		out, proof, err := st.suite.Shuffle(me.rand, mixPlace(st.at(seat, s.ex), n), uint8(n.Pile), st.joint, slotIDs(n.Old), fresh(n.New, len(n.Old)), in)
		require.NoError(t, err)
		b := partOf[mixPart](t, s.says[0])
		b.Piles[playing] = mixedPile{Out: out, Proof: proof}
		g.convicts(t, s, seat, FaultShuffle, g.say(st, seat, b))
	})
	t.Run("a role card among the outputs", func(t *testing.T) {
		b := partOf[mixPart](t, s.says[0])
		b.Piles[playing].Out[5].C2 = st.suite.Sum(b.Piles[playing].Out[5].C2,
			st.suite.Minus(st.suite.CardPoint(uint8(engine.RolePile), 0), st.suite.CardPoint(uint8(engine.PlayingPile), 0)))
		g.convicts(t, s, seat, FaultShuffle, g.say(st, seat, b))
	})
	t.Run("two piles exchanged", func(t *testing.T) {
		b := partOf[mixPart](t, s.says[0])
		b.Piles[playing], b.Piles[roles] = b.Piles[roles], b.Piles[playing]
		g.convicts(t, s, seat, FaultShuffle, g.say(st, seat, b))
	})
	t.Run("a pile under another's name", func(t *testing.T) {
		b := partOf[mixPart](t, s.says[0])
		out, proof, err := st.suite.Shuffle(me.rand, mixPlace(st.at(seat, s.ex), n), uint8(engine.RolePile), st.joint, slotIDs(n.Old), fresh(n.New, len(n.Old)), st.mixInput(playing))
		require.NoError(t, err)
		b.Piles[playing] = mixedPile{Out: out, Proof: proof}
		g.convicts(t, s, seat, FaultShuffle, g.say(st, seat, b))
	})
	t.Run("no two cards of any piles are one point", func(t *testing.T) {
		last := g.steps[len(g.steps)-1].cur
		count := 0
		for _, faces := range last.packs.face {
			count += len(faces)
		}
		require.Len(t, last.packs.card, count)
		for _, id := range []engine.Pile{engine.RolePile, engine.CharacterPile} {
			wrong := slot{ID: 1, Pile: engine.PlayingPile, Card: hidden, C: Cipher{C2: st.suite.CardPoint(uint8(id), 0)}}
			require.Error(t, last.reveal(&wrong), "a card of pile %d lies in the playing deck", id)
		}
	})
}
