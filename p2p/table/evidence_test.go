package table

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/engine"
)

// more are misdeeds that the simulation has not: messages larger than their kind may be, keys other than committed to, and
// a machine that lies to itself.
var more = []behaviour{
	{name: "shows keys that it has not committed to", proof: true, lie: instead(edits(RoundReveal, func(_ *state, p *revealPart) bool {
		p.X, p.Z = p.Z, p.X
		return true
	}))},
	{name: "says too much", proof: true, lie: larger(KindSay, MaxSay)},
	{name: "seals too much", proof: true, lie: larger(KindSeal, MaxSeal)},
	{name: "calls too much", proof: true, lie: larger(KindCall, MaxCall)},
	{name: "deals a share that does not fit, and stands by it", proof: true, lie: nil},
	{name: "seals at a ballot that there is not", proof: true, lie: instead(sealed(func(s *seal) { s.Ballot = maxBallot + 1 }))},
}

// badDealer is a machine that deals a share which does not fit, and stands by it.
type badDealer struct{ toy }

func (b badDealer) Deal(rng io.Reader, p Place, x Secret, t int, to []Recipient) (Dealing, error) {
	d, err := b.toy.Deal(rng, p, x, t, to)
	if err == nil && p.Round > 20 {
		s := Point(d.Shares[0])
		s[7] ^= 1
		d.Shares[0] = s[:]
		d.Proof = stamp(p, d.Commitments, d.Ephemeral, d.Shares)
	}
	return d, err
}

// larger sends a body one byte above the limit together with a say.
func larger(k Kind, limit int) func(*liar, *world, int, Envelope) [][]byte {
	return func(l *liar, w *world, to int, e Envelope) [][]byte {
		if e.Kind != KindSay || e.Round != w.tables[l.seat].st.round {
			return [][]byte{e.Raw}
		}
		x := e.text
		x.Kind, x.Body = k, encode(make([]byte, limit-1))
		for len(x.Body) > limit+1 {
			x.Body = encode(make([]byte, limit-(len(x.Body)-limit)))
		}
		l.lied++
		if raw := sealEnvelope(w.tables[l.seat].st.suite, w.seats.keys[l.seat], x).Raw; k == KindSay {
			return [][]byte{raw}
		} else {
			return [][]byte{e.Raw, raw}
		}
	}
}

// exhibit is a fault as an honest seat wrote it down, and what may be tried with it.
type exhibit struct {
	fault Fault
	file  []byte
	seats int
}

// caughtLying plays until an honest seat has a fault, with one seat removed before so that rounds of every kind occur.
func caughtLying(t *testing.T, seed uint64, b behaviour) *exhibit {
	w := fair(t, seed, 6, [2]string{"tolerate", "2"})
	w.liars[3] = &liar{seat: 3, behaviour: b, rng: w.rng}
	if b.name != more[0].name {
		w.liars[3].after = 6 // there is a game, and shares
	}
	if b.lie == nil {
		w.liars[3].behaviour.lie = func(_ *liar, _ *world, _ int, e Envelope) [][]byte { return [][]byte{e.Raw} }
		c := w.config(3, 0)
		c.Suite = badDealer{}
		w.tables[3] = must(New(c))
	}
	var x *exhibit
	w.onRest = func(i int, tbl *Table) {
		if i == 0 && tbl.st.round >= 25 {
			w.kill(1)
		}
	}
	w.onReady = func(i int, r Ready) {
		if x == nil && w.liars[i] == nil && len(r.Faults) > 0 {
			x = &exhibit{r.Faults[0], w.tables[i].Evidence(r.Faults[0]), 6}
			w.dead = 1<<6 - 1 // enough is seen
		}
	}
	w.run(time.Hour)
	require.Empty(t, w.problems)
	require.NotNil(t, x, "nobody has a fault")
	return x
}

