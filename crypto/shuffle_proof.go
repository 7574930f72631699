package crypto

// The proof of shuffle of S. Bayer and J. Groth, "Efficient zero-knowledge
// argument for correctness of a shuffle", EUROCRYPT 2012: the shuffle argument
// of section 4 over the multi-exponentiation argument at m = 1 and the
// single-value product argument of section 5.3. Additive notation, i = 1…N.
//
//	out deck E'_i = E_{π(i)} + ρ_i·(G, T), in deck E_i; com as in commit.go
//
//	1.  C_A = com(π(1)…π(N); r)                                        x = FS
//	2.  b_i = x^{π(i)},  C_B = com(b; s)                               y, z = FS
//	3.  c_i = y·π(i) + b_i - z,  t = y·r + s,  p_i = c_1·…·c_i
//	    C_d = com(d; r_d)
//	    C_δ = com(-δ_i·d_{i+1}; s_1)                        i = 1…N-1, δ_1 = d_1, δ_N = 0
//	    C_Δ = com(δ_{i+1} - c_{i+1}·δ_i - p_i·d_{i+1}; s_x) i = 1…N-1
//	    C_0 = com(a0; r_0),  E_0 = τ_0·(G, T) + Σ a0_i·E'_i            e = FS
//	4.  ã = e·c + d,  p̃_i = e·p_i + δ_i (i = 2…N-1),  r̃ = e·t + r_d,  s̃ = e·s_x + s_1
//	    f = e·b + a0,  r_f = e·s + r_0,  τ = -e·Σ b_i·ρ_i + τ_0
//
// Why it proves a shuffle: (1) and (2) show that the c_i multiply up to
// Π (y·i + x^i - z), so the pairs (π(i), b_i) are a reordering of (i, x^i);
// (3) to (5) show Σ b_i·E'_i = Σ x^i·E_i up to re-encryption, for an x chosen
// after both decks were fixed. Soundness rests on discrete logarithms in the
// random oracle model, with an error of about N/ℓ.
//
// On the wire: C_A, C_B, C_d, C_δ, C_Δ, C_0, E_0 (8 points), then ã (N),
// p̃ (N-2), r̃, s̃, f (N), r_f, τ: 32·(3N+10) bytes.

// proveShuffle ends the transcript of a shuffle statement. The loop over
// b_i = x^{π(i)} looks up by the secret order; on the prover's own machine that
// is accepted (SECURITY.md).
func proveShuffle(nonce *nonces, t transcript, key Point, out []Ciphertext, w witness) []byte {
	ck := commitments()
	n := len(out)
	proof := make([]byte, 0, ShuffleProofSize(n))
	say := func(label string, p Point) {
		proof = append(proof, p.Bytes()...)
		t.point(label, p)
	}

	// 1.
	order := make([]int, n)
	for i := range order {
		order[i] = w.perm[i] + 1
	}
	r := nonce.next()
	say("C_A", ck.commitSmall(order, r))
	x := t.challenge("x")

	// 2.
	s := nonce.next()
	powers := powersOf(x, n)
	b := make([]Scalar, n)
	for i := range b {
		b[i] = powers[w.perm[i]]
	}
	say("C_B", ck.commit(b, s))
	y, z := t.challenge("y"), t.challenge("z")

	// 3.
	c, p := make([]Scalar, n), make([]Scalar, n)
	for i := range c {
		c[i] = y.mulAdd(smallScalar(uint64(order[i])), b[i]).sub(z)
		if p[i] = c[i]; i > 0 {
			p[i] = p[i-1].mul(c[i])
		}
	}
	d, rd := nonce.list(n), nonce.next()
	delta := nonce.list(n)
	delta[0], delta[n-1] = d[0], Scalar{}
	s1, sx := nonce.next(), nonce.next()
	small, large := make([]Scalar, n-1), make([]Scalar, n-1)
	for i := range small {
		small[i] = delta[i].mul(d[i+1]).neg()
		large[i] = delta[i+1].sub(c[i+1].mulAdd(delta[i], p[i].mul(d[i+1])))
	}
	a0, r0, tau0 := nonce.list(n), nonce.next(), nonce.next()
	say("C_d", ck.commit(d, rd))
	say("C_δ", ck.commit(small, s1))
	say("C_Δ", ck.commit(large, sx))
	say("C_0", ck.commit(a0, r0))
	left, right := make([]Point, n+1), make([]Point, n+1)
	for i := range out {
		left[i], right[i] = out[i].C1, out[i].C2
	}
	left[n], right[n] = generator, key
	a0tau := append(a0[:n:n], tau0)
	say("E_0.C1", constantTimeSum(a0tau, left))
	say("E_0.C2", constantTimeSum(a0tau, right))
	e := t.challenge("e")

	// 4.
	answer := func(a Scalar) { proof = append(proof, a.Bytes()...) }
	for i := range n {
		answer(e.mulAdd(c[i], d[i]))
	}
	for i := 1; i < n-1; i++ {
		answer(e.mulAdd(p[i], delta[i]))
	}
	answer(e.mulAdd(y.mulAdd(r, s), rd))
	answer(e.mulAdd(sx, s1))
	var bRho Scalar
	for i := range n {
		answer(e.mulAdd(b[i], a0[i]))
		bRho = b[i].mulAdd(*w.rho[i], bRho)
	}
	answer(e.mulAdd(s, r0))
	answer(tau0.sub(e.mul(bRho)))
	return proof
}

