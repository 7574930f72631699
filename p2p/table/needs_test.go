package table

import (
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/engine"
	"standoff/engine/base"
)

// served is a need of the engine that a round served, or one pass of it.
type served struct {
	step
	need openNeed
	last bool // of its passes
}

// scene is what games of five have shown: needs by their kind, served while all whom they concern were members, and while
// one of them was away.
type scene struct {
	member, away map[string][]served
	steps        [][]step // by game
	gone         []int    // the seat that went, by game; -1: none
	out          []bool   // by game: option away = out
}

var scenes struct {
	sync.Once
	*scene
}

// lived plays games without cryptography until each kind of need has occurred in them in both forms, as far as it can.
func lived(t *testing.T) *scene {
	scenes.Do(func() {
		s := &scene{member: map[string][]served{}, away: map[string][]served{}}
		for seed := uint64(0); seed < 16; seed++ {
			s.play(t, 1200+seed, []engine.Kind{0, base.VultureSam, base.JesseJones, base.VultureSam}[seed%4], seed%8 == 7)
		}
		scenes.scene = s
	})
	require.NotNil(t, scenes.scene)
	return scenes.scene
}

// play plays one game; the seat with a character, or some seat, goes soon after it has begun. 0: nobody goes.
func (s *scene) play(t *testing.T, seed uint64, who engine.Kind, out bool) {
	options := patient([2]string{"characterChoice", "on"})
	if out {
		options = append(options, [2]string{"away", "out"})
	}
	n := newNetwork(t, seatToys(t, 5, seed, options...), seed, weather{})
	n.choose = preferMovers
	gone := -1
	n.at(30, func() {
		if who == 0 {
			return
		}
		gone = int(seed % 5)
		st := n.tables[0].st
		for k := range st.seatAt {
			if st.game.State().Players[k].Character == who {
				gone = st.seat(engine.Seat(k))
			}
		}
		if gone == 0 {
			gone = 1 // seat 0 is looked at
		}
		n.cut[gone] = true
	})
	n.run()
	require.NotNil(t, n.tables[0].end)
	require.Equal(t, Finished, n.tables[0].end.Result)
	r, err := n.open(n.tables[0].Transcript())
	require.NoError(t, err)
	var all []step
	for {
		x := step{prev: r.st, ex: r.st.expect()}
		more, err := r.Round()
		require.NoError(t, err)
		if !more {
			break
		}
		x.cur = r.st
		all = append(all, x)
		if x.prev.stage != atPlay || x.cur.members != x.prev.members {
			continue
		}
		if k, _ := x.prev.repair(); k != 0 {
			continue
		}
		for _, need := range x.prev.needs[:x.ex.needs] {
			if need.Inner {
				continue
			}
			v := served{x, need, !slices.ContainsFunc(x.cur.needs, func(o openNeed) bool { return o.No == need.No })}
			if name := transfer(need); v.concernsAway() {
				s.away[name] = append(s.away[name], v)
			} else {
				s.member[name] = append(s.member[name], v)
			}
		}
	}
	s.steps, s.gone, s.out = append(s.steps, all), append(s.gone, gone), append(s.out, out)
}

func (v *served) owner() int { return v.prev.seat(v.need.Owner) }
func (v *served) to() int    { return v.prev.seat(v.need.Seat) }

func (v *served) concernsAway() bool {
	return v.owner() >= 0 && v.prev.away.Has(v.owner()) || v.to() >= 0 && v.prev.away.Has(v.to())
}

// each requires a row of every occurrence, and that there is one.
func each(t *testing.T, list []served, want func(t *testing.T, v *served)) {
	t.Helper()
	require.NotEmpty(t, list, "it never occurred")
	for i := range list {
		want(t, &list[i])
	}
	t.Logf("%d times", len(list))
}

// by requires the kind of the round and its contributors.
func (v *served) by(t *testing.T, k RoundKind, from Seats) {
	t.Helper()
	require.Equal(t, k, v.ex.Kind, "round %d", v.prev.round)
	require.Equal(t, from, v.ex.From, "round %d", v.prev.round)
}

// stripped requires a round of layers in which the seats take theirs off what the need names.
func (v *served) stripped(t *testing.T, by Seats) {
	t.Helper()
	require.Equal(t, RoundStrip, v.ex.Kind, "round %d", v.prev.round)
	i := slices.IndexFunc(v.prev.needs, func(o openNeed) bool { return o.No == v.need.No })
	var due Seats
	for _, l := range v.prev.layersDue(v.ex.needs) {
		if l.need == i {
			due |= only(l.seat)
		}
	}
	require.Equal(t, by, due, "round %d", v.prev.round)
	require.Equal(t, by, by&v.ex.From, "round %d", v.prev.round)
}

