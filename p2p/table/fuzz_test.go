package table

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func idOf(text []byte) Hash { return sha256.Sum256(text) }

// stages are moments of the golden game: one for each kind of round, and some more.
func stages(t testing.TB) (all []*state, frames [][]byte) {
	t.Helper()
	r, err := Open(golden(t, "golden-1"), rulesOf)
	require.NoError(t, err)
	seen := map[RoundKind]int{}
	for more := true; more; {
		if ex := r.st.expect(); seen[ex.Kind] < 2 {
			seen[ex.Kind]++
			all = append(all, r.st)
		}
		more, err = r.Round()
		require.NoError(t, err)
	}
	return all, r.frames
}

// FuzzReceive throws packets at tables that stand in different rounds, and bodies, as if properly signed, at their
// rules. Nothing panics; what no seat has signed changes nothing; a body that is accepted leads to a next state.
func FuzzReceive(f *testing.F) {
	all, frames := stages(f)
	roster := all[0].roster
	var tables []*Table
	for _, st := range all {
		o, err := New(Config{Roster: roster.Raw, Rules: rulesOf, Rand: source(3, 3)})
		require.NoError(f, err)
		o.st, o.ex = st, st.expect()
		o.begin()
		o.gate.round.Store(st.round)
		tables = append(tables, o)
	}
	f.Add(uint8(0), uint8(0), []byte{})
	for i, st := range all {
		for _, raw := range frames {
			if e := must(parseEnvelope(raw)); e.Round == st.round && len(raw) < 4000 {
				f.Add(uint8(i), e.Seat, []byte(e.Body))
				flipped := bytes.Clone(raw)
				flipped[len(raw)/2] ^= 4
				f.Add(uint8(i), e.Seat|0x80, Bundle(flipped)[0])
				break
			}
		}
	}
	for _, b := range bombs() {
		f.Add(uint8(3), uint8(0x80), b)
	}
	f.Fuzz(func(t *testing.T, stage, seat uint8, data []byte) {
		o := tables[int(stage)%len(tables)]
		if seat&0x80 != 0 {
			was := fingerprint(o)
			o.Receive(data)
			o.Gate().Look(data)
			o.Serve(data)
			if fingerprint(o) != was {
				t.Fatal("an unsigned packet changes the table")
			}
			return
		}
		st, ex := o.st, o.ex
		who := int(seat) % 8
		pt, wrong := st.read(ex, who, data)
		if wrong != nil {
			if wrong.Kind == FaultNone || wrong.Reason == nil {
				t.Fatalf("a fault without a reason: %+v", wrong)
			}
			return
		}
		if _, err := st.suite.VerifyAll(pt.checks); err != nil || ex.From != only(who) {
			return
		}
		parts := make([]*part, MaxSeats)
		parts[who] = &pt
		_, err := st.next(ex, outcome{parts: parts}, Hash{})
		var c *closeFault
		if err != nil && !errors.As(err, &c) {
			t.Fatalf("round %d (%v) cannot be closed: %v", ex.Round, ex.Kind, err)
		}
	})
}

// FuzzVerify changes a transcript at one place, or takes the bytes for a whole one. There is a verdict on everything,
// and only the unchanged game is finished.
func FuzzVerify(f *testing.F) {
	file := golden(f, "golden-void") // a short one, so that many can be judged
	f.Add([]byte(nil), uint32(0), byte(0), uint16(0))
	f.Add([]byte(magic), uint32(0), byte(0), uint16(0))
	f.Add([]byte(magic+"\x00\x00\x00\x02ab"), uint32(0), byte(0), uint16(0))
	f.Add(file[:2000], uint32(0), byte(0), uint16(0))
	for _, pos := range []int{0, 30, 300, 3000, 9000, len(file) - 1} {
		f.Add([]byte(nil), uint32(pos), byte(1), uint16(0))
		f.Add([]byte(nil), uint32(pos), byte(0), uint16(1))
	}
	f.Fuzz(func(t *testing.T, raw []byte, pos uint32, change byte, cut uint16) {
		if len(raw) == 0 {
			raw = bytes.Clone(file)
			i := int(pos) % len(raw)
			raw[i] ^= change
			raw = append(raw[:i], raw[min(len(raw), i+int(cut)):]...)
		}
		rep, err := Verify(raw, rulesOf)
		switch {
		case err != nil:
			var a *AlteredError
			var u *UnreadableError
			if !errors.As(err, &a) && !errors.As(err, &u) {
				t.Fatalf("an error of no kind: %v", err)
			}
		case rep.Result == Finished:
			t.Fatal("a game that was left in the middle is finished")
		case rep.Left >= 0 && len(rep.Faults) == 0 && !bytes.Equal(raw, file):
			// Taking out a whole seal or say of the trailer leaves a shorter file that is true all the same.
			if len(raw) >= len(file) {
				t.Fatal("a changed transcript passes for what the seats signed")
			}
		}
	})
}

// FuzzDecode gives bytes to every decoder. What is accepted encodes to the very same bytes.
func FuzzDecode(f *testing.F) {
	all, frames := stages(f)
	roster := all[0].roster.Raw
	var w signed
	var list rosterText
	require.NoError(f, decode(roster, &w))
	require.NoError(f, decode(w.Text, &list))
	f.Add(roster)
	f.Add(list.Offer)
	f.Add(list.Joins[0])
	f.Add(frames[0])
	f.Add(Bundle(frames[0], frames[1])[0])
	f.Add(encode(wantText{Round: 7, Says: 3}))
	for _, b := range bombs() {
		if len(b) < 2000 { // the fuzzer spends its time on making long ones shorter
			f.Add(b)
		}
	}
	suite := NewRistretto(nil)
	f.Fuzz(func(t *testing.T, b []byte) {
		if e, err := parseEnvelope(b); err == nil && !bytes.Equal(encode(e.text), b[sigSize:]) {
			t.Fatal("an envelope has two texts")
		}
		if all, err := unbundle(b); err == nil && (len(all) > maxBundle || len(b) > MaxPacket) {
			t.Fatal("a packet beyond the limits")
		}
		if o, _, err := ReadOffer(suite, b); err == nil && o.check() != nil {
			t.Fatal("an offer that does not check")
		}
		if j, err := ReadJoin(suite, b); err == nil && j.check() != nil {
			t.Fatal("a join that does not check")
		}
		if r, err := ReadRoster(suite, b); err == nil && (len(r.Joins) != int(r.Offer.Seats) || len(r.Joins) > MaxSeats) {
			t.Fatal("a roster of the wrong size")
		}
		for _, v := range []any{new(say), new(seal), new(wishText), new(rosterPart), new(revealPart), new(Dealing), new(checkPart),
			new(mixPart), new(stripPart), new(ownPart), new(actPart), new(keysPart), new(resultPart), new(recoverPart), new(evidenceText), new(wantText)} {
			if err := decode(b, v); err == nil && !bytes.Equal(encode(v), b) {
				t.Fatalf("%T has two texts", v)
			}
		}
	})
}
