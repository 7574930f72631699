package crypto

import (
	"crypto/subtle"

	"filippo.io/edwards25519"
)

// comb multiplies one public point by many secret scalars in constant time, a
// third of the work of that many single multiplications. A shuffle needs it for
// ρ_i·T. The table holds j·256^i·P for j = 1…8; every look-up reads a whole row.
type comb struct{ table [32][8]edwards25519.Point }

func newComb(p Point) *comb {
	c := new(comb)
	q := new(edwards25519.Point).Set(p.ed())
	for i := range c.table {
		row := &c.table[i]
		row[0].Set(q)
		for j := 1; j < 8; j++ {
			row[j].Add(&row[j-1], q)
		}
		q.Double(&row[7]) // 16·q
		for range 4 {
			q.Double(q)
		}
	}
	return c
}

// mul is s·P.
func (c *comb) mul(s *Scalar) Point {
	digits := signedRadix16(s)
	e := new(element)
	e.p.Set(neutral)
	var step edwards25519.Point
	for i := 1; i < 64; i += 2 {
		c.lookup(&step, i/2, digits[i])
		e.p.Add(&e.p, &step)
	}
	for range 4 {
		e.p.Double(&e.p)
	}
	for i := 0; i < 64; i += 2 {
		c.lookup(&step, i/2, digits[i])
		e.p.Add(&e.p, &step)
	}
	return Point{e: e}
}

// lookup sets v = digit·256^i·P for -8 ≤ digit ≤ 8, touching the whole row.
func (c *comb) lookup(v *edwards25519.Point, i int, digit int8) {
	sign := digit >> 7                   // 0 or -1
	size := uint8((digit ^ sign) - sign) // |digit|
	v.Set(neutral)
	for j := range c.table[i] {
		v.Select(&c.table[i][j], v, subtle.ConstantTimeByteEq(size, uint8(j+1)))
	}
	var minus edwards25519.Point
	minus.Negate(v)
	v.Select(&minus, v, int(sign&1))
}

// signedRadix16 writes s = Σ d_i·16^i with -8 ≤ d_i < 8 (d_63 ≤ 8), without branches.
func signedRadix16(s *Scalar) (digits [64]int8) {
	b := s.s.Bytes()
	for i := range 32 {
		digits[2*i] = int8(b[i] & 15)
		digits[2*i+1] = int8(b[i] >> 4)
	}
	for i := range 63 {
		carry := (digits[i] + 8) >> 4
		digits[i] -= carry << 4
		digits[i+1] += carry
	}
	return digits
}
