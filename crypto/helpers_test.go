package crypto

import (
	"crypto/rand"
	"testing"
)

// testPlace has a different value in every field.
var testPlace = Place{Table: [32]byte{1, 2, 3}, Head: [32]byte{4, 5, 6}, Round: 7, Seat: 2, Kind: 9, Need: 10, Pass: 11}

// seeded is a reproducible generator: SHA-512 in counter mode.
type seeded struct {
	seed [64]byte
	n    uint64
	rest []byte
}

func newSeeded(name string) *seeded {
	s := new(seeded)
	copy(s.seed[:], name)
	return s
}

func (s *seeded) Read(b []byte) (int, error) {
	for n := 0; n < len(b); {
		if len(s.rest) == 0 {
			block := expand(&s.seed, s.n)
			s.n++
			s.rest = block[:]
		}
		k := copy(b[n:], s.rest)
		s.rest = s.rest[k:]
		n += k
	}
	return len(b), nil
}

func testScalar(t testing.TB) Scalar {
	t.Helper()
	s, err := randomScalar(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func testSecret(t testing.TB) *Secret {
	t.Helper()
	s, err := NewSecret(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// testDeck is a pile of n cards under a key whose secret the test knows.
type testDeck struct {
	key               *Secret
	inSlots, outSlots []uint32
	in                []Ciphertext
}

func newTestDeck(t testing.TB, n int) testDeck {
	d := testDeck{key: testSecret(t)}
	for i := range n {
		d.inSlots = append(d.inSlots, uint32(100+i))
		d.outSlots = append(d.outSlots, uint32(500+i))
		d.in = append(d.in, Trivial(CardPoint(1, uint16(i)), d.key.Public()))
	}
	return d
}

// shuffle proves an honest shuffle of the deck.
func (d testDeck) shuffle(t testing.TB) ShuffleStatement {
	t.Helper()
	st, _, err := Shuffle(rand.Reader, testPlace, 1, d.key.Public(), d.inSlots, d.outSlots, d.in)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// bases are the C1 of a shuffled deck.
func (d testDeck) bases(t testing.TB) []Point { return bases(d.shuffle(t).Out) }

func bases(deck []Ciphertext) []Point {
	list := make([]Point, len(deck))
	for i, c := range deck {
		list[i] = c.C1
	}
	return list
}

func encodeDeck(deck []Ciphertext) (b []byte) {
	for _, c := range deck {
		b = append(b, c.Encode()...)
	}
	return b
}

func decodeDeck(t testing.TB, b []byte) []Ciphertext {
	t.Helper()
	list := make([]Ciphertext, len(b)/CiphertextSize)
	for i := range list {
		var err error
		if list[i], err = DecodeCiphertext(b[CiphertextSize*i : CiphertextSize*(i+1)]); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

func encodePoints(list []Point) (b []byte) {
	for _, p := range list {
		b = append(b, p.Bytes()...)
	}
	return b
}

func decodePoints(t testing.TB, b []byte) []Point {
	t.Helper()
	list := make([]Point, len(b)/PointSize)
	for i := range list {
		var err error
		if list[i], err = DecodePoint(b[PointSize*i : PointSize*(i+1)]); err != nil {
			t.Fatal(err)
		}
	}
	return list
}
