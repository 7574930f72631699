package table

import (
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/engine"
)

// TestAway has a row for each thing that can happen to a seat that is away, as the option away says.
func TestAway(t *testing.T) {
	t.Parallel()
	s := lived(t)
	t.Run("engine, defaults", func(t *testing.T) {
		seen := 0
		for g, steps := range s.steps {
			for i := range steps {
				x := &steps[i]
				if gone := s.gone[g]; gone >= 0 && !s.out[g] && x.cur.told.Has(gone) && !x.prev.told.Has(gone) {
					p := x.cur.game.State().Players[x.cur.place(gone)]
					require.True(t, p.Away)
					require.Equal(t, x.prev.game.State().Players[x.cur.place(gone)].Status, p.Status, "it stays")
					require.False(t, p.Expelled)
					seen++
				}
			}
		}
		require.Positive(t, seen)
	})
	t.Run("engine, out", func(t *testing.T) {
		seen := 0
		for g, steps := range s.steps {
			if s.gone[g] < 0 || !s.out[g] {
				continue
			}
			for i := range steps {
				for _, e := range steps[i].cur.events {
					st := steps[i].cur
					if e.Kind != engine.Eliminated || st.seat(e.Seat) != s.gone[g] || !st.told.Has(s.gone[g]) {
						continue
					}
					require.Equal(t, engine.None, e.To, "nobody is rewarded or punished")
					end := steps[len(steps)-1].cur.game.State().Players[e.Seat]
					require.NotEqual(t, engine.NoRole, end.Role, "its role is opened")
					require.Empty(t, end.Hand)
					seen++
				}
			}
		}
		require.Positive(t, seen)
	})
	t.Run("draw", func(t *testing.T) {
		seen := 0
		s.handed(func(before, after *slot, gone int, st *state) {
			if before.Owner != -1 || int(after.Owner) != gone {
				return
			}
			require.Equal(t, before.C, after.C, "no round")
			require.Equal(t, st.members, after.Mask, "custody")
			seen++
		})
		require.Positive(t, seen)
	})
	t.Run("discard, flip, show", func(t *testing.T) {
		each(t, s.away["open of an owner"], func(t *testing.T, v *served) { v.stripped(t, v.prev.members) })
	})
	t.Run("taken at random", func(t *testing.T) {
		// Shuffled by all, a coin by all, then opened, or given to the taker who alone does not strip.
		seen := 0
		for _, steps := range s.steps {
			byNo := map[uint32]openNeed{}
			when := map[uint32]*step{}
			for i := range steps {
				for _, n := range steps[i].prev.needs[:steps[i].ex.needs] {
					byNo[n.No], when[n.No] = n, &steps[i]
				}
			}
			for no, n := range byNo {
				coin, ok := byNo[no+1]
				if n.Kind != engine.Remask || n.Inner || !ok || coin.Kind != engine.Coin || !when[no].prev.away.Has(when[no].prev.seat(n.Owner)) {
					continue
				}
				take, ok := byNo[no+2]
				require.True(t, ok, "the need after the coin had no round")
				require.Contains(t, []engine.NeedKind{engine.Give, engine.Open}, take.Kind)
				require.Len(t, take.Old, 1)
				require.GreaterOrEqual(t, take.Old[0], n.New)
				require.Less(t, int(take.Old[0]), int(n.New)+len(n.Old))
				x := when[no+2]
				require.Equal(t, RoundStrip, x.ex.Kind)
				want := x.prev.members
				if take.Kind == engine.Give {
					want = want.Without(x.prev.seat(take.Seat))
				}
				(&served{step: *x, need: take}).stripped(t, want)
				seen++
			}
		}
		require.Positive(t, seen)
	})
	t.Run("hidden gift or heirloom", func(t *testing.T) {
		var gifts []served
		for _, v := range s.away["give to a seat"] {
			if v.prev.away.Has(v.to()) {
				gifts = append(gifts, v)
			}
		}
		each(t, gifts, func(t *testing.T, v *served) {
			v.by(t, RoundOwn, only(v.owner()))
			v.lies(t, v.need.Old, v.to(), v.prev.members)
		})
	})
	for _, away := range []string{"defaults", "out"} {
		t.Run("private card, "+away, func(t *testing.T) {
			// The two characters among which a seat may choose: it goes before it has chosen. One is taken for it, or its seat
			// is given up; the other stays shut until the keys are shown.
			n := newNetwork(t, seatToys(t, 5, 1290, patient([2]string{"characterChoice", "on"}, [2]string{"away", away})...), 1290, weather{})
			var mine []engine.Slot
			seen := n.onRound
			n.onRound = func(seat int, tbl *Table) {
				if seen != nil {
					seen(seat, tbl)
				}
				st := tbl.st
				if seat != 0 || st.stage != atPlay || len(mine) > 0 {
					return
				}
				for k := range st.slots {
					if sl := &st.slots[k]; sl.Pile == engine.CharacterPile && sl.Owner == 3 && sl.Card == hidden {
						mine = append(mine, sl.ID)
					}
				}
				if len(mine) < 2 {
					mine = nil
					return
				}
				n.cut[3] = true
			}
			n.run()
			require.Len(t, mine, 2)
			require.Equal(t, Finished, n.tables[0].end.Result)
			r, err := n.open(n.tables[0].Transcript())
			require.NoError(t, err)
			open := map[engine.Slot]bool{}
			for more := true; more; {
				more, err = r.Round()
				require.NoError(t, err)
				for _, id := range mine {
					if sl := r.st.slot(id); sl != nil && sl.Card != hidden {
						open[id] = true
					}
				}
			}
			require.LessOrEqual(t, len(open), 1, "both were opened")
		})
	}
}

// handed calls f for each hidden slot that changed hands between two states while a seat was away, without a new cipher or
// with one.
func (s *scene) handed(f func(before, after *slot, gone int, st *state)) {
	for g, steps := range s.steps {
		for i := range steps {
			x := &steps[i]
			if k, _ := x.prev.repair(); s.gone[g] < 0 || k != 0 || !x.prev.away.Has(s.gone[g]) || x.prev.members != x.cur.members || x.prev.packs == nil {
				continue
			}
			for k := range x.prev.slots {
				before := &x.prev.slots[k]
				after := x.cur.slot(before.ID)
				if after != nil && before.Card == hidden && after.Card == hidden && before.Owner != after.Owner {
					f(before, after, s.gone[g], x.cur)
				}
			}
		}
	}
}
