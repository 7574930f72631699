package table

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/engine"
)

// fork is a round of a finished game in which a seat could have decided otherwise: with what it signs privately, a
// cheater can show a log to somebody that the members never had. Seat 5 has been away since long before.
type fork struct {
	net   *network
	st    *state   // before the round
	asked int      // the cheater
	more  int      // a second one
	lies  [][]byte // other decisions, signed
	diary diary
}

// playFork plays a game of six with one seat away, up to its end.
func playFork(t *testing.T) *fork {
	n := newNetwork(t, seatToys(t, 6, 860, patient()...), 860, weather{})
	f := &fork{net: n}
	var me party
	var legal []engine.Action
	n.watch = append(n.watch, f.diary.keep)
	n.at(20, func() { n.cut[5] = true })
	seen := n.onRound
	n.onRound = func(seat int, tbl *Table) {
		seen(seat, tbl)
		if f.st != nil || !tbl.Asked() || seat > 3 || tbl.st.round < 60 || !tbl.st.away.Has(5) {
			return
		}
		v, _ := tbl.View()
		if legal = v.Legal(); len(legal) < 5 {
			return
		}
		f.st, f.asked, f.more, me = tbl.st, seat, (seat+1)%4, *tbl.me
		me.rand = source(1, 1)
	}
	n.run()
	finished(t, n, 5)
	require.NotNil(t, f.st, "no seat had a choice")
	var taken Envelope
	for _, e := range f.round().says {
		if int(e.Seat) == f.asked {
			taken = e
		}
	}
	ex := f.st.expect()
	for _, a := range legal {
		me.action = a
		body, err := speakAct(f.st, ex, f.st.at(f.asked, ex), &me)
		require.NoError(t, err)
		raw := f.sign(f.st, f.asked, KindSay, sayOf(RoundAct, body))
		if e := must(parseEnvelope(raw)); e.ID != taken.ID {
			f.lies = append(f.lies, raw)
		}
	}
	require.Greater(t, len(f.lies), 3)
	return f
}

// round is what the members closed the round with.
func (f *fork) round() *closedRound { return &f.net.tables[0].log[f.st.round] }

func (f *fork) sign(st *state, seat int, k Kind, body []byte) []byte {
	return sealEnvelope(st.suite, f.net.tables[seat].me.id, text{
		Kind: k, Table: st.roster.Table, Round: st.round, Seat: uint8(seat), Prev: st.head, Body: body}).Raw
}

func (f *fork) wish(seat int, round uint32, what WishKind) []byte {
	return sealEnvelope(f.st.suite, f.net.tables[seat].me.id, text{Kind: KindWish, Table: f.st.roster.Table, Round: round,
		Seat: uint8(seat), Body: encode(wishText{What: what})}).Raw
}

// branch is the state after the round had it been closed with a lie.
func (f *fork) branch(t *testing.T, lie []byte) (v verdict, next *state) {
	o := outcome{parts: make([]*part, MaxSeats)}
	list := append(slices.Clone(f.round().says), must(parseEnvelope(lie)))
	ex := f.st.expect()
	for _, e := range list {
		p, wrong := f.st.read(ex, int(e.Seat), e.Body)
		require.Nil(t, wrong)
		o.parts[e.Seat], v.says[e.Seat] = &p, e.ID
	}
	next, err := f.st.next(ex, o, valueOf(f.st.round, v))
	require.NoError(t, err)
	require.NotEqual(t, f.net.tables[0].log[f.st.round+1].says[0].Prev, next.head)
	return v, next
}

// follower is a table that does not speak and stands before the round.
func (f *fork) follower(t *testing.T, kind string) *Table {
	tbl := f.followerAt(t, kind, f.st.round)
	require.Equal(t, f.st.head, tbl.st.head)
	require.False(t, tbl.speaks())
	return tbl
}

