package crypto

import (
	"crypto/sha512"
	"encoding/binary"
	"hash"
)

// suite names the group, the hash and the version of every proof. It is the
// first thing hashed everywhere.
const suite = "standoff/ristretto255-sha512/1"

// Place says where in the log of a table the envelope stands that carries a
// proof. It is absorbed into every proof, so a proof is worth nothing anywhere
// else.
type Place struct {
	Table [32]byte // id of the table
	Head  [32]byte // h_{r-1}: hash of the log before this round; it covers all that was said so far
	Round uint32
	Seat  uint8  // who speaks
	Kind  uint8  // kind of the round
	Need  uint32 // number of the engine's Need that is being served
	Pass  uint32 // pass within the Need; for the wish to return, its counter
}

// transcript is the Fiat-Shamir hash: a chain of SHA-512 over labelled items,
// each as len(label) ‖ label ‖ len(data) ‖ data with 32-bit big-endian lengths.
// A challenge is the state reduced modulo ℓ; the state then starts the next link.
type transcript struct{ h hash.Hash }

func writeItem(h hash.Hash, label string, data []byte) {
	var n [4]byte
	binary.BigEndian.PutUint32(n[:], uint32(len(label)))
	h.Write(n[:])
	h.Write([]byte(label))
	binary.BigEndian.PutUint32(n[:], uint32(len(data)))
	h.Write(n[:])
	h.Write(data)
}

// newTranscript absorbs the protocol, the suite, the commitment key and the place.
func newTranscript(protocol string, p *Place) transcript {
	t := transcript{sha512.New()}
	t.bytes("protocol", []byte(protocol))
	t.bytes("suite", []byte(suite))
	t.bytes("commitment key", commitmentKeyHash[:])
	t.bytes("table", p.Table[:])
	t.bytes("head", p.Head[:])
	t.number("round", p.Round)
	t.number("seat", uint32(p.Seat))
	t.number("kind", uint32(p.Kind))
	t.number("need", p.Need)
	t.number("pass", p.Pass)
	return t
}

func (t transcript) bytes(label string, data []byte) { writeItem(t.h, label, data) }

func (t transcript) number(label string, n uint32) {
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], n)
	t.bytes(label, b[:])
}

// numbers absorbs a list with its length.
func (t transcript) numbers(label string, list []uint32) {
	b := make([]byte, 0, 4*len(list))
	for _, n := range list {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	t.bytes(label, b)
}

func (t transcript) point(label string, p Point) {
	enc := p.Encoding()
	t.bytes(label, enc[:])
}

// points absorbs a list with its length.
func (t transcript) points(label string, list []Point) {
	b := make([]byte, 0, PointSize*len(list))
	for _, p := range list {
		enc := p.Encoding()
		b = append(b, enc[:]...)
	}
	t.bytes(label, b)
}

// ciphertexts absorbs a list with its length.
func (t transcript) ciphertexts(label string, list []Ciphertext) {
	b := make([]byte, 0, CiphertextSize*len(list))
	for _, c := range list {
		b = c.append(b)
	}
	t.bytes(label, b)
}

// digest ends a link of the chain and starts the next with it.
func (t transcript) digest(label string) [64]byte {
	t.bytes(label, nil)
	var d [64]byte
	t.h.Sum(d[:0])
	t.h.Reset()
	t.bytes("chain", d[:])
	return d
}

// challenge is a scalar that depends on everything absorbed so far.
func (t transcript) challenge(label string) Scalar {
	d := t.digest(label)
	return wideScalar(&d)
}

// weights are n challenges of 128 bits.
func (t transcript) weights(label string, n int) []Scalar {
	d := t.digest(label)
	return expandWeights(&d, n)
}

// expandWeights stretches a digest into n scalars of 128 bits: enough that a
// false sum slips through with probability 2^-128, at half the work of full ones.
func expandWeights(seed *[64]byte, n int) []Scalar {
	list := make([]Scalar, n)
	var block [64]byte
	for i := range list {
		if i%4 == 0 {
			block = expand(seed, uint64(i/4))
		}
		var b [ScalarSize]byte
		copy(b[:16], block[16*(i%4):])
		if _, err := list[i].s.SetCanonicalBytes(b[:]); err != nil {
			panic("crypto: internal error: 128 bits refused")
		}
	}
	return list
}

// expand is block i of the stream seeded by seed: SHA-512(seed ‖ i).
func expand(seed *[64]byte, i uint64) [64]byte {
	var b [72]byte
	copy(b[:], seed[:])
	binary.BigEndian.PutUint64(b[64:], i)
	return sha512.Sum512(b[:])
}
