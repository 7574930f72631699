package crypto

import (
	"fmt"
	"io"
)

// MaxBatch is the largest number of slots in one Layers or Refresh message:
// no table has more live slots.
const MaxBatch = 4096

// LayersStatement says: Layers[k] = x·Bases[k] for every slot, with the x of
// Key = x·G. It takes a mask off (strip), puts one on (add), contributes to a
// coin, or, with a public share as Key, lifts the mask of a seat that is gone.
//
// One proof serves all slots: with weights w_k hashed from all bases and layers,
// it shows Σ w_k·Layers[k] = x·Σ w_k·Bases[k] (RFC 9497, section 2.2, in a form
// that batches). Wrong layers that cancel for weight 1 do not cancel here.
type LayersStatement struct {
	Place
	Op     byte // what the layers are for; the caller's own numbering
	Key    Point
	Slots  []uint32
	Bases  []Point // C1 of each slot, or the point of a coin
	Layers []Point
	Proof  []byte // 96 bytes
}

func (s LayersStatement) check() error {
	n := len(s.Slots)
	if n < 1 || n > MaxBatch || len(s.Bases) != n || len(s.Layers) != n {
		return fmt.Errorf("layers: %d slots, %d bases, %d layers: %w", n, len(s.Bases), len(s.Layers), ErrLength)
	}
	if s.Key.IsIdentity() {
		return fmt.Errorf("layers: key: %w", ErrIdentity)
	}
	for _, b := range s.Bases {
		if b.IsIdentity() {
			return fmt.Errorf("layers: base: %w", ErrIdentity)
		}
	}
	return nil
}

// transcript absorbs the statement; the weights come out of it.
func (s LayersStatement) transcript() transcript {
	t := newTranscript("layers", &s.Place)
	t.bytes("operation", []byte{s.Op})
	t.point("key", s.Key)
	t.numbers("slots", s.Slots)
	t.points("bases", s.Bases)
	t.points("layers", s.Layers)
	return t
}

// ProveLayers computes the layers of s on all bases and proves them.
// Errors: wrong counts, an identity among the bases, or rand failed.
func ProveLayers(rand io.Reader, p Place, op byte, s *Secret, slots []uint32, bases []Point) (layers []Point, proof []byte, err error) {
	layers = make([]Point, len(bases))
	for k, b := range bases {
		layers[k] = s.Layer(b)
	}
	st := LayersStatement{Place: p, Op: op, Key: s.pub, Slots: slots, Bases: bases, Layers: layers}
	if err := st.check(); err != nil {
		return nil, nil, err
	}
	t := st.transcript()
	n, err := newNonces(rand, t, &s.x)
	if err != nil {
		return nil, nil, err
	}
	w := t.weights("weights", len(bases))
	return layers, proveEqualLogs(n, t, &s.x, weighted(w, bases)), nil
}

// Verify checks the proof alone.
func (s LayersStatement) Verify() error { return verify(s) }

func (s LayersStatement) claim() (*claim, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	if len(s.Proof) != equalLogsSize {
		return nil, fmt.Errorf("layers: proof of %d bytes: %w", len(s.Proof), ErrLength)
	}
	t := s.transcript()
	w := t.weights("weights", len(s.Bases))
	c, err := claimEqualLogs(t, s.Proof, row{{oneScalar, s.Key}}, weighted(w, s.Bases), weighted(w, s.Layers))
	if err != nil {
		return nil, fmt.Errorf("layers: %w", err)
	}
	return c, nil
}
