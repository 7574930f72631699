package table

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// besides are messages that a program never sends, told besides all that is right: the round closes without looking at
// them, and what they prove must not be forgotten with it. Each makes one of what its seat is about to send.
var besides = []struct {
	name string
	with Kind // the right one that it goes with
	make func(st *state, x *text) bool
}{
	{"says rubbish", KindSay, func(_ *state, x *text) bool { x.Body = encode([]int{1, 2}); return true }},
	{"says another kind of round", KindSay, func(_ *state, x *text) bool {
		var s say
		if decode(x.Body, &s) != nil {
			return false
		}
		s.Kind++
		x.Body = encode(s)
		return true
	}},
	{"says too much", KindSay, func(_ *state, x *text) bool { x.Body = encode(make([]byte, MaxSay)); return true }},
	{"gives a false layer", KindSay, func(st *state, x *text) bool {
		return edit(x, RoundStrip, func(p *stripPart) bool {
			if len(p.Layers) == 0 {
				return false
			}
			shift(st, &p.Layers[0])
			return true
		})
	}},
	{"says where nothing is asked", KindSeal, func(st *state, x *text) bool {
		if st.expect().From.Has(int(x.Seat)) {
			return false
		}
		x.Kind, x.Body = KindSay, sayOf(RoundStrip, stripPart{})
		return true
	}},
	{"seals rubbish", KindSeal, func(_ *state, x *text) bool { x.Body = encode([]int{1, 2}); return true }},
	{"seals too much", KindSeal, func(_ *state, x *text) bool { x.Body = encode(make([]byte, MaxSeal)); return true }},
	{"seals at a ballot that there is not", KindSeal, func(_ *state, x *text) bool {
		return sealed(func(s *seal) { s.Ballot = maxBallot + 1 })(nil, nil, x)
	}},
	{"calls rubbish", KindSeal, func(_ *state, x *text) bool { x.Kind, x.Body = KindCall, encode([]int{1, 2}); return true }},
	{"calls at a ballot that there is not", KindSeal, func(_ *state, x *text) bool {
		x.Kind, x.Body = KindCall, encode((&ballotCall{ballot: maxBallot + 1}).text([][]byte{}))
		return true
	}},
}

// TestAFaultIsNotForgottenWithItsRound: who sends what is right and besides that what proves it guilty, before or after,
// to all or to one, is taken out for it, soon, and the game goes on without it.
func TestAFaultIsNotForgottenWithItsRound(t *testing.T) {
	t.Parallel()
	for i, b := range besides {
		for _, way := range []struct {
			name   string
			before bool
			to     []int
		}{{"after", false, []int{0, 1, 2, 4}}, {"before", true, []int{0, 1, 2, 4}}, {"after, to one", false, []int{1}}, {"before, to one", true, []int{4}}} {
			t.Run(b.name+"/"+way.name, func(t *testing.T) {
				t.Parallel()
				w := fair(t, uint64(7100+i), 5)
				l := &liar{seat: 3, rng: rand.New(source(7100, uint64(i))), after: 6}
				first, out := uint32(0), uint32(0)
				told := map[Hash][]byte{}
				l.behaviour = behaviour{name: b.name, proof: true, lie: func(l *liar, w *world, to int, e Envelope) [][]byte {
					st := w.tables[3].st
					if x := e.text; told[e.ID] == nil && e.Kind == b.with && e.Round == st.round && b.make(st, &x) {
						told[e.ID] = sealEnvelope(st.suite, w.seats.keys[3], x).Raw
					}
					switch raw := told[e.ID]; {
					case raw == nil || !slices.Contains(way.to, to):
						return [][]byte{e.Raw}
					case way.before:
						return [][]byte{raw, e.Raw}
					default:
						return [][]byte{e.Raw, raw}
					}
				}}
				w.liars[3] = l
				w.onReady = func(seat int, r Ready) {
					for _, f := range r.Faults {
						if seat != 3 && first == 0 {
							require.Equal(t, 3, f.Seat)
							first = f.Round
						}
					}
				}
				w.onRest = func(seat int, tbl *Table) {
					if seat == 0 && out == 0 && first > 0 && tbl.st.away.Has(3) {
						out = tbl.st.removedAt[3]
					}
				}
				w.run(time.Hour)
				require.Empty(t, w.problems)
				require.NotZero(t, first, "nobody has seen it")
				st := w.tables[0].st
				require.Equal(t, Cheat, st.why[3], "proved in round %d, taken out in round %d", first, out)
				require.Equal(t, uint32(1), st.removals[3], "once, and for good")
				require.LessOrEqual(t, out, first+10, "it is not kept for long")
				require.Equal(t, Finished, w.tables[0].end.Result)
			})
		}
	}
}