// accusesNobodyElse requires that a file of evidence proves nothing when it names another seat, or has a byte changed. With
// real proofs and few flips one seat stands for all.
func accusesNobodyElse(t *testing.T, suite Suite, file []byte, seats, flips int) {
	t.Helper()
	text, err := readEvidence(file)
	require.NoError(t, err)
	for seat := range MaxSeats {
		other := text
		other.Seat = uint8(seat)
		if seat == int(text.Seat) || flips < 16 && len(text.Before) > 1<<16 && seat != (int(text.Seat)+1)%seats {
			continue
		}
		_, err := verifyEvidence(suite, append([]byte(evidenceMagic), encode(other)...), rulesOf)
		var unproven *UnprovenError
		require.ErrorAs(t, err, &unproven)
		require.Equal(t, seat, unproven.Seat)
	}
	rng := rand.New(source(1, uint64(len(file))))
	where := []int{0, len(evidenceMagic), len(evidenceMagic) + 1, len(file) - 1}
	for i := range flips { // half of them in what was signed, which comes first
		pos := len(evidenceMagic) + rng.IntN(len(text.Envelopes[0])+8)
		if i%2 == 1 {
			pos = rng.IntN(len(file))
		}
		where = append(where, pos)
	}
	for _, pos := range where {
		changed := slices.Clone(file)
		changed[pos] ^= 1 << rng.IntN(8)
		p, err := verifyEvidence(suite, changed, rulesOf)
		require.Error(t, err, "byte %d of %d: %+v", pos, len(file), p)
	}
	for _, cut := range []int{0, 5, len(evidenceMagic), len(file) / 2, len(file) - 1} {
		_, err := verifyEvidence(suite, file[:cut], rulesOf)
		var unreadable *UnreadableError
		require.ErrorAs(t, err, &unreadable, "%d bytes", cut)
	}
	_, err = verifyEvidence(suite, append(slices.Clone(file), 0), rulesOf)
	require.Error(t, err)
}

// TestEvidence has a row for each provable misdeed: what an honest seat writes down convicts the liar before anybody who
// has the file, and nobody else; not with a byte changed, nor with another's name.
func TestEvidence(t *testing.T) {
	t.Parallel()
	kinds := map[FaultKind]int{}
	for i, b := range append(slices.Clone(behaviours), more...) {
		if !b.proof {
			continue
		}
		t.Run(b.name, func(t *testing.T) {
			x := caughtLying(t, uint64(900+i), b)
			require.Equal(t, 3, x.fault.Seat)
			path := filepath.Join(t.TempDir(), "evidence")
			require.NoError(t, os.WriteFile(path, x.file, 0o600))
			file, err := os.ReadFile(path)
			require.NoError(t, err)
			p, err := verifyEvidence(toy{}, file, rulesOf)
			require.NoError(t, err)
			require.Equal(t, x.fault, p.Fault)
			require.NotEmpty(t, p.Reason)
			inWords(t, p.Fault)
			require.Equal(t, p.Table, p.Roster.Table)
			kinds[p.Kind]++
			t.Log(p.Fault)
			accusesNobodyElse(t, toy{}, file, x.seats, 16)
		})
	}
	for k := FaultNone + 1; k < faultKinds; k++ {
		if stray := k == FaultStranger || k == FaultReplay; !stray && kinds[k] == 0 { // TestStrays has those
			t.Errorf("no evidence of %v", k)
		}
	}
	t.Logf("kinds: %v", kinds)
}