func (f *fork) followerAt(t *testing.T, kind string, round uint32) *Table {
	c := Config{Roster: f.net.seats.roster, Rules: rulesOf, Rand: source(2, 2), Suite: toy{}}
	var tbl *Table
	var err error
	switch kind {
	case "observer":
		tbl, err = New(c)
	case "away":
		c.Identity = f.net.seats.keys[5]
		tbl, err = Resume(c, f.diary.records[5])
	case "journal lost":
		c.Identity, c.Lost = f.net.seats.keys[4], true
		tbl, err = New(c)
	}
	require.NoError(t, err)
	require.NoError(t, tbl.Start())
	f.feed(tbl, round)
	require.Equal(t, round, tbl.st.round)
	return tbl
}

// feed gives a table the log of the members up to a round.
func (f *fork) feed(tbl *Table, to uint32) {
	log := f.net.tables[0].log
	for range 3 { // a follower asks again
		for r := tbl.st.round; r < min(to, uint32(len(log))); r++ {
			give(tbl, rawOf(log[r].envelopes())...)
		}
	}
}

func rawOf(list []Envelope) (raw [][]byte) {
	for _, e := range list {
		raw = append(raw, e.Raw)
	}
	return raw
}

func give(tbl *Table, raw ...[]byte) {
	for _, p := range Bundle(raw...) {
		tbl.Receive(p)
	}
}

// words are what cheaters may sign to make a lie look like the log, by kind of envelope.
func (f *fork) words(t *testing.T, by []int, lie []byte) map[string][][]byte {
	v, next := f.branch(t, lie)
	w := map[string][][]byte{}
	value := valueOf(f.st.round, v)
	for _, seat := range by {
		add := func(kind string, st *state, k Kind, body any) {
			w[kind] = append(w[kind], f.sign(st, seat, k, encode(body)))
		}
		add("say", next, KindSay, say{Kind: next.expect().Kind, Part: encode(actPart{To: engine.None}), Wishes: [][]byte{}})
		add("seal", f.st, KindSeal, seal{Value: value, Head: next.head})
		add("seal", next, KindSeal, seal{Value: Hash{1}, Head: Hash{2}})
		c := call{Ballot: 1, Out: []removal{}, Held: listed(v.says), Top: topText{Value: value, Calls: []sayID{}}, Wishes: [][]byte{}}
		add("call", f.st, KindCall, c)
		c.Ballot, c.Top = 2, topText{Ballot: 1, Value: value, Calls: []sayID{{Seat: uint8(seat), ID: must(parseEnvelope(w["call"][len(w["call"])-1])).ID}}}
		c.Out = []removal{{Seat: 4, Why: Silence, Evidence: []Hash{}}}
		add("call", f.st, KindCall, c)
		add("call", f.st, KindSeal, seal{Ballot: 1, Value: value, Head: next.head})
		add("call", f.st, KindSeal, seal{Ballot: 2, Value: value, Head: next.head})
		add("call", next, KindCall, call{Ballot: 1, Out: []removal{}, Held: []sayID{}, Top: topText{Calls: []sayID{}}, Wishes: [][]byte{}})
		w["wish"] = append(w["wish"], f.wish(seat, f.st.round, WishLeave), f.wish(seat, f.st.round+1, WishLost))
		add("true value, another state", f.st, KindSeal, seal{Value: f.value(), Head: next.head})
	}
	for _, kind := range []string{"say", "seal", "call", "wish"} {
		w["all"] = append(w["all"], w[kind]...)
	}
	return w
}

// value is V of the round as the members closed it.
func (f *fork) value() Hash {
	var s seal
	if err := decode(f.round().seals[0].Body, &s); err != nil {
		panic(err)
	}
	return s.Value
}

