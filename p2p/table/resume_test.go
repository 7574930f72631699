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

// TestEveryJournalIsTrusted: a seat that has sealed on the calls of others has written down what those name, also when
// each names another proof of the same fault. Started again from any beginning of its journal it may speak.
func TestEveryJournalIsTrusted(t *testing.T) {
	t.Parallel()
	w := fair(t, 9, 5)
	sealing := func(l *liar, w *world, e Envelope, other byte) []byte {
		var s seal
		x := e.text
		if decode(e.Body, &s) != nil {
			return e.Raw
		}
		s.Value[0] ^= other
		x.Body = encode(s)
		l.lied++
		return sealEnvelope(w.tables[l.seat].st.suite, w.tables[l.seat].me.id, x).Raw
	}
	w.liars[2] = &liar{seat: 2, after: 20, rng: rand.New(source(842, 1)), behaviour: behaviour{name: "seals three values", proof: true,
		lie: func(l *liar, w *world, to int, e Envelope) [][]byte {
			if e.Kind == KindSeal && (to == 0 || to == 3) {
				return [][]byte{e.Raw, sealing(l, w, e, byte(1+to))}
			}
			return [][]byte{e.Raw}
		}}}
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
	pairs := map[string]bool{}
	for _, i := range []int{0, 3} {
		list := w.diary.records[i]
		voted := slices.IndexFunc(list, func(r Record) bool {
			return r.Kind == RecordOwn && must(parseEnvelope(r.Data)).Kind == KindCall
		})
		require.Positive(t, voted)
		for k := voted; k <= len(list); k++ {
			if r := list[k-1]; r.Kind == RecordForeign {
				pairs[fmt.Sprint(namedEvidence([]Envelope{must(parseEnvelope(r.Data))}))] = true
			}
			tbl, err := Resume(w.config(i, 1), list[:k])
			require.NoError(t, err, "seat %d, %d records", i, k)
			require.False(t, tbl.mute, "seat %d does not trust the first %d records of its own journal", i, k)
		}
	}
	require.Greater(t, len(pairs), 2, "all name one proof, or none")
}