// TestEvidenceOfNothing: what anybody could have made, copied or put elsewhere, and what honest seats sign, convicts
// nobody. What is dropped without blame (a stranger's signature, another table, round or log) stays without blame here.
func TestEvidenceOfNothing(t *testing.T) {
	g := recorded(t)
	s := g.find(t, "late round of layers", func(s *step) bool {
		return s.at > len(g.steps) && s.ex.Kind == RoundStrip && s.ex.From.Count() == 3
	})
	honest := s.says[0]
	seat := int(honest.Seat)
	_, frames, _, err := readFrames(g.file)
	require.NoError(t, err)
	resign := func(by int, change func(*text)) []byte {
		x := honest.text
		change(&x)
		return sealEnvelope(s.prev.suite, g.net.tables[by].me.id, x).Raw
	}
	flipped := slices.Clone(honest.Raw)
	flipped[3] ^= 1
	wish := sealEnvelope(s.prev.suite, g.net.tables[seat].me.id, text{Kind: KindWish, Table: honest.Table, Round: honest.Round,
		Seat: honest.Seat, Body: encode(wishText{What: WishLeave})}).Raw
	next := g.steps[s.cur.round].says[0]
	seals := g.seals(s)
	before := g.before(s)
	for _, row := range []struct {
		name      string
		seat      int
		before    []byte
		envelopes [][]byte
		want      string
	}{
		{"an honest say", seat, before, [][]byte{honest.Raw}, "as the rules want it"},
		{"an honest seal", 0, before, [][]byte{seals[0]}, "as the rules want it"},
		{"a say and a seal", seat, before, [][]byte{honest.Raw, seals[seat]}, "as the rules want it"},
		{"seals of two seats", 0, before, [][]byte{seals[0], seals[1]}, "seat 1 has signed it"},
		{"one message twice", seat, before, [][]byte{honest.Raw, honest.Raw}, "as the rules want it"},
		{"a wish to leave", seat, before, [][]byte{wish}, "another log"},
		{"signed by another seat", seat, before, [][]byte{resign((seat+1)%4, func(*text) {})}, "signature"},
		{"signed by nobody", seat, before, [][]byte{flipped}, "signature"},
		{"of a seat that is not at the table", 6, before, [][]byte{resign(seat, func(x *text) { x.Seat = 6 })}, "signature"},
		{"of another table", seat, before, [][]byte{resign(seat, func(x *text) { x.Table[1] ^= 1 })}, "another table"},
		{"of another log", seat, before, [][]byte{resign(seat, func(x *text) { x.Prev[1] ^= 1 })}, "another log"},
		{"of another round, where it was right", int(next.Seat), before, [][]byte{next.Raw}, "ends in round"},
		{"of an earlier round, where it was right", int(must(parseEnvelope(frames[0])).Seat), before, [][]byte{frames[0]}, "more of the game"},
		{"two says for different logs", seat, before, [][]byte{honest.Raw, resign(seat, func(x *text) { x.Prev[1] ^= 1; x.Body = encode(1) })}, "as the rules want it"},
		{"no message", seat, before, [][]byte{{1, 2, 3}}, "envelope of 3 bytes"},
		{"nothing", seat, before, [][]byte{}, "out of range"},
		{"three messages", seat, before, [][]byte{honest.Raw, seals[seat], wish}, "out of range"},
		{"no game", seat, nil, [][]byte{honest.Raw}, "not a standoff transcript"},
		{"a game that is not whole", seat, g.before(&g.steps[5]), [][]byte{honest.Raw}, "ends in round 5"},
		{"a game that was cut", seat, before[:len(before)-3], [][]byte{honest.Raw}, "ends in round"},
		{"a game that was changed", seat, slices.Concat(before[:len(before)-20], make([]byte, 20)), [][]byte{honest.Raw}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			text := evidenceText{Seat: uint8(row.seat), Envelopes: row.envelopes, Before: row.before}
			p, err := VerifyEvidence(append([]byte(evidenceMagic), encode(text)...), rulesOf)
			require.Error(t, err, "%+v", p)
			require.ErrorContains(t, err, row.want)
			var a *UnreadableError
			var b *AlteredError
			var c *UnprovenError
			require.True(t, errors.As(err, &a) || errors.As(err, &b) || errors.As(err, &c), "%T", err)
		})
	}
}

