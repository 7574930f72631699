package crypto

import (
	"crypto/rand"
	"errors"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"time"
)

func attackLengths(t *testing.T) {
	d := newTestDeck(t, 4)
	st := d.shuffle(t)
	point, key := CardPoint(1, 1), d.key
	for _, n := range []int{0, 131, 5000} {
		if _, _, err := Shuffle(rand.Reader, testPlace, 1, key.Public(), make([]uint32, n), make([]uint32, n), slices.Repeat(d.in[:1], n)); !errors.Is(err, ErrLength) {
			t.Errorf("shuffle of %d: %v", n, err)
		}
		long := st
		long.In, long.Out = slices.Repeat(d.in[:1], n), slices.Repeat(d.in[:1], n)
		long.InSlots, long.OutSlots = make([]uint32, n), make([]uint32, n)
		long.Proof = make([]byte, 32*(3*n+10))
		if err := long.Verify(); !errors.Is(err, ErrLength) {
			t.Errorf("verify a shuffle of %d: %v", n, err)
		}
	}
	for _, n := range []int{0, MaxBatch + 1} {
		if _, _, err := ProveRefresh(rand.Reader, testPlace, 1, key.Public(), make([]uint32, n)); !errors.Is(err, ErrLength) {
			t.Errorf("refresh of %d: %v", n, err)
		}
		ls := LayersStatement{Key: key.Public(), Slots: make([]uint32, n), Bases: slices.Repeat([]Point{point}, n), Layers: slices.Repeat([]Point{point}, n), Proof: make([]byte, 96)}
		if err := ls.Verify(); !errors.Is(err, ErrLength) {
			t.Errorf("layers of %d: %v", n, err)
		}
		rs := RefreshStatement{Key: key.Public(), Slots: make([]uint32, n), Refreshes: slices.Repeat(d.in[:1], n), Proof: make([]byte, 96)}
		if err := rs.Verify(); !errors.Is(err, ErrLength) {
			t.Errorf("refresh of %d: %v", n, err)
		}
	}
	if _, _, err := ProveLayers(rand.Reader, testPlace, 1, key, nil, nil); !errors.Is(err, ErrLength) {
		t.Errorf("no layers: %v", err)
	}
	if _, _, err := ProveLayers(rand.Reader, testPlace, 1, key, []uint32{1}, []Point{point, point}); !errors.Is(err, ErrLength) {
		t.Errorf("more bases than slots: %v", err)
	}
	for _, threshold := range []int{-1, 0, MaxSeats + 1, 1 << 40} {
		if _, _, err := Deal(rand.Reader, testPlace, key, threshold, nil); !errors.Is(err, ErrLength) {
			t.Errorf("threshold %d: %v", threshold, err)
		}
	}
	if _, _, err := Deal(rand.Reader, testPlace, key, 2, []Recipient{{2, point}, {2, point}}); !errors.Is(err, ErrLength) {
		t.Errorf("a recipient twice: %v", err)
	}
	if _, err := CombineLayers([]uint8{1, 1}, []Point{point, point}); !errors.Is(err, ErrLength) {
		t.Errorf("a helper twice: %v", err)
	}
	if _, err := CombineLayers(nil, nil); !errors.Is(err, ErrLength) {
		t.Errorf("no helper: %v", err)
	}
	if _, err := CombineLayers([]uint8{1}, nil); !errors.Is(err, ErrLength) {
		t.Errorf("a helper without layer: %v", err)
	}
	// Every list of every statement, and every proof, at every wrong length.
	for _, s := range specimens(t, rand.Reader) {
		proof := proofOf(s.check)
		for _, n := range []int{0, 1, 31, 32, len(proof) - 32, len(proof) - 1, len(proof) + 1, len(proof) + 32, 1 << 20} {
			bent := make([]byte, n)
			copy(bent, proof)
			if n == len(proof) {
				continue
			}
			if err := withProof(s.check, bent).Verify(); !errors.Is(err, ErrLength) {
				t.Errorf("%s, proof of %d bytes: %v", s.name, n, err)
			}
		}
		if err := withProof(s.check, nil).Verify(); !errors.Is(err, ErrLength) {
			t.Errorf("%s, no proof: %v", s.name, err)
		}
		// A statement with nothing in it must be refused, not crash.
		empty := reflect.New(reflect.TypeOf(s.check)).Elem().Interface().(Check)
		if empty.Verify() == nil {
			t.Errorf("%s: the zero statement is accepted", s.name)
		}
	}
	if err := VerifyAll(nil, nil); err != nil {
		t.Errorf("an empty batch: %v", err)
	}
}

// attackExhaustion: what is too large is refused before any work on the curve,
// so in about no time and with about no memory.
func attackExhaustion(t *testing.T) {
	d := newTestDeck(t, 1)
	const huge = 1 << 18
	many, slots := slices.Repeat(d.in, huge), make([]uint32, huge)
	points := slices.Repeat([]Point{d.in[0].C2}, huge)
	key := d.key.Public()
	for name, c := range map[string]Check{
		"shuffle of too many":   ShuffleStatement{Key: key, In: many, Out: many, InSlots: slots, OutSlots: slots, Proof: make([]byte, 32*(3*huge+10))},
		"shuffle, huge proof":   ShuffleStatement{Key: key, In: d.in, Out: d.in, InSlots: slots[:1], OutSlots: slots[:1], Proof: make([]byte, 1<<24)},
		"layers of too many":    LayersStatement{Key: key, Slots: slots, Bases: points, Layers: points, Proof: make([]byte, 96)},
		"layers, huge proof":    LayersStatement{Key: key, Slots: slots[:1], Bases: points[:1], Layers: points[:1], Proof: make([]byte, 1<<24)},
		"refresh of too many":   RefreshStatement{Key: key, Slots: slots, Refreshes: many, Proof: make([]byte, 96)},
		"refresh, huge proof":   RefreshStatement{Key: key, Slots: slots[:1], Refreshes: many[:1], Proof: make([]byte, 1<<24)},
		"retarget, huge proof":  RetargetStatement{Key: key, Target: key, In: d.in[0], Out: d.in[0], Proof: make([]byte, 1<<24)},
		"not equal, huge proof": NotEqualStatement{Key: key, In: d.in[0], Card: key, Proof: make([]byte, 1<<24)},
		"possession, huge":      Possession{Key: key, Proof: make([]byte, 1<<24)},
		"dealing to too many":   Dealing{Commitments: points, Recipients: make([]Recipient, huge), Shares: make([]Scalar, huge), Ephemeral: key, Proof: make([]byte, 64)},
		"dealing of a degree":   Dealing{Commitments: points, Ephemeral: key, Proof: make([]byte, 64)},
		"complaint about that":  Complaint{Dealing: Dealing{Commitments: points, Ephemeral: key}, Proof: make([]byte, 96)},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		err := c.Verify()
		spent := time.Since(start)
		runtime.ReadMemStats(&after)
		if !errors.Is(err, ErrLength) {
			t.Errorf("%s: %v", name, err)
		}
		if got := after.TotalAlloc - before.TotalAlloc; got > 1<<16 {
			t.Errorf("%s: %d bytes allocated for a refusal", name, got)
		}
		if spent > 100*time.Millisecond {
			t.Errorf("%s: refused after %v", name, spent)
		}
	}
}
