package crypto

import (
	"crypto/rand"
	"errors"
	"testing"
)

// forgery is a way to put a false deck on the table. The forger knows the secret
// key, as the owner of a hand does, and proves as well as it can.
type forgery struct {
	name string
	bend func(t testing.TB, d testDeck, st *ShuffleStatement, w *witness)
}

func replace(st *ShuffleStatement, w *witness, i int, c Ciphertext) {
	st.Out[i] = c.Refresh(Ciphertext{mulBase(w.rho[i]), st.Key.mul(w.rho[i])})
}

var forgeries = []forgery{
	{"a foreign card comes in", func(t testing.TB, d testDeck, st *ShuffleStatement, w *witness) {
		replace(st, w, 0, Trivial(CardPoint(1, 999), st.Key))
	}},
	{"a card of another deck comes in", func(t testing.TB, d testDeck, st *ShuffleStatement, w *witness) {
		replace(st, w, 0, Trivial(CardPoint(2, 0), st.Key))
	}},
	{"a card is there twice, another is gone", func(t testing.TB, d testDeck, st *ShuffleStatement, w *witness) {
		replace(st, w, 1, st.In[w.perm[0]])
		w.perm[1] = w.perm[0]
	}},
	{"twice, but claimed as a permutation", func(t testing.TB, d testDeck, st *ShuffleStatement, w *witness) {
		replace(st, w, 1, st.In[w.perm[0]])
	}},
	{"all cards are one card", func(t testing.TB, d testDeck, st *ShuffleStatement, w *witness) {
		for i := range st.Out {
			replace(st, w, i, st.In[0])
		}
	}},
	{"a message is multiplied by a constant", func(t testing.TB, d testDeck, st *ShuffleStatement, w *witness) {
		m := d.key.Open(st.Out[0])
		two := smallScalar(2)
		replace(st, w, 0, Trivial(m.mul(&two), st.Key))
	}},
	{"a whole ciphertext is multiplied by a constant", func(t testing.TB, d testDeck, st *ShuffleStatement, w *witness) {
		two := smallScalar(2)
		st.Out[0] = Ciphertext{st.Out[0].C1.mul(&two), st.Out[0].C2.mul(&two)}
	}},
	{"two messages change, their sum stays", func(t testing.TB, d testDeck, st *ShuffleStatement, w *witness) {
		delta := CardPoint(1, 999)
		st.Out[0] = st.Out[0].Add(delta)
		st.Out[1] = st.Out[1].Strip(delta)
	}},
	{"one is re-encrypted under another key", func(t testing.TB, d testDeck, st *ShuffleStatement, w *witness) {
		st.Out[0] = st.In[w.perm[0]].Refresh(Ciphertext{mulBase(w.rho[0]), generator.mul(w.rho[0])})
	}},
	{"C1 is not that of C2", func(t testing.TB, d testDeck, st *ShuffleStatement, w *witness) {
		st.Out[0].C1 = st.Out[0].C1.Add(generator)
	}},
}

// cheat shuffles the deck with the forgery, or honestly, and proves it by the
// product's own prover.
func (d testDeck) cheat(t testing.TB, f forgery, forged bool) (ShuffleStatement, witness) {
	t.Helper()
	st := ShuffleStatement{Place: testPlace, Deck: 1, Key: d.key.Public(), InSlots: d.inSlots, OutSlots: d.outSlots, In: d.in}
	var w witness
	var err error
	if st.Out, w, err = remask(rand.Reader, newComb(st.Key), st.In); err != nil {
		t.Fatal(err)
	}
	if forged {
		f.bend(t, d, &st, &w)
	}
	n, err := newNonces(rand.Reader, st.transcript())
	if err != nil {
		t.Fatal(err)
	}
	st.Proof = proveShuffle(n, st.transcript(), st.Key, st.Out, w)
	return st, w
}

