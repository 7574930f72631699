package crypto

import (
	"crypto/sha512"
	"encoding/binary"
	"encoding/hex"
	"sync"

	"filippo.io/edwards25519"
)

// commitmentKey is the key of the vector commitment com(a; r) = r·K + Σ a_i·H_i
// (Pedersen). All bases are hashed from labels, so nobody knows a relation
// among them or to G, and no player's key is among them: the shuffle proof
// stays sound though the prover knows the secret of the deck's key.
type commitmentKey struct {
	K Point
	H [MaxSlots]Point
}

// commitmentKeyHash pins the key: SHA-512 of all encodings, K first. It is part
// of every transcript; another key is another protocol.
var commitmentKeyHash = pinned("3a478fe142153e469c04c7f841a3097d2a82e81e9117171ddb4b1c06dd50cdb5353d4884415a2d361077365c036cc4054ebd8141eccf0ef91c6d2854bbd7041c")

func pinned(s string) (b [64]byte) {
	if n, err := hex.Decode(b[:], []byte(s)); err != nil || n != len(b) {
		panic("crypto: internal error: bad pinned hash")
	}
	return b
}

// commitments is the key, computed from its labels at first use.
var commitments = sync.OnceValue(func() *commitmentKey {
	ck := newCommitmentKey()
	if ck.hash() != commitmentKeyHash {
		panic("crypto: internal error: the commitment key is not the pinned one")
	}
	return ck
})

func newCommitmentKey() *commitmentKey {
	ck := &commitmentKey{K: hashToGroup("commitment/K")}
	for i := range ck.H {
		ck.H[i] = hashToGroup("commitment/H", binary.BigEndian.AppendUint16(nil, uint16(i+1)))
	}
	return ck
}

func (k *commitmentKey) hash() [64]byte {
	b := k.K.Bytes()
	for _, h := range k.H {
		b = append(b, h.Bytes()...)
	}
	return sha512.Sum512(b)
}

// commit is com(a; r) in constant time.
func (k *commitmentKey) commit(a []Scalar, r Scalar) Point {
	scalars := append(append(make([]Scalar, 0, len(a)+1), a...), r)
	points := append(append(make([]Point, 0, len(a)+1), k.H[:len(a)]...), k.K)
	return constantTimeSum(scalars, points)
}

// commitSmall is commit for numbers below 256: eight rounds of double and add,
// every addition done and kept or not without a branch.
func (k *commitmentKey) commitSmall(a []int, r Scalar) Point {
	e := new(element)
	e.p.Set(neutral)
	var sum edwards25519.Point
	for bit := 7; bit >= 0; bit-- {
		e.p.Double(&e.p)
		for i, n := range a {
			sum.Add(&e.p, k.H[i].ed())
			e.p.Select(&sum, &e.p, n>>bit&1)
		}
	}
	return Point{e: e}.Add(k.K.mul(&r))
}
