package table

import (
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAttacks has one subtest per attack that is made at the table; package crypto has those on the proofs alone.
func TestAttacks(t *testing.T) {
	for _, a := range []struct {
		id, what string
		test     func(*testing.T)
	}{
		{"A-01", "two seats with one key", attackOneKey},
		{"A-02", "an honest envelope replayed in another place", attackReplay},
		{"A-13", "a seat as a decryption oracle", attackOracle},
		{"A-14", "a layer withheld", attackWithheld},
		{"A-15", "a seat that goes when it has seen the result", func(t *testing.T) {
			t.Run("a coin", attackAbort)
			t.Run("a flip", attackFlip)
			t.Run("another toss", attackAnotherToss)
			t.Run("without shares", attackAbortWithoutShares)
		}},
		{"A-16", "a shuffler with a second thought", attackTwoShuffles},
		{"A-17", "two says, two seals, two calls", func(t *testing.T) {
			attackEquivocation(t)
			t.Run("two calls", attackTwoCalls)
		}},
		{"A-18", "log entries reordered, dropped, repeated", func(t *testing.T) {
			attackLog(t)
			t.Run("ballots", attackBallotLog)
		}},
		{"A-19", "false input of a shuffle", attackStartList},
		{"A-20", "false retarget", attackRetarget},
		{"A-22", "a random taking foreseen or steered", attackCoin},
		{"A-25", "collusion", func(t *testing.T) {
			t.Run("with shares, a hand", attackCollusion)
			t.Run("with shares, a pile", attackDeck)
			t.Run("without shares", attackWithoutShares)
		}},
		{"A-26", "bad share, false complaint after a removal", func(t *testing.T) {
			attackBadShare(t)
			t.Run("of another degree", attackDegree)
		}},
		{"A-27", "shares of a former sharing", attackOldShares},
		{"A-28", "layers that nobody may give", func(t *testing.T) {
			t.Run("of a gone seat before its cards are wrapped", attackUnwrapped)
			t.Run("the last one, other than to play or show", attackShowing)
		}},
		{"A-29", "a seat that was removed speaks", attackOldSeat},
		{"A-32", "exhaustion by size and count", attackExhaustion},
		{"A-33", "another card claimed", attackWrongCard},
		{"A-34", "a false claim about hidden cards", attackFalseClaim},
		{"A-35", "a false key at the end, or none", attackFalseKey},
		{"A-36", "a card of another pile", attackCrossPile},
	} {
		t.Run(a.id, func(t *testing.T) {
			t.Log(a.what)
			a.test(t)
		})
	}
}

// fingerprint is everything that a table would tell anybody, and what it holds of the open round.
func fingerprint(t *Table) string {
	return fmt.Sprintf("%x %x %v %v %d %d", sha256.Sum256(t.Transcript()), t.Want(), t.st.head, t.end, len(t.out.Faults), len(t.queue))
}

// changesNothing gives packets to a table and requires that it is as before and blames nobody.
func changesNothing(t *testing.T, o *Table, what string, want error, raw ...[]byte) {
	t.Helper()
	was := fingerprint(o)
	for _, p := range Bundle(raw...) {
		err := o.Receive(p)
		if want != nil {
			require.ErrorIs(t, err, want, what)
		}
	}
	require.Equal(t, was, fingerprint(o), what)
}

func attackReplay(t *testing.T) {
	g := recorded(t)
	// A round of layers, two thirds through the game: everybody has said much, and several must speak.
	s := g.find(t, "late round of layers by three seats", func(s *step) bool {
		return s.at > len(g.steps) && s.ex.Kind == RoundStrip && s.ex.From.Count() == 3
	})
	o := g.observer(t, s, nil)
	_, frames, _, err := readFrames(g.file)
	require.NoError(t, err)
	key := func(e Envelope) ed25519.PrivateKey { return g.net.tables[e.Seat].me.id }
	resign := func(e Envelope, change func(*text)) []byte {
		x := e.text
		change(&x)
		return sealEnvelope(s.prev.suite, key(e), x).Raw
	}

	t.Run("another round", func(t *testing.T) {
		for i, f := range frames {
			r := must(parseEnvelope(f)).Round
			if r == s.prev.round || r == s.prev.round+1 {
				continue
			}
			want := ErrStray
			if r+1 == s.prev.round {
				want = nil // the round just closed is still listened to, for two says in it prove something
			}
			changesNothing(t, o, fmt.Sprintf("message %d of round %d", i, r), want, f)
		}
	})
	honest := s.says[0]
	t.Run("another table", func(t *testing.T) {
		other := seatPlayers(t, 4, 4711)
		r, err := ReadRoster(s.prev.suite, other.roster)
		require.NoError(t, err)
		changesNothing(t, o, "the same seat at another table", ErrStray, resign(honest, func(x *text) { x.Table = r.Table }))
	})
	t.Run("another head", func(t *testing.T) {
		changesNothing(t, o, "the same round of another log", ErrStray, resign(honest, func(x *text) { x.Prev[0] ^= 1 }))
	})
	t.Run("by another seat", func(t *testing.T) {
		for seat := range uint8(4) {
			if seat == honest.Seat {
				continue
			}
			x := honest.text
			x.Seat = seat
			raw := append(slices.Clone(honest.Raw[:sigSize]), encode(x)...)
			changesNothing(t, o, "the signature of another", ErrSignature, raw)
		}
		stranger := sealEnvelope(s.prev.suite, seatPlayers(t, 4, 4712).keys[0], honest.text)
		changesNothing(t, o, "the signature of a stranger", ErrSignature, stranger.Raw)
	})
	t.Run("twice", func(t *testing.T) {
		require.NoError(t, o.Receive(Bundle(honest.Raw)[0]))
		changesNothing(t, o, "the same say again", nil, honest.Raw, honest.Raw)
	})
	// What a seat signs anew is its own responsibility: the body of another, or an old one of its own, proves nothing
	// in this place.
	t.Run("a body copied from another seat", func(t *testing.T) {
		a, b := int(s.says[0].Seat), int(s.says[1].Seat)
		g.convicts(t, s, a, FaultLayers, g.sign(s.prev, a, KindSay, s.of(b).Body))
	})
	t.Run("an old body", func(t *testing.T) {
		old := g.find(t, "earlier round with as many layers", func(o *step) bool {
			seat := int(s.says[0].Seat)
			return o.ex.Kind == RoundStrip && o.at < s.at && o.ex.From.Has(seat) &&
				len(partOf[stripPart](t, o.of(seat)).Layers) == len(partOf[stripPart](t, s.of(seat)).Layers)
		})
		seat := int(s.says[0].Seat)
		g.convicts(t, s, seat, FaultLayers, g.sign(s.prev, seat, KindSay, old.of(seat).Body))
	})
	t.Run("a proof for another place", func(t *testing.T) {
		seat := int(s.says[0].Seat)
		me := g.party(s, seat)
		slots, bases := layersOf(s.prev.layersDue(s.ex.needs), seat)
		for what, change := range map[string]func(*Place){
			"table": func(p *Place) { p.Table[0] ^= 1 }, "head": func(p *Place) { p.Head[0] ^= 1 },
			"round": func(p *Place) { p.Round-- }, "seat": func(p *Place) { p.Seat ^= 1 },
			"kind": func(p *Place) { p.Kind = RoundAct }, "need": func(p *Place) { p.Need++ }, "pass": func(p *Place) { p.Pass++ },
		} {
			p := s.prev.at(seat, s.ex)
			change(&p)
			layers, proof, err := s.prev.suite.Layers(me.rand, p, me.x, slots, bases)
			require.NoError(t, err)
			st := s.prev
			pt, wrong := st.read(s.ex, seat, sayOf(RoundStrip, stripPart{Layers: layers, Proof: proof}))
			require.Nil(t, wrong, what)
			_, err = st.suite.VerifyAll(pt.checks)
			require.Error(t, err, "a proof for another %s is accepted", what)
		}
	})
	t.Run("keys and shares of another seat", func(t *testing.T) {
		reveal := &g.steps[1]
		require.Equal(t, RoundReveal, reveal.ex.Kind)
		g.convicts(t, reveal, 0, FaultPossession, g.sign(reveal.prev, 0, KindSay, reveal.of(1).Body))
		share := &g.steps[2]
		require.Equal(t, RoundShare, share.ex.Kind)
		g.convicts(t, share, 0, FaultDealing, g.sign(share.prev, 0, KindSay, share.of(1).Body))
	})
}

func attackOneKey(t *testing.T) {
	s := seatPlayers(t, 4, 150)
	n := newNetwork(t, s, 150, weather{})
	twin, err := New(Config{Roster: s.roster, Rules: rulesOf, Identity: s.keys[2], Rand: source(150, 1)}) // as seat 1 has it
	require.NoError(t, err)
	n.tables[2] = twin
	n.run()
	require.Equal(t, n.tables[1].me.x.Bytes(), twin.me.x.Bytes())
	c := &cheat{net: n, seat: 2, done: true}
	c.caught(t, FaultPossession)
}

func attackTwoShuffles(t *testing.T) {
	for _, order := range []string{"the honest one first", "the second one first"} {
		t.Run(order, func(t *testing.T) {
			n := newCheats(t, 160, FaultNone)
			c := &cheat{net: n, seat: 2}
			n.filter = func(from int, packet []byte) [][]byte {
				var out [][]byte
				for _, raw := range must(unbundle(packet)) {
					e := must(parseEnvelope(raw))
					tbl := n.tables[from]
					if from == c.seat && !c.done && e.Kind == KindSay && tbl.ex.Kind == RoundMix && e.Round == tbl.st.round {
						c.done = true
						b, err := speakMix(tbl.st, tbl.ex, tbl.st.at(from, tbl.ex), tbl.me)
						require.NoError(t, err)
						x := e.text
						x.Body = sayOf(RoundMix, b)
						second := sealEnvelope(tbl.st.suite, tbl.me.id, x).Raw
						if order == "the second one first" {
							out = append(out, second, raw)
						} else {
							out = append(out, raw, second)
						}
						continue
					}
					out = append(out, raw)
				}
				return Bundle(out...)
			}
			n.run()
			rep := c.caught(t, FaultEquivocation)
			require.Len(t, rep.Faults[0].Evidence, 2)
			for _, raw := range rep.Faults[0].Evidence { // both are whole and by the same seat for the same head
				e := must(parseEnvelope(raw))
				require.True(t, e.signedBy(n.tables[0].st.suite, n.tables[0].st.roster.Joins[c.seat].Key))
				require.Equal(t, c.seat, int(e.Seat))
			}
		})
	}
}

func attackEquivocation(t *testing.T) {
	twice := func(kind Kind, round RoundKind, change func(tbl *Table, x *text)) func(*testing.T) {
		return func(t *testing.T) {
			n := newCheats(t, 170, FaultNone)
			c := &cheat{net: n, seat: 0}
			n.filter = func(from int, packet []byte) [][]byte {
				var out [][]byte
				for _, raw := range must(unbundle(packet)) {
					e := must(parseEnvelope(raw))
					tbl := n.tables[from]
					if from == c.seat && !c.done && e.Kind == kind && tbl.ex.Kind == round && e.Round == tbl.st.round {
						c.done = true
						x := e.text
						change(tbl, &x)
						out = append(out, sealEnvelope(tbl.st.suite, tbl.me.id, x).Raw)
					}
					out = append(out, raw)
				}
				return Bundle(out...)
			}
			n.run()
			require.True(t, c.done)
			for i, tbl := range n.tables {
				if i == c.seat {
					continue
				}
				require.NotNil(t, tbl.end, "seat %d goes on", i)
				require.NotNil(t, tbl.end.Fault, "seat %d: %s", i, tbl.end.Reason)
				require.Equal(t, FaultEquivocation, tbl.end.Fault.Kind)
				require.Equal(t, c.seat, tbl.end.Fault.Seat)
				require.Len(t, tbl.end.Fault.Evidence, 2)
			}
		}
	}
	t.Run("two seals", twice(KindSeal, RoundStrip, func(_ *Table, x *text) {
		var s seal
		require.NoError(t, decode(x.Body, &s))
		s.Value[3] ^= 1
		x.Body = encode(s)
	}))
	t.Run("two says", twice(KindSay, RoundStrip, func(tbl *Table, x *text) {
		b, err := speakStrip(tbl.st, tbl.ex, tbl.st.at(tbl.me.seat, tbl.ex), tbl.me) // the same layers, another proof
		require.NoError(t, err)
		x.Body = sayOf(RoundStrip, b)
	}))
	t.Run("no layer before the question is sealed", func(t *testing.T) {
		// Every say of round r+1 names the head of r, which covers the state after r, so a seat that speaks has seen
		// r closed; and no table speaks while one seal is missing.
		n := newCheats(t, 171, FaultNone)
		silent := false
		n.filter = func(from int, packet []byte) [][]byte {
			var out [][]byte
			for _, raw := range must(unbundle(packet)) {
				e := must(parseEnvelope(raw))
				if silent = silent || from == 3 && e.Kind == KindSeal && e.Round == 9; silent && from == 3 {
					continue
				}
				require.False(t, e.Kind == KindSay && e.Round > 9, "seat %d speaks in round %d without all seals of round 9", from, e.Round)
				out = append(out, raw)
			}
			return Bundle(out...)
		}
		n.onRound = func(seat int, tbl *Table) {
			if silent && seat == 3 {
				n.cut[3] = true // nor does it answer questions
			}
		}
		n.run()
		require.True(t, silent)
		for i, tbl := range n.tables[:3] {
			require.Equal(t, uint32(9), tbl.st.round, "seat %d", i)
			require.Equal(t, []int{3}, seatsOf(tbl.Missing()))
		}
	})
}

func seatsOf(m []Missing) (seats []int) {
	for _, x := range m {
		seats = append(seats, x.Seat)
	}
	return seats
}

func attackLog(t *testing.T) {
	g := recorded(t)
	roster, frames, _, err := readFrames(g.file)
	require.NoError(t, err)
	n := len(frames)
	refused := func(what string, i int, changed ...[]byte) {
		rep, err := Verify(fileOf(roster, changed...), rulesOf)
		var altered *AlteredError
		if errors.As(err, &altered) {
			require.GreaterOrEqual(t, altered.Message, -1)
			return
		}
		require.NoError(t, err, "%s %d", what, i)
		require.Equal(t, Incomplete, rep.Result, "%s %d", what, i) // only where the last round itself is hurt
		require.Greater(t, i, n-5, "%s %d", what, i)
		require.Contains(t, rep.Note, "incomplete after round")
	}
	for _, i := range []int{3, 4, n / 2, n - 6, n - 2} {
		swapped := slices.Clone(frames)
		swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
		refused("swapped", i, swapped...)
		refused("dropped", i, slices.Delete(slices.Clone(frames), i, i+1)...)
		refused("repeated", i, slices.Insert(slices.Clone(frames), i, frames[i])...)
	}
	refused("repeated at the end", n, append(slices.Clone(frames), frames[n-1])...)
	t.Run("an entry signed anew", func(t *testing.T) {
		// Even the seat itself cannot take back an entry: all later ones name the head it led to.
		s := g.find(t, "decision in the middle", func(s *step) bool {
			return s.ex.Kind == RoundAct && s.at > n/2 && len(partOf[actPart](t, s.of(s.ex.Asked)).Layers) > 0
		})
		changed := slices.Clone(frames)
		b := partOf[actPart](t, s.of(s.ex.Asked))
		cards, err := s.prev.shows(s.ex.Asked, b.Card, b.With)
		require.NoError(t, err)
		ids, bases := openings(cards)
		me := g.party(s, s.ex.Asked)
		_, b.Proof, err = s.prev.suite.Layers(me.rand, s.prev.at(me.seat, s.ex), me.x, ids, bases) // as good as the old one
		require.NoError(t, err)
		raw := g.say(s.prev, s.ex.Asked, b)
		i := s.at + slices.IndexFunc(s.says, func(e Envelope) bool { return int(e.Seat) == s.ex.Asked })
		require.NotEqual(t, frames[i], raw)
		changed[i] = raw
		_, err = Verify(fileOf(roster, changed...), rulesOf)
		var altered *AlteredError
		require.ErrorAs(t, err, &altered)
		require.Equal(t, s.prev.round+1, altered.Round)
		require.ErrorContains(t, err, "continues another log")
	})
}