// A liar proves a shuffle with commitments shifted before they are hashed, so
// that all challenges fit: exactly the equation the commitment belongs to breaks.
// It is written from the equations, apart from the product's prover.
func lie(t testing.TB, st ShuffleStatement, w witness, shift map[string]Point) []byte {
	n := len(st.In)
	ck := newCommitmentKey()
	var proof []byte
	tr := st.transcript()
	say := func(label string, p Point) {
		p = p.Add(shift[label])
		proof = append(proof, p.Bytes()...)
		tr.point(label, p)
	}
	com := func(a []Scalar, r Scalar) Point {
		sum := ck.K.mul(&r)
		for i := range a {
			sum = sum.Add(ck.H[i].mul(&a[i]))
		}
		return sum
	}
	fresh := func(k int) []Scalar {
		l := make([]Scalar, k)
		for i := range l {
			l[i] = testScalar(t)
		}
		return l
	}
	pi := make([]Scalar, n)
	for i := range pi {
		pi[i] = smallScalar(uint64(w.perm[i] + 1))
	}
	r := testScalar(t)
	say("C_A", com(pi, r))
	x := tr.challenge("x")
	b := make([]Scalar, n)
	for i := range b {
		b[i] = oneScalar
		for range w.perm[i] + 1 {
			b[i] = b[i].mul(x)
		}
	}
	s := testScalar(t)
	say("C_B", com(b, s))
	y, z := tr.challenge("y"), tr.challenge("z")
	c, p := make([]Scalar, n), make([]Scalar, n)
	product := oneScalar
	for i := range c {
		c[i] = y.mul(pi[i]).add(b[i]).sub(z)
		product = product.mul(c[i])
		p[i] = product
	}
	d, delta, a0 := fresh(n), fresh(n), fresh(n)
	delta[0], delta[n-1] = d[0], smallScalar(0)
	k := fresh(5) // r_d, s_1, s_x, r_0, τ_0
	var first, second []Scalar
	for i := range n - 1 {
		first = append(first, delta[i].mul(d[i+1]).neg())
		second = append(second, delta[i+1].sub(c[i+1].mul(delta[i])).sub(p[i].mul(d[i+1])))
	}
	say("C_d", com(d, k[0]))
	say("C_δ", com(first, k[1]))
	say("C_Δ", com(second, k[2]))
	say("C_0", com(a0, k[3]))
	e0 := Ciphertext{mulBase(&k[4]), st.Key.mul(&k[4])}
	for i := range n {
		e0 = e0.Refresh(Ciphertext{st.Out[i].C1.mul(&a0[i]), st.Out[i].C2.mul(&a0[i])})
	}
	say("E_0.C1", e0.C1)
	say("E_0.C2", e0.C2)
	e := tr.challenge("e")
	answer := func(s Scalar) { proof = append(proof, s.Bytes()...) }
	for i := range n {
		answer(e.mul(c[i]).add(d[i]))
	}
	for i := 1; i < n-1; i++ {
		answer(e.mul(p[i]).add(delta[i]))
	}
	answer(e.mul(y.mul(r).add(s)).add(k[0]))
	answer(e.mul(k[2]).add(k[1]))
	tau := k[4]
	for i := range n {
		answer(e.mul(b[i]).add(a0[i]))
		tau = tau.sub(e.mul(b[i]).mul(*w.rho[i]))
	}
	answer(e.mul(s).add(k[3]))
	answer(tau)
	return proof
}

// brokenRows says which rows of the claim of c do not hold; a refusal before
// there are rows is an error of the test.
func brokenRows(t testing.TB, c Check) (broken []int) {
	t.Helper()
	cl, err := c.claim()
	if err != nil {
		t.Fatal(err)
	}
	for k, r := range cl.rows {
		if !rowHolds(r) {
			broken = append(broken, k+1)
		}
	}
	return broken
}

