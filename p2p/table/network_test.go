package table

import (
	"crypto/sha256"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestBadNetworks plays whole games over networks that lose, repeat and reorder packets: the same transcript comes
// out everywhere.
func TestBadNetworks(t *testing.T) {
	t.Parallel()
	for i, w := range []weather{{loss: 10}, {twice: 30, late: 50}, {loss: 15, twice: 15, late: 60}} {
		t.Run(fmt.Sprintf("loss_%d_twice_%d_late_%d", w.loss, w.twice, w.late), func(t *testing.T) {
			sit := seatToys
			if i == 0 {
				sit = seatPlayers
			}
			n := newNetwork(t, sit(t, 4, uint64(40+i)), uint64(40+i), w)
			n.run()
			sameTranscripts(t, n)
			require.Empty(t, n.faults)
		})
	}
}

// TestSilenceStopsTheTable cuts a seat off: the others say for whom they wait and since when, blame nobody, and go on
// when it is back.
func TestSilenceStopsTheTable(t *testing.T) {
	n := newNetwork(t, seatToys(t, 4, 50, [2]string{"tolerate", "0"}), 50, weather{})
	rounds := 0
	n.onRound = func(seat int, tbl *Table) {
		if seat == 0 && int(tbl.st.round) == 30 && rounds == 0 {
			rounds = 30
			n.cut[2] = true
		}
	}
	n.run()
	stopped, _ := n.tables[0].Round()
	for i, tbl := range n.tables {
		if i == 2 {
			continue
		}
		require.Nil(t, tbl.end)
		missing := tbl.Missing()
		require.Len(t, missing, 1, "seat %d", i)
		require.Equal(t, 2, missing[0].Seat)
		require.Greater(t, missing[0].Since, 10*time.Second)
		_, err := n.verify(tbl.Transcript())
		require.NoError(t, err)
	}
	require.Empty(t, n.faults, "silence is no fault")
	n.cut[2] = false
	n.resume()
	sameTranscripts(t, n)
	require.Greater(t, int(n.tables[0].st.round), int(stopped))
}

// TestLeavingEndsTheGameAsVoid: one wish, everybody stops, everybody keeps a transcript that tells who left.
func TestLeavingEndsTheGameAsVoid(t *testing.T) {
	n := newNetwork(t, seatToys(t, 5, 51, [2]string{"tolerate", "0"}), 51, weather{})
	left := false
	n.onRound = func(seat int, tbl *Table) {
		if seat == 3 && tbl.st.round == 40 && !left {
			left = true
			tbl.Leave()
			n.broadcast(3, tbl.Ready().Send[0])
		}
	}
	n.run()
	for i, tbl := range n.tables {
		require.NotNil(t, tbl.end, "seat %d", i)
		require.Equal(t, Void, tbl.end.Result)
		require.Equal(t, 3, tbl.end.Left)
		rep, err := n.verify(tbl.Transcript())
		require.NoError(t, err)
		require.Equal(t, Void, rep.Result)
		require.Equal(t, 3, rep.Left)
		require.Empty(t, rep.Faults)
	}
}

// TestAnObserverFollowsFromAnyPeer: a table without a seat, fed with what one peer serves, sees the same log.
func TestAnObserverFollowsFromAnyPeer(t *testing.T) {
	n := recorded(t).net
	s := sameTranscripts(t, n)
	o, err := New(Config{Roster: n.tables[0].st.roster.Raw, Rules: rulesOf, Rand: source(1, 2)})
	require.NoError(t, err)
	for range s.Rounds {
		answer, err := n.tables[1].Serve(o.Want())
		require.NoError(t, err)
		for _, p := range answer {
			o.Receive(p)
		}
		if o.end != nil {
			break
		}
	}
	require.NotNil(t, o.end, "the observer stands in round %d of %d", o.st.round, s.Rounds)
	require.Equal(t, n.tables[0].Transcript(), o.Transcript())
	require.Empty(t, o.Ready().Send)
}

// TestTheMachineIsDeterministic: two runs with the same randomness, the same order of packets and the same clock give the
// same bytes: all that each seat sends, saves and asks, and the transcripts. A seat is cut off and comes back in them, with
// ballots, fresh keys and a new sharing.
func TestTheMachineIsDeterministic(t *testing.T) {
	t.Parallel()
	for name, sit := range map[string]func(testing.TB, int, uint64, ...[2]string) seating{"toy": seatToys, "real": seatPlayers} {
		t.Run(name, func(t *testing.T) {
			run := func() (said []string, files [][]byte) {
				n := newNetwork(t, sit(t, 4, 53, patient()...), 53, weather{loss: 5, twice: 5, late: 20})
				n.watch = append(n.watch, func(seat int, r Ready) {
					for _, rec := range r.Save {
						said = append(said, fmt.Sprintf("seat %d saves %d %x", seat, rec.Kind, sha256.Sum256(rec.Data)))
					}
					for _, p := range r.Send {
						said = append(said, fmt.Sprintf("seat %d sends %x", seat, sha256.Sum256(p)))
					}
					if r.Fetch != nil {
						said = append(said, fmt.Sprintf("seat %d asks %x", seat, r.Fetch))
					}
				})
				n.at(20, func() { n.cut[2] = true })
				n.at(40, func() { n.cut[2] = false })
				n.at(80, func() { n.cut = map[int]bool{0: true, 1: true, 2: true, 3: true} }) // enough is seen
				n.run()
				for _, tbl := range n.tables {
					require.GreaterOrEqual(t, tbl.st.round, uint32(79))
					require.Positive(t, tbl.st.removals[2])
					require.True(t, tbl.st.holders.Has(2))
					files = append(files, tbl.Transcript())
				}
				return said, files
			}
			one, files := run()
			two, again := run()
			for i := range min(len(one), len(two)) {
				require.Equal(t, one[i], two[i], "message %d of %d", i, len(one))
			}
			require.Equal(t, len(one), len(two))
			require.Equal(t, files, again)
		})
	}
}

// TestWhatIsSavedComesBeforeWhatIsSent: nothing of a seat leaves that its journal does not hold.
func TestWhatIsSavedComesBeforeWhatIsSent(t *testing.T) {
	n := newNetwork(t, seatToys(t, 4, 54), 54, weather{loss: 5})
	for i := range n.tables {
		tbl := n.tables[i]
		saved := map[string]bool{}
		secrets := 0
		n.tables[i] = tbl
		n.watch = append(n.watch, func(seat int, r Ready) {
			if n.tables[seat] != tbl {
				return
			}
			for _, rec := range r.Save {
				saved[string(rec.Data)] = true
				if rec.Kind == RecordSecret {
					secrets++
				}
			}
			for _, p := range r.Send {
				for _, raw := range must(unbundle(p)) {
					require.True(t, saved[string(raw)], "seat %d sends what it has not saved", seat)
					require.Equal(t, 1, secrets, "secrets are saved once, first")
				}
			}
		})
	}
	n.run()
	sameTranscripts(t, n)
}