// lies requires where the slots of the need lie after the round: with whom, under whose layers; open if under nobody's.
func (v *served) lies(t *testing.T, ids []engine.Slot, owner int, mask Seats) {
	t.Helper()
	for _, id := range ids {
		s := v.cur.slot(id)
		if s == nil || v.moved(id) {
			continue // the engine went on and it lies somewhere else already
		}
		if mask == 0 {
			require.NotEqual(t, hidden, int(s.Card), "round %d: slot %d is shut", v.prev.round, id)
			continue
		}
		if s.Card != hidden {
			continue // likewise
		}
		require.Equal(t, mask, s.Mask, "round %d: slot %d", v.prev.round, id)
		if mask != v.prev.members { // what lies under all may have changed hands since, for that takes no round
			require.Equal(t, owner, int(s.Owner), "round %d: slot %d", v.prev.round, id)
		}
	}
}

// moved reports whether another need of the round has taken up a slot.
func (v *served) moved(id engine.Slot) bool {
	return slices.ContainsFunc(v.prev.needs[:v.ex.needs], func(o openNeed) bool { return o.No != v.need.No && slices.Contains(o.Old, id) })
}

func (v *served) fresh() (ids []engine.Slot) {
	for i := range v.need.Old {
		ids = append(ids, v.need.New+engine.Slot(i))
	}
	return ids
}

// turns requires that the members mix one after the other, in ascending order, and that what comes out of the last lies
// with owner under all.
func (v *served) turns(t *testing.T, owner int) {
	t.Helper()
	members := v.prev.members.List()
	v.by(t, RoundMix, only(members[v.prev.pass]))
	require.Equal(t, v.prev.pass == len(members)-1, v.last)
	if v.last {
		v.lies(t, v.fresh(), owner, v.prev.members)
	}
}

