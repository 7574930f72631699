package table

import (
	"crypto/ed25519"
	"errors"
	"io"

	"standoff/crypto"
)

// Ristretto is the suite that plays: package crypto over ristretto255, Ed25519 for signatures. It remembers what
// it has decoded, so a pile that leaves one shuffle and enters the next is decoded once. It belongs to one table
// and one goroutine.
type Ristretto struct {
	points map[Point]crypto.Point
	rand   io.Reader // weights of batches; nil makes verdicts reproducible
}

// NewRistretto returns a fresh suite. rand feeds the weights of batch verification; nil means that they are hashed
// from everything verified, for a verdict that anybody can repeat.
func NewRistretto(rand io.Reader) *Ristretto {
	return &Ristretto{points: map[Point]crypto.Point{}, rand: rand}
}

const rememberedPoints = 1 << 14

// point decodes p. Not canonical: the error says so.
func (r *Ristretto) point(p Point) (crypto.Point, error) {
	if q, ok := r.points[p]; ok {
		return q, nil
	}
	q, err := crypto.DecodePoint(p[:])
	if err != nil {
		return q, err
	}
	r.remember(p, q)
	return q, nil
}

func (r *Ristretto) remember(p Point, q crypto.Point) {
	if len(r.points) >= rememberedPoints {
		clear(r.points)
	}
	r.points[p] = q
}

func (r *Ristretto) encode(q crypto.Point) Point {
	p := Point(q.Encoding())
	r.remember(p, q)
	return p
}

func (r *Ristretto) list(in []Point) ([]crypto.Point, error) {
	out := make([]crypto.Point, len(in))
	for i, p := range in {
		q, err := r.point(p)
		if err != nil {
			return nil, err
		}
		out[i] = q
	}
	return out, nil
}

func (r *Ristretto) cipher(c Cipher) (crypto.Ciphertext, error) {
	a, err := r.point(c.C1)
	if err != nil {
		return crypto.Ciphertext{}, err
	}
	if a.IsIdentity() {
		return crypto.Ciphertext{}, crypto.ErrIdentity
	}
	b, err := r.point(c.C2)
	return crypto.Ciphertext{C1: a, C2: b}, err
}

func (r *Ristretto) ciphers(in []Cipher) ([]crypto.Ciphertext, error) {
	out := make([]crypto.Ciphertext, len(in))
	for i, c := range in {
		q, err := r.cipher(c)
		if err != nil {
			return nil, err
		}
		out[i] = q
	}
	return out, nil
}

func (r *Ristretto) encipher(c crypto.Ciphertext) Cipher {
	return Cipher{C1: r.encode(c.C1), C2: r.encode(c.C2)}
}

func place(p Place) crypto.Place {
	return crypto.Place{Table: p.Table, Head: p.Head, Round: p.Round, Seat: p.Seat, Kind: uint8(p.Kind), Need: p.Need, Pass: p.Pass}
}

// refused is a check that fails before any proof is looked at: something in the statement does not decode.
type refused struct{ err error }

func (f refused) Verify() error { return f.err }

// secret is a card key or share key.
type secret struct{ *crypto.Secret }

func (s secret) Public() Point { return Point(s.Secret.Public().Encoding()) }

// Sign implements [Suite].
func (r *Ristretto) Sign(key ed25519.PrivateKey, text []byte) []byte { return ed25519.Sign(key, text) }

// Verify implements [Suite].
func (r *Ristretto) Verify(key ed25519.PublicKey, text, sig []byte) bool {
	return len(key) == ed25519.PublicKeySize && ed25519.Verify(key, text, sig)
}

// NewSecret implements [Suite].
func (r *Ristretto) NewSecret(rand io.Reader) (Secret, error) {
	s, err := crypto.NewSecret(rand)
	if err != nil {
		return nil, err
	}
	return secret{s}, nil
}

// SecretFrom implements [Suite].
func (r *Ristretto) SecretFrom(b []byte) (Secret, error) {
	s, err := crypto.SecretFromBytes(b)
	if err != nil {
		return nil, err
	}
	return secret{s}, nil
}

// ValidKey implements [Suite].
func (r *Ristretto) ValidKey(p Point) error {
	q, err := r.point(p)
	if err == nil && q.IsIdentity() {
		err = crypto.ErrIdentity
	}
	return err
}

// ValidCipher implements [Suite].
func (r *Ristretto) ValidCipher(c Cipher) error {
	_, err := r.cipher(c)
	return err
}

// CardPoint implements [Suite].
func (r *Ristretto) CardPoint(pile uint8, card uint16) Point {
	return r.encode(crypto.CardPoint(pile, card))
}

// CoinPoint implements [Suite].
func (r *Ristretto) CoinPoint(table Hash, round, need uint32) Point {
	at := []byte{byte(round >> 24), byte(round >> 16), byte(round >> 8), byte(round)}
	no := []byte{byte(need >> 24), byte(need >> 16), byte(need >> 8), byte(need)}
	return r.encode(crypto.HashPoint("coin", table[:], at, no))
}

// CoinNumber implements [Suite].
func (r *Ristretto) CoinNumber(sum Point, below int) int {
	q, err := r.point(sum)
	if err != nil || below < 1 {
		return 0
	}
	return int(crypto.Coin(q, uint32(below)))
}

// Sum implements [Suite]. Points that do not decode have been refused before.
func (r *Ristretto) Sum(in ...Point) Point {
	list, err := r.list(in)
	if err != nil {
		return Point{}
	}
	return r.encode(crypto.SumPoints(list...))
}

// Minus implements [Suite].
func (r *Ristretto) Minus(a, b Point) Point {
	p, err := r.point(a)
	q, err2 := r.point(b)
	if errors.Join(err, err2) != nil {
		return Point{}
	}
	return r.encode(p.Sub(q))
}

// Trivial implements [Suite].
func (r *Ristretto) Trivial(card, key Point) Cipher {
	m, err := r.point(card)
	k, err2 := r.point(key)
	if errors.Join(err, err2) != nil {
		return Cipher{}
	}
	return r.encipher(crypto.Trivial(m, k))
}

// Read implements [Suite].
func (r *Ristretto) Read(s Secret, c Cipher) Point {
	q, err := r.cipher(c)
	if err != nil {
		return Point{}
	}
	return Point(s.(secret).Open(q).Encoding()) // not remembered: nobody else may ever see it
}

// VerifyAll implements [Suite].
func (r *Ristretto) VerifyAll(checks []Check) (int, error) {
	list := make([]crypto.Check, 0, len(checks))
	for i, c := range checks {
		if f, ok := c.(refused); ok {
			return i, f.err
		}
		list = append(list, c.(crypto.Check))
	}
	err := crypto.VerifyAll(r.rand, list)
	var batch *crypto.BatchError
	if errors.As(err, &batch) {
		return batch.Index, batch.Err
	}
	return -1, err
}
