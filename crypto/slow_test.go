package crypto

import (
	"crypto/sha512"
	"encoding/binary"
	"math/big"
	"slices"

	"github.com/gtank/ristretto255"
)

// A second verifier of the shuffle proof, written from the equations alone: its
// own transcript, integers of math/big, another implementation of the group,
// no batching, no weights, no shared code. It is slow and only for tests.

var ell = func() *big.Int {
	c, _ := new(big.Int).SetString("27742317777372353535851937790883648493", 10)
	return c.Add(c, new(big.Int).Lsh(big.NewInt(1), 252))
}()

func mod(n *big.Int) *big.Int { return n.Mod(n, ell) }

func littleEndian(b []byte) *big.Int {
	b = slices.Clone(b)
	slices.Reverse(b)
	return new(big.Int).SetBytes(b)
}

// slowMul is n·p.
func slowMul(n *big.Int, p *ristretto255.Element) *ristretto255.Element {
	var b [32]byte
	mod(new(big.Int).Set(n)).FillBytes(b[:])
	slices.Reverse(b[:])
	s := ristretto255.NewScalar()
	if err := s.Decode(b[:]); err != nil {
		panic(err)
	}
	return ristretto255.NewElement().ScalarMult(s, p)
}

// slowSum is Σ n_i·p_i, one after the other.
func slowSum(n []*big.Int, p []*ristretto255.Element) *ristretto255.Element {
	sum := ristretto255.NewElement().Zero()
	for i := range n {
		sum.Add(sum, slowMul(n[i], p[i]))
	}
	return sum
}

// slowHash is the transcript: all items so far, hashed anew for each challenge.
type slowHash struct{ items []byte }

func (h *slowHash) item(label string, data []byte) {
	h.items = binary.BigEndian.AppendUint32(h.items, uint32(len(label)))
	h.items = append(h.items, label...)
	h.items = binary.BigEndian.AppendUint32(h.items, uint32(len(data)))
	h.items = append(h.items, data...)
}

func (h *slowHash) number(label string, n uint32) {
	h.item(label, []byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)})
}

func (h *slowHash) challenge(label string) *big.Int {
	h.item(label, nil)
	sum := sha512.Sum512(h.items)
	h.items = nil
	h.item("chain", sum[:])
	return mod(littleEndian(sum[:]))
}

// slowBase is a base of the commitment key: number 0 is K, i is H_i.
func slowBase(i int) *ristretto255.Element {
	var h slowHash
	h.item("suite", []byte("standoff/ristretto255-sha512/1"))
	if i == 0 {
		h.item("hash to group", []byte("commitment/K"))
	} else {
		h.item("hash to group", []byte("commitment/H"))
		h.item("data", []byte{byte(i >> 8), byte(i)})
	}
	sum := sha512.Sum512(h.items)
	return ristretto255.NewElement().FromUniformBytes(sum[:])
}

var slowBases = func() (list []*ristretto255.Element) {
	for i := range 131 {
		list = append(list, slowBase(i))
	}
	return list
}()

// slowProof is a statement and proof taken apart.
type slowProof struct {
	n                      int
	g, t                   *ristretto255.Element
	in, out                [2][]*ristretto255.Element // component → slot
	cA, cB, cd, c1, c2, c0 *ristretto255.Element      // c1 = C_δ, c2 = C_Δ
	e0                     [2]*ristretto255.Element
	a, p, f                []*big.Int // p from index 1 to n-2
	r, s, rf, tau          *big.Int
}

// slowParse refuses what is no statement of a shuffle at all.
func slowParse(st ShuffleStatement) (q slowProof, ok bool) {
	q.n = len(st.In)
	if q.n < 2 || q.n > 130 || len(st.Out) != q.n || len(st.InSlots) != q.n || len(st.OutSlots) != q.n ||
		len(st.Proof) != 32*(3*q.n+10) {
		return q, false
	}
	ok = true
	element := func(b []byte) *ristretto255.Element {
		e := ristretto255.NewElement()
		if e.Decode(b) != nil {
			ok = false
			e.Zero()
		}
		return e
	}
	zero := ristretto255.NewElement().Zero()
	nonzero := func(b []byte) *ristretto255.Element {
		e := element(b)
		ok = ok && e.Equal(zero) == 0
		return e
	}
	q.g, q.t = ristretto255.NewElement().Base(), nonzero(st.Key.Bytes())
	for i := range q.n {
		q.in[0] = append(q.in[0], nonzero(st.In[i].C1.Bytes()))
		q.in[1] = append(q.in[1], element(st.In[i].C2.Bytes()))
		q.out[0] = append(q.out[0], nonzero(st.Out[i].C1.Bytes()))
		q.out[1] = append(q.out[1], element(st.Out[i].C2.Bytes()))
	}
	rest := st.Proof
	next := func() []byte {
		b := rest[:32]
		rest = rest[32:]
		return b
	}
	for _, e := range []**ristretto255.Element{&q.cA, &q.cB, &q.cd, &q.c1, &q.c2, &q.c0, &q.e0[0], &q.e0[1]} {
		*e = element(next())
	}
	scalar := func() *big.Int {
		n := littleEndian(next())
		ok = ok && n.Cmp(ell) < 0
		return n
	}
	for range q.n {
		q.a = append(q.a, scalar())
	}
	q.p = make([]*big.Int, q.n)
	for i := 1; i < q.n-1; i++ {
		q.p[i] = scalar()
	}
	q.r, q.s = scalar(), scalar()
	for range q.n {
		q.f = append(q.f, scalar())
	}
	q.rf, q.tau = scalar(), scalar()
	return q, ok
}

