package table

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestATranscriptProvesWhatEndedTheGame: whatever two envelopes, or one, ended a game as void, the file of it convicts
// their signer before anybody who reads it.
func TestATranscriptProvesWhatEndedTheGame(t *testing.T) {
	rows := []struct {
		name  string
		kinds []FaultKind
		lie   func(x text) []text // what is sent beside x
	}{
		{"two seals", []FaultKind{FaultEquivocation, FaultPromise}, func(x text) []text {
			var s seal
			if x.Kind != KindSeal || x.Round < 4 || decode(x.Body, &s) != nil {
				return nil
			}
			s.Value[0] ^= 1
			x.Body = encode(s)
			return []text{x}
		}},
		{"a malformed seal", []FaultKind{FaultShape}, func(x text) []text {
			if x.Kind != KindSeal || x.Round < 4 {
				return nil
			}
			x.Body = []byte{0x80}
			return []text{x}
		}},
		{"two calls", []FaultKind{FaultEquivocation, FaultPromise}, func(x text) []text {
			if x.Kind != KindSay || x.Round < 4 {
				return nil
			}
			x.Kind = KindCall
			y := x
			x.Body = encode(call{Ballot: 1, Out: []removal{}, Held: []sayID{}, Top: topText{Calls: []sayID{}}, Wishes: [][]byte{}})
			y.Body = encode(call{Ballot: 1, Out: []removal{{Seat: 0, Why: Silence, Evidence: []Hash{}}}, Held: []sayID{},
				Top: topText{Calls: []sayID{}}, Wishes: [][]byte{}})
			return []text{x, y}
		}},
		{"a call that denies a seal", []FaultKind{FaultPromise}, func(x text) []text {
			if x.Kind != KindSeal || x.Round < 4 {
				return nil
			}
			x.Kind = KindCall
			x.Body = encode(call{Ballot: 1, Out: []removal{}, Held: []sayID{}, Top: topText{Calls: []sayID{}}, Wishes: [][]byte{}})
			return []text{x}
		}},
	}
	for i, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			seed := uint64(700 + i)
			n := newNetwork(t, seatPlayers(t, 4, seed, [2]string{"tolerate", "0"}), seed, weather{})
			done := false
			n.filter = func(from int, packet []byte) [][]byte {
				if from != 1 || done {
					return [][]byte{packet}
				}
				all := must(unbundle(packet))
				for _, raw := range all {
					e := must(parseEnvelope(raw))
					for _, x := range r.lie(e.text) {
						all = append(all, sealEnvelope(n.tables[1].st.suite, n.tables[1].me.id, x).Raw)
						done = true
					}
				}
				return Bundle(all...)
			}
			n.run()
			require.True(t, done)
			judged := map[string]bool{}
			for s, tbl := range n.tables {
				if s == 1 {
					continue
				}
				require.NotNil(t, tbl.end, "seat %d", s)
				require.NotNil(t, tbl.end.Fault, "seat %d: %s", s, tbl.end.Reason)
				require.Contains(t, r.kinds, tbl.end.Fault.Kind)
				if game := string(tbl.Transcript()); judged[game] {
					continue
				} else {
					judged[game] = true
				}
				rep, err := Verify(tbl.Transcript(), rulesOf)
				require.NoError(t, err, "seat %d", s)
				require.Equal(t, Void, rep.Result)
				require.NotEmpty(t, rep.Faults)
				require.Equal(t, 1, rep.Faults[0].Seat)
				require.Contains(t, r.kinds, rep.Faults[0].Kind)
			}
		})
	}
}

// TestAnOldWishEndsNoGame: a file that is cut off and closed with the wish of somebody without whom the table went on
// is no void game.
func TestAnOldWishEndsNoGame(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, seatPlayers(t, 5, 811, patient()...), 811, weather{})
	var wish []byte
	n.at(30, func() { n.tables[2].Leave() })
	n.watch = append(n.watch, func(seat int, r Ready) {
		for _, p := range r.Send {
			for _, raw := range must(unbundle(p)) {
				if e := must(parseEnvelope(raw)); e.Kind == KindWish && e.Seat == 2 && wish == nil {
					wish = raw
				}
			}
		}
	})
	n.run()
	require.NotNil(t, wish)
	_, frames, _, err := readFrames(n.tables[0].Transcript())
	require.NoError(t, err)
	r, err := Open(n.tables[0].Transcript(), rulesOf)
	require.NoError(t, err)
	for r.st.round < 40 {
		more, err := r.Round()
		require.NoError(t, err)
		require.True(t, more)
	}
	for name, upTo := range map[string]int{"after it went": r.at, "before": 20} {
		rep, err := Verify(fileOf(n.tables[0].st.roster.Raw, append(append([][]byte{}, frames[:upTo]...), wish)...), rulesOf)
		require.Error(t, err, "%s: the forged end is accepted: %+v", name, rep)
	}
}

