package crypto

import (
	"crypto/rand"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestAttacks has one subtest per attack of SECURITY.md that this package can
// answer by itself. The rest (log, rounds, removal) is answered by the table.
func TestAttacks(t *testing.T) {
	for _, a := range []struct {
		id, what string
		test     func(*testing.T)
	}{
		{"A-01", "rogue key", attackRogueKey},
		{"A-02", "replay in another place", attackReplay},
		{"A-03", "bad encodings", attackEncodings},
		{"A-04", "small subgroup", attackTorsion},
		{"A-05", "identity", attackIdentity},
		{"A-06", "false shuffle", attackShuffle},
		{"A-07", "altered proof", attackProof},
		{"A-08", "weak Fiat-Shamir", attackWeakFiatShamir},
		{"A-09", "commitment key", attackCommitmentKey},
		{"A-10", "lengths", attackLengths},
		{"A-11", "share for something else", attackWrongShare},
		{"A-12", "shares that cancel", attackCancel},
		{"A-13", "decryption oracle", attackOracle},
		{"A-14", "share withheld", attackWithheld},
		{"A-19", "false start list", attackStartList},
		{"A-20", "false retarget", attackRetarget},
		{"A-23", "hand slots tracked", attackTrackHand},
		{"A-24", "deck slots tracked", attackTrackDeck},
		{"A-25", "collusion", attackCollusion},
		{"A-26", "bad share, false complaint", attackBadShare},
		{"A-27", "old shares", attackOldShares},
		{"A-30", "timing", attackTiming},
		{"A-31", "randomness", attackRandomness},
		{"A-32", "exhaustion", attackExhaustion},
		{"A-33", "wrong card claimed", attackWrongCard},
		{"A-34", "false claim about hidden cards", attackFalseClaim},
		{"A-35", "false key at the end", attackFalseKey},
		{"A-36", "cross-deck substitution", attackCrossDeck},
		{"A-37", "two implementations", attackImplementations},
		{"A-38", "library regression", attackLibrary},
	} {
		t.Run(a.id, func(t *testing.T) {
			t.Log(a.what)
			a.test(t)
		})
	}
}

// refused fails the test unless c is refused, alone and in company.
func refused(t *testing.T, what string, c Check) {
	t.Helper()
	if c.Verify() == nil {
		t.Errorf("accepted: %s", what)
	}
}

func accepted(t *testing.T, what string, c Check) {
	t.Helper()
	if err := c.Verify(); err != nil {
		t.Fatalf("refused: %s: %v", what, err)
	}
}

func attackRogueKey(t *testing.T) {
	// Two honest keys; the attacker wants the joint key to be x·G, its own alone.
	a, b, x := testSecret(t), testSecret(t), testSecret(t)
	rogue := x.Public().Sub(a.Public()).Sub(b.Public())
	if joint := SumPoints(a.Public(), b.Public(), rogue); !joint.Equal(x.Public()) {
		t.Fatal("the attack itself is wrong: the joint key is not the attacker's")
	}
	// The best it can do is a proof with the only secret it knows.
	st := Possession{Place: testPlace, Label: "card", Key: rogue}
	tr := st.transcript()
	k := testScalar(t)
	tr.point("A", mulBase(&k))
	st.Proof = append(mulBase(&k).Bytes(), tr.challenge("e").mulAdd(x.x, k).Bytes()...)
	refused(t, "possession of a rogue key", st)
	// Nor is the proof for x·G, or a copy of an honest one, a proof for the rogue key.
	for _, s := range []*Secret{x, a} {
		var err error
		if st.Proof, err = ProvePossession(rand.Reader, testPlace, "card", s); err != nil {
			t.Fatal(err)
		}
		own := st
		own.Key = s.Public()
		accepted(t, "the honest proof", own)
		refused(t, "a proof for another key", st)
	}
	// A key shown must be the key committed to.
	nonce := [32]byte{9}
	commitment := CommitKeys([32]byte{1}, 2, nonce, a.Public(), b.Public())
	for what, other := range map[string][32]byte{
		"table":     CommitKeys([32]byte{2}, 2, nonce, a.Public(), b.Public()),
		"seat":      CommitKeys([32]byte{1}, 3, nonce, a.Public(), b.Public()),
		"nonce":     CommitKeys([32]byte{1}, 2, [32]byte{8}, a.Public(), b.Public()),
		"card key":  CommitKeys([32]byte{1}, 2, nonce, rogue, b.Public()),
		"share key": CommitKeys([32]byte{1}, 2, nonce, a.Public(), rogue),
		"swapped":   CommitKeys([32]byte{1}, 2, nonce, b.Public(), a.Public()),
	} {
		if other == commitment {
			t.Errorf("the commitment does not bind: %s", what)
		}
	}
}

func attackReplay(t *testing.T) {
	for _, s := range specimens(t, rand.Reader) {
		t.Run(s.name, func(t *testing.T) {
			accepted(t, "the honest statement", s.check)
			list := alterations(s.check)
			for _, field := range []string{"Table", "Head", "Round", "Seat", "Kind", "Need", "Pass"} {
				if !slices.ContainsFunc(list, func(a alteration) bool { return strings.Contains(a.what, ".Place."+field) }) {
					t.Errorf("no case changes %s", field)
				}
			}
			for _, a := range list {
				refused(t, a.what, a.check)
			}
			// The proof of one kind is none of another, whatever its length.
			for _, other := range specimens(t, rand.Reader) {
				if reflect.TypeOf(other.check) != reflect.TypeOf(s.check) {
					refused(t, "the proof of "+other.name, withProof(s.check, proofOf(other.check)))
				}
			}
		})
	}
}

func attackShuffle(t *testing.T) {
	for _, n := range []int{2, 3, 8, 52, 120, 130} {
		d := newTestDeck(t, n)
		st, _ := d.cheat(t, forgery{}, false)
		accepted(t, "the honest shuffle", st)
		if len(st.Proof) != 32*(3*n+10) {
			t.Errorf("N = %d: a proof of %d bytes, want %d", n, len(st.Proof), 32*(3*n+10))
		}
		for _, f := range forgeries {
			forged, _ := d.cheat(t, f, true)
			if err := forged.Verify(); !errors.Is(err, ErrProof) {
				t.Errorf("N = %d, %s: %v", n, f.name, err)
			}
		}
	}
	// One slot: nothing to permute, and nothing else to change.
	d := newTestDeck(t, 1)
	st := d.shuffle(t)
	accepted(t, "a shuffle of one", st)
	st.Out = []Ciphertext{st.Out[0].Add(generator)}
	refused(t, "another card in a shuffle of one", st)
	dropped := newTestDeck(t, 3).shuffle(t)
	dropped.Out = dropped.Out[:2]
	refused(t, "a shuffle that drops a card", dropped)
}

func attackProof(t *testing.T) {
	list := specimens(t, rand.Reader)
	var batch []Check
	for len(batch) < 32 {
		batch = append(batch, list[len(batch)%len(list)].check)
	}
	if err := VerifyAll(nil, batch); err != nil {
		t.Fatalf("an honest batch is refused: %v", err)
	}
	at := 0
	for _, s := range list {
		for _, a := range tamperProof(t, s) {
			refused(t, a.what, a.check)
			at = (at + 7) % 32
			company := slices.Clone(batch)
			company[at] = a.check
			var culprit *BatchError
			if err := VerifyAll(nil, company); !errors.As(err, &culprit) || culprit.Index != at || !errors.Is(err, ErrProof) {
				t.Errorf("%s at %d of a batch: %v", a.what, at, err)
			}
		}
		bent := tamperProof(t, s)[0].check
		// Two culprits: the first is named. A malformed one after a false one too.
		company := slices.Clone(batch)
		company[20], company[9] = bent, bent
		company[27] = withProof(s.check, nil)
		var culprit *BatchError
		if err := VerifyAll(rand.Reader, company); !errors.As(err, &culprit) || culprit.Index != 9 {
			t.Errorf("%s: two culprits: %v", s.name, err)
		}
		company[9], company[20] = batch[9], batch[20]
		if err := VerifyAll(nil, company); !errors.As(err, &culprit) || culprit.Index != 27 || !errors.Is(err, ErrLength) {
			t.Errorf("%s: a malformed proof in a batch: %v", s.name, err)
		}
	}
}

// attackWeakFiatShamir fixes an honest proof and solves the equations for the
// statement. Under the old challenges the result is a perfect proof of a deck of
// the attacker's choice; only that the challenges cover the statement refuses it.
func attackWeakFiatShamir(t *testing.T) {
	attackUnhashed(t)
	for _, n := range []int{2, 3, 8, 52, 130} {
		d := newTestDeck(t, n)
		st := d.shuffle(t)
		accepted(t, "the honest shuffle", st)
		q, ok := slowParse(st)
		if !ok {
			t.Fatal("the slow parser refuses an honest shuffle")
		}
		ch := slowFiatShamir(st)
		e, x := scalarOf(ch.e.Bytes()), scalarOf(ch.x.Bytes())
		tau := scalarOf(q.tau.Bytes())
		f := make([]Scalar, n)
		for i := range f {
			f[i] = scalarOf(q.f[i].Bytes())
		}
		e0 := decodeDeck(t, st.Proof[6*32:8*32])[0]

		outs := st
		outs.Out = slices.Clone(st.Out)
		for i := range n - 1 { // the attacker's cards, seven of a kind
			outs.Out[i] = Trivial(CardPoint(1, 0), st.Key)
		}
		last := e0.sub(Ciphertext{mulBase(&tau), st.Key.mul(&tau)})
		for i, xi := range powersOf(x, n) {
			exi := e.mul(xi)
			last = last.Refresh(Ciphertext{st.In[i].C1.mul(&exi), st.In[i].C2.mul(&exi)})
			if i < n-1 {
				last = last.sub(Ciphertext{outs.Out[i].C1.mul(&f[i]), outs.Out[i].C2.mul(&f[i])})
			}
		}
		inverse := invert(f[n-1])
		outs.Out[n-1] = Ciphertext{last.C1.mul(&inverse), last.C2.mul(&inverse)}

		ins := st
		ins.In = slices.Clone(st.In)
		ins.In[0] = ins.In[0].Add(generator) // another card goes in: compensate with the second
		minusX := invert(x).neg()
		ins.In[1] = ins.In[1].Add(generator.mul(&minusX))

		key := st // outputs changed in C2 alone, the key solved for
		key.Out = slices.Clone(st.Out)
		key.Out[0] = key.Out[0].Add(CardPoint(1, 77))
		shift := CardPoint(1, 77).mul(&f[0])
		inverse = invert(tau)
		key.Key = st.Key.Sub(shift.mul(&inverse))

		for what, forged := range map[string]ShuffleStatement{"outputs": outs, "inputs": ins, "key": key} {
			q, ok := slowParse(forged)
			if !ok {
				t.Fatalf("N = %d, %s solved late: does not parse", n, what)
			}
			if n <= 8 && slowEquations(q, ch) != [5]bool{true, true, true, true, true} {
				t.Errorf("N = %d, %s solved late: the attack itself is wrong", n, what)
			}
			if err := forged.Verify(); !errors.Is(err, ErrProof) {
				t.Errorf("N = %d, %s solved late: %v", n, what, err)
			}
		}
	}
}

// attackUnhashed looks for a field that the challenge does not depend on, of any
// statement: such a field could be solved for after the proof. Every alteration
// must change the hash that is left at the end.
func attackUnhashed(t *testing.T) {
	for _, s := range specimens(t, rand.Reader) {
		honest, err := s.check.claim()
		if err != nil {
			t.Fatal(err)
		}
		compared := 0
		for _, a := range alterations(s.check) {
			altered, err := a.check.claim()
			if err != nil {
				continue // the shape alone refuses it
			}
			compared++
			if altered.seal == honest.seal {
				t.Errorf("%s is not hashed", a.what)
			}
		}
		if compared < 50 {
			t.Errorf("%s: only %d alterations were compared", s.name, compared)
		}
	}
}

// scalarOf reads big-endian bytes below ℓ.
func scalarOf(big []byte) Scalar {
	b := make([]byte, 32)
	copy(b[32-len(big):], big)
	slices.Reverse(b)
	s, err := DecodeScalar(b)
	if err != nil {
		panic(err)
	}
	return s
}

func invert(s Scalar) (inverse Scalar) {
	inverse.s.Invert(&s.s)
	return inverse
}

func attackCommitmentKey(t *testing.T) {
	ck := newCommitmentKey()
	if ck.hash() != commitmentKeyHash {
		t.Fatal("the commitment key is not the pinned one")
	}
	seen := map[[32]byte]bool{generator.Encoding(): true, {}: true}
	for i, p := range append(ck.H[:], ck.K) {
		if seen[p.Encoding()] {
			t.Errorf("base %d occurs twice, is G or the identity", i)
		}
		seen[p.Encoding()] = true
	}
	for i, theirs := range slowBases {
		ours := ck.K
		if i > 0 {
			ours = ck.H[i-1]
		}
		if string(ours.Bytes()) != string(theirs.Encode(nil)) {
			t.Errorf("base %d differs between two implementations", i)
		}
	}
	// With logarithms known a commitment opens to anything: 3·H_1 = 1·H_1 + 2h·G.
	// The key the verifier uses is made from labels alone, and any other key
	// changes the hash that every transcript starts with.
	ck.H[0] = mulBase(&oneScalar)
	if ck.hash() == commitmentKeyHash {
		t.Error("a key with a known logarithm has the pinned hash")
	}
}
