package crypto

import (
	"filippo.io/edwards25519"
)

// Multi-scalar multiplication: constantTimeSum for secrets, varTimeSum for
// public data. Both write a fresh point, never into one that holds a value.

// constantTimeSum is Σ s_i·P_i; its time depends only on the number of terms.
func constantTimeSum(s []Scalar, p []Point) Point {
	scalars := make([]*edwards25519.Scalar, len(s))
	points := make([]*edwards25519.Point, len(p))
	for i := range s {
		scalars[i], points[i] = &s[i].s, p[i].ed()
	}
	e := new(element)
	e.p.MultiScalarMult(scalars, points)
	return Point{e: e}
}

// strausLimit is the number of terms from which on buckets are cheaper than
// one table per point (BenchmarkSum).
const strausLimit = 160

// varTimeSum is Σ s_i·P_i for public scalars and points.
func varTimeSum(s []Scalar, p []Point) Point {
	if len(s) != len(p) {
		panic("crypto: internal error: a sum of unequal lists")
	}
	e := new(element)
	if len(s) < strausLimit {
		scalars := make([]*edwards25519.Scalar, len(s))
		points := make([]*edwards25519.Point, len(p))
		for i := range s {
			scalars[i], points[i] = &s[i].s, p[i].ed()
		}
		e.p.VarTimeMultiScalarMult(scalars, points)
	} else {
		varTimePippenger(&e.p, s, p)
	}
	return Point{e: e}
}

// varTimePippenger sets v = Σ s_i·P_i by the bucket method with signed digits of
// w bits: per window each point goes into the bucket of its digit, and running
// sums over the buckets count bucket j exactly j times.
func varTimePippenger(v *edwards25519.Point, s []Scalar, p []Point) {
	w := windowBits(len(s))
	windows := 253/w + 1
	digits := make([]int16, len(s)*windows)
	for i := range s {
		signedDigits(digits[i*windows:(i+1)*windows], &s[i], w)
	}
	buckets := make([]edwards25519.Point, 1<<(w-1))
	full := make([]bool, len(buckets))
	v.Set(neutral)
	for k := windows - 1; k >= 0; k-- {
		if k < windows-1 {
			for range w {
				v.Double(v)
			}
		}
		clear(full)
		for i := range p {
			digit := int(digits[i*windows+k])
			if digit == 0 {
				continue
			}
			j := max(digit, -digit) - 1
			b, q := &buckets[j], p[i].ed()
			switch {
			case !full[j] && digit > 0:
				b.Set(q)
			case !full[j]:
				b.Negate(q)
			case digit > 0:
				b.Add(b, q)
			default:
				b.Subtract(b, q)
			}
			full[j] = true
		}
		addBuckets(v, buckets, full)
	}
}

// addBuckets adds Σ (j+1)·buckets[j] to v, empty ones skipped.
func addBuckets(v *edwards25519.Point, buckets []edwards25519.Point, full []bool) {
	var running, total edwards25519.Point
	running.Set(neutral)
	total.Set(neutral)
	started := false
	for j := len(buckets) - 1; j >= 0; j-- {
		if full[j] {
			running.Add(&running, &buckets[j])
			started = true
		}
		if started {
			total.Add(&total, &running)
		}
	}
	v.Add(v, &total)
}

// windowBits minimises windows·(points + 2·buckets).
func windowBits(n int) int {
	best, cost := 4, 0
	for w := 4; w <= 14; w++ {
		if c := (253/w + 1) * (n + 1<<w); cost == 0 || c < cost {
			best, cost = w, c
		}
	}
	return best
}

// signedDigits writes s in base 2^w with digits in -2^(w-1)…2^(w-1), lowest first.
func signedDigits(digits []int16, s *Scalar, w int) {
	b := s.s.Bytes()
	carry := 0
	for k := range digits {
		bit := k * w
		var chunk uint32
		for i := range 3 {
			if at := bit/8 + i; at < len(b) {
				chunk |= uint32(b[at]) << (8 * i)
			}
		}
		digit := int(chunk>>(bit%8))&(1<<w-1) + carry
		carry = 0
		if digit > 1<<(w-1) {
			digit -= 1 << w
			carry = 1
		}
		digits[k] = int16(digit)
	}
}
