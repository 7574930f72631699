package table

import (
	"slices"
	"testing"

	"github.com/fxamacker/cbor/v2"
	"github.com/stretchr/testify/require"

	"standoff/engine"
)

// cheat is one seat's machine that says something else than the honest program would, properly signed.
type cheat struct {
	net  *network
	seat int
	done bool
	from *state // what the cheater knew when it cheated
}

// alter changes the first envelope for which change returns true, and signs it with the cheater's own key.
func (n *network) alter(seat int, change func(me *party, st *state, x *text) bool) *cheat {
	c := &cheat{net: n, seat: seat}
	n.filter = func(from int, packet []byte) [][]byte {
		if from != seat || c.done {
			return [][]byte{packet}
		}
		var out [][]byte
		for _, raw := range must(unbundle(packet)) {
			e := must(parseEnvelope(raw))
			x := e.text
			tbl := n.tables[seat]
			if !c.done && change(tbl.me, tbl.st, &x) {
				c.done, c.from = true, tbl.st
				out = append(out, sealEnvelope(tbl.st.suite, tbl.me.id, x).Raw)
				continue
			}
			out = append(out, raw)
		}
		return Bundle(out...)
	}
	return c
}

// say edits the part of a say of the given kind.
func edit[P any](x *text, k RoundKind, change func(*P) bool) bool {
	var s say
	if x.Kind != KindSay || decode(x.Body, &s) != nil || s.Kind != k {
		return false
	}
	var p P
	if decode(s.Part, &p) != nil || !change(&p) {
		return false
	}
	s.Part = encode(p)
	x.Body = encode(s)
	return true
}

// caught requires that every honest table named the cheater, stopped, and holds a transcript that convicts it.
func (c *cheat) caught(t *testing.T, kind FaultKind) *Report {
	t.Helper()
	require.True(t, c.done, "the cheat never happened")
	var report *Report
	judged := map[string]bool{} // files that honest tables have in common need one judge
	for i, tbl := range c.net.tables {
		if i == c.seat {
			continue
		}
		require.NotNil(t, tbl.end, "seat %d goes on", i)
		require.NotNil(t, tbl.end.Fault, "seat %d saw nothing: %s", i, tbl.end.Reason)
		require.Equal(t, c.seat, tbl.end.Fault.Seat, "%v", tbl.end.Fault)
		require.Equal(t, kind, tbl.end.Fault.Kind, "%v", tbl.end.Fault)
		file, game := tbl.Evidence(*tbl.end.Fault), tbl.Transcript()
		if judged[string(file)] && judged[string(game)] {
			continue
		}
		judged[string(file)], judged[string(game)] = true, true
		proved, err := VerifyEvidence(file, rulesOf)
		require.NoError(t, err)
		require.Equal(t, *tbl.end.Fault, proved.Fault)
		r, err := Open(game, rulesOf)
		for more := true; more && err == nil; {
			more, err = r.Round()
		}
		require.NoError(t, err)
		rep, err := r.Report()
		require.NoError(t, err)
		require.Equal(t, Void, rep.Result)
		require.NotEmpty(t, rep.Faults)
		require.Equal(t, c.seat, rep.Faults[0].Seat)
		require.Equal(t, kind, rep.Faults[0].Kind, "%v", rep.Faults[0])
		if report == nil { // of the transcript, and slow: once
			require.Equal(t, file, r.Evidence(*tbl.end.Fault))
			accusesNobodyElse(t, NewRistretto(nil), file, 4, 6)
		}
		report = rep
	}
	return report
}

// newCheats seats four at a table where nobody can be removed, so that a cheat ends the game; of cheats with shares,
// which such a table has not, the game ends because nobody can be removed before all shares are checked.
func newCheats(t *testing.T, seed uint64, kind FaultKind) *network {
	tolerate := "0"
	if kind == FaultDealing || kind == FaultComplaint {
		tolerate = "1"
	}
	return newNetwork(t, seatPlayers(t, 4, seed, [2]string{"tolerate", tolerate}), seed, weather{})
}

// spoil swaps the first two of a list.
func spoil[T any](l []T) bool {
	if len(l) < 2 {
		return false
	}
	l[0], l[1] = l[1], l[0]
	return true
}

// shift makes another valid point of a point.
func shift(st *state, p *Point) { *p = st.suite.Sum(*p, st.suite.CardPoint(9, 9)) }

