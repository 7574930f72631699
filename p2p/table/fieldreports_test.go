package table

import (
	"crypto/ed25519"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// removedAndBack cuts seat 2 off, calls away when it has been removed, and lets it return.
func removedAndBack(t *testing.T, w *world, away func(tbl *Table)) *Report {
	w.delay = 300 * time.Millisecond // the game has to last until it is back
	cut, tried := false, false
	var old Point
	w.onRest = func(i int, tbl *Table) {
		st := tbl.st
		if i != 0 || st.stage != atPlay {
			return
		}
		switch {
		case st.round >= 25 && !cut:
			cut, old = true, st.card[2]
			w.cut(only(2), true)
		case st.away.Has(2) && !tried && st.gone() == 0:
			tried = true
			away(tbl)
			w.cut(only(2), false)
		case tried && st.members.Has(2):
			require.NotEqual(t, old, st.card[2], "a fresh key")
			if st.entering.Has(2) && !st.current.Members.Has(2) {
				for k := range st.slots {
					require.False(t, st.slots[k].Mask.Has(2), "a layer lies on something before it is shared")
				}
			}
		}
	}
	rep := w.finishes(t)
	require.True(t, tried)
	require.GreaterOrEqual(t, len(rep.Moves), 2)
	require.Equal(t, []bool{false, true}, []bool{rep.Moves[0].Back, rep.Moves[1].Back})
	require.Equal(t, 2, rep.Moves[1].Seat)
	return rep
}

// attackOldSeat: what a removed seat has said before changes nothing, and it comes back with fresh keys only.
func attackOldSeat(t *testing.T) {
	w := fair(t, 807, 5)
	removedAndBack(t, w, func(tbl *Table) {
		tried := 0
		records := w.diary.records[2]
		for _, r := range records[max(0, len(records)-40):] {
			if r.Kind != RecordOwn {
				continue
			}
			if e := must(parseEnvelope(r.Data)); e.Kind != KindWish {
				changesNothing(t, tbl, fmt.Sprintf("a %v of round %d", e.Kind, e.Round), ErrStray, r.Data)
				tried++
			}
		}
		require.Greater(t, tried, 5)
		me, st := w.tables[2].me, tbl.st
		p := wishPlace(st.roster.Table, 2, st.removals[2])
		wish := func(counter uint32, x, z Secret) []byte {
			return sealEnvelope(st.suite, me.id, text{Kind: KindWish, Table: st.roster.Table, Round: st.round, Seat: 2,
				Body: encode(returnText{What: WishReturn, Counter: counter, X: x.Public(), Z: z.Public(),
					ProofX: st.suite.ProvePossession(me.rand, p, labelCard, x), ProofZ: st.suite.ProvePossession(me.rand, p, labelShare, z)})}).Raw
		}
		fresh := func() Secret { return must(st.suite.NewSecret(source(5, 5))) }
		require.ErrorContains(t, tbl.Receive(Bundle(wish(st.removals[2], me.x, fresh()))[0]), "not a fresh key")
		require.ErrorIs(t, tbl.Receive(Bundle(wish(st.removals[2]-1, fresh(), me.z))[0]), ErrStray)
		require.Nil(t, tbl.wish[2])
	})
}

// TestFieldReports has what players of other programs complained about, as far as the table answers it.
func TestFieldReports(t *testing.T) {
	t.Run("FR-34", nobodyHoldsUpTheTable)
	t.Run("FR-35", aNameIsNoCredential)
}

// nobodyHoldsUpTheTable: a seat that never answers again is removed, defaults are taken for it, and all machines tell the
// same ones, by that name.
func nobodyHoldsUpTheTable(t *testing.T) {
	w := fair(t, 810, 5)
	var told [MaxSeats][]News
	w.onReady = func(i int, r Ready) {
		for _, n := range r.News {
			if n.Kind == NewsDefault || n.Kind == NewsRemoved {
				told[i] = append(told[i], n)
			}
		}
	}
	w.onRest = func(i int, tbl *Table) {
		if i == 0 && tbl.st.round >= 25 {
			w.kill(2)
		}
	}
	rep := w.finishes(t)
	require.Equal(t, []int{2}, []int{rep.Moves[0].Seat})
	require.Greater(t, len(told[0]), 1, "its decisions fell to the default")
	require.Equal(t, NewsRemoved, told[0][0].Kind)
	for _, n := range told[0] {
		require.Equal(t, 2, n.Seat)
	}
	for _, i := range []int{1, 3, 4} {
		require.Equal(t, told[0], told[i])
	}
}

// aNameIsNoCredential: who has the nick of an absent player but not its key gets neither its seat nor its cards; the key
// gets them back.
func aNameIsNoCredential(t *testing.T) {
	w := fair(t, 811, 5)
	_, stranger, err := ed25519.GenerateKey(source(6, 6))
	require.NoError(t, err)
	removedAndBack(t, w, func(tbl *Table) {
		c := w.config(2, 50)
		c.Identity = stranger
		_, err := New(c)
		require.ErrorContains(t, err, "no seat")
		st := tbl.st
		x, z := must(st.suite.NewSecret(source(7, 7))), must(st.suite.NewSecret(source(7, 8)))
		p := wishPlace(st.roster.Table, 2, st.removals[2])
		wish := sealEnvelope(st.suite, stranger, text{Kind: KindWish, Table: st.roster.Table, Round: st.round, Seat: 2,
			Body: encode(returnText{What: WishReturn, Counter: st.removals[2], X: x.Public(), Z: z.Public(),
				ProofX: st.suite.ProvePossession(nil, p, labelCard, x), ProofZ: st.suite.ProvePossession(nil, p, labelShare, z)})})
		changesNothing(t, tbl, "a stranger's wish to return", ErrSignature, wish.Raw)
		require.Nil(t, tbl.wish[2])
	})
}
