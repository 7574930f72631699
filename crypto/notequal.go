package crypto

import (
	"fmt"
	"io"
)

// NotEqualStatement says: the card of In, which is under Key alone, is not the
// card with point Card. Nothing else about it is shown.
//
// With D = V - M and random s, α = s, β = s·x, the sayer shows a blinded
// difference C = α·D - β·c1 = s·(V - x·c1 - M) that is not the identity, and
// knowledge of α, β with α·X = β·G:
//
//	T1 = a·D - b·c1, T2 = a·X - b·G,  e = FS,  z1 = a + e·α, z2 = b + e·β
//	z1·D - z2·c1 = T1 + e·C    z1·X - z2·G = T2    C ≠ 0
type NotEqualStatement struct {
	Place
	Key   Point
	Slot  uint32
	In    Ciphertext
	Card  Point
	Proof []byte // C ‖ T1 ‖ T2 ‖ z1 ‖ z2, 160 bytes
}

func (s NotEqualStatement) check() error {
	if s.Key.IsIdentity() {
		return fmt.Errorf("not equal: key: %w", ErrIdentity)
	}
	if err := s.In.check(); err != nil {
		return fmt.Errorf("not equal: %w", err)
	}
	return nil
}

func (s NotEqualStatement) transcript() transcript {
	t := newTranscript("not equal", &s.Place)
	t.point("key", s.Key)
	t.number("slot", s.Slot)
	t.ciphertexts("in", []Ciphertext{s.In})
	t.point("card", s.Card)
	return t
}

// ProveNotEqual makes the Proof that in, under the key of s, is not card.
// Errors: it is that card, an identity, or rand failed.
func ProveNotEqual(rand io.Reader, p Place, s *Secret, slot uint32, in Ciphertext, card Point) ([]byte, error) {
	st := NotEqualStatement{Place: p, Key: s.pub, Slot: slot, In: in, Card: card}
	if err := st.check(); err != nil {
		return nil, err
	}
	if s.Open(in).Equal(card) {
		return nil, fmt.Errorf("not equal: slot %d is that card", slot)
	}
	t := st.transcript()
	n, err := newNonces(rand, t, &s.x)
	if err != nil {
		return nil, err
	}
	alpha, a, b := n.next(), n.next(), n.next()
	beta := alpha.mul(s.x)
	diff := in.C2.Sub(card)
	c := constantTimeSum([]Scalar{alpha, beta.neg()}, []Point{diff, in.C1})
	t1 := constantTimeSum([]Scalar{a, b.neg()}, []Point{diff, in.C1})
	t2 := constantTimeSum([]Scalar{a, b.neg()}, []Point{s.pub, generator})
	t.points("C, T", []Point{c, t1, t2})
	e := t.challenge("e")
	var proof []byte
	for _, q := range []Point{c, t1, t2} {
		proof = append(proof, q.Bytes()...)
	}
	proof = append(proof, e.mulAdd(alpha, a).Bytes()...)
	return append(proof, e.mulAdd(beta, b).Bytes()...), nil
}

// Verify checks the proof alone.
func (s NotEqualStatement) Verify() error { return verify(s) }

func (s NotEqualStatement) claim() (*claim, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	r, err := newProofReader(s.Proof, 5)
	if err != nil {
		return nil, fmt.Errorf("not equal: %w", err)
	}
	diffBlind, t1, t2, z1, z2 := r.point(), r.point(), r.point(), r.scalar(), r.scalar()
	if r.err != nil {
		return nil, fmt.Errorf("not equal: %w", r.err)
	}
	if diffBlind.IsIdentity() { // C = 0 is how equality looks
		return nil, fmt.Errorf("not equal: blinded difference: %w", ErrIdentity)
	}
	t := s.transcript()
	t.points("C, T", []Point{diffBlind, t1, t2})
	e := t.challenge("e")
	t.bytes("response", z1.Bytes())
	t.bytes("response", z2.Bytes())
	c := newClaim(t)
	c.row(row{{z1, s.In.C2}, {z1.neg(), s.Card}, {z2.neg(), s.In.C1}, {minusOne, t1}, {e.neg(), diffBlind}})
	c.row(row{{z1, s.Key}, {z2.neg(), generator}, {minusOne, t2}})
	return c, nil
}
