// Package ristretto is the ristretto255 encoding of RFC 9496 over the points of
// filippo.io/edwards25519.
//
// A ristretto255 element is a class of edwards25519 points that differ by a
// point of order 1, 2 or 4. Arithmetic is done on any member of the class by the
// edwards package; this package alone knows which 32 bytes name the class, when
// two points are the same element, and how to hash to one. Points made here are
// even (twice some point), as section 4 of the RFC wants its representatives.
package ristretto

import (
	"encoding/hex"
	"errors"

	"filippo.io/edwards25519"
	"filippo.io/edwards25519/field"
)

// Size of an encoded element in bytes.
const Size = 32

// ErrEncoding refuses bytes that are not the one encoding of an element
// (RFC 9496, section 4.3.1).
var ErrEncoding = errors.New("ristretto255: invalid encoding")

// The constants of RFC 9496, section 4.1; TestConstants checks each against its definition.
var (
	d              = element("a3785913ca4deb75abd841414d0a700098e879777940c78c73fe6f2bee6c0352")
	sqrtM1         = element("b0a00e4a271beec478e42fad0618432fa7d7fb3d99004d2b0bdfc14f8024832b")
	sqrtADMinusOne = element("1b2e7b49a0f6977ebd54781b0c8e9daffdd1f531c9fc3c0fac48832bbf316937")
	invSqrtAMinusD = element("ea405d80aafdc899be72415a17162f9d40d801fe917bc216a2fcafcf05896c78")
	oneMinusDSq    = element("76c15f94c1097ce20f355ecd38a1812ce4df70beddab9499d7e0b3b2a8729002")
	dMinusOneSq    = element("204ded44aa5aad3199191eb02c4a9ed2eb4e9b522fd3dc4c41226cf67ab36859")
	one            = new(field.Element).One()
	minusOne       = new(field.Element).Negate(one)
)

func element(s string) *field.Element {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic("ristretto: internal error: bad constant")
	}
	e, err := new(field.Element).SetBytes(b)
	if err != nil {
		panic("ristretto: internal error: bad constant")
	}
	return e
}

// Decode sets v to the element named by b. It refuses everything but the
// canonical, non-negative encoding of an element; v is then unchanged.
func Decode(v *edwards25519.Point, b []byte) error {
	if len(b) != Size {
		return ErrEncoding
	}
	var s field.Element
	if _, err := s.SetBytes(b); err != nil {
		return ErrEncoding
	}
	if string(s.Bytes()) != string(b) || s.IsNegative() == 1 {
		return ErrEncoding
	}
	var ss, u1, u2, u2Sqr, w, x, y, t, denX, denY, inv field.Element
	ss.Square(&s)
	u1.Subtract(one, &ss) // u1 = 1 - s²
	u2.Add(one, &ss)      // u2 = 1 + s²
	u2Sqr.Square(&u2)

	w.Square(&u1)
	w.Multiply(&w, d)
	w.Negate(&w)
	w.Subtract(&w, &u2Sqr) // w = -(d u1²) - u2²

	t.Multiply(&w, &u2Sqr)
	_, wasSquare := inv.SqrtRatio(one, &t) // inv = 1/√(w u2²)

	denX.Multiply(&inv, &u2)
	denY.Multiply(&inv, &denX)
	denY.Multiply(&denY, &w)

	x.Add(&s, &s)
	x.Multiply(&x, &denX)
	x.Absolute(&x)         // x = |2 s denX|
	y.Multiply(&u1, &denY) // y = u1 denY
	t.Multiply(&x, &y)
	if wasSquare == 0 || t.IsNegative() == 1 || y.Equal(new(field.Element)) == 1 {
		return ErrEncoding
	}
	if _, err := v.SetExtendedCoordinates(&x, &y, one, &t); err != nil {
		return ErrEncoding
	}
	return nil
}

