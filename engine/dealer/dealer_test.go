package dealer_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/engine"
	"standoff/engine/base"
	"standoff/engine/dealer"
)

func game(t *testing.T, seats int) *engine.Game {
	t.Helper()
	r, err := engine.Compile(base.Set)
	require.NoError(t, err)
	g, err := engine.New(r, engine.Setup{Seats: seats})
	require.NoError(t, err)
	return g
}

// The first permutations and numbers of a seed are part of what a seed means: they may never change.
func TestSeeded(t *testing.T) {
	c := dealer.Seeded(0)
	var got []int
	for range 8 {
		n, err := c.Below(100)
		require.NoError(t, err)
		got = append(got, n)
	}
	// SplitMix64 from 0 begins e220a839 7b1dcdaf, 6e789e6a a1b965f4, 06c45d18 8009454f; hundredths of 2^64.
	require.Equal(t, []int{88, 43, 2}, got[:3])
	p := make([]int, 6)
	require.NoError(t, dealer.Seeded(1).Perm(p))
	require.ElementsMatch(t, []int{0, 1, 2, 3, 4, 5}, p)
}

// Every order of three cards comes about as often as every other, and so does every number.
func TestSeededIsEven(t *testing.T) {
	c := dealer.Seeded(7)
	orders, numbers := map[[3]int]int{}, map[int]int{}
	for range 6000 {
		var p [3]int
		require.NoError(t, c.Perm(p[:]))
		orders[p]++
		n, err := c.Below(6)
		require.NoError(t, err)
		numbers[n]++
	}
	require.Len(t, orders, 6)
	require.Len(t, numbers, 6)
	for o, n := range orders {
		require.InDelta(t, 1000, n, 150, "order %v", o) // five times the spread of a fair draw
	}
	for o, n := range numbers {
		require.InDelta(t, 1000, n, 150, "number %d", o)
	}
}

// A game dealt by a record's order is the same game.
func TestOrder(t *testing.T) {
	luck := &dealer.Record{From: dealer.Seeded(5)}
	g := game(t, 5)
	require.NoError(t, dealer.With(g, luck).Serve())
	again := game(t, 5)
	d := dealer.WithOrder(again, luck.Order)
	require.NoError(t, d.Serve())
	require.Equal(t, g.State().Hash(), again.State().Hash())
	other := game(t, 5)
	require.NoError(t, dealer.New(other, 6).Serve())
	require.NotEqual(t, g.State().Hash(), other.State().Hash())
}

// An order that does not fit the game is refused, not stretched.
func TestOrderMisfits(t *testing.T) {
	luck := &dealer.Record{From: dealer.Seeded(5)}
	require.NoError(t, dealer.With(game(t, 5), luck).Serve())
	whole := luck.Order
	require.NotEmpty(t, whole.Coins)
	for name, o := range map[string]dealer.Order{
		"no permutation left": {Coins: whole.Coins},
		"too short":           {Perms: [][]int{{0, 1}}, Coins: whole.Coins},
		"twice the same card": {Perms: [][]int{{0, 0, 1, 2}}, Coins: whole.Coins},
		"no such card":        {Perms: [][]int{{0, 1, 2, 4}}, Coins: whole.Coins},
		"below nothing":       {Perms: [][]int{{0, 1, 2, -1}}, Coins: whole.Coins},
		"no coin left":        {Perms: whole.Perms},
		"coin too large":      {Perms: whole.Perms, Coins: []int{5}},
		"coin below 0":        {Perms: whole.Perms, Coins: []int{-1}},
	} {
		require.Error(t, dealer.WithOrder(game(t, 5), o).Serve(), name)
	}
}

// A card opened with another face is found out before the engine sees it, and nothing changes.
func TestFalseFace(t *testing.T) {
	g := game(t, 4)
	d := dealer.New(g, 3)
	require.NoError(t, d.Serve())
	v := d.View(g.State().Asked)
	for _, a := range v.Legal() {
		if a.Card.Slot == 0 {
			continue
		}
		before := g.State().Hash()
		require.Equal(t, d.Face(a.Card.Slot), a.Card.Face)
		a.Card.Face ^= 1 << 4 // another rank
		err := d.Step(a)
		require.True(t, errors.Is(err, dealer.ErrFalseFace), "%v", err)
		a.Card.Face = 0
		require.ErrorIs(t, d.Step(a), dealer.ErrFalseFace)
		require.Equal(t, before, g.State().Hash())
		require.Equal(t, d.Face(a.Card.Slot), d.Open(a).Card.Face)
		return
	}
	t.Fatal("nobody could play a card")
}

// A seat knows its role and its hand and nothing else when the game begins.
func TestKnowledge(t *testing.T) {
	g := game(t, 7)
	d := dealer.New(g, 11)
	require.NoError(t, d.Serve())
	st := g.State()
	for s := range engine.Seat(st.N) {
		p := &st.Players[s]
		want := len(p.Hand)
		if p.Role == engine.NoRole {
			want++
			require.NotZero(t, d.Knowledge(s).Face(p.RoleSlot))
		}
		require.Len(t, d.Knowledge(s), want)
		for _, c := range p.Hand {
			require.Equal(t, d.Face(c.Slot), d.Knowledge(s).Face(c.Slot))
			require.Zero(t, c.Face)
		}
	}
	require.NotEmpty(t, d.Events())
	require.Empty(t, d.Events(), "events come once")
}

// A clone goes its own way.
func TestClone(t *testing.T) {
	g := game(t, 4)
	d := dealer.New(g, 8)
	require.NoError(t, d.Serve())
	before := g.State().Hash()
	c := g.Clone()
	e := d.Clone(c)
	for range 60 {
		if c.State().Over != engine.NotOver {
			break
		}
		require.NoError(t, e.Step(e.Open(c.Default())))
	}
	require.Equal(t, before, g.State().Hash())
	require.NotEqual(t, before, c.State().Hash())
	for s := range engine.Seat(4) {
		for _, k := range d.Knowledge(s) {
			require.Equal(t, d.Face(k.Slot), k.Face)
		}
	}
}
