package table

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/engine"
)

// patient is what the tests of removals play with: a short grace, so that little time has to be played.
func patient(more ...[2]string) [][2]string {
	return append([][2]string{{"grace", "2s"}, {"clock", "none"}}, more...)
}

// finished requires that all seats but the given ones finished with the same transcript, which anybody can verify.
func finished(t *testing.T, n *network, but ...int) *Report {
	t.Helper()
	var first []byte
	for i, tbl := range n.tables {
		if contains(but, i) {
			continue
		}
		require.NotNil(t, tbl.end, "seat %d is not over in round %d (%v of %v): %+v", i, tbl.st.round, tbl.ex.Kind, tbl.ex.From.List(), tbl.Missing())
		require.Equal(t, Finished, tbl.end.Result, "seat %d: %s", i, tbl.end.Reason)
		if first == nil {
			first = tbl.Transcript()
		}
		require.Equal(t, first, tbl.Transcript(), "transcript of seat %d", i)
	}
	rep, err := n.verify(first)
	require.NoError(t, err)
	require.Equal(t, Finished, rep.Result, rep.Note)
	require.Empty(t, rep.Faults)
	return rep
}

func contains(list []int, i int) bool {
	for _, j := range list {
		if i == j {
			return true
		}
	}
	return false
}

// conserved requires of every round of a transcript that each physical card lies in one live slot at most, and that
// every hidden slot holds a card of its pile.
func conserved(t *testing.T, n *network, secrets func(seat int) []Secret) {
	t.Helper()
	var file []byte
	for _, tbl := range n.tables {
		if tbl.end != nil && tbl.end.Result == Finished {
			file = tbl.Transcript()
		}
	}
	r, err := n.open(file)
	require.NoError(t, err)
	for {
		more, err := r.Round()
		require.NoError(t, err)
		if !more {
			return
		}
		st := r.st
		if st.packs == nil || st.stage != atPlay || r.st.round%11 != 0 {
			continue
		}
		seen := map[[2]int]bool{}
		for i := range st.slots {
			s := &st.slots[i]
			card := int(s.Card)
			if s.Card == hidden {
				m := s.C
				for _, seat := range s.Mask.List() {
					x := secretOf(st, secrets(seat), seat)
					require.NotNil(t, x, "no key of seat %d in round %d", seat, st.round)
					layers, _, err := st.suite.Layers(source(1, 1), Place{}, x, []uint32{1}, []Point{s.C.C1})
					require.NoError(t, err)
					m.C2 = st.suite.Minus(m.C2, layers[0])
				}
				c, ok := st.packs.card[m.C2]
				require.True(t, ok, "round %d: slot %d under %b holds no card", st.round, s.ID, s.Mask)
				card = int(c)
			}
			at := [2]int{int(s.Pile), card}
			require.False(t, seen[at], "round %d: card %v lies in two places", st.round, at)
			seen[at] = true
		}
	}
}

func secretOf(st *state, list []Secret, seat int) Secret {
	for _, x := range list {
		if x.Public() == st.card[seat] {
			return x
		}
	}
	return nil
}

// keys remembers all card keys that the seats ever had.
func keys(n *network) func(int) []Secret {
	all := make([][]Secret, len(n.tables))
	before := n.onRound
	n.onRound = func(seat int, tbl *Table) {
		if before != nil {
			before(seat, tbl)
		}
		if x := tbl.me.x; x != nil && (len(all[seat]) == 0 || all[seat][len(all[seat])-1] != x) {
			all[seat] = append(all[seat], x)
		}
	}
	return func(seat int) []Secret { return all[seat] }
}

// at does something once, when seat 0 first stands in a round.
func (n *network) at(round uint32, do func()) {
	before, done := n.onRound, false
	n.onRound = func(seat int, tbl *Table) {
		if before != nil {
			before(seat, tbl)
		}
		if seat == 0 && !done && tbl.st.round >= round {
			done = true
			do()
		}
	}
}

// TestTheTableGoesOnWithoutASilentSeat cuts seats off for ever, one after the other: the others remove each, its cards
// stay hidden, and the game ends by the rules.
func TestTheTableGoesOnWithoutASilentSeat(t *testing.T) {
	for _, away := range []string{"defaults", "out"} {
		for i, rounds := range [][]uint32{{20}, {41, 90}} {
			t.Run(fmt.Sprintf("%s_%v", away, rounds), func(t *testing.T) {
				seed := uint64(300 + i)
				sit := seatToys
				if away == "defaults" && i == 0 {
					sit = seatPlayers
				}
				n := newNetwork(t, sit(t, 5, seed, patient([2]string{"away", away})...), seed, weather{})
				secrets := keys(n)
				var gone []int
				for k, r := range rounds {
					n.at(r, func() { n.cut[k+1] = true; gone = append(gone, k+1) })
				}
				n.run()
				rep := finished(t, n, gone...)
				require.NotEmpty(t, rep.Moves)
				for _, m := range rep.Moves {
					require.Equal(t, Silence, m.Why)
				}
				require.Empty(t, n.faults, "silence is no fault")
				conserved(t, n, secrets)
			})
		}
	}
}

