package table

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// asksBack is a wish of a seat to return, with fresh keys and good proofs, whether or not it may.
func (w *world) asksBack(st *state, seat int) Envelope {
	rng := source(uint64(st.round), 77)
	x, z := must(st.suite.NewSecret(rng)), must(st.suite.NewSecret(rng))
	n := st.removals[seat]
	p := wishPlace(st.roster.Table, uint8(seat), n)
	return sealEnvelope(st.suite, w.seats.keys[seat], text{Kind: KindWish, Table: st.roster.Table, Round: st.round, Seat: uint8(seat),
		Body: encode(returnText{What: WishReturn, Counter: n, X: x.Public(), Z: z.Public(),
			ProofX: st.suite.ProvePossession(rng, p, labelCard, x), ProofZ: st.suite.ProvePossession(rng, p, labelShare, z)})})
}

// TestWhoMayReturn has a row for each condition on which a seat gets its place again: what holds for the state holds for a
// wish, for a say that takes it up, and for the closing of the round.
func TestWhoMayReturn(t *testing.T) {
	t.Parallel()
	w := fair(t, 991, 5)
	var away *state
	var ex Expect
	w.onRest = func(i int, tbl *Table) {
		if i == 0 && tbl.st.round >= 20 {
			w.off[2] = true
		}
		if i == 0 && tbl.st.away.Has(2) && tbl.st.gone() == 0 && tbl.ex.Kind == RoundStrip {
			away, ex = tbl.st, tbl.ex
		}
	}
	w.until = func() bool { return away != nil }
	w.run(time.Hour)
	require.NotNil(t, away)
	body := must(speakStrip(away, ex, away.at(ex.From.List()[0], ex), w.tables[ex.From.List()[0]].me))
	for _, row := range []struct {
		name   string
		change func(st *state)
		why    string // it may not
	}{
		{"silent", func(st *state) {}, ""},
		{"left", func(st *state) { st.why[2] = Left }, ""},
		{"journal lost", func(st *state) { st.why[2] = Lost }, ""},
		{"a cheater", func(st *state) { st.why[2] = Cheat }, "for a fault"},
		{"a member", func(st *state) { st.away, st.members = 0, st.members|only(2) }, "nothing to return to"},
		{"after the play", func(st *state) { st.stage = atKeys }, "nothing to return to"},
		{"with a layer on a card", func(st *state) { st.slots[0].Mask |= only(2) }, "layers on cards"},
		{"where nobody is removed", func(st *state) { st.choices.Table = map[string]string{"tolerate": "0"} }, "nobody is removed"},
		{"second removal, at once", func(st *state) { st.removals[2], st.removedAt[2] = 2, st.round }, ""},
		{"third removal, at once", func(st *state) { st.removals[2], st.removedAt[2] = 3, st.round }, "has to wait"},
		{"third removal, after 29 rounds", func(st *state) { st.removals[2], st.removedAt[2] = 3, st.round-29 }, "has to wait"},
		{"third removal, after 30 rounds", func(st *state) { st.removals[2], st.removedAt[2] = 3, st.round-30 }, ""},
		{"fifth removal, after 29 rounds", func(st *state) { st.removals[2], st.removedAt[2] = 5, st.round-29 }, "has to wait"},
		{"fifth removal, after 30 rounds", func(st *state) { st.removals[2], st.removedAt[2] = 5, st.round-30 }, ""},
		{"sixth removal, at once", func(st *state) { st.removals[2], st.removedAt[2] = 6, st.round }, "returned 5 times"},
		{"sixth removal, after all rounds", func(st *state) { st.removals[2], st.removedAt[2] = 6, 0 }, "returned 5 times"},
	} {
		t.Run(row.name, func(t *testing.T) {
			st := away.clone()
			st.round = max(st.round, 40)
			row.change(st)
			err := st.mayReturn(2)
			e := w.asksBack(st, 2)
			back, _, wishErr := st.readWish(e)
			by := ex.From.List()[0]
			_, wrong := st.readSay(ex, sealEnvelope(toy{}, w.seats.keys[by], text{Kind: KindSay, Table: st.roster.Table, Round: st.round,
				Seat: uint8(by), Prev: st.head, Body: encode(say{Kind: ex.Kind, Part: encode(body), Wishes: [][]byte{e.Raw}})}))
			if row.why == "" {
				require.NoError(t, err)
				require.NoError(t, wishErr)
				require.Nil(t, wrong)
				st.admit([]wish{back})
				require.True(t, st.members.Has(2))
				return
			}
			require.ErrorContains(t, err, row.why)
			require.Error(t, wishErr)
			require.NotNil(t, wrong, "a say that takes it up is a fault")
			before := st.members
			back.what, back.back.seat = WishReturn, 2 // one that the round itself has overtaken
			st.admit([]wish{back})
			require.Equal(t, before, st.members)
		})
	}
}

