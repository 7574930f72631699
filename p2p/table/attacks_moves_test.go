package table

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/engine"
)

func attackRetarget(t *testing.T) {
	g := recorded(t)
	for _, kind := range []string{"give to a seat", "give to the deck"} {
		t.Run(kind, func(t *testing.T) {
			s := g.find(t, kind, func(s *step) bool { _, ok := s.serves(kind); return ok })
			n, _ := s.serves(kind)
			i := slices.IndexFunc(s.prev.needs[:s.ex.needs], func(o openNeed) bool { return o.No == n.No })
			seat, st := s.ex.From.List()[0], s.prev
			me, honest := g.party(s, seat), partOf[ownPart](t, s.says[0])
			// the state in which this need is served: a remask of the same say may come before it
			work := st.clone()
			for k, o := range honest.Needs[:i] {
				_, wrong := work.applyOwn(st.needs[k], o, st.at(seat, s.ex))
				require.Nil(t, wrong)
			}
			id := work.hiddenOf(n)[0]
			at := mixPlace(st.at(seat, s.ex), n)
			_, _, target := work.target(n)
			forge := func(what string, fault FaultKind, out Cipher, proof []byte) {
				t.Helper()
				b := partOf[ownPart](t, s.says[0])
				b.Needs[i].Out[0], b.Needs[i].Proofs[0] = out, proof
				f := g.convicts(t, s, seat, fault, g.say(st, seat, b))
				t.Logf("%s: %v", what, f)
			}
			out, proof, err := st.suite.Retarget(me.rand, at, me.x, uint32(id), work.slot(id).C, target)
			require.NoError(t, err)
			plain := st.packs.card[st.suite.Read(me.x, work.slot(id).C)]
			other := st.suite.CardPoint(uint8(n.Pile), uint16(plain+1)%uint16(len(st.packs.face[n.Pile])))
			swapped := out
			swapped.C2 = st.suite.Sum(st.suite.Minus(out.C2, st.suite.CardPoint(uint8(n.Pile), uint16(plain))), other)
			forge("another card of the pack", FaultRetarget, swapped, proof)
			shifted := work.slot(id).C
			shifted.C2 = st.suite.Sum(st.suite.Minus(shifted.C2, st.suite.CardPoint(uint8(n.Pile), uint16(plain))), other)
			out, proof, err = st.suite.Retarget(me.rand, at, me.x, uint32(id), shifted, target)
			require.NoError(t, err)
			forge("a proof for another card", FaultRetarget, out, proof)

			for to := range 4 {
				if st.key(to) == target {
					continue
				}
				out, proof, err = st.suite.Retarget(me.rand, at, me.x, uint32(id), work.slot(id).C, st.key(to))
				require.NoError(t, err)
				forge(fmt.Sprintf("to seat %d, whom the rules do not name", to), FaultRetarget, out, proof)
			}
			thief := g.party(s, (seat+1)%4) // with another's secret the proof is no better
			out, proof, err = st.suite.Retarget(me.rand, at, thief.x, uint32(id), work.slot(id).C, target)
			require.NoError(t, err)
			forge("by the wrong key", FaultRetarget, out, proof)
			k := slices.IndexFunc(work.slots, func(x slot) bool { return x.Card == hidden && x.ID != id && int(x.Owner) != seat })
			out, proof, err = st.suite.Retarget(me.rand, at, me.x, uint32(work.slots[k].ID), work.slots[k].C, target)
			require.NoError(t, err)
			forge("another slot's card", FaultRetarget, out, proof)

			b := partOf[ownPart](t, s.says[0])
			b.Needs[i].Out = append(b.Needs[i].Out, out)
			b.Needs[i].Proofs = append(b.Needs[i].Proofs, proof)
			g.convicts(t, s, seat, FaultShape, g.say(st, seat, b))
			work.slot(id).Owner = int8((seat + 1) % 4)
			work.slot(id).Mask = only((seat + 1) % 4)
			_, wrong := work.applyOwn(n, honest.Needs[i], st.at(seat, s.ex))
			require.NotNil(t, wrong, "a seat gives away what it does not own")
			require.ErrorContains(t, wrong, "not in the possession")
			outsider := (seat + 1) % 4
			_, wrong = st.read(s.ex, outsider, sayOf(RoundOwn, honest))
			require.NotNil(t, wrong, "a seat that is not asked gives cards away")
		})
	}
}