// TestNobodyLeadsAFollowerAstray: who does not speak closes a round with nothing but the seals of all members of a
// ballot. One cheater or two may sign what they like, early or late, of every kind: the follower stays where it is,
// blames nobody else, and goes on with the members when it gets what they have.
func TestNobodyLeadsAFollowerAstray(t *testing.T) {
	t.Parallel()
	f := playFork(t)
	whole := f.net.tables[0].Transcript()
	for _, kind := range []string{"observer", "away", "journal lost"} {
		for n := 1; n <= 2; n++ {
			by := []int{f.asked, f.more}[:n]
			for what, words := range f.words(t, by, f.lies[0]) {
				t.Run(fmt.Sprintf("%s/%s by %d", kind, what, n), func(t *testing.T) {
					tbl := f.follower(t, kind)
					honest := f.round().says // of others: the cheater's is the last to come
					for _, e := range honest {
						if int(e.Seat) != f.asked {
							give(tbl, e.Raw)
						}
					}
					give(tbl, append([][]byte{f.lies[0]}, words...)...)
					for i := range 10 {
						tbl.Tick(tbl.now + time.Duration(i)*time.Second/10)
					}
					require.Equal(t, f.st.round, tbl.st.round)
					require.Equal(t, f.st.head, tbl.st.head)
					require.Nil(t, tbl.end)
					f.feed(tbl, 1<<20)
					for _, x := range tbl.Ready().Faults {
						require.Contains(t, by, x.Seat, "%v", x)
					}
					require.NotNil(t, tbl.end, "in round %d of %d", tbl.st.round, len(f.net.tables[0].log))
					require.Equal(t, whole, tbl.Transcript())
				})
			}
		}
		t.Run(kind+"/more says than are kept", func(t *testing.T) {
			tbl := f.follower(t, kind)
			give(tbl, f.lies...)
			require.LessOrEqual(t, len(tbl.open.says[f.asked]), maxSays)
			f.feed(tbl, 1<<20)
			require.NotNil(t, tbl.end, "in round %d", tbl.st.round)
			require.Equal(t, whole, tbl.Transcript())
		})
		t.Run(kind+"/more calls than are kept", func(t *testing.T) {
			log := f.net.tables[0].log
			voted := slices.IndexFunc(log, func(c closedRound) bool { return len(c.calls) > 0 })
			tbl := f.followerAt(t, kind, uint32(voted))
			for _, e := range log[voted].calls {
				if int(e.Seat) != f.asked {
					continue
				}
				for i := range 2 * maxCalls { // of the ballot that closes the round
					var c call
					require.NoError(t, decode(e.Body, &c))
					c.Held = []sayID{{Seat: 0, ID: Hash{byte(i), 1}}}
					give(tbl, f.sign(tbl.st, f.asked, KindCall, encode(c)))
				}
			}
			kept := slices.DeleteFunc(slices.Clone(tbl.open.calls), func(h *heldCall) bool { return h.vote.seat != f.asked })
			require.Len(t, kept, maxCalls)
			f.feed(tbl, 1<<20)
			require.NotNil(t, tbl.end, "in round %d", tbl.st.round)
			require.Equal(t, whole, tbl.Transcript())
		})
		t.Run(kind+"/seals of all but one", func(t *testing.T) {
			tbl := f.follower(t, kind)
			seals := f.round().seals
			require.Len(t, seals, 5)
			for i := range seals {
				give(tbl, rawOf(slices.Concat(f.round().says, seals[:i], seals[i+1:]))...)
				tbl.begin() // what it holds is forgotten, so that another one is missing
			}
			require.Equal(t, f.st.round, tbl.st.round)
		})
	}
}

