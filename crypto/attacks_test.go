package crypto

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"filippo.io/edwards25519"
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

// badPoints are the encodings of RFC 9496, appendix A.2.
func badPoints(t testing.TB) (list [][]byte) {
	text, err := os.ReadFile("testdata/bad_encodings.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			b, err := hex.DecodeString(line)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, b)
		}
	}
	return list
}

// badScalars are ℓ, ℓ+1, 2^253, and the largest 32 bytes.
func badScalars() (list [][]byte) {
	l, err := hex.DecodeString("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
	if err != nil {
		panic(err)
	}
	next := slices.Clone(l)
	next[0]++
	return [][]byte{l, next, append(make([]byte, 31), 0x20), []byte(strings.Repeat("\xff", 32))}
}

func attackEncodings(t *testing.T) {
	points, scalars := badPoints(t), badScalars()
	good := testSecret(t)
	for _, b := range points {
		if _, err := DecodePoint(b); !errors.Is(err, ErrEncoding) {
			t.Errorf("point %x: %v", b, err)
		}
		if _, err := DecodeKey(b); !errors.Is(err, ErrEncoding) {
			t.Errorf("key %x: %v", b, err)
		}
		g := good.Public().Bytes()
		for _, c := range [][]byte{append(slices.Clone(b), g...), append(slices.Clone(g), b...)} {
			if _, err := DecodeCiphertext(c); !errors.Is(err, ErrEncoding) {
				t.Errorf("ciphertext %x: %v", c, err)
			}
		}
	}
	for _, b := range scalars {
		if _, err := DecodeScalar(b); !errors.Is(err, ErrEncoding) {
			t.Errorf("scalar %x: %v", b, err)
		}
		if _, err := SecretFromBytes(b); !errors.Is(err, ErrEncoding) {
			t.Errorf("secret %x: %v", b, err)
		}
	}
	for _, n := range []int{0, 1, 31, 33, 63, 65, 128} {
		b := make([]byte, n)
		_, e1 := DecodePoint(b)
		_, e2 := DecodeKey(b)
		_, e3 := DecodeCiphertext(b)
		_, e4 := DecodeScalar(b)
		_, e5 := SecretFromBytes(b)
		for i, err := range []error{e1, e2, e3, e4, e5} {
			if !errors.Is(err, ErrLength) {
				t.Errorf("decoder %d, %d bytes: %v", i, n, err)
			}
		}
	}
	for _, s := range specimens(t, rand.Reader) {
		proof := proofOf(s.check)
		for i := range len(proof) / 32 {
			bad := scalars
			if i < s.points {
				bad = points
			}
			for _, b := range bad {
				bent := slices.Clone(proof)
				copy(bent[32*i:], b)
				if err := withProof(s.check, bent).Verify(); !errors.Is(err, ErrEncoding) {
					t.Fatalf("%s, piece %d = %x: %v", s.name, i, b, err)
				}
			}
		}
	}
}

// withTorsion is the same element by another representative.
func withTorsion(t *testing.T, p Point, i int) Point {
	enc := [][]byte{append(make([]byte, 31), 0), append(make([]byte, 31), 0x80), append(append([]byte{0xec}, slices.Repeat([]byte{0xff}, 30)...), 0x7f)}[i%3]
	e, err := new(edwards25519.Point).SetBytes(enc)
	if err != nil {
		t.Fatal(err)
	}
	q := newPoint(new(edwards25519.Point).Add(p.ed(), e))
	if q.ed().Equal(p.ed()) == 1 {
		t.Fatal("the torsion point is the neutral one")
	}
	return q
}

func attackTorsion(t *testing.T) {
	x := testSecret(t)
	p := x.Public()
	for i := range 3 {
		q := withTorsion(t, p, i)
		if !q.Equal(p) || q.Encoding() != p.Encoding() || !q.Sub(p).IsIdentity() || !q.Add(p).Equal(p.Add(p)) {
			t.Errorf("torsion point %d makes a difference", i)
		}
		if s := testScalar(t); !q.mul(&s).Equal(p.mul(&s)) || q.mul(&s).Encoding() != p.mul(&s).Encoding() {
			t.Errorf("torsion point %d survives a multiplication", i)
		}
	}
	// No verdict changes when every point of a statement gets another representative.
	n := 0
	for _, s := range specimens(t, rand.Reader) {
		for i := range 3 {
			v := reflect.New(reflect.TypeOf(s.check)).Elem()
			v.Set(deepCopy(reflect.ValueOf(s.check)))
			n += shiftAll(t, v, i)
			accepted(t, fmt.Sprintf("%s with torsion point %d", s.name, i), v.Interface().(Check))
		}
	}
	if n == 0 {
		t.Error("no point was shifted")
	}
}

func shiftAll(t *testing.T, v reflect.Value, i int) (n int) {
	switch {
	case v.Type() == reflect.TypeFor[Point]():
		v.Set(reflect.ValueOf(withTorsion(t, v.Interface().(Point), i)))
		return 1
	case v.Kind() == reflect.Struct && v.Type() != reflect.TypeFor[Scalar]():
		for k := range v.NumField() {
			n += shiftAll(t, v.Field(k), i)
		}
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8:
		for k := range v.Len() {
			n += shiftAll(t, v.Index(k), i)
		}
	}
	return n
}

// attackIdentity forges, for every place that must not hold the identity, a proof
// whose equations all hold: the check for the identity alone refuses it.
func attackIdentity(t *testing.T) {
	zero := make([]byte, 32)
	if _, err := DecodeKey(zero); !errors.Is(err, ErrIdentity) {
		t.Errorf("key: %v", err)
	}
	if _, err := DecodeCiphertext(append(zero, generator.Bytes()...)); !errors.Is(err, ErrIdentity) {
		t.Errorf("C1: %v", err)
	}
	if _, err := SecretFromBytes(zero); !errors.Is(err, ErrIdentity) {
		t.Errorf("secret: %v", err)
	}
	none := &Secret{} // x = 0
	d := newTestDeck(t, 2)
	x, other := d.key, testSecret(t)
	schnorr := func(tr transcript) []byte { // of the secret 0
		k := testScalar(t)
		tr.point("A", mulBase(&k))
		return append(mulBase(&k).Bytes(), k.Bytes()...)
	}
	must := func(n *nonces, err error) *nonces {
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	hedge := func(tr transcript) *nonces { return must(newNonces(rand.Reader, tr)) }
	withoutC1 := Ciphertext{Point{}, CardPoint(1, 0)}

	po := Possession{Place: testPlace, Label: "x"}
	po.Proof = schnorr(po.transcript())

	layers := func(key *Secret, base, layer Point) Check {
		st := LayersStatement{Place: testPlace, Key: key.Public(), Slots: []uint32{1}, Bases: []Point{base}, Layers: []Point{layer}}
		tr := st.transcript()
		st.Proof = proveEqualLogs(hedge(tr), tr, &key.x, weighted(tr.weights("weights", 1), st.Bases))
		return st
	}
	refresh := func(key Point, rho Scalar) Check {
		st := RefreshStatement{Place: testPlace, Key: key, Slots: []uint32{1}, Refreshes: []Ciphertext{{mulBase(&rho), key.mul(&rho)}}}
		tr := st.transcript()
		sum := tr.weights("weights", 1)[0].mul(rho)
		st.Proof = proveEqualLogs(hedge(tr), tr, &sum, row{{oneScalar, key}})
		return st
	}
	retarget := func(key *Secret, target Point, in Ciphertext, r Scalar) Check {
		st := RetargetStatement{Place: testPlace, Key: key.Public(), Target: target, Slot: 1, In: in}
		st.Out = Ciphertext{mulBase(&r), key.Open(in).Add(target.mul(&r))}
		tr := st.transcript()
		k1, k2 := testScalar(t), testScalar(t)
		ts := []Point{mulBase(&k1), mulBase(&k2), in.C1.mul(&k1).Sub(target.mul(&k2))}
		tr.points("T", ts)
		e := tr.challenge("e")
		st.Proof = append(encodePoints(ts), append(e.mulAdd(key.x, k1).Bytes(), e.mulAdd(r, k2).Bytes()...)...)
		return st
	}
	shuffle := func(key Point, in []Ciphertext, rho ...Scalar) Check {
		st := ShuffleStatement{Place: testPlace, Key: key, In: in, InSlots: make([]uint32, len(in)), OutSlots: make([]uint32, len(in))}
		w := witness{}
		for i := range in {
			w.perm, w.rho = append(w.perm, i), append(w.rho, &rho[i])
			st.Out = append(st.Out, in[i].Refresh(Ciphertext{mulBase(&rho[i]), key.mul(&rho[i])}))
		}
		st.Proof = proveShuffle(hedge(st.transcript()), st.transcript(), key, st.Out, w)
		return st
	}
	notEqual := func(key *Secret, in Ciphertext, card Point, alpha Scalar) Check {
		st := NotEqualStatement{Place: testPlace, Key: key.Public(), Slot: 1, In: in, Card: card}
		a, b, beta, diff := testScalar(t), testScalar(t), alpha.mul(key.x), in.C2.Sub(card)
		combine := func(a, b Scalar) Point { return diff.mul(&a).Sub(in.C1.mul(&b)) }
		ts := []Point{combine(alpha, beta), combine(a, b), key.Public().mul(&a).Sub(mulBase(&b))}
		tr := st.transcript()
		tr.points("C, T", ts)
		e := tr.challenge("e")
		st.Proof = append(encodePoints(ts), append(e.mulAdd(alpha, a).Bytes(), e.mulAdd(beta, b).Bytes()...)...)
		return st
	}
	dealing := func(s *Secret, commitments []Point, ephemeral *Secret, z Point) Check {
		st := Dealing{Place: testPlace, Commitments: commitments, Recipients: []Recipient{{1, z}}, Ephemeral: ephemeral.Public(), Shares: make([]Scalar, 1)}
		tr := st.transcript()
		k := testScalar(t)
		tr.point("A", mulBase(&k))
		st.Proof = append(mulBase(&k).Bytes(), tr.challenge("e").mulAdd(ephemeral.x, k).Bytes()...)
		return st
	}
	r1, r2 := testScalar(t), testScalar(t)
	two := smallScalar(2)
	vanishing := []Point{x.Public().mul(&two).Neg(), x.Public()} // f(2) = 0
	for _, c := range []struct {
		what  string
		check Check
		fine  Check // the same forger with a proper value is accepted: its equations are right
	}{
		{"possession of the key 0", po, nil},
		{"layers of the key 0", layers(none, generator, Point{}), layers(x, generator, x.Public())},
		{"a layer on the base 0", layers(x, Point{}, Point{}), nil},
		{"refresh under the key 0", refresh(Point{}, r1), refresh(x.Public(), r1)},
		{"refresh by nothing", refresh(x.Public(), Scalar{}), nil},
		{"retarget from the key 0", retarget(none, other.Public(), d.in[0], r1), retarget(x, other.Public(), d.in[0], r1)},
		{"retarget to the key 0", retarget(x, Point{}, d.in[0], r1), nil},
		{"retarget of C1 = 0", retarget(x, other.Public(), withoutC1, r1), nil},
		{"retarget into C1 = 0", retarget(x, other.Public(), d.in[0], Scalar{}), nil},
		{"shuffle under the key 0", shuffle(Point{}, d.in, r1, r2), shuffle(x.Public(), d.in, r1, r2)},
		{"shuffle of C1 = 0", shuffle(x.Public(), []Ciphertext{withoutC1, d.in[1]}, r1, r2), nil},
		{"shuffle into C1 = 0", shuffle(x.Public(), d.in, r1, minusOne), nil},
		{"not equal under the key 0", notEqual(none, d.in[0], CardPoint(1, 5), r1), notEqual(x, d.in[0], CardPoint(1, 5), r1)},
		{"not equal with difference 0", notEqual(x, d.in[0], CardPoint(1, 0), r1), nil},
		{"not equal with blinding 0", notEqual(x, d.in[0], CardPoint(1, 5), Scalar{}), nil},
		{"not equal of C1 = 0", notEqual(x, withoutC1, CardPoint(1, 5), r1), nil},
		{"a dealing with the key 0", dealing(none, []Point{{}, x.Public()}, other, other.Public()), dealing(x, []Point{x.Public(), other.Public()}, other, other.Public())},
		{"a dealing of lower degree", dealing(x, []Point{x.Public(), {}}, other, other.Public()), nil},
		{"a dealing whose share is 0", dealing(x, vanishing, other, other.Public()), nil},
		{"a dealing to the key 0", dealing(x, []Point{x.Public()}, other, Point{}), nil},
		{"a dealing with ephemeral 0", dealing(x, []Point{x.Public()}, none, other.Public()), nil},
	} {
		if err := c.check.Verify(); !errors.Is(err, ErrIdentity) {
			t.Errorf("%s: %v", c.what, err)
		}
		if c.fine != nil {
			accepted(t, "the control of "+c.what, c.fine)
		}
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