type slowChallenges struct{ x, y, z, e *big.Int }

func slowFiatShamir(st ShuffleStatement) (c slowChallenges) {
	var h, key slowHash
	h.item("protocol", []byte("shuffle"))
	h.item("suite", []byte("standoff/ristretto255-sha512/1"))
	for _, b := range slowBases {
		key.items = append(key.items, b.Encode(nil)...)
	}
	hash := sha512.Sum512(key.items)
	h.item("commitment key", hash[:])
	h.item("table", st.Table[:])
	h.item("head", st.Head[:])
	h.number("round", st.Round)
	h.number("seat", uint32(st.Seat))
	h.number("kind", uint32(st.Kind))
	h.number("need", st.Need)
	h.number("pass", st.Pass)
	h.item("deck", []byte{st.Deck})
	h.number("N", uint32(len(st.In)))
	list := func(label string, n []uint32) {
		var b []byte
		for _, n := range n {
			b = append(b, byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
		}
		h.item(label, b)
	}
	list("in slots", st.InSlots)
	list("out slots", st.OutSlots)
	h.item("key", st.Key.Bytes())
	h.item("in", encodeDeck(st.In))
	h.item("out", encodeDeck(st.Out))
	point := func(label string, i int) { h.item(label, st.Proof[32*i:32*i+32]) }
	point("C_A", 0)
	c.x = h.challenge("x")
	point("C_B", 1)
	c.y = h.challenge("y")
	c.z = h.challenge("z")
	point("C_d", 2)
	point("C_δ", 3)
	point("C_Δ", 4)
	point("C_0", 5)
	point("E_0.C1", 6)
	point("E_0.C2", 7)
	c.e = h.challenge("e")
	return c
}

// slowEquations says of each of the five equations whether it holds.
func slowEquations(q slowProof, c slowChallenges) (holds [5]bool) {
	mul := func(a, b *big.Int) *big.Int { return mod(new(big.Int).Mul(a, b)) }
	sub := func(a, b *big.Int) *big.Int { return mod(new(big.Int).Sub(a, b)) }
	one := big.NewInt(1)
	com := func(a []*big.Int, r *big.Int) *ristretto255.Element {
		return slowSum(append([]*big.Int{r}, a...), slowBases[:len(a)+1])
	}
	power := make([]*big.Int, q.n) // x^1…x^n
	product := new(big.Int).Set(c.e)
	for i := range power {
		power[i] = new(big.Int).Exp(c.x, big.NewInt(int64(i+1)), ell)
		yi := mul(c.y, big.NewInt(int64(i+1)))
		product = mul(product, sub(yi.Add(yi, power[i]), c.z))
	}
	p := slices.Clone(q.p)
	p[0], p[q.n-1] = q.a[0], product

	// (1) e·(y·C_A + C_B - z·ΣH_i) + C_d = com(ã; r̃)
	n1 := []*big.Int{mul(c.e, c.y), c.e, one}
	p1 := []*ristretto255.Element{q.cA, q.cB, q.cd}
	for i := range q.n {
		n1 = append(n1, sub(big.NewInt(0), mul(c.e, c.z)))
		p1 = append(p1, slowBases[i+1])
	}
	holds[0] = slowSum(n1, p1).Equal(com(q.a, q.r)) == 1

	// (2) e·C_Δ + C_δ = com(e·p̃_{i+1} - p̃_i·ã_{i+1}; s̃)
	var v []*big.Int
	for i := range q.n - 1 {
		v = append(v, sub(mul(c.e, p[i+1]), mul(p[i], q.a[i+1])))
	}
	holds[1] = slowSum([]*big.Int{c.e, one}, []*ristretto255.Element{q.c2, q.c1}).Equal(com(v, q.s)) == 1

	// (3) C_0 + e·C_B = com(f; r_f)
	holds[2] = slowSum([]*big.Int{one, c.e}, []*ristretto255.Element{q.c0, q.cB}).Equal(com(q.f, q.rf)) == 1

	// (4), (5) E_0 + e·Σ x^i·E_i = τ·(G, T) + Σ f_i·E'_i
	for k, base := range []*ristretto255.Element{q.g, q.t} {
		var ex []*big.Int
		for i := range q.n {
			ex = append(ex, mul(c.e, power[i]))
		}
		left := slowSum(ex, q.in[k])
		left.Add(left, q.e0[k])
		right := slowSum(q.f, q.out[k])
		right.Add(right, slowMul(q.tau, base))
		holds[3+k] = left.Equal(right) == 1
	}
	return holds
}

// slowVerify is the verdict of the second verifier.
func slowVerify(st ShuffleStatement) bool {
	q, ok := slowParse(st)
	return ok && slowEquations(q, slowFiatShamir(st)) == [5]bool{true, true, true, true, true}
}