// TestOldWordsStopNoFollower: what would have ended the game in a round long closed does not end it for who only
// catches up, whenever a seat says it; where the members have stopped, the follower stops too.
func TestOldWordsStopNoFollower(t *testing.T) {
	f := playFork(t)
	first := f.net.tables[0].log[0]
	e := first.says[f.asked]
	var s say
	require.NoError(t, decode(e.Body, &s))
	s.Part = encode(rosterPart{Commit: Hash{9}})
	x := e.text
	x.Body = encode(s)
	second := sealEnvelope(toy{}, f.net.tables[f.asked].me.id, x).Raw
	for what, words := range map[string][][]byte{
		"a wish to leave": {f.wish(f.asked, 0, WishLeave)},
		"two says":        {e.Raw, second},
	} {
		for _, kind := range []string{"observer", "journal lost"} {
			t.Run(kind+"/"+what, func(t *testing.T) {
				c := Config{Roster: f.net.seats.roster, Rules: rulesOf, Rand: source(2, 2), Suite: toy{}}
				if kind != "observer" {
					c.Identity, c.Lost = f.net.seats.keys[4], true
				}
				tbl, err := New(c)
				require.NoError(t, err)
				require.NoError(t, tbl.Start())
				give(tbl, words...)
				tbl.Tick(time.Second)
				tbl.Tick(standstill / 2)
				require.Nil(t, tbl.end)
				f.feed(tbl, 1<<20)
				require.NotNil(t, tbl.end, "in round %d", tbl.st.round)
				require.Equal(t, f.net.tables[0].Transcript(), tbl.Transcript())
			})
		}
	}
	follow := func(t *testing.T, n *network) *Table {
		o, err := New(Config{Roster: n.seats.roster, Rules: rulesOf, Rand: source(2, 2), Suite: n.seats.suite})
		require.NoError(t, err)
		for i := range 400 {
			o.Tick(time.Duration(i) * time.Second / 5)
			if r := o.Ready(); r.Fetch != nil {
				for _, p := range must(n.tables[0].Serve(r.Fetch)) {
					o.Receive(p)
				}
			}
		}
		require.NotNil(t, o.end, "in round %d", o.st.round)
		require.Equal(t, Void, o.end.Result)
		return o
	}
	t.Run("a game that a leave ended", func(t *testing.T) {
		n := newNetwork(t, seatToys(t, 4, 861, [2]string{"tolerate", "0"}), 861, weather{})
		n.at(30, func() { n.tables[2].Leave() })
		n.run()
		require.Equal(t, 2, n.tables[0].end.Left)
		require.Equal(t, 2, follow(t, n).end.Left)
	})
	t.Run("a game that a fault ended", func(t *testing.T) {
		n := newNetwork(t, seatToys(t, 4, 862, [2]string{"tolerate", "0"}), 862, weather{})
		c := n.alter(1, func(_ *party, _ *state, x *text) bool {
			return edit(x, RoundStrip, func(p *stripPart) bool { p.Layers = p.Layers[1:]; return true })
		})
		n.run()
		require.True(t, c.done)
		require.NotNil(t, n.tables[0].end.Fault)
		require.Equal(t, n.tables[0].end.Fault.Kind, follow(t, n).end.Fault.Kind)
	})
}

// TestAnotherState: a member that seals the right value with another state runs another program, or lies to somebody.
// If it tells all the same the game ends and nobody is blamed; if it tells one peer so and the others the truth, that
// peer goes on with them.
func TestAnotherState(t *testing.T) {
	another := func(st *state, me *party, x *text) bool {
		var s seal
		if x.Kind != KindSeal || st.stage != atPlay || decode(x.Body, &s) != nil {
			return false
		}
		s.Head[7] ^= 1
		x.Body = encode(s)
		return true
	}
	t.Run("told to all", func(t *testing.T) {
		n := newNetwork(t, seatToys(t, 4, 863), 863, weather{})
		c := n.alter(1, func(me *party, st *state, x *text) bool { return st.round > 20 && another(st, me, x) })
		n.onRound = func(seat int, _ *Table) {
			if seat == 1 && c.done {
				n.cut[1] = true // it says nothing else afterwards
			}
		}
		n.run()
		require.True(t, c.done)
		for i, tbl := range n.tables {
			if i == 1 {
				continue
			}
			require.NotNil(t, tbl.end)
			require.Equal(t, Void, tbl.end.Result)
			require.Nil(t, tbl.end.Fault)
			require.Contains(t, tbl.end.Reason, "seat 1 runs a program that sees the game differently")
		}
		require.Empty(t, n.faults)
	})
	t.Run("told to one", func(t *testing.T) {
		w := fair(t, 864, 5)
		w.liars[1] = &liar{seat: 1, after: 25, rng: w.rng, behaviour: behaviour{name: "another state for seat 3", proof: true,
			lie: func(l *liar, w *world, to int, e Envelope) [][]byte {
				if e.Kind == KindSeal && to == 3 && l.lied == 0 {
					if raw, ok := l.once(w, e, another); ok {
						return [][]byte{raw}
					}
				}
				return [][]byte{e.Raw}
			}}}
		rep := w.finishes(t)
		require.Equal(t, 1, w.liars[1].lied)
		for _, m := range rep.Moves {
			require.Equal(t, 1, m.Seat)
		}
	})
}

