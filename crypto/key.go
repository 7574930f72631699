package crypto

import (
	"crypto/sha256"
	"fmt"
	"io"
)

// Secret is a scalar x ≠ 0 with its public key X = x·G: a card key, a
// share-encryption key, or a share. Keep it on its owner's machine.
type Secret struct {
	x   Scalar
	pub Point
}

// NewSecret draws a secret from rand, 64 bytes a try.
func NewSecret(rand io.Reader) (*Secret, error) {
	for range 4 { // zero comes up once in 2^252 tries
		x, err := randomScalar(rand)
		if err != nil {
			return nil, err
		}
		if !x.isZero() {
			return &Secret{x, mulBase(&x)}, nil
		}
	}
	return nil, fmt.Errorf("secret: a generator of zeros: %w", ErrIdentity)
}

// SecretFromBytes reads what Bytes wrote. Zero is refused.
func SecretFromBytes(b []byte) (*Secret, error) {
	x, err := DecodeScalar(b)
	if err != nil {
		return nil, err
	}
	if x.isZero() {
		return nil, fmt.Errorf("secret: %w", ErrIdentity)
	}
	return &Secret{x, mulBase(&x)}, nil
}

// Public is X = x·G.
func (s *Secret) Public() Point { return s.pub }

// Bytes is the scalar itself, 32 bytes. In the final audit it is published, and
// SecretFromBytes followed by Public shows whether it is the key played with.
func (s *Secret) Bytes() []byte { return s.x.Bytes() }

// Wipe forgets the scalar. The secret is of no further use.
func (s *Secret) Wipe() { s.x = Scalar{} }

// Layer is x·base, this secret's layer on a ciphertext with C1 = base. Published,
// it takes the layer off every ciphertext with that C1.
func (s *Secret) Layer(base Point) Point { return base.mul(&s.x) }

// Open is the card point of a ciphertext that this secret alone still masks.
func (s *Secret) Open(c Ciphertext) Point { return c.C2.Sub(s.Layer(c.C1)) }

// CommitKeys hides the two keys of a seat behind a hash before anybody shows
// theirs, so that no key can be chosen in answer to another.
func CommitKeys(table [32]byte, seat uint8, nonce [32]byte, card, share Point) [32]byte {
	h := sha256.New()
	writeItem(h, "suite", []byte(suite))
	writeItem(h, "table", table[:])
	writeItem(h, "seat", []byte{seat})
	writeItem(h, "nonce", nonce[:])
	writeItem(h, "card key", card.Bytes())
	writeItem(h, "share key", share.Bytes())
	return [32]byte(h.Sum(nil))
}

// Possession says: I know the secret of Key. Without it a seat could choose its
// key as a function of the others' and own the joint key alone.
// Schnorr: A = k·G, e = FS, z = k + e·x; check z·G = A + e·X.
type Possession struct {
	Place
	Label string // what the key is for; a proof for one label is none for another
	Key   Point
	Proof []byte // A ‖ z, 64 bytes
}

func (s Possession) transcript() transcript {
	t := newTranscript("possession", &s.Place)
	t.bytes("label", []byte(s.Label))
	t.point("key", s.Key)
	return t
}

// ProvePossession makes the Proof of a Possession of s.
func ProvePossession(rand io.Reader, p Place, label string, s *Secret) ([]byte, error) {
	t := Possession{Place: p, Label: label, Key: s.pub}.transcript()
	n, err := newNonces(rand, t, &s.x)
	if err != nil {
		return nil, err
	}
	k := n.next()
	a := mulBase(&k)
	t.point("A", a)
	z := t.challenge("e").mulAdd(s.x, k)
	return append(a.Bytes(), z.Bytes()...), nil
}

// Verify checks the proof alone.
func (s Possession) Verify() error { return verify(s) }

func (s Possession) claim() (*claim, error) {
	if s.Key.IsIdentity() {
		return nil, fmt.Errorf("possession: key: %w", ErrIdentity)
	}
	r, err := newProofReader(s.Proof, 2)
	if err != nil {
		return nil, fmt.Errorf("possession: %w", err)
	}
	a, z := r.point(), r.scalar()
	if r.err != nil {
		return nil, fmt.Errorf("possession: %w", r.err)
	}
	t := s.transcript()
	t.point("A", a)
	e := t.challenge("e")
	t.bytes("response", z.Bytes())
	c := newClaim(t)
	c.row(row{{z, generator}, {minusOne, a}, {e.neg(), s.Key}}) // z·G = A + e·X
	return c, nil
}
