package crypto

// Equality of discrete logarithms, the proof under Layers, Refreshes and
// complaints (Chaum-Pedersen; sent with its commitments so that it batches).
//
//	prover knows x with  P = x·G  and  Q = x·B
//	A1 = k·G, A2 = k·B,  e = FS,  z = k + e·x
//	check  z·G = A1 + e·P  and  z·B = A2 + e·Q
//
// P, B and Q may be weighted sums, given as rows.

// equalLogsSize is A1 ‖ A2 ‖ z.
const equalLogsSize = 3 * 32

// proveEqualLogs ends the transcript of a statement.
func proveEqualLogs(n *nonces, t transcript, x *Scalar, base row) []byte {
	k := n.next()
	scalars := make([]Scalar, len(base))
	points := make([]Point, len(base))
	for i, b := range base {
		scalars[i], points[i] = b.coeff.mul(k), b.point
	}
	a1, a2 := mulBase(&k), constantTimeSum(scalars, points)
	t.point("A1", a1)
	t.point("A2", a2)
	z := t.challenge("e").mulAdd(*x, k)
	return append(append(a1.Bytes(), a2.Bytes()...), z.Bytes()...)
}

// claimEqualLogs reads a proof of log_G(image1) = log_base(image2).
func claimEqualLogs(t transcript, proof []byte, image1, base, image2 row) (*claim, error) {
	r, err := newProofReader(proof, 3)
	if err != nil {
		return nil, err
	}
	a1, a2, z := r.point(), r.point(), r.scalar()
	if r.err != nil {
		return nil, r.err
	}
	t.point("A1", a1)
	t.point("A2", a2)
	e := t.challenge("e").neg()
	t.bytes("response", z.Bytes())
	c := newClaim(t)
	c.row(append(row{{z, generator}, {minusOne, a1}}, image1.times(e)...))
	c.row(append(append(row{{minusOne, a2}}, base.times(z)...), image2.times(e)...))
	return c, nil
}

func (r row) times(s Scalar) row {
	out := make(row, len(r), len(r)+3)
	for i, t := range r {
		out[i] = term{t.coeff.mul(s), t.point}
	}
	return out
}

// weighted is the row Σ w_k·P_k.
func weighted(w []Scalar, points []Point) row {
	r := make(row, len(points))
	for k, p := range points {
		r[k] = term{w[k], p}
	}
	return r
}