// Encode is the canonical name of p's element (RFC 9496, section 4.3.2), the
// same for every edwards point of the class.
func Encode(p *edwards25519.Point) [Size]byte {
	x0, y0, z0, t0 := p.ExtendedCoordinates()
	var u1, u2, inv, den1, den2, zInv, ix, iy, enchanted, tmp field.Element

	u1.Add(z0, y0)
	u1.Multiply(&u1, tmp.Subtract(z0, y0)) // u1 = (z + y)(z - y)
	u2.Multiply(x0, y0)                    // u2 = x y

	tmp.Square(&u2)
	tmp.Multiply(&tmp, &u1)
	inv.SqrtRatio(one, &tmp) // inv = 1/√(u1 u2²)

	den1.Multiply(&inv, &u1)
	den2.Multiply(&inv, &u2)
	zInv.Multiply(&den1, &den2)
	zInv.Multiply(&zInv, t0) // zInv = den1 den2 t

	ix.Multiply(x0, sqrtM1)
	iy.Multiply(y0, sqrtM1)
	enchanted.Multiply(&den1, invSqrtAMinusD)

	rotate := tmp.Multiply(t0, &zInv).IsNegative()
	x0.Select(&iy, x0, rotate)
	y0.Select(&ix, y0, rotate)
	den2.Select(&enchanted, &den2, rotate)

	negative := tmp.Multiply(x0, &zInv).IsNegative()
	y0.Select(tmp.Negate(y0), y0, negative)

	tmp.Subtract(z0, y0)
	tmp.Multiply(&tmp, &den2)
	tmp.Absolute(&tmp) // s = |den (z - y)|
	return [Size]byte(tmp.Bytes())
}

// FromUniform maps 64 uniform bytes to an element (RFC 9496, section 4.3.4).
// Nobody knows a discrete logarithm of the result.
func FromUniform(b *[64]byte) *edwards25519.Point {
	p := fromHalf(b[:32])
	return p.Add(p, fromHalf(b[32:]))
}

// fromHalf is the function MAP of RFC 9496, section 4.3.4.
func fromHalf(b []byte) *edwards25519.Point {
	var t, r, u, v, s, sPrime, c, n, w0, w1, w2, w3, tmp field.Element
	if _, err := t.SetBytes(b); err != nil { // the top bit is ignored
		panic("ristretto: internal error: half of 64 bytes is not 32 bytes")
	}
	r.Square(&t)
	r.Multiply(&r, sqrtM1) // r = √-1 t²
	u.Add(&r, one)
	u.Multiply(&u, oneMinusDSq) // u = (r + 1)(1 - d²)
	v.Multiply(&r, d)
	v.Subtract(minusOne, &v)
	v.Multiply(&v, tmp.Add(&r, d)) // v = (-1 - r d)(r + d)

	_, wasSquare := s.SqrtRatio(&u, &v)
	sPrime.Multiply(&s, &t)
	sPrime.Absolute(&sPrime)
	sPrime.Negate(&sPrime) // s' = -|s t|
	s.Select(&s, &sPrime, wasSquare)
	c.Select(minusOne, &r, wasSquare)

	n.Subtract(&r, one)
	n.Multiply(&n, &c)
	n.Multiply(&n, dMinusOneSq)
	n.Subtract(&n, &v) // n = c (r - 1)(d - 1)² - v

	w0.Multiply(&s, &v)
	w0.Add(&w0, &w0)                // w0 = 2 s v
	w1.Multiply(&n, sqrtADMinusOne) // w1 = n √(ad - 1)
	s.Square(&s)
	w2.Subtract(one, &s) // w2 = 1 - s²
	w3.Add(one, &s)      // w3 = 1 + s²

	var x, y, z, xy field.Element
	x.Multiply(&w0, &w3)
	y.Multiply(&w2, &w1)
	z.Multiply(&w1, &w3)
	xy.Multiply(&w0, &w2)
	p, err := new(edwards25519.Point).SetExtendedCoordinates(&x, &y, &z, &xy)
	if err != nil {
		panic("ristretto: internal error: the map left the curve")
	}
	return p
}

// Equal says whether p and q are the same element (RFC 9496, section 4.3.3).
// The edwards package's own Equal would tell torsion classes apart.
func Equal(p, q *edwards25519.Point) bool {
	x1, y1, _, _ := p.ExtendedCoordinates()
	x2, y2, _, _ := q.ExtendedCoordinates()
	var a, b, c, e field.Element
	a.Multiply(x1, y2)
	b.Multiply(y1, x2)
	c.Multiply(y1, y2)
	e.Multiply(x1, x2)
	return a.Equal(&b)|c.Equal(&e) == 1
}

// IsIdentity says whether p is the neutral element: Equal with (0, 1) spelt out.
func IsIdentity(p *edwards25519.Point) bool {
	x, y, _, _ := p.ExtendedCoordinates()
	var zero field.Element
	return x.Equal(&zero)|y.Equal(&zero) == 1
}