// turnedAway gives a seat's wish to a table, once in a round: the table must not note it.
type turnedAway struct {
	*world
	asked map[[2]uint32]bool
}

func (w *turnedAway) ask(i int, tbl *Table, seat int, why string) {
	key := [2]uint32{uint32(i), tbl.st.round}
	if w.asked[key] {
		return
	}
	w.asked[key] = true
	require.ErrorContains(w.t, tbl.Receive(Bundle(w.asksBack(tbl.st, seat).Raw)[0]), why)
	require.Nil(w.t, tbl.wish[seat])
}

// TestNobodyReturnsForEver: a seat is cut off again and again, and asks for its place without pause. It comes back at once
// twice, three times more 30 rounds after its removal, and then no more.
func TestNobodyReturnsForEver(t *testing.T) {
	t.Parallel()
	w := &turnedAway{fair(t, 992, 7), map[[2]uint32]bool{}}
	var gone, back []uint32
	var refused [7]int
	w.onRest = func(i int, tbl *Table) {
		st := tbl.st
		if i == 2 || st.stage != atPlay || st.round < 20 {
			return
		}
		member, n := st.members.Has(2), st.removals[2]
		switch {
		case i != 0:
		case member && len(back) < len(gone):
			back = append(back, st.round)
		case !member && len(back) == len(gone):
			gone = append(gone, st.round)
			w.cut(only(2), false)
		}
		if kind, _ := st.repair(); i == 0 && member && kind == 0 {
			w.cut(only(2), true)
		}
		if !member && (n > 5 || n >= 3 && st.round < st.removedAt[2]+30) {
			refused[min(n, 6)]++
			w.ask(i, tbl, 2, "seat 2")
		}
	}
	w.until = func() bool { return len(gone) > 6 || len(gone) == 6 && w.tables[0].st.round > gone[5]+60 }
	w.run(time.Hour)
	require.Empty(t, w.problems)
	require.Nil(t, w.tables[0].end, "the game was too short")
	require.Len(t, gone, 6)
	require.Len(t, back, 5)
	for k := range back {
		if waited := back[k] - gone[k]; k < 2 {
			require.Less(t, waited, uint32(30))
		} else {
			require.GreaterOrEqual(t, waited, uint32(30))
		}
	}
	for n := 3; n <= 6; n++ {
		require.Positive(t, refused[n], "removal %d", n)
	}
}

// TestACheaterDoesNotReturn: who was removed for a fault asks for its place in every round until the end.
func TestACheaterDoesNotReturn(t *testing.T) {
	t.Parallel()
	w := &turnedAway{fair(t, 993, 5), map[[2]uint32]bool{}}
	w.liars[3] = &liar{seat: 3, behaviour: behaviourNamed("gives a false layer"), after: 6, rng: rand.New(source(1, 1))}
	w.onRest = func(i int, tbl *Table) {
		if i != 3 && tbl.st.stage == atPlay && tbl.st.away.Has(3) && tbl.end == nil {
			w.ask(i, tbl, 3, "removed for a fault")
		}
	}
	rep := w.finishes(t)
	require.Greater(t, len(w.asked), 4*30)
	require.Len(t, rep.Moves, 1)
	require.Equal(t, Cheat, rep.Moves[0].Why)
}
