package crypto

import (
	"crypto/sha512"
	"fmt"
	"io"
)

// nonces is the source of every one-time secret inside a proof. It is hedged
// SHA-512 over the prover's secret, the whole statement and 32 fresh
// random bytes. A broken generator alone then repeats no nonce for two
// statements, and a leaked statement alone predicts none.
type nonces struct {
	seed [64]byte
	n    uint64
}

// newNonces draws from rand once. The transcript must hold the full statement;
// it is forked, not advanced.
func newNonces(rand io.Reader, t transcript, secrets ...*Scalar) (*nonces, error) {
	var fresh [32]byte
	if _, err := io.ReadFull(rand, fresh[:]); err != nil {
		return nil, fmt.Errorf("randomness: %w", err)
	}
	var statement [64]byte
	t.h.Sum(statement[:0])
	h := sha512.New()
	writeItem(h, "suite", []byte(suite))
	writeItem(h, "statement", statement[:])
	writeItem(h, "fresh", fresh[:])
	for _, s := range secrets {
		writeItem(h, "secret", s.Bytes())
	}
	n := new(nonces)
	h.Sum(n.seed[:0])
	return n, nil
}

// next is the next one-time secret, uniform modulo ℓ.
func (n *nonces) next() Scalar {
	block := expand(&n.seed, n.n)
	n.n++
	return wideScalar(&block)
}

// list is the next k one-time secrets.
func (n *nonces) list(k int) []Scalar {
	l := make([]Scalar, k)
	for i := range l {
		l[i] = n.next()
	}
	return l
}

// permutation draws one of the n! orders of 0…n-1 uniformly (n ≤ 256): Fisher
// and Yates, each index by rejection, never by a remainder of unequal parts.
func permutation(rand io.Reader, n int) ([]int, error) {
	p := make([]int, n)
	for i := range p {
		p[i] = i
	}
	for i := n - 1; i > 0; i-- {
		j, err := below(rand, i+1)
		if err != nil {
			return nil, err
		}
		p[i], p[j] = p[j], p[i]
	}
	return p, nil
}

// below draws a uniform number in 0…n-1 for 1 ≤ n ≤ 256.
func below(rand io.Reader, n int) (int, error) {
	limit := 256 - 256%n
	var b [1]byte
	for range 1 << 10 { // a fair generator needs more than ten tries once in 2^10 draws
		if _, err := io.ReadFull(rand, b[:]); err != nil {
			return 0, fmt.Errorf("randomness: %w", err)
		}
		if int(b[0]) < limit {
			return int(b[0]) % n, nil
		}
	}
	return 0, fmt.Errorf("randomness: a constant generator")
}
