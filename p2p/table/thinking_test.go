package table

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestThinkingTimeGoesOnAfterARestart: a program that starts again in the middle of a decision counts on from what the
// one before it has told, and answers by the default when the time is over, as the others expect it.
func TestThinkingTimeGoesOnAfterARestart(t *testing.T) {
	w := newWorld(t, 871, 4, func() Suite { return toy{} }, [2]string{"clock", "40s+5s"})
	asked := false
	w.onRest = func(i int, tbl *Table) {
		if !asked && tbl.st.round >= 25 && tbl.Asked() {
			asked = true
			w.thinksOn(t, i, tbl)
		}
	}
	w.until = func() bool { return asked }
	w.run(time.Minute)
	require.Empty(t, w.problems)
	require.True(t, asked)
}

// thinksOn starts the program of a seat again, of which a decision is wanted.
func (w *world) thinksOn(t *testing.T, seat int, before *Table) {
	round := before.st.round
	back := func(s Spent) *Table {
		c := w.config(seat, 1)
		c.Spent = s
		tbl := must(Resume(c, w.diary.records[seat]))
		for range round {
			for _, p := range must(before.Serve(tbl.Want())) {
				tbl.Receive(p)
			}
		}
		require.NoError(t, tbl.Start())
		tbl.Tick(time.Hour) // its clock starts anywhere
		require.Equal(t, round, tbl.st.round)
		require.True(t, tbl.Asked())
		return tbl
	}
	left := func(tbl *Table) time.Duration {
		l, ok := tbl.Clock(seat)
		require.True(t, ok)
		return l
	}
	require.Equal(t, 45*time.Second, left(back(Spent{})))
	require.Equal(t, 35*time.Second, left(back(Spent{Bank: 10 * time.Second})))
	require.Equal(t, 35*time.Second, left(back(Spent{Bank: 10 * time.Second, Round: round - 1, Open: 20 * time.Second})), "that decision is over")

	tbl := back(Spent{Bank: 10 * time.Second, Round: round, Open: 20 * time.Second})
	require.Equal(t, 15*time.Second, left(tbl))
	tbl.Tick(time.Hour + 14*time.Second)
	require.True(t, tbl.Asked())
	require.Equal(t, Spent{Bank: 10 * time.Second, Round: round, Open: 34 * time.Second}, tbl.Spent(), "what a third program would be told")
	tbl.Tick(time.Hour + 15*time.Second)
	require.False(t, tbl.Asked(), "it has answered")
	require.True(t, tbl.me.byClock)
	require.Equal(t, Spent{Bank: 10 * time.Second, Round: round, Open: 35 * time.Second}, tbl.Spent(), "the others have not heard it")
	w.diary.records[seat] = append(w.diary.records[seat], tbl.Ready().Save...)
	c := w.config(seat, 1)
	c.Spent = tbl.Spent()
	tbl = must(Resume(c, w.diary.records[seat]))
	require.NoError(t, tbl.Start())
	tbl.Tick(time.Hour)
	require.Equal(t, round, tbl.st.round)
	require.Zero(t, left(tbl), "who starts again after its answer has not got the time back")
}
