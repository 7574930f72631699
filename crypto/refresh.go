package crypto

import (
	"fmt"
	"io"
)

// RefreshStatement says: every Refreshes[k] = ρ_k·(G, Key) for some ρ_k that the
// sayer chose, an encryption of nothing. Added to a slot it changes C1 and not
// the card. Add and Refresh together wrap a slot under a further mask.
//
// One proof serves all slots of one key: with weights w_k hashed from all of
// them, log_G Σ w_k·R1_k = log_Key Σ w_k·R2_k.
type RefreshStatement struct {
	Place
	Op        byte
	Key       Point // the key the slots will be under: the sum over old mask and wrappers
	Slots     []uint32
	Refreshes []Ciphertext
	Proof     []byte // 96 bytes
}

func (s RefreshStatement) check() error {
	n := len(s.Slots)
	if n < 1 || n > MaxBatch || len(s.Refreshes) != n {
		return fmt.Errorf("refresh: %d slots, %d refreshes: %w", n, len(s.Refreshes), ErrLength)
	}
	if s.Key.IsIdentity() {
		return fmt.Errorf("refresh: key: %w", ErrIdentity)
	}
	for _, r := range s.Refreshes {
		if err := r.check(); err != nil {
			return fmt.Errorf("refresh: %w", err)
		}
	}
	return nil
}

func (s RefreshStatement) transcript() transcript {
	t := newTranscript("refresh", &s.Place)
	t.bytes("operation", []byte{s.Op})
	t.point("key", s.Key)
	t.numbers("slots", s.Slots)
	t.ciphertexts("refreshes", s.Refreshes)
	return t
}

// ProveRefresh draws a fresh ρ_k for every slot. The ρ_k are forgotten at once.
// Errors: wrong counts, an identity as key, or rand failed.
func ProveRefresh(rand io.Reader, p Place, op byte, key Point, slots []uint32) (refreshes []Ciphertext, proof []byte, err error) {
	if len(slots) > MaxBatch {
		return nil, nil, fmt.Errorf("refresh: %d slots: %w", len(slots), ErrLength)
	}
	st := RefreshStatement{Place: p, Op: op, Key: key, Slots: slots}
	rho := make([]Scalar, len(slots))
	st.Refreshes = make([]Ciphertext, len(slots))
	under := newComb(key)
	for k := range rho {
		if rho[k], err = randomScalar(rand); err != nil {
			return nil, nil, err
		}
		st.Refreshes[k] = Ciphertext{mulBase(&rho[k]), under.mul(&rho[k])}
	}
	if err := st.check(); err != nil {
		return nil, nil, err
	}
	t := st.transcript()
	w := t.weights("weights", len(slots))
	var sum Scalar // Σ w_k·ρ_k
	for k := range rho {
		sum = w[k].mulAdd(rho[k], sum)
	}
	n, err := newNonces(rand, t, &sum)
	if err != nil {
		return nil, nil, err
	}
	return st.Refreshes, proveEqualLogs(n, t, &sum, row{{oneScalar, key}}), nil
}

// Verify checks the proof alone.
func (s RefreshStatement) Verify() error { return verify(s) }

func (s RefreshStatement) claim() (*claim, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	if len(s.Proof) != equalLogsSize {
		return nil, fmt.Errorf("refresh: proof of %d bytes: %w", len(s.Proof), ErrLength)
	}
	t := s.transcript()
	w := t.weights("weights", len(s.Slots))
	r1, r2 := make(row, len(w)), make(row, len(w))
	for k, r := range s.Refreshes {
		r1[k], r2[k] = term{w[k], r.C1}, term{w[k], r.C2}
	}
	c, err := claimEqualLogs(t, s.Proof, r1, row{{oneScalar, s.Key}}, r2)
	if err != nil {
		return nil, fmt.Errorf("refresh: %w", err)
	}
	return c, nil
}