// TestMaliciousProver has one row per equation of each verifier: a forged proof
// that breaks this equation and no other. Take the equation out of the verifier
// and the forgery is accepted.
func TestMaliciousProver(t *testing.T) {
	shift := generator
	d := newTestDeck(t, 4)
	x, k1, k2 := d.key, testScalar(t), testScalar(t)
	honest, w := d.cheat(t, forgery{}, false)
	shuffled := func(label string) Check {
		st := honest
		st.Proof = lie(t, st, w, map[string]Point{label: shift})
		return st
	}
	// sigma proves equal logarithms with A1 or A2 shifted before the challenge.
	sigma := func(tr transcript, x Scalar, base row, s1, s2 Point) []byte {
		a1, a2 := mulBase(&k1).Add(s1), s2
		for _, b := range base {
			k := b.coeff.mul(k1)
			a2 = a2.Add(b.point.mul(&k))
		}
		tr.point("A1", a1)
		tr.point("A2", a2)
		z := tr.challenge("e").mul(x).add(k1)
		return append(append(a1.Bytes(), a2.Bytes()...), z.Bytes()...)
	}
	layers := func(s1, s2 Point) Check {
		st := LayersStatement{Place: testPlace, Op: 1, Key: x.Public(), Slots: d.outSlots, Bases: bases(honest.Out)}
		for _, b := range st.Bases {
			st.Layers = append(st.Layers, x.Layer(b))
		}
		tr := st.transcript()
		st.Proof = sigma(tr, x.x, weighted(tr.weights("weights", 4), st.Bases), s1, s2)
		return st
	}
	refresh := func(s1, s2 Point) Check {
		st := RefreshStatement{Place: testPlace, Op: 1, Key: x.Public(), Slots: d.outSlots[:1]}
		st.Refreshes = []Ciphertext{{mulBase(&k2), x.Public().mul(&k2)}}
		tr := st.transcript()
		st.Proof = sigma(tr, tr.weights("weights", 1)[0].mul(k2), row{{oneScalar, st.Key}}, s1, s2)
		return st
	}
	single := func(s1, s2 Point) Check {
		st := ShuffleStatement{Place: testPlace, Deck: 1, Key: x.Public(), InSlots: d.inSlots[:1], OutSlots: d.outSlots[:1], In: d.in[:1]}
		st.Out = []Ciphertext{d.in[0].Refresh(Ciphertext{mulBase(&k2), x.Public().mul(&k2)})}
		st.Proof = sigma(st.transcript(), k2, row{{oneScalar, st.Key}}, s1, s2)
		return st
	}
	schnorr := func(tr transcript, x Scalar) []byte {
		a := mulBase(&k1).Add(shift)
		tr.point("A", a)
		return append(a.Bytes(), tr.challenge("e").mul(x).add(k1).Bytes()...)
	}
	possession := func() Check {
		st := Possession{Place: testPlace, Label: "x", Key: x.Public()}
		st.Proof = schnorr(st.transcript(), x.x)
		return st
	}
	dealing := func() Check {
		st, _, err := Deal(rand.Reader, testPlace, x, 2, []Recipient{{1, testSecret(t).Public()}})
		if err != nil {
			t.Fatal(err)
		}
		st.Ephemeral = mulBase(&k2)
		st.Proof = schnorr(st.transcript(), k2)
		return st
	}
	complaint := func(s1, s2 Point) Check {
		z := testSecret(t)
		deal, _, err := Deal(rand.Reader, testPlace, x, 2, []Recipient{{1, z.Public()}})
		if err != nil {
			t.Fatal(err)
		}
		at := testPlace
		at.Seat = 1
		st := Complaint{Place: at, Dealing: deal, Common: z.Layer(deal.Ephemeral)}
		st.Proof = sigma(st.transcript(), z.x, row{{oneScalar, deal.Ephemeral}}, s1, s2)
		return st
	}
	retarget := func(s [3]Point) Check {
		target := testSecret(t).Public()
		r := testScalar(t)
		st := RetargetStatement{Place: testPlace, Key: x.Public(), Target: target, Slot: 1, In: honest.Out[0]}
		st.Out = Ciphertext{mulBase(&r), x.Open(st.In).Add(target.mul(&r))}
		ts := []Point{mulBase(&k1).Add(s[0]), mulBase(&k2).Add(s[1]),
			st.In.C1.mul(&k1).Sub(target.mul(&k2)).Add(s[2])}
		tr := st.transcript()
		tr.points("T", ts)
		e := tr.challenge("e")
		st.Proof = append(encodePoints(ts), append(e.mul(x.x).add(k1).Bytes(), e.mul(r).add(k2).Bytes()...)...)
		return st
	}
	notEqual := func(s1, s2 Point) Check {
		st := NotEqualStatement{Place: testPlace, Key: x.Public(), Slot: 1, In: honest.Out[0], Card: CardPoint(1, 77)}
		alpha := testScalar(t)
		diff := st.In.C2.Sub(st.Card)
		combine := func(a, b Scalar) Point { return diff.mul(&a).Sub(st.In.C1.mul(&b)) }
		ts := []Point{combine(alpha, alpha.mul(x.x)), combine(k1, k2).Add(s1),
			x.Public().mul(&k1).Sub(mulBase(&k2)).Add(s2)}
		tr := st.transcript()
		tr.points("C, T", ts)
		e := tr.challenge("e")
		st.Proof = append(encodePoints(ts), append(e.mul(alpha).add(k1).Bytes(), e.mul(alpha.mul(x.x)).add(k2).Bytes()...)...)
		return st
	}
	none := Point{}
	for _, c := range []struct {
		name  string
		check Check
		row   int // the one equation that breaks; 0 for the honest control
	}{
		{"shuffle, honest", shuffled("nothing"), 0},
		{"shuffle, C_d", shuffled("C_d"), 1},
		{"shuffle, C_A", shuffled("C_A"), 1},
		{"shuffle, C_δ", shuffled("C_δ"), 2},
		{"shuffle, C_Δ", shuffled("C_Δ"), 2},
		{"shuffle, C_0", shuffled("C_0"), 3},
		{"shuffle, E_0 first half", shuffled("E_0.C1"), 4},
		{"shuffle, E_0 second half", shuffled("E_0.C2"), 5},
		{"shuffle of one, honest", single(none, none), 0},
		{"shuffle of one, A1", single(shift, none), 1},
		{"shuffle of one, A2", single(none, shift), 2},
		{"layers, honest", layers(none, none), 0},
		{"layers, A1", layers(shift, none), 1},
		{"layers, A2", layers(none, shift), 2},
		{"refresh, honest", refresh(none, none), 0},
		{"refresh, A1", refresh(shift, none), 1},
		{"refresh, A2", refresh(none, shift), 2},
		{"complaint, honest", complaint(none, none), 0},
		{"complaint, A1", complaint(shift, none), 1},
		{"complaint, A2", complaint(none, shift), 2},
		{"retarget, honest", retarget([3]Point{}), 0},
		{"retarget, T1", retarget([3]Point{shift, none, none}), 1},
		{"retarget, T2", retarget([3]Point{none, shift, none}), 2},
		{"retarget, T3", retarget([3]Point{none, none, shift}), 3},
		{"not equal, honest", notEqual(none, none), 0},
		{"not equal, T1", notEqual(shift, none), 1},
		{"not equal, T2", notEqual(none, shift), 2},
		{"possession, A", possession(), 1},
		{"dealing, A", dealing(), 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.check.Verify()
			broken := brokenRows(t, c.check)
			if c.row == 0 {
				if err != nil || len(broken) != 0 {
					t.Fatalf("an honest proof is refused: %v, rows %v", err, broken)
				}
				return
			}
			if !errors.Is(err, ErrProof) {
				t.Errorf("verdict %v, want %v", err, ErrProof)
			}
			if len(broken) != 1 || broken[0] != c.row {
				t.Errorf("rows %v break, want row %d alone", broken, c.row)
			}
		})
	}
}
