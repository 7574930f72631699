package crypto

import (
	"fmt"
	"io"
)

// RetargetStatement says: Out is the card of In, In being under Key alone and
// Out under Target alone. With another seat's key as Target a card changes
// hands unseen; with the joint key it goes back to the deck.
//
// In = (c1, V), Out = (a, b) with a = r·G, b = V - x·c1 + r·T. The sayer shows
// that it knows x and r:
//
//	T1 = k1·G, T2 = k2·G, T3 = k1·c1 - k2·T,  e = FS,  z1 = k1 + e·x, z2 = k2 + e·r
//	z1·G = T1 + e·X    z2·G = T2 + e·a    z1·c1 - z2·T = T3 + e·(V - b)
type RetargetStatement struct {
	Place
	Key    Point // X_P, the owner's key
	Target Point // T
	Slot   uint32
	In     Ciphertext
	Out    Ciphertext
	Proof  []byte // T1 ‖ T2 ‖ T3 ‖ z1 ‖ z2, 160 bytes
}

func (s RetargetStatement) check() error {
	if s.Key.IsIdentity() || s.Target.IsIdentity() {
		return fmt.Errorf("retarget: key: %w", ErrIdentity)
	}
	if err := s.In.check(); err != nil {
		return fmt.Errorf("retarget: %w", err)
	}
	if err := s.Out.check(); err != nil {
		return fmt.Errorf("retarget: %w", err)
	}
	return nil
}

func (s RetargetStatement) transcript() transcript {
	t := newTranscript("retarget", &s.Place)
	t.point("key", s.Key)
	t.point("target", s.Target)
	t.number("slot", s.Slot)
	t.ciphertexts("in", []Ciphertext{s.In})
	t.ciphertexts("out", []Ciphertext{s.Out})
	return t
}

// Retarget turns in, a card under the key of s, into the same card under target.
// Errors: an identity among keys and ciphertexts, or rand failed.
func Retarget(rand io.Reader, p Place, s *Secret, slot uint32, in Ciphertext, target Point) (out Ciphertext, proof []byte, err error) {
	r, err := randomScalar(rand)
	if err != nil {
		return Ciphertext{}, nil, err
	}
	// b = V - x·c1 + r·T
	minusX := s.x.neg()
	out = Ciphertext{mulBase(&r), in.C2.Add(constantTimeSum([]Scalar{minusX, r}, []Point{in.C1, target}))}
	st := RetargetStatement{Place: p, Key: s.pub, Target: target, Slot: slot, In: in, Out: out}
	if err := st.check(); err != nil {
		return Ciphertext{}, nil, err
	}
	t := st.transcript()
	n, err := newNonces(rand, t, &s.x, &r)
	if err != nil {
		return Ciphertext{}, nil, err
	}
	k1, k2 := n.next(), n.next()
	t1, t2 := mulBase(&k1), mulBase(&k2)
	t3 := constantTimeSum([]Scalar{k1, k2.neg()}, []Point{in.C1, target})
	t.points("T", []Point{t1, t2, t3})
	e := t.challenge("e")
	for _, q := range []Point{t1, t2, t3} {
		proof = append(proof, q.Bytes()...)
	}
	proof = append(proof, e.mulAdd(s.x, k1).Bytes()...)
	proof = append(proof, e.mulAdd(r, k2).Bytes()...)
	return out, proof, nil
}

// Verify checks the proof alone.
func (s RetargetStatement) Verify() error { return verify(s) }

func (s RetargetStatement) claim() (*claim, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	r, err := newProofReader(s.Proof, 5)
	if err != nil {
		return nil, fmt.Errorf("retarget: %w", err)
	}
	t1, t2, t3, z1, z2 := r.point(), r.point(), r.point(), r.scalar(), r.scalar()
	if r.err != nil {
		return nil, fmt.Errorf("retarget: %w", r.err)
	}
	t := s.transcript()
	t.points("T", []Point{t1, t2, t3})
	e := t.challenge("e")
	t.bytes("response", z1.Bytes())
	t.bytes("response", z2.Bytes())
	c := newClaim(t)
	c.row(row{{z1, generator}, {minusOne, t1}, {e.neg(), s.Key}})
	c.row(row{{z2, generator}, {minusOne, t2}, {e.neg(), s.Out.C1}})
	c.row(row{{z1, s.In.C1}, {z2.neg(), s.Target}, {minusOne, t3}, {e.neg(), s.In.C2}, {e, s.Out.C2}})
	return c, nil
}
