package table

import (
	"crypto/ed25519"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/engine"
)

// again makes the seating of a rematch of the players keys with the facts former.
func again(t *testing.T, suite Suite, keys []ed25519.PrivateKey, former *Former, seed uint64, options ...[2]string) seating {
	t.Helper()
	rules, err := rulesOf([]string{"base"})
	require.NoError(t, err)
	choices := DefaultChoices()
	for _, o := range options {
		require.NoError(t, choices.Set(rules, o[0], o[1]))
	}
	rng := source(seed, 99)
	offer, err := SignOffer(suite, Offer{Rules: RulesVersion, Sets: []string{"base"}, Options: choices.List(rules),
		Seats: uint8(len(keys)), Former: former}, keys[0], rng)
	require.NoError(t, err)
	_, id, err := ReadOffer(suite, offer)
	require.NoError(t, err)
	var joins [][]byte
	for _, k := range keys {
		j, err := SignJoin(suite, id, "P", true, k, rng)
		require.NoError(t, err)
		joins = append(joins, j)
	}
	raw, err := SignRoster(suite, offer, joins, keys[0])
	require.NoError(t, err)
	r, err := ReadRoster(suite, raw)
	require.NoError(t, err)
	s := seating{keys: make([]ed25519.PrivateKey, len(keys)), roster: raw, suite: suite}
	for _, k := range keys {
		s.keys[r.SeatOf(k.Public().(ed25519.PublicKey))] = k
	}
	return s
}

// A rematch: the same places, the survivors are asked first and keep their characters, the Sheriff moves on by the
// option, and the transcript verifies by itself.
func TestARematchTakesOverPlacesAndCharacters(t *testing.T) {
	s := seatToys(t, 4, 31)
	n := newNetwork(t, s, 31, weather{})
	n.run()
	former := n.tables[0].Former()
	require.NotNil(t, former)
	require.Equal(t, n.tables[0].st.roster.Table, former.Table)
	for _, tbl := range n.tables {
		require.Equal(t, former, tbl.Former(), "all say the same of the game before")
	}
	was := n.tables[0].st.seatAt

	m := newNetwork(t, again(t, s.suite, s.keys, former, 32, [2]string{"sheriffRotation", "on"}), 32, weather{})
	asked := map[engine.Seat]bool{}
	m.choose = func(v engine.View, legal []engine.Action) (engine.Action, bool) {
		if v.Ask().On.Kind != engine.AtSetup {
			return engine.Action{}, false
		}
		asked[v.Seat] = true
		return legal[0], true
	}
	m.run()
	for p, c := range former.Characters {
		tbl := m.tables[0]
		require.Equal(t, s.keys[was[p]].Public(), ed25519.PublicKey(tbl.st.roster.Joins[tbl.st.seatAt[p]].Key), "place %d", p)
		require.Equal(t, c != 0, asked[engine.Seat(p)], "only who was alive is asked")
		if c != 0 {
			require.Equal(t, c, tbl.st.game.State().Players[p].Character)
		}
	}
	require.Equal(t, engine.Sheriff, m.tables[0].st.game.State().Players[(former.Sheriff+1)%4].Role)
	rep, err := m.verify(m.tables[0].Transcript())
	require.NoError(t, err)
	require.Equal(t, Finished, rep.Result)
}

// With somebody new the places are drawn anew, and characters go with the players, not with the places.
func TestAFormerGameOfOtherPlayers(t *testing.T) {
	r := &Roster{Offer: Offer{Former: &Former{Keys: [][]byte{{1}, {2}, {3}, {4}}, Characters: []engine.Kind{40, 0, 41, 0}, Sheriff: 2}},
		Joins: []Join{{Key: []byte{1}}, {Key: []byte{3}}, {Key: []byte{5}}, {Key: []byte{2}}}}
	e := r.former([]int8{2, 1, 0, 3})
	require.Equal(t, engine.Former{Characters: [8]engine.Kind{1: 41, 2: 40}, Alive: [8]bool{1: true, 2: true}, Sheriff: 1}, *e)
	require.Equal(t, places(4, []byte("x")), r.seating([]byte("x")))
	r.Joins[2].Key = []byte{4}
	require.Equal(t, []int8{0, 3, 1, 2}, r.seating([]byte("x")))
}

func TestFalseFactsOfAFormerGame(t *testing.T) {
	key := func(i byte) []byte { k := make([]byte, 32); k[0] = i; return k }
	good := func() *Former {
		return &Former{Keys: [][]byte{key(1), key(2), key(3)}, Characters: []engine.Kind{40, 0, 41}, Sheriff: 1}
	}
	require.NoError(t, good().check())
	rules, err := rulesOf([]string{"base"})
	require.NoError(t, err)
	require.NoError(t, good().known(rules))
	for name, spoil := range map[string]func(*Former){
		"two players only":         func(f *Former) { f.Keys, f.Characters = f.Keys[:2], f.Characters[:2] },
		"a character less":         func(f *Former) { f.Characters = f.Characters[:2] },
		"one key twice":            func(f *Former) { f.Keys[2] = key(1) },
		"a short key":              func(f *Former) { f.Keys[2] = []byte{3} },
		"one character twice":      func(f *Former) { f.Characters[1] = 40 },
		"a Sheriff without a seat": func(f *Former) { f.Sheriff = 3 },
	} {
		f := good()
		spoil(f)
		require.Error(t, f.check(), name)
	}
	f := good()
	f.Characters[0] = 16 // a playing card
	require.NoError(t, f.check())
	require.Error(t, f.known(rules))
}
