package table

import (
	"crypto/ed25519"
	"crypto/sha256"
	"os"
	"runtime/debug"
	"slices"
	"testing"
)

// TestMain lets the heap grow: whole games are made here of nothing but short-lived messages.
func TestMain(m *testing.M) {
	debug.SetGCPercent(800)
	debug.SetMemoryLimit(1 << 30)
	os.Exit(m.Run())
}

// shared is the real suite at a table whose peers are all in one test. They verify the same signatures and proofs, by the
// same code: what one has found true the others need not find again. What is false is found false by each, and
// the transcript is verified once more, by [Verify] alone.
type shared struct {
	*Ristretto
	known map[Hash]bool // statements with their proofs
}

// sharedCheck is a check with the name of its statement and proof.
type sharedCheck struct {
	Check
	name Hash
}

func (s shared) Verify(key ed25519.PublicKey, text, sig []byte) bool {
	name := Hash(sha256.Sum256(slices.Concat(key, sig, text)))
	if !s.known[name] {
		if !s.Ristretto.Verify(key, text, sig) {
			return false
		}
		s.known[name] = true
	}
	return true
}

func (s shared) VerifyAll(checks []Check) (int, error) {
	var open []Check
	var at []int
	for i, c := range checks {
		if c := c.(sharedCheck); !s.known[c.name] {
			open, at = append(open, c.Check), append(at, i)
		}
	}
	bad, err := s.Ristretto.VerifyAll(open)
	if err != nil {
		if bad >= 0 {
			bad = at[bad]
		}
		return bad, err
	}
	for _, i := range at {
		s.known[checks[i].(sharedCheck).name] = true
	}
	return bad, nil
}

func name(c Check, statement ...any) Check { return sharedCheck{c, sha256.Sum256(encode(statement))} }

func (s shared) CheckPossession(p Place, label string, key Point, proof []byte) Check {
	return name(s.Ristretto.CheckPossession(p, label, key, proof), "possession", p, label, key, proof)
}

func (s shared) CheckShuffle(p Place, pile byte, key Point, inSlots, outSlots []uint32, in, out []Cipher, proof []byte) Check {
	return name(s.Ristretto.CheckShuffle(p, pile, key, inSlots, outSlots, in, out, proof), "shuffle", p, pile, key, inSlots, outSlots, in, out, proof)
}

func (s shared) CheckLayers(p Place, key Point, slots []uint32, bases, layers []Point, proof []byte) Check {
	return name(s.Ristretto.CheckLayers(p, key, slots, bases, layers, proof), "layers", p, key, slots, bases, layers, proof)
}

func (s shared) CheckRetarget(p Place, key Point, slot uint32, in, out Cipher, target Point, proof []byte) Check {
	return name(s.Ristretto.CheckRetarget(p, key, slot, in, out, target, proof), "retarget", p, key, slot, in, out, target, proof)
}

func (s shared) CheckRefresh(p Place, key Point, slots []uint32, out []Cipher, proof []byte) Check {
	return name(s.Ristretto.CheckRefresh(p, key, slots, out, proof), "refresh", p, key, slots, out, proof)
}

func (s shared) CheckDealing(p Place, to []Recipient, d Dealing) Check {
	return name(s.Ristretto.CheckDealing(p, to, d), "dealing", p, to, d)
}
