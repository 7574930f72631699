package table

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// attackFalseKey: a seat shows another key at the end than it played with, or none. The game ends by the rules for all
// others, with its line missing; a false key is a fault, silence is none, and the others put the key together from their shares, in
// the log, as far as enough of them do. A false share is named.
func attackFalseKey(t *testing.T) {
	for i, name := range []string{"shows a false key at the end", "shows none"} {
		t.Run(name, func(t *testing.T) {
			w := fair(t, uint64(808+i), 5)
			l := &liar{seat: 2, rng: w.rng}
			if i == 0 {
				l.behaviour = behaviourNamed(name)
			} else {
				l.behaviour.lie = func(l *liar, w *world, to int, e Envelope) [][]byte {
					var s say
					if e.Kind == KindSay && decode(e.Body, &s) == nil && s.Kind == RoundKeys {
						l.lied++
						return nil
					}
					return [][]byte{e.Raw}
				}
			}
			w.liars[2] = l
			rep := w.finishes(t)
			require.Positive(t, l.lied)
			require.Len(t, rep.Moves, 1)
			require.Equal(t, []Reason{Cheat, Silence}[i], rep.Moves[0].Why)
			require.Equal(t, i == 0, len(w.faults) > 0)
			for _, f := range w.faults {
				require.Equal(t, FaultKey, f.Kind)
			}
			st := w.tables[0].st
			require.Equal(t, Seats(0b11011), st.shown)
			require.Equal(t, st.card[2], must(st.suite.SecretFrom(audited(t, w)[2])).Public())
		})
	}
	withheld := func(l *liar, w *world, to int, e Envelope) [][]byte {
		var s say
		if e.Kind == KindSay && decode(e.Body, &s) == nil && (s.Kind == RoundKeys && l.seat == 2 || s.Kind == RoundRecover) {
			l.lied++
			return nil
		}
		return [][]byte{e.Raw}
	}
	falseShare := instead(edits(RoundRecover, func(st *state, p *recoverPart) bool {
		p.Shares[0] = slices.Clone(p.Shares[0])
		p.Shares[0][7] ^= 1
		return true
	}))
	for i, c := range []struct {
		name     string
		players  int
		tolerate string
		lie      func(*liar, *world, int, Envelope) [][]byte // of seat 3, to the key of seat 2
		why      Reason
		known    bool
	}{
		{"a share withheld, too few others", 5, "1", withheld, Silence, false},
		{"a false share, too few others", 5, "1", falseShare, Cheat, false},
		{"a share withheld, enough others", 6, "2", withheld, Silence, true},
		{"a false share, enough others", 6, "2", falseShare, Cheat, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := fair(t, uint64(870+i), c.players, [2]string{"tolerate", c.tolerate})
			w.liars[2] = &liar{seat: 2, rng: w.rng, behaviour: behaviour{lie: withheld}}
			w.liars[3] = &liar{seat: 3, rng: w.rng, behaviour: behaviour{lie: c.lie}}
			rep := w.finishes(t)
			require.Positive(t, w.liars[3].lied)
			require.Equal(t, []int{2, 3}, []int{rep.Moves[0].Seat, rep.Moves[1].Seat})
			require.Equal(t, c.why, rep.Moves[1].Why)
			if c.why == Cheat {
				require.Equal(t, FaultDealing, rep.Moves[1].Proof.Kind)
			}
			keys := audited(t, w)
			require.NotNil(t, keys[3], "it has shown its own")
			require.Equal(t, c.known, keys[2] != nil)
			if c.known {
				st := w.tables[0].st
				require.Equal(t, st.card[2], must(st.suite.SecretFrom(keys[2])).Public())
			}
		})
	}
	t.Run("a seat that has gone", func(t *testing.T) {
		w := fair(t, 875, 5) // after the last move, before it has shown its key
		w.onRest = func(i int, tbl *Table) {
			if i == 0 && tbl.st.stage == atKeys && !w.dead.Has(4) {
				w.kill(4)
			}
		}
		w.liars[4] = &liar{seat: 4, rng: w.rng, behaviour: behaviour{lie: func(l *liar, w *world, to int, e Envelope) [][]byte {
			if w.tables[4].st.stage == atKeys {
				return nil // its cable is out a moment before
			}
			return [][]byte{e.Raw}
		}}}
		told := 0
		w.onReady = func(i int, r Ready) {
			for _, n := range r.News {
				require.NotEqual(t, NewsAudit, n.Kind, "not all keys are shown")
				if n.Kind == NewsRecovered {
					require.Equal(t, 4, n.Seat)
					told++
				}
			}
		}
		w.finishes(t)
		require.Equal(t, 4, told)
		st := w.tables[0].st
		require.Equal(t, st.card[4], must(st.suite.SecretFrom(audited(t, w)[4])).Public())
	})
}

// audited are the keys that anybody finds in the transcript.
func audited(t *testing.T, w *world) [][]byte {
	r, err := openWith(w.suite(), w.tables[0].Transcript(), rulesOf)
	require.NoError(t, err)
	for more := true; more; {
		more, err = r.Round()
		require.NoError(t, err)
	}
	return r.Keys()
}
