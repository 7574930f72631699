package crypto

import (
	"fmt"
	"io"
)

// MaxSlots is the largest pile that can be shuffled in one statement.
const MaxSlots = 130

// ShuffleStatement says: Out holds the cards of In, each once, in an order that
// only the sayer knows, each re-encrypted under Key:
//
//	Out[i] = In[π(i)] + ρ_i·(G, Key)
//
// Key is the joint key for a pile of the table, the owner's for a hand. The
// proof is that of Bayer and Groth (EUROCRYPT 2012) with m = 1; see
// shuffle_proof.go. With one slot there is nothing to permute, and the proof is
// one of equal logarithms on the difference.
type ShuffleStatement struct {
	Place
	Deck     byte
	Key      Point
	InSlots  []uint32
	OutSlots []uint32
	In       []Ciphertext
	Out      []Ciphertext
	Proof    []byte // 32·(3N+10) bytes; 96 for N = 1
}

// ShuffleProofSize is the length of the proof for n slots, in bytes.
func ShuffleProofSize(n int) int {
	if n == 1 {
		return equalLogsSize
	}
	return 32 * (3*n + 10)
}

// check judges shape alone, before any work on the curve.
func (s ShuffleStatement) check() error {
	n := len(s.In)
	if n < 1 || n > MaxSlots || len(s.Out) != n || len(s.InSlots) != n || len(s.OutSlots) != n {
		return fmt.Errorf("shuffle: %d slots to %d, %d ciphertexts to %d: %w",
			len(s.InSlots), len(s.OutSlots), n, len(s.Out), ErrLength)
	}
	if s.Key.IsIdentity() {
		return fmt.Errorf("shuffle: key: %w", ErrIdentity)
	}
	for i := range n {
		if s.In[i].check() != nil || s.Out[i].check() != nil {
			return fmt.Errorf("shuffle: slot %d: %w", i, ErrIdentity)
		}
	}
	return nil
}

func (s ShuffleStatement) transcript() transcript {
	t := newTranscript("shuffle", &s.Place)
	t.bytes("deck", []byte{s.Deck})
	t.number("N", uint32(len(s.In)))
	t.numbers("in slots", s.InSlots)
	t.numbers("out slots", s.OutSlots)
	t.point("key", s.Key)
	t.ciphertexts("in", s.In)
	t.ciphertexts("out", s.Out)
	return t
}

// Shuffle permutes and re-encrypts in under key and proves it: Out[i] is a
// re-encryption of In[perm[i]]. perm and the randomness stay with the caller's
// machine; perm is what lets an owner follow its own hand.
// Errors: wrong counts, an identity, or rand failed.
func Shuffle(rand io.Reader, p Place, deck byte, key Point, inSlots, outSlots []uint32, in []Ciphertext) (st ShuffleStatement, perm []int, err error) {
	st = ShuffleStatement{Place: p, Deck: deck, Key: key, InSlots: inSlots, OutSlots: outSlots, In: in, Out: in}
	if err := st.check(); err != nil {
		return ShuffleStatement{}, nil, err
	}
	out, w, err := remask(rand, newComb(key), in)
	if err != nil {
		return ShuffleStatement{}, nil, err
	}
	st.Out = out
	if err := st.check(); err != nil { // some ρ_i undid a C1: once in 2^252
		return ShuffleStatement{}, nil, err
	}
	t := st.transcript()
	n, err := newNonces(rand, t, w.rho...)
	if err != nil {
		return ShuffleStatement{}, nil, err
	}
	if len(in) == 1 {
		st.Proof = proveEqualLogs(n, t, w.rho[0], row{{oneScalar, key}})
	} else {
		st.Proof = proveShuffle(n, t, key, out, w)
	}
	return st, w.perm, nil
}

// witness is what the shuffler knows.
type witness struct {
	perm []int     // out[i] came from in[perm[i]]
	rho  []*Scalar // and was re-encrypted with rho[i]
}

// remask is the shuffle itself, without the proof. The comb is that of the key.
func remask(rand io.Reader, under *comb, in []Ciphertext) ([]Ciphertext, witness, error) {
	perm, err := permutation(rand, len(in))
	if err != nil {
		return nil, witness{}, err
	}
	w := witness{perm, make([]*Scalar, len(in))}
	out := make([]Ciphertext, len(in))
	for i := range in {
		rho, err := randomScalar(rand)
		if err != nil {
			return nil, witness{}, err
		}
		w.rho[i] = &rho
		out[i] = in[perm[i]].Refresh(Ciphertext{mulBase(&rho), under.mul(&rho)})
	}
	return out, w, nil
}

// Verify checks the proof alone.
func (s ShuffleStatement) Verify() error { return verify(s) }

func (s ShuffleStatement) claim() (*claim, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	if len(s.Proof) != ShuffleProofSize(len(s.In)) {
		return nil, fmt.Errorf("shuffle: proof of %d bytes for %d slots: %w", len(s.Proof), len(s.In), ErrLength)
	}
	var c *claim
	var err error
	if len(s.In) == 1 {
		d := s.Out[0].sub(s.In[0]) // = ρ·(G, Key)
		c, err = claimEqualLogs(s.transcript(), s.Proof,
			row{{oneScalar, d.C1}}, row{{oneScalar, s.Key}}, row{{oneScalar, d.C2}})
	} else {
		c, err = s.claimShuffle()
	}
	if err != nil {
		return nil, fmt.Errorf("shuffle: %w", err)
	}
	return c, nil
}
