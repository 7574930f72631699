package table

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// doubted are the seats that honest machines of a world have taken out of the members, and those without which they
// have called for going on.
func (w *world) doubted() (taken, called *Seats) {
	taken, called = new(Seats), new(Seats)
	w.onReady = func(i int, r Ready) {
		for _, n := range r.News {
			if n.Kind == NewsRemoved {
				*taken |= only(n.Seat)
			}
		}
		for _, rec := range r.Save {
			if rec.Kind != RecordOwn || w.liars[i] != nil {
				continue
			}
			if e := must(parseEnvelope(rec.Data)); e.Kind == KindCall {
				_, c, _ := readCall(e)
				*called |= dropped(c.out)
			}
		}
	}
	return taken, called
}

// TestWhoDoubtsLaterStays: one of many misses a dead seat later than all others do, by a slow clock and a later sign of
// life. It calls for something else than they until then, and that costs it nothing.
func TestWhoDoubtsLaterStays(t *testing.T) {
	t.Parallel()
	for later := time.Duration(0); later <= 5*time.Second; later += 500 * time.Millisecond {
		t.Run(later.String(), func(t *testing.T) {
			t.Parallel()
			const slow, dead = 2, 4
			w := fair(t, 5000, 7, [2]string{"tolerate", "2"})
			w.skew = []float64{1.1, 1.15, 0.82, 1.2, 1, 1.05, 1.12}
			out, called := w.doubted()
			died := time.Duration(0)
			w.onRest = func(i int, tbl *Table) {
				if died != 0 || i != dead || tbl.st.round < 40 || len(tbl.open.vote.own) == 0 {
					return
				}
				died = w.now // the round is closed, but late: in the next one nobody has owed anything for long
				w.kill(dead)
				w.cut(only(slow), true)
				w.later(1900*time.Millisecond, "", 0, func() { w.cut(only(slow), false) })
				for at := time.Duration(0); at <= later; at += 100 * time.Millisecond {
					w.later(at, "", 0, func() { w.tables[slow].Alive(dead) })
				}
			}
			w.until = func() bool {
				m := w.tables[slow].st.members
				return died != 0 && (w.now > died+2*time.Minute || m == w.newest().st.members && !m.Has(dead) && w.tables[slow].st.holders == m)
			}
			w.run(time.Hour)
			require.Empty(t, w.problems)
			require.Equal(t, only(dead), *out)
			require.Equal(t, only(dead), *called, "nobody thinks of going on without it")
			require.Less(t, w.now-died, 45*time.Second)
		})
	}
}

// TestWhoIsToldLessStays: a liar tells what it calls to half of the seats only, and nobody answers questions. The others
// hear of it from one another, and suspect nobody who cannot know it.
func TestWhoIsToldLessStays(t *testing.T) {
	t.Parallel()
	const who, dead = 3, 4
	for _, n := range []int{6, 7} {
		for half := range 2 {
			t.Run(fmt.Sprintf("%d_seats_%d", n, half), func(t *testing.T) {
				t.Parallel()
				w := fair(t, 5100, n, [2]string{"tolerate", "2"})
				w.mum = true
				w.liars[who] = &liar{seat: who, after: 8, rng: rand.New(source(1, 1)), behaviour: behaviour{name: "calls to half",
					lie: func(l *liar, w *world, to int, e Envelope) [][]byte {
						if e.Kind == KindCall && to%2 == half {
							l.lied++
							return nil
						}
						return [][]byte{e.Raw}
					}}}
				out, _ := w.doubted()
				w.later(3*time.Second, "", only(dead), func() { w.kill(dead) })
				w.until = func() bool { return w.now > 5*time.Minute }
				w.run(time.Hour)
				require.Empty(t, w.problems)
				require.Positive(t, w.liars[who].lied)
				require.Zero(t, out.Without(who).Without(dead))
				require.False(t, w.newest().st.members.Has(dead))
			})
		}
	}
}

