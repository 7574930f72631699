package crypto

import (
	"bytes"
	"testing"
)

// FuzzDecode: what any decoder accepts encodes to the very same bytes.
func FuzzDecode(f *testing.F) {
	for _, b := range badPoints(f) {
		f.Add(b)
	}
	for _, b := range badScalars() {
		f.Add(b)
	}
	f.Add(generator.Bytes())
	f.Add(Trivial(CardPoint(1, 1), generator).Encode())
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		same := func(what string, got []byte, err error) {
			if err == nil && !bytes.Equal(got, b) {
				t.Errorf("%s: %x decodes and encodes to %x", what, b, got)
			}
		}
		p, err := DecodePoint(b)
		same("point", p.Bytes(), err)
		k, err := DecodeKey(b)
		same("key", k.Bytes(), err)
		if err == nil && k.IsIdentity() {
			t.Error("the identity is a key")
		}
		s, err := DecodeScalar(b)
		same("scalar", s.Bytes(), err)
		if x, err := SecretFromBytes(b); err == nil {
			same("secret", x.Bytes(), nil)
			if x.Public().IsIdentity() {
				t.Error("the secret of the identity")
			}
		}
		c, err := DecodeCiphertext(b)
		if err == nil {
			same("ciphertext", c.Encode(), nil)
			if c.C1.IsIdentity() {
				t.Error("a ciphertext that hides nothing")
			}
		}
	})
}

// FuzzProof throws bytes at every verifier as the proof of a true statement. It
// must not panic, and must refuse everything but the honest proof.
func FuzzProof(f *testing.F) {
	list := specimens(f, newSeeded("fuzz"))
	for i, s := range list {
		f.Add(uint8(i), proofOf(s.check))
		f.Add(uint8(i), make([]byte, len(proofOf(s.check))))
	}
	f.Add(uint8(0), []byte(nil))
	f.Fuzz(func(t *testing.T, kind uint8, proof []byte) {
		s := list[int(kind)%len(list)]
		if err := withProof(s.check, proof).Verify(); (err == nil) != bytes.Equal(proof, proofOf(s.check)) {
			t.Errorf("%s: proof %x: %v", s.name, proof, err)
		}
	})
}