// TestManyVersionsOfOneEnvelope: a seat that tells everybody other things, more than anybody keeps, is removed all the
// same: what a call names is kept, or the others could not believe one another.
func TestManyVersionsOfOneEnvelope(t *testing.T) {
	rows := []struct {
		name string
		kind Kind
		many int
		lie  func(tbl *Table, x *text, k int) bool
	}{
		{"says", KindSay, maxSays + 1, func(tbl *Table, x *text, _ int) bool { return anew(tbl.st, tbl.me, x) }},
		{"malformed says", KindSay, maxWrong + 1, func(_ *Table, x *text, k int) bool { x.Body = encode([]int{k}); return true }},
		{"seals", KindSeal, maxSeals + 1, func(_ *Table, x *text, k int) bool {
			var s seal
			if decode(x.Body, &s) != nil {
				return false
			}
			s.Value[1] ^= byte(k + 1)
			x.Body = encode(s)
			return true
		}},
	}
	for i, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			w := newWorld(t, uint64(930+i), 4, func() Suite { return toy{} }, patient()...)
			var all [][]byte
			round := uint32(0)
			w.liars[2] = &liar{seat: 2, after: 4, rng: rand.New(source(1, 1)), behaviour: behaviour{name: "many", proof: true, lie: func(l *liar, w *world, to int, e Envelope) [][]byte {
				if e.Kind != r.kind || round != 0 && e.Round != round {
					return [][]byte{e.Raw}
				}
				if all == nil {
					for k := range 4 * r.many {
						x := e.text
						if !r.lie(w.tables[2], &x, k) {
							return [][]byte{e.Raw}
						}
						all = append(all, sealEnvelope(toy{}, w.seats.keys[2], x).Raw)
					}
					round = e.Round
					l.lied++
				}
				return all[to*r.many : (to+1)*r.many]
			}}}
			w.run(30 * time.Minute)
			w.judge()
			require.NotZero(t, round, "the lie was never told")
			require.Empty(t, w.problems)
		})
	}
}

// TestWhoIsFarBehindIsNotTornAway: a peer that is still catching up hears somebody leave whom the table does not need;
// its game is not over, though in the round where it stands nobody could have left.
func TestWhoIsFarBehindIsNotTornAway(t *testing.T) {
	t.Parallel()
	s := seatPlayers(t, 5, 821, patient()...)
	n := newNetwork(t, s, 821, weather{})
	var wish []byte
	n.at(30, func() { n.tables[2].Leave() })
	n.watch = append(n.watch, func(seat int, r Ready) {
		for _, p := range r.Send {
			for _, raw := range must(unbundle(p)) {
				if e := must(parseEnvelope(raw)); e.Kind == KindWish && e.Seat == 2 && wish == nil {
					wish = raw
				}
			}
		}
	})
	n.run()
	o, err := New(Config{Roster: s.roster, Rules: rulesOf, Rand: source(1, 2)})
	require.NoError(t, err)
	o.Receive(Bundle(wish)[0])
	require.Nil(t, o.end)
}

// TestASeatKnowsItsOwnVoice: what a seat has sent is no news to it, however much it has sent in one round.
func TestASeatKnowsItsOwnVoice(t *testing.T) {
	n := newNetwork(t, seatPlayers(t, 4, 831, patient()...), 831, weather{})
	me := n.tables[0]
	require.NoError(t, me.Start())
	var last Envelope
	for k := range maxSeals + 4 {
		last = me.own(KindSeal, seal{Ballot: uint32(k + 1), Value: Hash{1}})
	}
	require.NoError(t, me.Receive(Bundle(last.Raw)[0]))
	require.False(t, me.mute)
	other := sealEnvelope(me.st.suite, me.me.id, text{Kind: KindSeal, Table: me.st.roster.Table, Round: me.st.round,
		Prev: me.st.head, Body: encode(seal{Ballot: 99, Value: Hash{1}})})
	me.Receive(Bundle(other.Raw)[0])
	require.True(t, me.mute, "what it does not know of means that its journal is behind")
}

// TestAJournalHoldsWhatACallRestsOn: a machine that has called on a cheater to go and starts again at once still knows
// why, whatever kind of envelope proves it.
func TestAJournalHoldsWhatACallRestsOn(t *testing.T) {
	t.Parallel()
	for i, name := range []string{"sends what is no message", "gives a layer too few", "says two things", "seals two values",
		"calls two things", "calls as if it had not sealed"} {
		t.Run(name, func(t *testing.T) {
			w := fair(t, uint64(960+i), 5)
			w.liars[2] = &liar{seat: 2, behaviour: behaviourNamed(name), after: 4, rng: rand.New(source(uint64(i), 1))}
			again := false
			w.onReady = func(seat int, r Ready) {
				for _, s := range r.Save {
					if s.Kind == RecordOwn && seat == 1 && !again && must(parseEnvelope(s.Data)).Kind == KindCall {
						again = true
						w.later(time.Microsecond, "restart", only(1), func() { w.start(1, true) })
					}
				}
			}
			w.finishes(t)
			require.True(t, again)
		})
	}
}

// TestTwoCallsEndATableThatNeedsEverybody: where nobody can be removed, the file tells who broke the rules, though no
// round is closed by a ballot there.
func TestTwoCallsEndATableThatNeedsEverybody(t *testing.T) {
	for after := range uint32(2) {
		w := fair(t, 970, 4, [2]string{"tolerate", "0"})
		w.liars[2] = &liar{seat: 2, behaviour: behaviourNamed("calls two things"), after: after}
		w.run(time.Minute)
		for _, i := range w.honest() {
			require.NotNil(t, w.tables[i].end)
			require.Equal(t, 2, w.tables[i].end.Fault.Seat)
			rep, err := w.report(w.tables[i].Transcript())
			require.NoError(t, err)
			require.Equal(t, Void, rep.Result)
			require.Equal(t, 2, rep.Faults[0].Seat)
		}
	}
}
