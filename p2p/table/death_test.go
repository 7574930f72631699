package table

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// moment is a point of a round at which seats die.
type moment uint8

const (
	whenOpen   moment = iota // the first machine stands in the round
	whenFull                 // one has all says
	whenSealed               // one of those that die has sealed
	whenCalled               // one of the others has called
)

func (m moment) String() string {
	return [...]string{"opened", "full", "sealed", "called"}[m]
}

// death is what happens to one table: some seats die at once in a round of a kind, later in another perhaps one more.
type death struct {
	kind  RoundKind
	at    moment
	first Seats
	then  RoundKind // 0: nobody dies after them
	when  moment
	more  Seats
}

func (d death) String() string {
	s := fmt.Sprintf("%v_%v_%v", d.kind, d.at, d.first.List())
	if d.then != 0 {
		s += fmt.Sprintf("_then_%v_%v_%v", d.then, d.when, d.more.List())
	}
	return s
}

// reached reports whether a table stands where seats are to die.
func (m moment) reached(tbl *Table, d Seats) bool {
	switch m {
	case whenOpen:
		return true
	case whenFull:
		return tbl.open.fullAt != 0
	case whenSealed:
		return d.Has(tbl.me.seat) && len(tbl.open.vote.own) > 0
	}
	return tbl.open.vote.called != nil
}

// standstill plays a table of six of which two may fail until it has gone on without the dead: all others have dealt
// fresh shares and play. It gives the time since the last death, and what happened in it.
func (d death) standstill(t *testing.T, seed uint64) (long time.Duration, diary []string) {
	w := fair(t, seed, 6, [2]string{"tolerate", "2"})
	var last, done time.Duration
	stage, after := 0, uint32(12) // the game has begun, and all have beaten
	if d.kind == RoundMix {
		after = 5
	}
	seen := map[string]bool{}
	note := func(key, format string, args ...any) {
		if !seen[key] {
			seen[key] = true
			diary = append(diary, fmt.Sprintf("%8v  ", (w.now-last).Round(time.Millisecond))+fmt.Sprintf(format, args...))
		}
	}
	w.onRest = func(i int, tbl *Table) {
		switch {
		case w.off[i]:
		case stage == 0 && tbl.st.round >= after && tbl.ex.Kind == d.kind && d.at.reached(tbl, d.first):
			stage, last = 1, w.now
			note("die", "%v die in round %d (%v from %v)", d.first.List(), tbl.st.round, tbl.ex.Kind, tbl.ex.From.List())
			for _, s := range d.first.List() {
				w.kill(s)
			}
		case stage == 1 && d.then != 0 && tbl.ex.Kind == d.then && d.when.reached(tbl, d.more):
			note("more", "%v die in round %d (%v from %v)", d.more.List(), tbl.st.round, tbl.ex.Kind, tbl.ex.From.List())
			stage, last = 2, w.now
			for _, s := range d.more.List() {
				w.kill(s)
			}
		case stage > 0:
			key := fmt.Sprint(i, tbl.st.round)
			note(key, "seat %d in round %d (%v from %v) of %v", i, tbl.st.round, tbl.ex.Kind, tbl.ex.From.List(), tbl.st.members.List())
			if c := tbl.open.vote.called; c != nil {
				note(fmt.Sprint(key, " ", c.ballot), "seat %d calls in ballot %d to go on without %v", i, c.ballot, dropped(c.out).List())
			}
			if m := tbl.st.members; (stage == 2 || d.then == 0) && m&w.dead == 0 && tbl.st.holders == m && done == 0 {
				if kind, _ := tbl.st.repair(); kind == 0 {
					done = w.now
				}
			}
		}
	}
	w.until = func() bool { return done != 0 }
	w.run(30 * time.Minute)
	require.Empty(t, w.problems)
	require.NotZero(t, stage, "the game has no such round")
	require.NotZero(t, done, "%v", diary)
	return done - last, diary
}

// TestDeath: whenever one seat or two die, the table stands still for little longer than the grace and the second that
// proofs may take. Silence that has begun is not waited for twice.
func TestDeath(t *testing.T) {
	t.Parallel()
	var list []death
	for _, k := range []RoundKind{RoundMix, RoundStrip, RoundOwn, RoundAct} {
		for m := range whenCalled {
			for _, dead := range []Seats{only(2), only(1) | only(2), only(2) | only(4)} {
				list = append(list, death{kind: k, at: m, first: dead})
			}
		}
	}
	for _, k := range []RoundKind{RoundWrap, RoundLift, RoundShare, RoundCheck} {
		for m := range whenCalled {
			list = append(list, death{kind: RoundStrip, first: only(2), then: k, when: m, more: only(4)})
		}
	}
	list = append(list, death{kind: RoundStrip, first: only(2), then: RoundStrip, when: whenCalled, more: only(4)},
		death{kind: RoundAct, first: only(4), then: RoundAct, when: whenCalled, more: only(2)})
	for i, d := range list {
		t.Run(d.String(), func(t *testing.T) {
			t.Parallel()
			long, diary := d.standstill(t, uint64(4000+i%3))
			const grace, beyond = 2 * time.Second, proofTime + 1500*time.Millisecond
			require.LessOrEqual(t, long, grace+beyond, "%v", strings.Join(diary, "\n"))
		})
	}
}
