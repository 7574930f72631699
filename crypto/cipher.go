package crypto

import "fmt"

// Ciphertext is a card under masks: C2 = M + (Σ x_j)·C1 over the seats j of its
// mask set. Masks come off and go on in any order; with none left C2 is the card.
type Ciphertext struct{ C1, C2 Point }

// Trivial is the card point m laid under key without hiding it: (G, m + key),
// the encryption with randomness 1. Shuffles start from it, and everybody can
// compute it. Never (0, m), which no key would protect.
func Trivial(m, key Point) Ciphertext {
	return Ciphertext{generator, m.Add(key)}
}

// DecodeCiphertext reads 64 bytes, C1 ‖ C2. A ciphertext whose C1 is the
// identity hides nothing and is refused.
func DecodeCiphertext(b []byte) (Ciphertext, error) {
	if len(b) != CiphertextSize {
		return Ciphertext{}, fmt.Errorf("ciphertext of %d bytes: %w", len(b), ErrLength)
	}
	c1, err := DecodePoint(b[:PointSize])
	if err != nil {
		return Ciphertext{}, fmt.Errorf("ciphertext: %w", err)
	}
	c2, err := DecodePoint(b[PointSize:])
	if err != nil {
		return Ciphertext{}, fmt.Errorf("ciphertext: %w", err)
	}
	c := Ciphertext{c1, c2}
	if err := c.check(); err != nil {
		return Ciphertext{}, err
	}
	return c, nil
}

// Encode is C1 ‖ C2, 64 bytes.
func (c Ciphertext) Encode() []byte { return c.append(make([]byte, 0, CiphertextSize)) }

func (c Ciphertext) append(b []byte) []byte {
	c1, c2 := c.C1.Encoding(), c.C2.Encoding()
	return append(append(b, c1[:]...), c2[:]...)
}

func (c Ciphertext) check() error {
	if c.C1.IsIdentity() {
		return fmt.Errorf("ciphertext: %w", ErrIdentity)
	}
	return nil
}

// Equal says whether both halves are the same elements.
func (c Ciphertext) Equal(d Ciphertext) bool { return c.C1.Equal(d.C1) && c.C2.Equal(d.C2) }

// Strip takes the layer x·C1 of one seat off.
func (c Ciphertext) Strip(layer Point) Ciphertext { return Ciphertext{c.C1, c.C2.Sub(layer)} }

// Add puts the layer x·C1 of one seat on. It keeps C1: whoever published the
// layer has published how to take it off again, so Add protects a card only
// together with Refresh.
func (c Ciphertext) Add(layer Point) Ciphertext { return Ciphertext{c.C1, c.C2.Add(layer)} }

// Refresh adds an encryption of nothing, r = ρ·(G, K), K being the key the card
// will be under. C1 becomes one that no layer was ever published for.
func (c Ciphertext) Refresh(r Ciphertext) Ciphertext {
	return Ciphertext{c.C1.Add(r.C1), c.C2.Add(r.C2)}
}

func (c Ciphertext) sub(d Ciphertext) Ciphertext {
	return Ciphertext{c.C1.Sub(d.C1), c.C2.Sub(d.C2)}
}
