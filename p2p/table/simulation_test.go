package table

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// failedOnce are worlds in which the table once did wrong: an honest seat blamed (5), a complaint that lost its dealer
// (36), a journal not trusted (262, 1290, 105000), an honest seat taken out (4331 and above, but for 5304, where a lie
// that had reached nobody was to be blamed), hung tables (all others). They are
// played again where 300 worlds or more are.
var failedOnce = []uint64{5, 9, 21, 28, 31, 36, 40, 48, 68, 72, 89, 189, 215, 218, 262, 343, 404, 471, 480, 1290,
	4331, 4527, 4599, 4941, 5135, 5304, 5470, 8648, 9316, 4184, 4637, 6481, 9694, 11701, 11796, 105000}

// tally adds up what happened in many worlds.
type tally struct {
	sync.Mutex
	runs     int
	injected map[string]int
	problems [problemKinds]int
	longest  time.Duration
	took     time.Duration // by all cores
}

func (y *tally) add(w *world, took time.Duration) {
	y.Lock()
	defer y.Unlock()
	y.runs++
	y.took += took
	y.longest = max(y.longest, w.longest)
	for k, c := range w.injected {
		y.injected[k] += c
	}
	for _, p := range w.problems {
		y.problems[p.kind]++
	}
}

func (y *tally) String() string {
	var kinds []string
	told := 0
	for _, k := range slices.Sorted(maps.Keys(y.injected)) {
		if strings.HasPrefix(k, "liar: ") {
			told++
		}
		kinds = append(kinds, fmt.Sprintf("%s %d", k, y.injected[k]))
	}
	s := fmt.Sprintf("%d games; %s; %d of %d ways to lie; the longest wait %v; %v a game", y.runs, strings.Join(kinds, ", "), told,
		len(behaviours), y.longest.Round(time.Second), (y.took / time.Duration(max(1, y.runs))).Round(time.Millisecond))
	for k, n := range y.problems {
		s += fmt.Sprintf("; %v: %d", problemKind(k), n)
	}
	return s
}

// TestSimulation plays whole games in worlds where machines fail, networks are bad and seats lie; see scenario and
// behaviours. STANDOFF_FAULT_RUNS sets how many with the toy suite (10,000 in full), STANDOFF_FAULT_REAL how many with
// the real one (200), and STANDOFF_FAULT_FIRST the seed of the first, so that a large number can be played in slices.
func TestSimulation(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(1600))
	first := uint64(0)
	if v := os.Getenv("STANDOFF_FAULT_FIRST"); v != "" {
		n, err := strconv.ParseUint(v, 10, 63)
		require.NoError(t, err)
		first = n
	}
	sum := &tally{injected: map[string]int{}}
	many := func(name string, runs int, suite func() Suite) {
		t.Run(name, func(t *testing.T) {
			var seeds []uint64
			for i := range uint64(runs) {
				seeds = append(seeds, first+i)
			}
			for _, s := range failedOnce {
				if name == "toy" && first == 0 && runs >= 300 && s >= uint64(runs) {
					seeds = append(seeds, s)
				}
			}
			for _, seed := range seeds {
				t.Run(fmt.Sprint(seed), func(t *testing.T) {
					t.Parallel()
					begun := time.Now()
					w := simulate(t, seed, suite)
					sum.add(w, time.Since(begun))
					if len(w.problems) > 0 {
						t.Errorf("seed %d, %d seats, %v: %v", seed, len(w.tables), w.injected, w.problems[:min(3, len(w.problems))])
					}
				})
			}
		})
	}
	many("toy", count(t, "STANDOFF_FAULT_RUNS", 10_000), func() Suite { return toy{} })
	many("real", count(t, "STANDOFF_FAULT_REAL", 200), func() Suite { return NewRistretto(nil) })
	t.Log(sum)
}

// TestTheTableGoesOnWithoutALiar: each lie that proves itself costs its teller the seat and nobody else anything.
func TestTheTableGoesOnWithoutALiar(t *testing.T) {
	t.Parallel()
	for i, b := range behaviours {
		if !b.proof || b.name == "lifts falsely" || b.name == "wraps falsely" || b.name == "deals a bad share" || b.name == "complains falsely" {
			continue // those need a removal first, and belong to TestSimulation
		}
		t.Run(b.name, func(t *testing.T) {
			w := newWorld(t, uint64(900+i), 5, func() Suite { return toy{} }, patient()...)
			w.liars[2] = &liar{seat: 2, behaviour: b, after: 4, rng: rand.New(source(uint64(i), 1))}
			w.run(time.Hour)
			w.judge()
			require.Empty(t, w.problems)
			if w.liars[2].lied == 0 {
				t.Skip("this game gave no occasion to it")
			}
		})
	}
}
