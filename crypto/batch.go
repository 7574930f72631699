package crypto

import (
	"fmt"
	"io"
)

// Check is a statement with its proof: every Statement type of this package,
// Possession, Dealing and Complaint. A proof is worth only what its statement
// says; whether the statement is the one the rules ask for is the caller's to
// know, who fills in everything but the sayer's own part and the proof.
type Check interface {
	Verify() error
	claim() (*claim, error)
}

// claim is a statement reduced to linear algebra: it holds iff every row sums
// to the identity. The seal hashes statement, proof and responses.
type claim struct {
	rows []row
	seal [64]byte
}

type row []term

// term is coeff·point.
type term struct {
	coeff Scalar
	point Point
}

var (
	oneScalar = smallScalar(1)
	minusOne  = oneScalar.neg()
)

// newClaim seals a transcript that has absorbed statement, proof and responses.
func newClaim(t transcript) *claim { return &claim{seal: t.digest("seal")} }

func (c *claim) row(r row) { c.rows = append(c.rows, r) }

// proofReader cuts a proof into its elements. The first fault sticks.
type proofReader struct {
	rest []byte
	err  error
}

// newProofReader refuses any length but n elements before anything is decoded.
func newProofReader(proof []byte, n int) (*proofReader, error) {
	if len(proof) != 32*n {
		return nil, fmt.Errorf("proof of %d bytes where %d are due: %w", len(proof), 32*n, ErrLength)
	}
	return &proofReader{rest: proof}, nil
}

func (r *proofReader) next() []byte {
	b := r.rest[:32]
	r.rest = r.rest[32:]
	return b
}

func (r *proofReader) point() Point {
	p, err := DecodePoint(r.next())
	if err != nil && r.err == nil {
		r.err = err
	}
	return p
}

func (r *proofReader) scalar() Scalar {
	s, err := DecodeScalar(r.next())
	if err != nil && r.err == nil {
		r.err = err
	}
	return s
}

func (r *proofReader) scalars(n int) []Scalar {
	list := make([]Scalar, n)
	for i := range list {
		list[i] = r.scalar()
	}
	return list
}

// verify is VerifyAll for one statement, without the index.
func verify(c Check) error {
	cl, err := c.claim()
	if err != nil {
		return err
	}
	if !holds([]*claim{cl}, &cl.seal) {
		return fmt.Errorf("%s: %w", named(c), ErrProof)
	}
	return nil
}

// named is what a statement is called in an error, which people read.
func named(c Check) string {
	switch c.(type) {
	case Possession:
		return "possession"
	case LayersStatement:
		return "layers"
	case ShuffleStatement:
		return "shuffle"
	case RefreshStatement:
		return "refresh"
	case RetargetStatement:
		return "retarget"
	case NotEqualStatement:
		return "not equal"
	case Dealing:
		return "dealing"
	case Complaint:
		return "complaint"
	}
	return "statement"
}

// BatchError names the first statement of a batch that does not hold.
type BatchError struct {
	Index int // of the statement in the batch
	Err   error
}

func (e *BatchError) Error() string { return fmt.Sprintf("proof %d of the batch: %v", e.Index, e.Err) }

// Unwrap is the verdict on that statement alone.
func (e *BatchError) Unwrap() error { return e.Err }

// VerifyAll checks many statements with one multi-scalar multiplication: every
// row of every statement times a random 128-bit weight must sum to the
// identity. On failure it bisects and names the first culprit in a *BatchError.
//
// The weights come from rand, or, with rand nil, from a hash of everything
// including the responses, so that everybody reaches the same verdict.
// Any other error means that rand failed.
func VerifyAll(rand io.Reader, checks []Check) error {
	claims := make([]*claim, 0, len(checks))
	var malformed *BatchError
	for i, c := range checks {
		cl, err := c.claim()
		if err != nil {
			malformed = &BatchError{i, err}
			break
		}
		claims = append(claims, cl)
	}
	seed, err := batchSeed(rand, claims)
	if err != nil {
		return err
	}
	if !holds(claims, &seed) {
		i := culprit(claims, &seed)
		return &BatchError{i, fmt.Errorf("%s: %w", named(checks[i]), ErrProof)}
	}
	if malformed != nil {
		return malformed
	}
	return nil
}

func batchSeed(rand io.Reader, claims []*claim) (seed [64]byte, err error) {
	if rand != nil {
		if _, err = io.ReadFull(rand, seed[:]); err != nil {
			return seed, fmt.Errorf("randomness: %w", err)
		}
		return seed, nil
	}
	t := newTranscript("batch", new(Place))
	for _, c := range claims {
		t.bytes("claim", c.seal[:])
	}
	return t.digest("weights"), nil
}

// culprit finds the first false claim of a batch that does not hold. Half of a
// false batch is false; a half that holds is passed over.
func culprit(claims []*claim, seed *[64]byte) int {
	first := 0
	for len(claims) > 1 {
		half := len(claims) / 2
		if holds(claims[:half], seed) {
			first += half
			claims = claims[half:]
		} else {
			claims = claims[:half]
		}
	}
	return first
}

// holds weighs all rows and sums them up. A point that occurs in several rows
// or claims (G, the commitment key, a deck that leaves one shuffle and enters
// the next) gets one coefficient.
func holds(claims []*claim, seed *[64]byte) bool {
	rows, terms := 0, 0
	for _, c := range claims {
		rows += len(c.rows)
		for _, r := range c.rows {
			terms += len(r)
		}
	}
	weights := expandWeights(seed, rows)
	index := make(map[[PointSize]byte]int, terms*3/4)
	coeffs := make([]Scalar, 0, terms*3/4)
	points := make([]Point, 0, terms*3/4)
	for _, c := range claims {
		for _, r := range c.rows {
			w := weights[0]
			weights = weights[1:]
			for i := range r {
				t := &r[i]
				enc := t.point.Encoding()
				if at, ok := index[enc]; ok {
					coeffs[at] = w.mulAdd(t.coeff, coeffs[at])
					continue
				}
				index[enc] = len(points)
				coeffs = append(coeffs, w.mul(t.coeff))
				points = append(points, t.point)
			}
		}
	}
	return varTimeSum(coeffs, points).IsIdentity()
}