// TestNeeds has a row for each need of the engine: which rounds serve it while its owner and receiver are members, and
// which when one of them is away.
func TestNeeds(t *testing.T) {
	t.Parallel()
	s := lived(t)
	masked := func(v *served) Seats { // whose layers have to come off
		m := v.need.Mask
		for _, id := range v.need.Old {
			m |= v.prev.slot(id).Mask
		}
		return m & v.prev.members
	}
	rows := []struct {
		name         string
		kind         string
		member, away func(t *testing.T, v *served) // nil: no round serves it
	}{
		{"shuffle", "shuffle", func(t *testing.T, v *served) { v.turns(t, -1) }, nil},
		{"deal", "deal", func(t *testing.T, v *served) {
			v.stripped(t, masked(v).Without(v.to()))
			v.lies(t, v.need.Old, v.to(), only(v.to()))
		}, nil},
		{"open a slot of the deck", "open", func(t *testing.T, v *served) {
			v.stripped(t, masked(v))
			v.lies(t, v.need.Old, -1, 0)
		}, nil},
		{"open a slot of an owner", "open of an owner", func(t *testing.T, v *served) {
			require.Equal(t, only(v.owner()), masked(v), "nobody else has a layer on it")
			v.stripped(t, only(v.owner()))
			v.lies(t, v.need.Old, -1, 0)
		}, func(t *testing.T, v *served) {
			v.stripped(t, v.prev.members)
			v.lies(t, v.need.Old, -1, 0)
		}},
		{"remask", "remask", func(t *testing.T, v *served) {
			v.by(t, RoundOwn, only(v.owner()))
			require.True(t, v.last, "one round")
			v.lies(t, v.fresh(), v.owner(), only(v.owner()))
		}, func(t *testing.T, v *served) { v.turns(t, v.owner()) }},
		{"give to a seat", "give to a seat", func(t *testing.T, v *served) {
			v.by(t, RoundOwn, only(v.owner()))
			require.True(t, v.last)
			v.lies(t, v.need.Old, v.to(), only(v.to()))
		}, func(t *testing.T, v *served) {
			require.True(t, v.last)
			if v.prev.members.Has(v.owner()) { // a gift to the absent: under the key of all
				v.by(t, RoundOwn, only(v.owner()))
				v.lies(t, v.need.Old, v.to(), v.prev.members)
				return
			}
			v.stripped(t, v.prev.members.Without(v.to()))
			v.lies(t, v.need.Old, v.to(), only(v.to()))
		}},
		{"give to the deck", "give to the deck", func(t *testing.T, v *served) {
			v.by(t, RoundOwn, only(v.owner()))
			require.True(t, v.last)
			v.lies(t, v.need.Old, -1, v.prev.members)
		}, nil},
		{"coin", "coin", func(t *testing.T, v *served) {
			v.stripped(t, v.prev.members)
			require.True(t, v.last)
		}, nil},
	}
	for _, r := range rows {
		t.Run(r.name+"/member", func(t *testing.T) { each(t, s.member[r.kind], r.member) })
		t.Run(r.name+"/away", func(t *testing.T) {
			if r.away == nil {
				require.Empty(t, s.away[r.kind], "a round serves it")
				return
			}
			each(t, s.away[r.kind], r.away)
		})
	}
	t.Run("decision", func(t *testing.T) {
		asked, defaults := 0, 0
		for g := range s.steps {
			for i := range s.steps[g] {
				x := &s.steps[g][i]
				if x.ex.Kind == RoundAct {
					require.True(t, x.ex.From.Has(x.ex.Asked))
					require.True(t, x.prev.members.Has(x.ex.Asked), "no round asks who is away")
					asked++
				}
				for _, d := range x.cur.byDefault {
					if x.cur.away.Has(int(d)) {
						require.Equal(t, s.gone[g], int(d))
						defaults++
					}
				}
			}
		}
		require.Positive(t, asked)
		require.Positive(t, defaults)
	})
	// Owner and receiver away, a hidden card given back to the deck, a card dealt to the absent: no layer comes off, so no
	// round is needed. On a state of one of the games, with the need put first.
	absent := func(t *testing.T) (*state, *slot, int) {
		for g, steps := range s.steps {
			for i := range steps {
				st, gone := steps[i].cur, s.gone[g]
				if k, _ := st.repair(); gone < 0 || k != 0 || st.stage != atPlay || !st.away.Has(gone) {
					continue
				}
				for k := range st.slots {
					if sl := &st.slots[k]; sl.Card == hidden && int(sl.Owner) == gone && sl.Pile == engine.PlayingPile {
						c := st.clone()
						return c, c.slot(sl.ID), gone
					}
				}
			}
		}
		t.Fatal("no seat that is away has a card")
		return nil, nil, 0
	}
	for name, need := range map[string]func(st *state, sl *slot, gone int) engine.Need{
		"deal": func(st *state, sl *slot, gone int) engine.Need {
			sl.Owner = -1
			return engine.Need{Kind: engine.Deal, Seat: st.place(gone), Owner: engine.None, Old: []engine.Slot{sl.ID}}
		},
		"give to the deck": func(st *state, sl *slot, gone int) engine.Need {
			return engine.Need{Kind: engine.Give, Seat: engine.None, Owner: st.place(gone), Old: []engine.Slot{sl.ID}}
		},
	} {
		t.Run(name+"/away/no round", func(t *testing.T) {
			st, sl, gone := absent(t)
			id, mask, c, to := sl.ID, sl.Mask, sl.C, map[string]int{"deal": gone, "give to the deck": -1}[name]
			require.Equal(t, st.members, mask, "in the custody of all")
			st.needs = []openNeed{{Need: need(st, sl, gone), No: st.count}}
			_, err := st.serveFree()
			require.NoError(t, err)
			require.Empty(t, st.needs)
			after := st.slot(id)
			require.Equal(t, to, int(after.Owner))
			require.Equal(t, mask, after.Mask)
			require.Equal(t, c, after.C)
		})
	}
	t.Run("find", func(t *testing.T) {
		// Only an owner that has said which face it shows is asked for it, so no game has one of a seat that is away.
		for g, steps := range s.steps {
			for i := range steps {
				for _, n := range steps[i].prev.needs {
					require.False(t, n.Kind == engine.Find && steps[i].prev.away.Has(steps[i].prev.seat(n.Owner)), "game %d", g)
				}
			}
		}
		// The basic box has none, so a hand that is to be remasked is asked instead: the owner alone contributes the layer of
		// the one slot that shows the face, and no other card will do.
		g := recorded(t)
		x := g.find(t, "remask of a hand of two", func(s *step) bool {
			n, ok := s.serves("remask")
			return ok && s.ex.needs == 1 && len(s.prev.hiddenOf(n)) > 1
		})
		remask := x.prev.needs[0]
		owner := x.prev.seat(remask.Owner)
		me := g.party(x, owner)
		ids := x.prev.hiddenOf(remask)
		st := x.prev.clone()
		find := func(f engine.Face) (any, error) {
			need := engine.Need{Kind: engine.Find, Seat: remask.Owner, Owner: remask.Owner, Old: remask.Old, Pile: remask.Pile, Face: f}
			st.needs = []openNeed{{Need: need, No: st.count}}
			return speakOwn(st, st.expect(), st.at(owner, st.expect()), me)
		}
		face := me.known.Face(ids[1])
		body, err := find(face)
		require.NoError(t, err)
		ex := st.expect()
		require.Equal(t, RoundOwn, ex.Kind)
		require.Equal(t, only(owner), ex.From)
		p, wrong := st.read(ex, owner, sayOf(RoundOwn, body))
		require.Nil(t, wrong)
		require.Len(t, p.checks, 1)
		_, err = st.suite.VerifyAll(p.checks)
		require.NoError(t, err)
		after := st.clone()
		_, wrong = after.applyOwn(after.needs[0], body.(ownPart).Needs[0], st.at(owner, ex))
		require.Nil(t, wrong)
		found := remask.Old[body.(ownPart).Needs[0].Index]
		require.Equal(t, face, after.faces([]engine.Slot{found})[0])
		for _, id := range ids {
			if id != found {
				require.Equal(t, *st.slot(id), *after.slot(id), "no other card is touched")
			}
		}
		_, err = find(engine.Face(0xffff))
		require.Error(t, err, "the face is not in the hand")
		_, wrong = st.read(ex, owner, sayOf(RoundOwn, body))
		require.NotNil(t, wrong, "another card than the one asked for")
		require.Equal(t, FaultIllegal, wrong.Kind)
	})
}
