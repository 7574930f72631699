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