func attackCoin(t *testing.T) {
	g := recorded(t)
	made := map[engine.Slot]int{}      // by which round a Remask made the slot
	points := map[Point]uint32{}       // all coins so far
	published := map[publication]int{} // layers
	takings := 0
	for i := range g.steps {
		s := &g.steps[i]
		for _, n := range s.cur.needs {
			if n.Kind == engine.Coin {
				for seat := range 4 {
					_, out := published[publication{seat, n.Coin}]
					require.False(t, out, "round %d: a layer of a coin that still has to be drawn is out", i)
				}
				require.Equal(t, s.cur.members, n.Mask)
			}
		}
		for _, n := range s.prev.needs[:s.ex.needs] {
			if n.Kind == engine.Remask {
				for k := range n.Old {
					made[n.New+engine.Slot(k)] = i
				}
			}
		}
		for _, e := range s.says {
			for _, p := range g.layersSaid(t, s, e) {
				published[p] = i
			}
		}
		coin, ok := s.serves("coin")
		if !ok {
			continue
		}
		other, twice := points[coin.Coin]
		require.False(t, twice, "coins %d and %d are one", other, coin.No)
		points[coin.Coin] = coin.No
		require.Equal(t, s.prev.members, s.ex.From, "everybody has a part in the coin")
		g.coinIsJoint(t, s, coin)
		// What is taken by this coin lies in a hand that was remasked before anybody knew anything of it.
		taken := slices.IndexFunc(s.cur.needs, func(n openNeed) bool {
			return (n.Kind == engine.Give || n.Kind == engine.Open) && n.Owner != engine.None
		})
		if taken < 0 {
			continue
		}
		takings++
		for _, id := range s.cur.needs[taken].Old {
			at, ok := made[id]
			require.True(t, ok, "round %d: slot %d is taken from a hand that was not remasked", i, id)
			require.Less(t, at, i)
		}
	}
	require.Positive(t, takings, "nothing was taken at random")
	t.Run("steered", func(t *testing.T) {
		s := g.find(t, "coin", func(s *step) bool { n, ok := s.serves("coin"); return ok && n.N > 1 && s.ex.needs == 1 })
		coin, _ := s.serves("coin")
		seat := s.ex.From.List()[3] // the last to speak, who knows the layers of the others
		wrong, st := g.party(s, (seat+1)%4), s.prev
		at := st.at(seat, s.ex)
		layers, proof, err := st.suite.Layers(wrong.rand, at, wrong.x, []uint32{0}, []Point{coin.Coin})
		require.NoError(t, err)
		forged := g.say(st, seat, stripPart{Layers: layers, Proof: proof})
		_, frames, _, err := readFrames(g.file)
		require.NoError(t, err)
		file := fileOf(st.roster.Raw, append(slices.Clone(frames[:s.at+3]), forged)...)
		rep, err := Verify(file, rulesOf)
		require.NoError(t, err)
		require.Len(t, rep.Faults, 1)
		require.Equal(t, seat, rep.Faults[0].Seat)
		require.Equal(t, FaultLayers, rep.Faults[0].Kind)
		// Falling silent does not get another coin either: the point is in the state.
		silent := fileOf(st.roster.Raw, frames[:s.at+3]...)
		r, err := Open(silent, rulesOf)
		require.NoError(t, err)
		for more := true; more; {
			more, err = r.Round()
			require.NoError(t, err)
		}
		require.Equal(t, coin.Coin, r.st.needs[0].Coin)
		require.Equal(t, st.suite.CoinPoint(st.roster.Table, coinRound(g, coin), coin.No), coin.Coin)
	})
}

