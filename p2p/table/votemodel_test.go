package table

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// modelCase is one set of assumptions under which the closing of one round is explored.
//
// Everything ever sent stays to be seen: a guard acts on any part of it, so messages may be lost, late, repeated and
// reordered. Before each of its steps a guard has just started again with nothing but its promises; a crash is a guard
// that moves no more. A cheat has sent everything that checks: all its says, seals and calls, different ones to each.
type modelCase struct {
	name    string
	seats   int
	cheats  int      // the seats below are the cheats
	most    int      // d
	from    Seats    // whose says the round wants
	ballots int      // 0 to ballots
	without voteRule // the rule left out
	lean    bool     // of the calls of a cheat that rest on calls for one value, only one
	splits  bool     // two guards can close different values
	long    bool     // only with STANDOFF_VOTE_STATES
}

// TestVoteModel explores the closing of one round on the product's votes: within the bounds of T-01 no two peers ever
// close different values, beyond them and without any one of the rules of agreement they can.
// STANDOFF_VOTE_STATES bounds the states of each case, and adds the long ones.
func TestVoteModel(t *testing.T) {
	t.Parallel()
	const honest, liar = Seats(1 << 2), Seats(1 << 0)
	cases := []modelCase{
		{name: "3 seats", seats: 3, most: 1, from: honest, ballots: 2},
		{name: "3 seats, two say", seats: 3, most: 1, from: honest | 1, ballots: 2},
		{name: "4 seats", seats: 4, most: 1, from: honest, ballots: 2},
		{name: "4 seats, a cheat", seats: 4, cheats: 1, most: 1, from: honest, ballots: 2},
		{name: "4 seats, the cheat says", seats: 4, cheats: 1, most: 1, from: liar, ballots: 2},
		{name: "5 seats, a cheat", seats: 5, cheats: 1, most: 1, from: honest, ballots: 2},
		{name: "5 seats, the cheat says", seats: 5, cheats: 1, most: 1, from: liar, ballots: 2},
		{name: "3 seats, four ballots", seats: 3, most: 1, from: honest, ballots: 3, long: true},
		{name: "5 seats, two cheats, one says", seats: 5, cheats: 2, most: 1, from: liar, ballots: 2, lean: true, long: true},
		{name: "5 seats, two cheats", seats: 5, cheats: 2, most: 1, from: honest, ballots: 2, lean: true, long: true},
		{name: "5 seats", seats: 5, most: 1, from: honest, ballots: 2, long: true},
		{name: "4 seats, four ballots", seats: 4, most: 1, from: honest, ballots: 3, long: true},
		{name: "4 seats, a cheat, four ballots", seats: 4, cheats: 1, most: 1, from: honest, ballots: 3, lean: true, long: true},
		{name: "4 seats, the cheat says, four ballots", seats: 4, cheats: 1, most: 1, from: liar, ballots: 3, lean: true, long: true},

		{name: "beyond: 3 seats, a cheat", seats: 3, cheats: 1, most: 1, from: honest, ballots: 2, splits: true},
		{name: "beyond: 4 seats, two cheats", seats: 4, cheats: 2, most: 1, from: honest, ballots: 2, splits: true},
		{name: "beyond: 5 seats, a cheat, two may fail", seats: 5, cheats: 1, most: 2, from: honest, ballots: 2, splits: true},

		{name: "without adoption", seats: 4, most: 1, from: honest, ballots: 2, without: ruleAdopt, splits: true},
		{name: "without quarrel", seats: 4, cheats: 1, most: 1, from: liar, ballots: 2, without: ruleQuarrel, splits: true},
		{name: "without the most reported", seats: 5, cheats: 2, most: 1, from: liar, ballots: 2, without: ruleMost, splits: true},
		{name: "without promises", seats: 3, most: 1, from: honest, ballots: 2, without: rulePromise, splits: true},
		{name: "without proof of the top", seats: 4, cheats: 1, most: 1, from: honest, ballots: 2, without: ruleTop, splits: true},
	}
	most, long := 10_000, false
	if n, err := strconv.Atoi(os.Getenv("STANDOFF_VOTE_STATES")); err == nil {
		most, long = n, true
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.long && !long {
				t.Skip("takes minutes and much memory: STANDOFF_VOTE_STATES says how many states")
			}
			bound := most
			if c.splits {
				bound = max(most, 1_000_000)
			}
			until, ok := t.Deadline()
			if ok {
				until = until.Add(-5 * time.Second)
			}
			m, begun := newModel(c), time.Now()
			split, all := m.explore(bound, until)
			t.Logf("%s: %d states, all: %v; a value can be closed in %d; %d last ballots; %d calls, %d sets of calls; %v", c.name, len(m.seen), all,
				m.closes, len(m.last), len(m.calls), len(m.sets), time.Since(begun).Round(time.Millisecond))
			if c.splits {
				require.NotEmpty(t, split, "nothing splits")
				t.Log(split)
				return
			}
			require.Empty(t, split)
			require.True(t, m.closes > 0 || !all, "nothing is ever closed")
		})
	}
}
