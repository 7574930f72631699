package cli

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/p2p/journal"
	"standoff/p2p/node"
	"standoff/p2p/table"
)

// kills is how often TestKills kills a process: STANDOFF_KILLS, 5 at every change, 50 in CI, 500 in full.
func kills(t *testing.T) int {
	s := os.Getenv("STANDOFF_KILLS")
	if s == "" {
		return 5
	}
	n, err := strconv.Atoi(s)
	require.NoError(t, err)
	return n
}

// killing is what TestKills counts.
type killing struct {
	kills, back, games int
	lost               uint32 // rounds that a journal did not have though its seat had told them
	still              time.Duration
	returns            []time.Duration

	best  uint32 // of the game
	moved time.Time
	told  map[*seatProcess]uint32
	died  map[*seatProcess]time.Time
}

// hear counts one report.
func (k *killing) hear(h heard) {
	if h.Round > k.best {
		if k.best > 0 {
			k.still = max(k.still, time.Since(k.moved))
		}
		k.best, k.moved = h.Round, time.Now()
	}
	if h.Journal > 0 && h.Journal < k.told[h.from] {
		k.lost += k.told[h.from] - h.Journal
	}
	if h.Round == 0 && h.End == nil {
		return
	}
	k.told[h.from] = max(k.told[h.from], h.Round)
	if at, ok := k.died[h.from]; ok {
		delete(k.died, h.from)
		k.returns = append(k.returns, time.Since(at))
		k.back++
	}
}

// Processes killed in one game: at most so many, lest it never moves, and of these some in the last moments, when others
// have the end already.
const (
	killsPerGame = 30
	lateKills    = 2
)

// game plays one game and kills at most so many of its processes, at any moment up to the last.
func (k *killing) game(t *testing.T, program string, most int) {
	d := newDemonstration(t, program, map[string]string{"waits": "0s", "grace": "300s", "clock": "none"})
	d.rounds = true
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	defer d.close()
	require.NoError(t, d.start(ctx, 4))
	var err error
	d.roster, err = d.gather(ctx)
	require.NoError(t, err)
	require.NoError(t, d.sit())
	k.best, k.told, k.died = 0, map[*seatProcess]uint32{}, map[*seatProcess]time.Time{}
	most = min(most, killsPerGame)
	early := max(most-lateKills, (most+1)/2) // so many at most before somebody has the end
	for due := time.Now().Add(pause()); !d.over(); {
		if len(d.finished()) > 0 {
			early, due = most, time.Time{}
		}
		if time.Now().After(due) && early > 0 && most > 0 {
			if p := d.seats[rand.IntN(len(d.seats))]; p.end == nil && k.told[p] > 0 { // it has sat down
				require.NoError(t, p.kill())
				require.NoError(t, d.spawn(p))
				k.kills, most, early = k.kills+1, most-1, early-1
				k.died[p] = time.Now()
			}
			due = time.Now().Add(pause())
		}
		h, err := d.next(ctx, "the next move")
		require.NoError(t, err)
		k.hear(h)
		switch {
		case h.Hello != nil:
			require.NoError(t, h.from.tell(order{Sit: &sitOrder{Roster: d.roster, File: d.file(slices.Index(d.seats, h.from)), Resume: true, Rounds: true}}))
		case h.End != nil:
			h.from.end = h.End
		}
	}
	k.games++
	var first []byte
	for i := range d.seats {
		b, err := os.ReadFile(d.file(i))
		require.NoError(t, err)
		if first == nil {
			first = b
		}
		require.True(t, bytes.Equal(first, b), "the transcripts of seats 0 and %d differ", i)
	}
	v := judge(first)
	require.Nil(t, v.problem)
	require.Equal(t, "finished", v.Result)
	require.Empty(t, v.Moves, "a seat that is back in time is not taken out")
	require.Empty(t, v.Faults)
}

// A process that is killed at any moment and started again goes on as if nothing had been: no round that it has
// acknowledged is lost, nobody is blamed or taken out, and all have the same transcript at the end.
func TestKills(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("standoff")
	require.NoError(t, err)
	var k killing
	for want := kills(t); k.kills < want; {
		before := k.kills
		k.game(t, program, want-k.kills)
		require.True(t, k.kills > before || k.games < 3, "games in which nobody can be killed")
	}
	slices.Sort(k.returns)
	t.Logf("%d kills in %d games, %d returns, %d rounds lost; the longest standstill %v, the median return %v, the longest %v",
		k.kills, k.games, k.back, k.lost, k.still.Round(time.Millisecond), k.returns[len(k.returns)/2].Round(time.Millisecond), k.returns[len(k.returns)-1].Round(time.Millisecond))
	require.Zero(t, k.lost)
}

