package table

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestAJournalWithoutItsKeys: who has spoken and has lost its keys is told so, and nothing breaks.
func TestAJournalWithoutItsKeys(t *testing.T) {
	s := seatPlayers(t, 4, 841)
	n := newNetwork(t, s, 841, weather{})
	var journal []Record
	n.watch = append(n.watch, func(seat int, r Ready) {
		if seat == 0 {
			journal = append(journal, r.Save...)
		}
	})
	n.start()
	for len(n.tables[0].log) < 6 {
		l := n.mail[0]
		n.mail = n.mail[1:]
		n.tables[l.to].Receive(l.packet)
		n.settle(l.to)
	}
	keyless := slices.DeleteFunc(slices.Clone(journal), func(r Record) bool { return r.Kind == RecordSecret })
	_, err := Resume(Config{Rules: rulesOf, Identity: s.keys[0], Rand: source(1, 1)}, keyless)
	require.ErrorIs(t, err, ErrKeyless)
	_, err = Resume(Config{Rules: rulesOf, Identity: s.keys[0], Rand: source(1, 1)}, journal)
	require.NoError(t, err)
}

// tellsEach is the lie of a seat that tells some seats a message of their own, besides the true one or instead of it.
func tellsEach(to []int, besides bool, change func(st *state, me *party, x *text, other byte) bool) func(*liar, *world, int, Envelope) [][]byte {
	told := map[string][]byte{}
	return func(l *liar, w *world, seat int, e Envelope) [][]byte {
		if !slices.Contains(to, seat) {
			return [][]byte{e.Raw}
		}
		tbl, key, x := w.tables[l.seat], fmt.Sprint(seat, e.ID), e.text
		if told[key] == nil && e.Round == tbl.st.round && change(tbl.st, tbl.me, &x, byte(1+seat)) {
			l.lied++
			told[key] = sealEnvelope(tbl.st.suite, tbl.me.id, x).Raw
		}
		switch {
		case told[key] == nil:
			return [][]byte{e.Raw}
		case besides:
			return [][]byte{e.Raw, told[key]}
		}
		return [][]byte{told[key]}
	}
}

// TestEveryJournalIsTrusted: a seat that has sealed on the calls of others has written down what those name, also when
// each names another proof of the same fault, or another say of who has said something else to everybody. Started again
// from any beginning of its journal it may speak.
func TestEveryJournalIsTrusted(t *testing.T) {
	t.Parallel()
	otherSeal := func(_ *state, _ *party, x *text, other byte) bool {
		return sealed(func(s *seal) { s.Value[0] ^= other })(nil, nil, x)
	}
	otherSay := func(st *state, me *party, x *text, _ byte) bool { return anew(st, me, x) }
	for name, lie := range map[string]func(*liar, *world, int, Envelope) [][]byte{
		"seals three values":           tellsEach([]int{0, 3}, true, otherSeal),
		"says something else to each":  tellsEach([]int{0, 1, 3}, false, otherSay),
		"says two things to each":      tellsEach([]int{0, 1, 3, 4}, true, otherSay),
		"says two things to every two": tellsEach([]int{0, 3}, true, otherSay),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			journalsAreTrusted(t, 9, name, lie)
		})
	}
}

func journalsAreTrusted(t *testing.T, seed uint64, name string, lie func(*liar, *world, int, Envelope) [][]byte) {
	w := fair(t, seed, 5)
	w.liars[2] = &liar{seat: 2, after: 4, rng: rand.New(source(842, seed)), behaviour: behaviour{name: name, proof: true, lie: lie}}
	var late time.Duration
	w.until = func() bool {
		if late == 0 && !w.tables[0].st.members.Has(2) {
			late = w.now + 50*time.Millisecond
		}
		return late != 0 && w.now > late
	}
	w.run(time.Hour)
	require.Empty(t, w.problems)
	require.NotZero(t, w.liars[2].lied)
	named := map[string]bool{}
	for _, i := range []int{0, 1, 3, 4} {
		list := w.diary.records[i]
		voted := slices.IndexFunc(list, func(r Record) bool {
			return r.Kind == RecordOwn && must(parseEnvelope(r.Data)).Kind == KindCall
		})
		require.Positive(t, voted)
		for k := voted; k <= min(len(list), voted+40); k++ {
			if r := list[k-1]; r.Kind == RecordForeign {
				e := must(parseEnvelope(r.Data))
				var c call
				if e.Kind == KindCall && decode(e.Body, &c) == nil {
					named[fmt.Sprint(c.Held, namedEvidence([]Envelope{e}))] = true
				}
			}
			tbl, err := Resume(w.config(i, 1), list[:k])
			require.NoError(t, err, "seed %d, seat %d, %d records", seed, i, k)
			require.False(t, tbl.mute, "seed %d: seat %d does not trust the first %d records of its own journal", seed, i, k)
		}
	}
	require.Greater(t, len(named), 1, "all name the same")
}