// powersOf is x^1…x^n.
func powersOf(x Scalar, n int) []Scalar {
	list := make([]Scalar, n)
	power := x
	for i := range list {
		list[i] = power
		power = power.mul(x)
	}
	return list
}

// claimShuffle writes the five equations, with p̃_1 = ã_1 and
// p̃_N = e·Π (y·i + x^i - z):
//
//	(1) e·(y·C_A + C_B - z·ΣH_i) + C_d = com(ã; r̃)
//	(2) e·C_Δ + C_δ = com(e·p̃_{i+1} - p̃_i·ã_{i+1}; s̃)      i = 1…N-1
//	(3) C_0 + e·C_B = com(f; r_f)
//	(4,5) E_0 + e·Σ x^i·E_i = τ·(G, T) + Σ f_i·E'_i         both components
func (s ShuffleStatement) claimShuffle() (*claim, error) {
	n := len(s.In)
	r, err := newProofReader(s.Proof, 3*n+10)
	if err != nil {
		return nil, err
	}
	cA, cB := r.point(), r.point()
	cd, cSmall, cLarge, c0 := r.point(), r.point(), r.point(), r.point()
	e0 := Ciphertext{r.point(), r.point()}
	responses := s.Proof[32*8:]
	a := r.scalars(n)
	p := make([]Scalar, n)
	copy(p[1:], r.scalars(n-2))
	rr, sr := r.scalar(), r.scalar()
	f := r.scalars(n)
	rf, tau := r.scalar(), r.scalar()
	if r.err != nil {
		return nil, r.err
	}

	t := s.transcript()
	t.point("C_A", cA)
	x := t.challenge("x")
	t.point("C_B", cB)
	y, z := t.challenge("y"), t.challenge("z")
	t.point("C_d", cd)
	t.point("C_δ", cSmall)
	t.point("C_Δ", cLarge)
	t.point("C_0", c0)
	t.point("E_0.C1", e0.C1)
	t.point("E_0.C2", e0.C2)
	e := t.challenge("e")
	t.bytes("responses", responses)

	powers := powersOf(x, n)
	product := e // e·Π (y·i + x^i - z)
	for i := range n {
		product = product.mul(y.mulAdd(smallScalar(uint64(i+1)), powers[i]).sub(z))
	}
	p[0], p[n-1] = a[0], product

	ck := commitments()
	ez := e.mul(z)
	eq1 := append(make(row, 0, n+4), term{e.mul(y), cA}, term{e, cB}, term{oneScalar, cd}, term{rr.neg(), ck.K})
	eq2 := append(make(row, 0, n+2), term{e, cLarge}, term{oneScalar, cSmall}, term{sr.neg(), ck.K})
	eq3 := append(make(row, 0, n+3), term{oneScalar, c0}, term{e, cB}, term{rf.neg(), ck.K})
	eq4 := append(make(row, 0, 2*n+2), term{oneScalar, e0.C1}, term{tau.neg(), generator})
	eq5 := append(make(row, 0, 2*n+2), term{oneScalar, e0.C2}, term{tau.neg(), s.Key})
	for i := range n {
		eq1 = append(eq1, term{ez.add(a[i]).neg(), ck.H[i]})
		if i < n-1 {
			eq2 = append(eq2, term{p[i].mul(a[i+1]).sub(e.mul(p[i+1])), ck.H[i]})
		}
		eq3 = append(eq3, term{f[i].neg(), ck.H[i]})
		ex, minusF := e.mul(powers[i]), f[i].neg()
		eq4 = append(eq4, term{ex, s.In[i].C1}, term{minusF, s.Out[i].C1})
		eq5 = append(eq5, term{ex, s.In[i].C2}, term{minusF, s.Out[i].C2})
	}
	c := newClaim(t)
	c.rows = []row{eq1, eq2, eq3, eq4, eq5}
	return c, nil
}
