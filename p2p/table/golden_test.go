package table

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/engine"
)

var update = flag.Bool("update", false, "play the golden games anew and write them to testdata")

// goldens are games that every later version of this program has to judge as the first one did.
var goldens = []struct {
	name string
	play func(t *testing.T) []byte
	must func(t *testing.T, r *Report)
}{
	{"golden-1", func(t *testing.T) []byte { return recorded(t).file }, func(t *testing.T, r *Report) {
		require.Equal(t, Finished, r.Result)
		require.NotEmpty(t, r.Winners)
		require.Empty(t, r.Faults)
		require.Equal(t, -1, r.Left)
		require.Greater(t, r.Proofs, r.Rounds/2)
	}},
	{"golden-void", playLeaver, func(t *testing.T, r *Report) {
		require.Equal(t, Void, r.Result)
		require.Equal(t, 3, r.Left)
		require.Empty(t, r.Faults)
	}},
	{"golden-cheat", playForgedShuffle, func(t *testing.T, r *Report) {
		require.Equal(t, Void, r.Result)
		require.Len(t, r.Faults, 1)
		require.Equal(t, FaultShuffle, r.Faults[0].Kind)
		require.Equal(t, 1, r.Faults[0].Seat)
	}},
	{"golden-illegal", playIllegal, func(t *testing.T, r *Report) {
		require.Equal(t, Void, r.Result)
		require.Len(t, r.Faults, 1)
		require.Equal(t, FaultIllegal, r.Faults[0].Kind)
		require.Equal(t, 1, r.Faults[0].Seat)
	}},
}

func playLeaver(t *testing.T) []byte {
	n := newCheats(t, 201, FaultNone)
	left := false
	n.onRound = func(seat int, tbl *Table) {
		if seat == 3 && tbl.st.round == 40 && !left {
			left = true
			tbl.Leave()
			n.broadcast(3, tbl.Ready().Send[0])
		}
	}
	n.run()
	return n.tables[0].Transcript()
}

func playForgedShuffle(t *testing.T) []byte {
	n := newCheats(t, 202, FaultNone)
	n.alter(1, func(_ *party, _ *state, x *text) bool {
		return edit(x, RoundMix, func(p *mixPart) bool { return spoil(p.Piles[0].Out) })
	})
	n.run()
	return n.tables[0].Transcript()
}

func playIllegal(t *testing.T) []byte {
	n := newCheats(t, 203, FaultNone)
	n.alter(1, func(_ *party, _ *state, x *text) bool {
		return edit(x, RoundAct, func(p *actPart) bool { p.N += 77; return true })
	})
	n.run()
	return n.tables[0].Transcript()
}

// summary is a report as text, for a person to compare.
func summary(r *Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "table %x\nresult %v\nrounds %d\nproofs %d\noutcome %d\nwinners %v\nleft %d\n",
		r.Table[:], r.Result, r.Rounds, r.Proofs, r.Outcome, r.Winners, r.Left)
	for i, p := range r.Players {
		fmt.Fprintf(&b, "seat %d %s %x place %d role %d character %d\n", i, p.Nick, p.Key, p.Place, p.Role, p.Character)
	}
	for _, o := range r.Options {
		fmt.Fprintf(&b, "option %s %s\n", o[0], o[1])
	}
	for _, f := range r.Faults {
		fmt.Fprintf(&b, "fault %v\n", f)
	}
	if r.Note != "" {
		fmt.Fprintf(&b, "note %s\n", r.Note)
	}
	return b.String()
}

func golden(t testing.TB, name string) []byte {
	t.Helper()
	file, err := os.ReadFile(filepath.Join("testdata", name+".standoff"))
	require.NoError(t, err, "play it with: go test ./p2p/table -run TestGoldenTranscripts -update")
	return file
}

// TestGoldenTranscripts verifies transcripts that were written once and must get the same verdict for ever. Only a
// new version of protocol or rules may write them anew (-update), and then under new names if the old ones can
// still be read.
func TestGoldenTranscripts(t *testing.T) {
	for _, g := range goldens {
		t.Run(g.name, func(t *testing.T) {
			path := filepath.Join("testdata", g.name)
			if *update {
				file := g.play(t)
				rep, err := Verify(file, rulesOf)
				require.NoError(t, err)
				g.must(t, rep)
				require.NoError(t, os.MkdirAll("testdata", 0o755))
				require.NoError(t, os.WriteFile(path+".standoff", file, 0o644))
				require.NoError(t, os.WriteFile(path+".txt", []byte(summary(rep)), 0o644))
			}
			want, err := os.ReadFile(path + ".txt")
			require.NoError(t, err)
			rep, err := Verify(golden(t, g.name), rulesOf)
			require.NoError(t, err)
			require.Equal(t, string(want), summary(rep))
			g.must(t, rep)
		})
	}
}

// TestWhatIsWrittenByHand: what is written by hand is what the encoder of the protocol writes.
func TestWhatIsWrittenByHand(t *testing.T) {
	require.Equal(t, encode([]slot(nil)), appendSlots(nil, nil))
	require.Equal(t, encode([]slot{}), appendSlots(nil, []slot{}))
	var none *sharing
	require.Equal(t, encode(none), none.append(nil))
	for n := range MaxSeats + 1 {
		list := make([]Point, n)
		for i := range list {
			list[i] = pt(uint64(i * n))
		}
		require.Equal(t, encode(list), appendPoints(nil, list))
		s := &sharing{Members: Seats(n * 31), Threshold: uint8(n * 30), Commitments: [][]Point{nil, list, {}, list}}
		require.Equal(t, encode(s), s.append(nil))
	}
	require.Equal(t, encode([]Point(nil)), appendPoints(nil, nil))
	for _, n := range []uint32{0, 1, 23, 24, 255, 256, 65535, 65536, 1<<32 - 1} {
		x := &text{Version: uint8(n), Kind: Kind(n), Table: Hash{1, byte(n)}, Round: n, Seat: uint8(n), Prev: Hash{byte(n)}, Body: encode(n)}
		require.Equal(t, encode(x), x.encoded())
		x.Body = nil
		require.Equal(t, encode(x), x.encoded())
	}
	rng := rand.New(source(1, 77))
	for _, n := range []int{1, 23, 24, 255, 256, 700} {
		list := make([]slot, n)
		for i := range list {
			id := engine.Slot(rng.Uint32() >> rng.IntN(32))
			list[i] = slot{ID: id, Pile: engine.Pile(rng.IntN(8)), Card: int16(rng.IntN(400) - 1), Owner: int8(rng.IntN(9) - 1),
				Mask: Seats(rng.IntN(256)), C: Cipher{C1: pt(rng.Uint64()), C2: pt(rng.Uint64())}}
		}
		require.Equal(t, encode(list), appendSlots(nil, list))
	}
}