// TestASeatReturnsAmongLies: while a seat is away and while it comes back, a member signs another log for it alone, in
// every round that it decides, and speaks early as if that had been closed. The seat is back at the end, and no log
// differs.
func TestASeatReturnsAmongLies(t *testing.T) {
	for i, again := range []bool{true, false} {
		t.Run(fmt.Sprintf("with its journal %v", again), func(t *testing.T) {
			w := fair(t, uint64(866+4*i), 6)
			w.liars[2] = &liar{seat: 2, after: 20, rng: w.rng, behaviour: behaviour{name: "another log for seat 5", lie: func(l *liar, w *world, to int, e Envelope) [][]byte {
				tbl := w.tables[2]
				if to != 5 || tbl.st.members.Has(5) || e.Kind != KindSay || tbl.ex.Kind != RoundAct || tbl.ex.Asked != 2 || e.Round != tbl.st.round {
					return [][]byte{e.Raw}
				}
				v, _ := tbl.View()
				var out [][]byte
				for _, a := range v.Legal() {
					me := *tbl.me
					me.action, me.rand = a, source(3, 3)
					body := must(speakAct(tbl.st, tbl.ex, tbl.st.at(2, tbl.ex), &me))
					lie := sealEnvelope(toy{}, me.id, text{Kind: KindSay, Table: e.Table, Round: e.Round, Seat: 2, Prev: e.Prev, Body: sayOf(RoundAct, body)})
					p, wrong := tbl.st.read(tbl.ex, 2, lie.Body)
					if lie.ID == e.ID || wrong != nil || tbl.ex.From != only(2) {
						continue
					}
					d := verdict{}
					d.says[2] = lie.ID
					o := outcome{parts: make([]*part, MaxSeats)}
					o.parts[2] = &p
					next, err := tbl.st.next(tbl.ex, o, valueOf(e.Round, d))
					if err != nil {
						continue
					}
					l.lied++
					out = append(out, lie.Raw,
						sealEnvelope(toy{}, me.id, text{Kind: KindSeal, Table: e.Table, Round: e.Round, Seat: 2, Prev: e.Prev, Body: encode(seal{Value: valueOf(e.Round, d), Head: next.head})}).Raw,
						sealEnvelope(toy{}, me.id, text{Kind: KindSay, Table: e.Table, Round: e.Round + 1, Seat: 2, Prev: next.head, Body: sayOf(next.expect().Kind, actPart{To: engine.None})}).Raw)
				}
				return append(out, e.Raw)
			}}}
			w.delay = 100 * time.Millisecond
			gone, back := false, false
			w.onRest = func(i int, tbl *Table) {
				switch {
				case i == 0 && !gone && tbl.st.round >= 25:
					gone, w.off[5] = true, true
				case i == 0 && !back && tbl.st.away.Has(5):
					back = true
					w.later(map[bool]time.Duration{true: 10 * time.Second, false: 4 * time.Second}[again], "", only(5), func() { w.start(5, again) })
				}
			}
			rep := w.finishes(t)
			require.Positive(t, w.liars[2].lied)
			require.True(t, slices.ContainsFunc(rep.Moves, func(m Move) bool { return m.Seat == 5 && m.Back }), "%v", rep.Moves)
		})
	}
}
