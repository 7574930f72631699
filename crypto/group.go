package crypto

import (
	"crypto/sha512"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"filippo.io/edwards25519"

	"standoff/crypto/internal/ristretto"
)

// Sizes of encodings in bytes.
const (
	PointSize      = 32
	ScalarSize     = 32
	CiphertextSize = 2 * PointSize
)

// What a decoder or verifier can refuse. Every error of this package that
// blames a peer wraps one of them.
var (
	ErrEncoding = errors.New("not a canonical encoding")
	ErrIdentity = errors.New("the identity is not allowed here")
	ErrLength   = errors.New("wrong length")
	ErrProof    = errors.New("the proof does not verify")
)

// Point is an immutable element of ristretto255 (RFC 9496), the group of prime
// order ℓ in which everything happens. The zero value is the identity. Points
// do not compare with ==; use Equal, or Encoding as a key of a map.
type Point struct {
	_ [0]func()
	e *element
}

// element is one representative of a group element, and its encoding once
// somebody asked for it: an inverse square root, dearer than an addition.
type element struct {
	p   edwards25519.Point
	enc atomic.Pointer[[PointSize]byte]
}

var neutral = edwards25519.NewIdentityPoint()

func newPoint(p *edwards25519.Point) Point {
	e := new(element)
	e.p.Set(p)
	return Point{e: e}
}

// ed is the edwards representative of p; callers must not write to it.
func (p Point) ed() *edwards25519.Point {
	if p.e == nil {
		return neutral
	}
	return &p.e.p
}

// DecodePoint reads a canonical 32-byte encoding. The identity is accepted;
// places where it would be harmful refuse it themselves.
// Errors wrap ErrLength or ErrEncoding.
func DecodePoint(b []byte) (Point, error) {
	if len(b) != PointSize {
		return Point{}, fmt.Errorf("point of %d bytes: %w", len(b), ErrLength)
	}
	e := new(element)
	if err := ristretto.Decode(&e.p, b); err != nil {
		return Point{}, fmt.Errorf("point: %w", ErrEncoding)
	}
	enc := [PointSize]byte(b)
	e.enc.Store(&enc)
	return Point{e: e}, nil
}

// DecodeKey is DecodePoint for public keys, which are never the identity.
func DecodeKey(b []byte) (Point, error) {
	p, err := DecodePoint(b)
	if err != nil {
		return Point{}, err
	}
	if p.IsIdentity() {
		return Point{}, fmt.Errorf("key: %w", ErrIdentity)
	}
	return p, nil
}

// Encoding is the canonical encoding of p, comparable and usable as a map key.
func (p Point) Encoding() [PointSize]byte {
	if p.e == nil {
		return [PointSize]byte{}
	}
	if enc := p.e.enc.Load(); enc != nil {
		return *enc
	}
	enc := ristretto.Encode(&p.e.p)
	p.e.enc.Store(&enc)
	return enc
}

// Bytes is Encoding as a fresh slice of 32 bytes.
func (p Point) Bytes() []byte {
	enc := p.Encoding()
	return enc[:]
}

// Equal says whether p and q are the same element.
func (p Point) Equal(q Point) bool { return ristretto.Equal(p.ed(), q.ed()) }

// IsIdentity says whether p is the neutral element.
func (p Point) IsIdentity() bool { return ristretto.IsIdentity(p.ed()) }

// Add is p + q.
func (p Point) Add(q Point) Point {
	e := new(element)
	e.p.Add(p.ed(), q.ed())
	return Point{e: e}
}

// Sub is p - q.
func (p Point) Sub(q Point) Point {
	e := new(element)
	e.p.Subtract(p.ed(), q.ed())
	return Point{e: e}
}

// Neg is -p.
func (p Point) Neg() Point {
	e := new(element)
	e.p.Negate(p.ed())
	return Point{e: e}
}

// SumPoints adds points up; of the X_j of all members it is the joint key Y.
func SumPoints(points ...Point) Point {
	e := new(element)
	e.p.Set(neutral)
	for _, p := range points {
		e.p.Add(&e.p, p.ed())
	}
	return Point{e: e}
}