// coinRound is the round at whose closing a coin was called for.
func coinRound(g *recording, coin openNeed) uint32 {
	for i := range g.steps {
		if slices.ContainsFunc(g.steps[i].cur.needs, func(n openNeed) bool { return n.No == coin.No }) {
			return g.steps[i].prev.round
		}
	}
	return 0
}

// coinIsJoint requires that the coin is the function of all layers that it should be, and that with any one of them
// unknown every outcome is open.
func (g *recording) coinIsJoint(t *testing.T, s *step, coin openNeed) {
	st := s.prev
	layer := func(x Secret) Point {
		l, _, err := st.suite.Layers(source(1, 1), Place{}, x, []uint32{1}, []Point{coin.Coin})
		require.NoError(t, err)
		return l[0]
	}
	var all []Point
	for seat := range 4 {
		all = append(all, layer(g.net.tables[seat].me.x))
	}
	n := st.suite.CoinNumber(st.suite.Sum(all...), int(coin.N))
	require.GreaterOrEqual(t, n, 0)
	require.Less(t, n, int(coin.N))
	for seat := range 4 {
		outcomes := map[int]bool{}
		rng := source(uint64(coin.No), uint64(seat))
		for i := 0; i < 200 && len(outcomes) < int(coin.N); i++ {
			x, err := st.suite.NewSecret(rng)
			require.NoError(t, err)
			others := slices.Clone(all)
			others[seat] = x.Public() // any point: nobody has seen the layer
			outcomes[st.suite.CoinNumber(st.suite.Sum(others...), int(coin.N))] = true
		}
		require.Len(t, outcomes, int(coin.N), "without seat %d the coin is not open", seat)
	}
}

func attackWrongCard(t *testing.T) {
	g := recorded(t)
	t.Run("a decision names slots and no face", func(t *testing.T) {
		s := g.find(t, "card played", func(s *step) bool {
			return s.ex.Kind == RoundAct && len(partOf[actPart](t, s.of(s.ex.Asked)).Layers) == 1
		})
		b := partOf[actPart](t, s.of(s.ex.Asked))
		o := g.observer(t, s, nil)
		_, frames, _, err := readFrames(g.file)
		require.NoError(t, err)
		for i := range s.says {
			require.NoError(t, o.Receive(Bundle(frames[s.at+i])[0]))
		}
		require.Equal(t, hidden, int(o.st.slot(b.Card).Card), "no face before the round is closed")
		for _, p := range Bundle(g.seals(s)...) {
			require.NoError(t, o.Receive(p))
		}
		require.Equal(t, g.truth(t).number(s.prev, s.prev.slot(b.Card)), o.st.slot(b.Card).Card)
	})
	t.Run("a card played as another of its kind", func(t *testing.T) {
		tried := 0
		for i := range g.steps {
			s := &g.steps[i]
			if tried == 3 || s.ex.Kind != RoundAct {
				continue
			}
			b := partOf[actPart](t, s.of(s.ex.Asked))
			if len(b.Layers) != 1 {
				continue
			}
			id := b.Card
			if s.prev.slot(id) == nil || s.prev.slot(id).Card != hidden {
				continue
			}
			sl := s.prev.slot(id)
			faces := s.prev.packs.face[sl.Pile]
			mine := g.truth(t).number(s.prev, sl)
			for k := range faces {
				if int16(k) != mine && faces[k].Kind() == faces[mine].Kind() && faces[k] != faces[mine] {
					b.Layers[0] = s.prev.suite.Minus(sl.C.C2, s.prev.suite.CardPoint(uint8(sl.Pile), uint16(k)))
					f := g.convicts(t, s, s.ex.Asked, FaultLayers, g.say(s.prev, s.ex.Asked, b))
					t.Logf("%v shown as %v: %v", faces[mine], faces[k], f)
					tried++
					break
				}
			}
		}
		require.Equal(t, 3, tried)
	})
	t.Run("a card flipped to one's liking", func(t *testing.T) {
		s := g.find(t, "flip", func(s *step) bool { _, ok := s.serves("open"); return ok && s.ex.needs == 1 && s.prev.round > 25 })
		n, st := s.prev.needs[0], s.prev
		sl := st.slot(n.Old[0])
		mine := g.truth(t).number(st, sl)
		seat := int(s.says[0].Seat)
		b := partOf[stripPart](t, s.says[0])
		wish := uint16(mine+1) % uint16(len(st.packs.face[sl.Pile]))
		b.Layers[0] = st.suite.Minus(st.suite.Sum(b.Layers[0], st.suite.CardPoint(uint8(sl.Pile), uint16(mine))), st.suite.CardPoint(uint8(sl.Pile), wish))
		_, frames, _, err := readFrames(g.file)
		require.NoError(t, err)
		changed := append(slices.Clone(frames[:s.at]), g.say(st, seat, b))
		changed = append(changed, frames[s.at+1:s.at+len(s.says)]...)
		rep, err := Verify(fileOf(st.roster.Raw, changed...), rulesOf)
		require.NoError(t, err)
		require.Len(t, rep.Faults, 1)
		require.Equal(t, seat, rep.Faults[0].Seat)
		require.Equal(t, FaultLayers, rep.Faults[0].Kind)
	})
	t.Run("layers that open to no card", func(t *testing.T) {
		s := g.find(t, "card played", func(s *step) bool {
			return s.ex.Kind == RoundAct && len(partOf[actPart](t, s.of(s.ex.Asked)).Layers) > 0
		})
		b := partOf[actPart](t, s.of(s.ex.Asked))
		shift(s.prev, &b.Layers[0])
		g.convicts(t, s, s.ex.Asked, FaultLayers, g.say(s.prev, s.ex.Asked, b))
	})
}