// pause is the time to the next kill: often in the middle of a hundredth of a second in which a round goes on.
func pause() time.Duration { return time.Duration(rand.IntN(800)) * time.Millisecond }

// newDemonstration is a demonstration that says nothing.
func newDemonstration(t *testing.T, program string, options map[string]string) *demonstration {
	rules, err := compile([]string{"base"})
	require.NoError(t, err)
	choices := table.DefaultChoices()
	for name, value := range options {
		choices.Table[name] = value
	}
	folder := t.TempDir()
	return &demonstration{shell: &shell{out: &sink{w: io.Discard}, err: io.Discard}, sets: []string{"base"},
		list: choices.List(rules), keep: folder, folder: folder, heard: make(chan heard, 64), program: program}
}

// FR-35: whoever has the name, the journal even, but not the key, gets nothing.
func TestFieldReportsResume(t *testing.T) {
	t.Parallel()
	t.Run("FR-35 A name is no proof", func(t *testing.T) {
		h := sitDown(t, 4)
		roster := h.tables[0].Roster()
		data := t.TempDir()
		j, err := journal.Create(filepath.Join(data, "journals"), roster.Table)
		require.NoError(t, err)
		require.NoError(t, j.Append([]table.Record{{Kind: table.RecordRoster, Data: roster.Raw}}))
		require.NoError(t, j.Close())
		code, _, errs := run("resume", "--data", data, "--no-mdns", "--nick", roster.Joins[1].Nick)
		require.Equal(t, Failure, code)
		require.Contains(t, errs, "has no seat at the table hall")
		require.Contains(t, errs, "standoff: hint: only the key that has sat down can take the seat again")

		code, _, errs = run("resume", "saloon", "--data", data, "--no-mdns")
		require.Equal(t, Failure, code)
		require.Contains(t, errs, `there is no unfinished game at a table "saloon"`)
		require.Contains(t, errs, "hall ("+roster.Table.String()+")")
	})
	t.Run("FR-35 A stranger is not let in", func(t *testing.T) {
		program, err := exec.LookPath("standoff")
		require.NoError(t, err)
		d := newDemonstration(t, program, map[string]string{"waits": "0s", "grace": "2s", "clock": "none"})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		require.NoError(t, d.start(ctx, 4))
		defer d.close()
		d.roster, err = d.gather(ctx)
		require.NoError(t, err)
		require.NoError(t, d.sit())
		for begun := false; !begun; {
			h, err := d.next(ctx, "the first turn")
			require.NoError(t, err)
			begun = strings.HasPrefix(h.Log, "turn 1: ")
		}
		victim := d.seats[2]
		require.NoError(t, victim.kill())

		// The stranger has the nick, the roster and the journal of the seat, and every address, but a key of its own.
		require.NoError(t, os.Remove(filepath.Join(victim.folder, "identity")))
		stranger, err := node.LoadOrCreate(victim.folder)
		require.NoError(t, err)
		require.NoError(t, d.spawn(victim))
		told := false
		for !told {
			h, err := d.next(ctx, "the stranger")
			if h.Problem != "" {
				require.Equal(t, victim, h.from)
				require.ErrorContains(t, err, "no seat at the table")
				told = true
				continue
			}
			require.NoError(t, err)
			if h.Hello != nil {
				key := stranger.Key()
				require.Equal(t, key[:], h.Hello.Key)
				require.NoError(t, victim.tell(order{Sit: &sitOrder{Roster: d.roster, File: d.file(2), Resume: true}}))
			}
			if h.End != nil {
				h.from.end = h.End
			}
		}
		require.NoError(t, victim.kill())
		for !d.over() {
			h, err := d.next(ctx, "the end")
			require.NoError(t, err)
			if h.End != nil {
				h.from.end = h.End
			}
		}
		b, err := os.ReadFile(d.file(0))
		require.NoError(t, err)
		v := judge(b)
		require.Nil(t, v.problem)
		for _, m := range v.Moves {
			require.False(t, m.Back, "nobody is let in")
		}
		require.True(t, len(v.Moves) > 0 && strings.Contains(v.Moves[0].Reason, "silence"))
	})
}