// TestTooManyMissingPauseTheTable: with more seats silent than the table tolerates it waits, says for whom, and goes
// on when one is back.
func TestTooManyMissingPauseTheTable(t *testing.T) {
	n := newNetwork(t, seatToys(t, 6, 320, patient([2]string{"tolerate", "1"})...), 320, weather{})
	n.at(30, func() { n.cut[1], n.cut[4] = true, true })
	n.run()
	for _, i := range []int{0, 2, 3, 5} {
		require.Nil(t, n.tables[i].end)
		var who []int
		for _, m := range n.tables[i].Missing() {
			who = append(who, m.Seat)
		}
		require.Subset(t, []int{1, 4}, who)
	}
	n.cut[4] = false
	n.resume()
	rep := finished(t, n, 1)
	require.NotEmpty(t, rep.Moves)
	require.Equal(t, 1, rep.Moves[0].Seat)
	require.Empty(t, n.faults)
}

// TestASeatLeaves: one wish, no grace; the seat that leaves learns when nobody needs it any more.
func TestASeatLeaves(t *testing.T) {
	n := newNetwork(t, seatToys(t, 5, 330, patient()...), 330, weather{})
	var asked, free time.Duration
	n.at(40, func() { asked = n.now; n.tables[3].Leave(); n.settle(3) })
	n.watch = append(n.watch, func(seat int, r Ready) {
		if seat == 3 && free == 0 && asked != 0 && n.tables[3].Free() {
			free = n.now
			n.cut[3] = true
		}
	})
	n.run()
	rep := finished(t, n, 3)
	require.Equal(t, []Move{{Round: rep.Moves[0].Round, Seat: 3, Why: Left}}, rep.Moves)
	require.Less(t, free-asked, 2*time.Second)
}

// TestASeatReturns: removed, and back with fresh keys under the eyes of all; it gets its cards again and decides for
// itself.
func TestASeatReturns(t *testing.T) {
	for i, at := range []uint32{22, 35, 48} {
		seed := uint64(340 + i)
		sit := seatToys
		if i == 0 {
			sit = seatPlayers
		}
		n := newNetwork(t, sit(t, 5, seed, patient()...), seed, weather{})
		secrets := keys(n)
		n.at(at, func() { n.cut[2] = true })
		n.at(at+30, func() { n.cut[2] = false })
		n.run()
		rep := finished(t, n)
		require.Len(t, rep.Moves, 2)
		require.True(t, rep.Moves[1].Back)
		require.Equal(t, 2, rep.Moves[1].Seat)
		conserved(t, n, secrets)
		view, _ := n.tables[2].View()
		require.Equal(t, engine.Seat(n.tables[2].st.place(2)), view.Seat)
	}
}

// diary is a journal in memory.
type diary struct{ records [MaxSeats][]Record }

func (d *diary) keep(seat int, r Ready) { d.records[seat] = append(d.records[seat], r.Save...) }

// TestAProgramStartsAgain kills a program in every kind of round and starts it with its journal: it goes on as if
// nothing had happened, and contradicts nothing it has said.
func TestAProgramStartsAgain(t *testing.T) {
	n := newNetwork(t, seatToys(t, 4, 360, patient()...), 360, weather{})
	var d diary
	n.watch = append(n.watch, d.keep)
	restart := func(seat int) {
		tbl, err := Resume(Config{Rules: rulesOf, Identity: n.seats.keys[seat], Rand: source(360, uint64(1000+n.steps)), Suite: n.seats.suite}, d.records[seat])
		require.NoError(t, err)
		require.False(t, tbl.mute)
		n.tables[seat] = tbl
		require.NoError(t, tbl.Start())
		n.settle(seat)
	}
	kills := 0
	n.onStep = func() {
		if n.steps%60 == 0 && kills < 60 {
			kills++
			restart(kills % 4)
		}
	}
	n.run()
	if n.tables[0].end == nil {
		for _, x := range n.tables {
			t.Log(x.dump())
		}
	}
	finished(t, n)
	require.Greater(t, kills, 20)
	require.Empty(t, n.faults)
}

// TestAJournalIsLost: the seat asks to be removed, is, and comes back with fresh keys.
func TestAJournalIsLost(t *testing.T) {
	n := newNetwork(t, seatToys(t, 5, 361, patient()...), 361, weather{})
	n.at(40, func() {
		tbl, err := New(Config{Roster: n.seats.roster, Rules: rulesOf, Identity: n.seats.keys[3], Rand: source(361, 777), Suite: n.seats.suite, Lost: true})
		require.NoError(t, err)
		n.tables[3] = tbl
		require.NoError(t, tbl.Start())
	})
	n.run()
	rep := finished(t, n)
	require.Len(t, rep.Moves, 2)
	require.Equal(t, Lost, rep.Moves[0].Why)
	require.True(t, rep.Moves[1].Back)
	require.Empty(t, n.faults)
}