func attackFalseClaim(t *testing.T) {
	// Whoever says "I have no Missed!" by passing breaks no rule, but cannot hide it: with the keys of the last rounds
	// anybody computes from the transcript alone what every hand held at every moment.
	g := recorded(t)
	end, err := Open(g.file, rulesOf)
	require.NoError(t, err)
	for more := true; more; {
		more, err = end.Round()
		require.NoError(t, err)
	}
	keys := end.Keys()
	for seat := range 4 {
		require.Len(t, keys[seat], 32)
		x, err := end.st.suite.SecretFrom(keys[seat])
		require.NoError(t, err)
		require.Equal(t, end.st.key(seat), x.Public())
	}
	r, err := Open(g.file, rulesOf)
	require.NoError(t, err)
	compared, passes := 0, 0
	for {
		if ex := r.st.expect(); ex.Kind == RoundAct {
			all, err := r.Secrets(keys)
			require.NoError(t, err)
			got := map[engine.Slot]engine.Face{}
			for _, k := range all {
				got[k.Slot] = k.Face
			}
			want := map[engine.Slot]engine.Face{}
			for i := range r.st.slots {
				if s := &r.st.slots[i]; s.Card == hidden && s.Owner >= 0 {
					f := g.known[fmt.Sprint(s.Owner, r.st.round)].Face(s.ID)
					require.NotZero(t, f, "seat %d does not know its own slot %d", s.Owner, s.ID)
					want[s.ID] = f
				}
			}
			require.Equal(t, want, got, "round %d", r.st.round)
			compared++
			passes += len(want)
		}
		more, err := r.Round()
		require.NoError(t, err)
		if !more {
			break
		}
	}
	require.Greater(t, compared, 20)
	require.Greater(t, passes, 200)
	t.Run("a false key", func(t *testing.T) {
		s := g.find(t, "round of keys", func(s *step) bool { return s.ex.Kind == RoundKeys })
		for what, x := range map[string][]byte{
			"another's": g.net.tables[1].me.x.Bytes(), "the share key": g.net.tables[0].me.z.Bytes(),
			"zero": make([]byte, 32), "no scalar": bytesOf(0xff, 32), "none": nil, "31 bytes": make([]byte, 31),
		} {
			f := g.convicts(t, s, 0, FaultKey, g.say(s.prev, 0, keysPart{X: x}))
			t.Logf("%s: %v", what, f)
		}
	})
}