// mul is s·p in constant time.
func (p Point) mul(s *Scalar) Point {
	e := new(element)
	e.p.ScalarMult(&s.s, p.ed())
	return Point{e: e}
}

// mulBase is s·G in constant time.
func mulBase(s *Scalar) Point {
	e := new(element)
	e.p.ScalarBaseMult(&s.s)
	return Point{e: e}
}

var generator = newPoint(edwards25519.NewGeneratorPoint())

// Generator is G, the generator of RFC 9496, section 4.
func Generator() Point { return generator }

// hashToGroup maps labelled data to an element of unknown logarithm: SHA-512
// over the items as in a transcript, then the one-way map of RFC 9496, 4.3.4.
func hashToGroup(domain string, data ...[]byte) Point {
	h := sha512.New()
	writeItem(h, "suite", []byte(suite))
	writeItem(h, "hash to group", []byte(domain))
	for _, d := range data {
		writeItem(h, "data", d)
	}
	var wide [64]byte
	h.Sum(wide[:0])
	return newPoint(ristretto.FromUniform(&wide))
}

// HashPoint is a point of unknown logarithm fixed by a label and data, such as
// the base of a joint coin. It is never a card or a commitment base.
func HashPoint(label string, data ...[]byte) Point {
	return hashToGroup("point/"+label, data...)
}

// Scalar is an integer modulo ℓ = 2^252 + 27742317777372353535851937790883648493.
// The zero value is 0.
type Scalar struct{ s edwards25519.Scalar }

// DecodeScalar reads 32 little-endian bytes below ℓ.
// Errors wrap ErrLength or ErrEncoding.
func DecodeScalar(b []byte) (Scalar, error) {
	if len(b) != ScalarSize {
		return Scalar{}, fmt.Errorf("scalar of %d bytes: %w", len(b), ErrLength)
	}
	var s Scalar
	if _, err := s.s.SetCanonicalBytes(b); err != nil {
		return Scalar{}, fmt.Errorf("scalar: %w", ErrEncoding)
	}
	return s, nil
}

// Bytes is the canonical encoding: 32 bytes, little-endian.
func (s Scalar) Bytes() []byte { return s.s.Bytes() }

// Equal says whether s and t are the same number, in constant time.
func (s Scalar) Equal(t Scalar) bool { return s.s.Equal(&t.s) == 1 }

func (s *Scalar) isZero() bool { return s.s.Equal(new(edwards25519.Scalar)) == 1 }

// wideScalar reduces 64 bytes modulo ℓ; uniform bytes give a uniform scalar.
func wideScalar(b *[64]byte) Scalar {
	var s Scalar
	if _, err := s.s.SetUniformBytes(b[:]); err != nil {
		panic("crypto: internal error: 64 bytes refused")
	}
	return s
}

func smallScalar(n uint64) Scalar {
	var b [ScalarSize]byte
	for i := range 8 {
		b[i] = byte(n >> (8 * i))
	}
	var s Scalar
	if _, err := s.s.SetCanonicalBytes(b[:]); err != nil {
		panic("crypto: internal error: a small number refused")
	}
	return s
}

// randomScalar reads 64 bytes from rand.
func randomScalar(rand io.Reader) (Scalar, error) {
	var b [64]byte
	if _, err := io.ReadFull(rand, b[:]); err != nil {
		return Scalar{}, fmt.Errorf("randomness: %w", err)
	}
	return wideScalar(&b), nil
}

// The arithmetic of scalars in the shape of the equations: values in, value out.

func (s Scalar) add(t Scalar) Scalar { s.s.Add(&s.s, &t.s); return s }
func (s Scalar) sub(t Scalar) Scalar { s.s.Subtract(&s.s, &t.s); return s }
func (s Scalar) mul(t Scalar) Scalar { s.s.Multiply(&s.s, &t.s); return s }
func (s Scalar) neg() Scalar         { s.s.Negate(&s.s); return s }

// mulAdd is s·t + u.
func (s Scalar) mulAdd(t, u Scalar) Scalar { s.s.MultiplyAdd(&s.s, &t.s, &u.s); return s }
