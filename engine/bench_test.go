package engine_test

import (
	"testing"

	"standoff/engine"
	"standoff/engine/dealer"
)

// BenchmarkClone copies a position.
func BenchmarkClone(b *testing.B) {
	g := inPlay(b)
	for b.Loop() {
		_ = g.Clone()
	}
}

// BenchmarkHash encodes and hashes a position.
func BenchmarkHash(b *testing.B) {
	g := inPlay(b)
	for b.Loop() {
		_ = g.State().Hash()
	}
}

func inPlay(b *testing.B) *engine.Game {
	g, err := engine.New(compiled(b), engine.Setup{Seats: 7})
	if err != nil {
		b.Fatal(err)
	}
	if err := dealer.New(g, 1).Serve(); err != nil {
		b.Fatal(err)
	}
	return g
}