// TestCheaters has one row per kind of properly signed lie: every honest table names the liar, and so does anybody
// who verifies the transcript.
func TestCheaters(t *testing.T) {
	rows := []struct {
		name string
		kind FaultKind
		lie  func(me *party, st *state, x *text) bool
	}{
		{"keys other than committed", FaultPossession, func(_ *party, st *state, x *text) bool {
			return edit(x, RoundReveal, func(p *revealPart) bool { p.X, p.Z = p.Z, p.X; return true })
		}},
		{"a key without proof of possession", FaultPossession, func(_ *party, st *state, x *text) bool {
			return edit(x, RoundReveal, func(p *revealPart) bool { p.ProofX, p.ProofZ = p.ProofZ, p.ProofX; return true })
		}},
		{"shares of another key", FaultDealing, func(_ *party, st *state, x *text) bool {
			return edit(x, RoundShare, func(p *Dealing) bool { shift(st, &p.Commitments[0]); return true })
		}},
		{"a dealing that proves nothing", FaultDealing, func(_ *party, st *state, x *text) bool {
			return edit(x, RoundShare, func(p *Dealing) bool { shift(st, &p.Ephemeral); return true })
		}},
		{"a false complaint", FaultComplaint, func(me *party, st *state, x *text) bool {
			return edit(x, RoundCheck, func(p *checkPart) bool {
				p.Complaints = []Complaint{falseComplaint(st, me, (me.seat+1)%4)}
				return true
			})
		}},
		{"two cards of a shuffle exchanged", FaultShuffle, func(_ *party, st *state, x *text) bool {
			return edit(x, RoundMix, func(p *mixPart) bool { return spoil(p.Piles[0].Out) })
		}},
		{"a foreign card shuffled in", FaultShuffle, func(_ *party, st *state, x *text) bool {
			return edit(x, RoundMix, func(p *mixPart) bool { shift(st, &p.Piles[1].Out[3].C2); return true })
		}},
		{"a card of a shuffle doubled", FaultShuffle, func(_ *party, st *state, x *text) bool {
			return edit(x, RoundMix, func(p *mixPart) bool { p.Piles[1].Out[3] = p.Piles[1].Out[4]; return true })
		}},
		{"a card of a shuffle left out", FaultShuffle, func(_ *party, st *state, x *text) bool {
			return edit(x, RoundMix, func(p *mixPart) bool { o := &p.Piles[1].Out; *o = (*o)[1:]; return true })
		}},
		{"two layers exchanged", FaultLayers, func(_ *party, st *state, x *text) bool {
			return edit(x, RoundStrip, func(p *stripPart) bool { return spoil(p.Layers) })
		}},
		{"a false layer", FaultLayers, func(_ *party, st *state, x *text) bool {
			return edit(x, RoundStrip, func(p *stripPart) bool { shift(st, &p.Layers[0]); return true })
		}},
		{"a false opening of a card played", FaultLayers, func(_ *party, st *state, x *text) bool {
			return edit(x, RoundAct, func(p *actPart) bool {
				if len(p.Layers) == 0 {
					return false
				}
				shift(st, &p.Layers[0])
				return true
			})
		}},
		{"another card's opening", FaultLayers, func(_ *party, st *state, x *text) bool {
			return edit(x, RoundAct, func(p *actPart) bool {
				for i := range st.slots {
					s := &st.slots[i]
					if len(p.Layers) == 1 && s.ID != p.Card && int(s.Owner) == int(x.Seat) && s.Pile == engine.PlayingPile && s.Mask == only(int(x.Seat)) {
						p.Card = s.ID
						return true
					}
				}
				return false
			})
		}},
		{"an illegal action", FaultIllegal, func(_ *party, st *state, x *text) bool {
			return edit(x, RoundAct, func(p *actPart) bool { p.N += 77; return true })
		}},
		{"a card of another hand", FaultIllegal, func(_ *party, st *state, x *text) bool {
			return edit(x, RoundAct, func(p *actPart) bool {
				for i := range st.slots {
					if s := &st.slots[i]; p.Card != 0 && s.Owner >= 0 && int(s.Owner) != int(x.Seat) && s.Mask != 0 {
						p.Card = s.ID
						return true
					}
				}
				return false
			})
		}},
		{"a malformed body", FaultShape, func(_ *party, st *state, x *text) bool {
			return edit(x, RoundStrip, func(p *stripPart) bool { p.Layers = p.Layers[1:]; return true })
		}},
		{"the wrong kind of round", FaultShape, func(_ *party, st *state, x *text) bool {
			var s say
			if x.Kind != KindSay || decode(x.Body, &s) != nil || s.Kind != RoundStrip {
				return false
			}
			s.Kind = RoundAct
			x.Body = encode(s)
			return true
		}},
		{"a body that is no CBOR of ours", FaultShape, func(_ *party, st *state, x *text) bool {
			var s say
			if x.Kind != KindSay || decode(x.Body, &s) != nil || s.Kind != RoundStrip {
				return false
			}
			x.Body = cbor.RawMessage{0x83, 0x06, 0xf6, 0xf6}
			return true
		}},
		{"a key at the end that is not the one played with", FaultKey, func(_ *party, st *state, x *text) bool {
			return edit(x, RoundKeys, func(p *keysPart) bool { p.X = slices.Clone(p.X); p.X[0] ^= 1; return true })
		}},
		{"another result", FaultResult, func(_ *party, st *state, x *text) bool {
			return edit(x, RoundResult, func(p *resultPart) bool { p.Winners = []uint8{x.Seat}; p.Outcome++; return true })
		}},
	}
	for i, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			n := newCheats(t, uint64(100+i), r.kind)
			c := n.alter(1, r.lie)
			n.run()
			rep := c.caught(t, r.kind)
			require.NotEmpty(t, rep.Faults[0].Reason)
			inWords(t, rep.Faults[0])
		})
	}
}

// falseComplaint is a properly made complaint about a share that is in order.
func falseComplaint(st *state, me *party, dealer int) Complaint {
	at := st.at(me.seat, st.expect())
	c := must(st.suite.Complain(source(3, 3), at, st.sharedAt(dealer), st.recipients(dealer), st.dealt[dealer], me.z))
	c.Dealer = uint8(dealer)
	return c
}