// TestWhatSomeAreToldAllHear: a liar tells what it says, or what it seals, or both, to half of the seats only, and nobody
// answers questions. Who has heard all passes it on where a seat has not sealed, or does not speak in the next round, so
// that each round is closed by all and nobody is called on.
func TestWhatSomeAreToldAllHear(t *testing.T) {
	t.Parallel()
	const who = 3
	for n := 4; n <= 7; n++ {
		for k := range 6 {
			half, keeps := k%2, [][]Kind{{KindSay}, {KindSeal}, {KindSay, KindSeal}}[k/2]
			t.Run(fmt.Sprintf("%d_seats_%d_%v", n, half, keeps), func(t *testing.T) {
				t.Parallel()
				w := fair(t, 5400, n)
				w.mum = true
				w.liars[who] = &liar{seat: who, after: 8, rng: rand.New(source(1, 1)), behaviour: behaviour{name: "says to half",
					lie: func(l *liar, w *world, to int, e Envelope) [][]byte {
						if slices.Contains(keeps, e.Kind) && to%2 == half {
							l.lied++
							return nil
						}
						return [][]byte{e.Raw}
					}}}
				out, called := w.doubted()
				w.until = func() bool { return w.newest().st.round >= 60 }
				w.run(time.Hour)
				require.Empty(t, w.problems)
				require.Greater(t, w.liars[who].lied, 10)
				require.Zero(t, *called)
				require.Zero(t, *out)
				require.GreaterOrEqual(t, w.newest().st.round, uint32(60))
				require.Less(t, w.longest, 2*time.Second, "a round waits for one repetition")
			})
		}
	}
}

// TestWhoHasSealedIsNotBehind: a round is closed by a ballot without a seat that has sealed its value, but with a seal
// of ballot 0. In the next round nobody calls on it.
func TestWhoHasSealedIsNotBehind(t *testing.T) {
	const silent, dead = 2, 4
	for _, n := range []int{6, 7} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			w := fair(t, 5200, n, [2]string{"tolerate", "2"})
			var round uint32
			w.liars[silent] = &liar{seat: silent, rng: rand.New(source(1, 1)), behaviour: behaviour{name: "does not call in one round",
				lie: func(l *liar, w *world, to int, e Envelope) [][]byte {
					if e.Kind == KindCall && e.Round == round {
						l.lied++
						return nil
					}
					return [][]byte{e.Raw}
				}}}
			out, _ := w.doubted()
			w.onRest = func(i int, tbl *Table) {
				if round == 0 && i == dead && tbl.st.round > 20 && tbl.ex.Kind == RoundStrip && len(tbl.open.says[dead]) > 0 && len(tbl.open.vote.own) == 0 {
					round = tbl.st.round
					w.kill(dead)
				}
			}
			var done time.Duration
			w.until = func() bool {
				if m := w.newest().st.members; done == 0 && round != 0 && !m.Has(dead) && w.newest().st.holders == m {
					done = w.now
				}
				return done != 0 && w.now > done+5*time.Second
			}
			w.run(time.Hour)
			require.Empty(t, w.problems)
			require.Positive(t, w.liars[silent].lied)
			require.NotZero(t, done)
			require.Equal(t, only(dead), *out)
		})
	}
}

// TestWhoIsToldOfLifeStays: more of six are dead than may be missing, and for an hour a liar tells one of those that are there
// that two of the dead live. It thinks that the table could go on, but it does not run away from the others in the
// ballots, so that they go on with it when the two are back.
func TestWhoIsToldOfLifeStays(t *testing.T) {
	t.Parallel()
	const told, dead, away = 1, 3, Seats(1<<4 | 1<<5)
	for _, long := range []time.Duration{time.Minute, 10 * time.Minute, time.Hour} {
		t.Run(long.String(), func(t *testing.T) {
			t.Parallel()
			w := fair(t, 5700, 6, [2]string{"tolerate", "2"})
			out, _ := w.doubted()
			var died, back, done time.Duration
			w.onRest = func(i int, tbl *Table) {
				switch {
				case died == 0 && i == told && tbl.st.round >= 30:
					died = w.now
					w.kill(dead)
					for _, s := range away.List() {
						w.off[s] = true
						w.later(long, "", 0, func() {
							back = w.now
							w.start(s, true)
						})
					}
				case died != 0 && back == 0:
					w.lastMove = w.now
					if i == told {
						for _, s := range away.List() {
							tbl.Alive(s)
						}
					}
				case back != 0 && done == 0 && !tbl.st.members.Has(dead):
					done = w.now
				}
			}
			w.until = func() bool { return done != 0 && w.now > done+time.Minute }
			w.run(5 * time.Hour)
			require.Empty(t, w.problems)
			require.NotZero(t, done)
			require.Equal(t, only(dead), *out)
			require.Less(t, done-back, 10*time.Second)
		})
	}
}