// TestEvidenceFromATranscript: of a game that went on without its cheater and was finished, the file for each fault can be
// made from the transcript alone, and it is the one that the members had.
func TestEvidenceFromATranscript(t *testing.T) {
	for i, name := range []string{"says two things", "gives a false layer", "deals a bad share"} {
		t.Run(name, func(t *testing.T) {
			w := fair(t, uint64(960+i), 6, [2]string{"tolerate", "2"})
			w.liars[3] = &liar{seat: 3, behaviour: behaviourNamed(name), after: 6, rng: w.rng}
			w.onRest = func(i int, tbl *Table) {
				if i == 0 && tbl.st.round >= 25 {
					w.kill(1)
				}
			}
			w.run(time.Hour)
			w.judge()
			require.Empty(t, w.problems)
			r, err := openWith(toy{}, w.tables[0].Transcript(), rulesOf)
			require.NoError(t, err)
			for more := true; more; {
				more, err = r.Round()
				require.NoError(t, err)
			}
			rep, err := r.Report()
			require.NoError(t, err)
			require.Equal(t, Finished, rep.Result)
			found := 0
			for _, m := range rep.Moves {
				if m.Proof == nil {
					require.NotEqual(t, Cheat, m.Why)
					continue
				}
				found++
				p, err := verifyEvidence(toy{}, r.Evidence(*m.Proof), rulesOf)
				require.NoError(t, err)
				require.Equal(t, *m.Proof, p.Fault)
				require.Equal(t, 3, p.Seat)
				require.Equal(t, m.Fault, fmt.Sprintf("%v: %s", p.Kind, p.Reason))
			}
			require.Equal(t, 1, found)
		})
	}
}

// FuzzReadEvidence: no file makes the reader panic, hang or convict an honest seat.
func FuzzReadEvidence(f *testing.F) {
	file := golden(f, "golden-cheat")
	r, err := Open(file, rulesOf)
	require.NoError(f, err)
	for more := true; more; {
		more, err = r.Round()
		require.NoError(f, err)
	}
	rep, err := r.Report()
	require.NoError(f, err)
	require.Len(f, rep.Faults, 1)
	guilty := rep.Faults[0]
	whole := r.Evidence(guilty)
	_, err = VerifyEvidence(whole, rulesOf)
	require.NoError(f, err)
	text, err := readEvidence(whole)
	require.NoError(f, err)
	short := evidenceText{Seat: text.Seat, Envelopes: text.Envelopes, Before: appendFrame([]byte(magic), r.st.roster.Raw)}
	f.Add(append([]byte(evidenceMagic), encode(short)...))
	stray := evidenceText{Seat: unaccused, Envelopes: text.Envelopes[:1], Before: short.Before}
	f.Add(append([]byte(evidenceMagic), encode(stray)...))
	stray.Envelopes = [][]byte{r.frames[0]}
	f.Add(append([]byte(evidenceMagic), encode(stray)...))
	f.Add([]byte(evidenceMagic))
	for _, b := range bombs() {
		f.Add(append([]byte(evidenceMagic), b...))
		f.Add(append([]byte(evidenceMagic), encode(evidenceText{Envelopes: [][]byte{append(make([]byte, sigSize), b...)}, Before: short.Before})...))
	}
	compiled := map[string]*engine.Rules{} // once: that is what takes the time
	rules := func(sets []string) (*engine.Rules, error) {
		key := fmt.Sprint(sets)
		if compiled[key] == nil {
			r, err := rulesOf(sets)
			if err != nil {
				return nil, err
			}
			compiled[key] = r
		}
		return compiled[key], nil
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		p, err := VerifyEvidence(file, rules)
		if err == nil && !p.Stray() && (p.Table != guilty.Table || p.Seat != guilty.Seat) {
			t.Fatalf("convicted: %v", p.Fault)
		}
		if err == nil && (p.Stray() != (p.Kind == FaultStranger || p.Kind == FaultReplay) || !p.Stray() && p.Signer != nil) {
			t.Fatalf("neither accused nor not: %v", p.Fault)
		}
	})
}
