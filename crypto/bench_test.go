package crypto

import (
	"crypto/rand"
	"fmt"
	"testing"

	"filippo.io/edwards25519"
)

// The bars are ratios to BenchmarkDoubleBase of the same run:
//
//	ShuffleProve N=120 ≤ 600, N=3 ≤ 30    ShuffleVerify N=120 ≤ 180, N=3 ≤ 22
//	ShareProve/5 ≤ 15, ShareVerify/5 ≤ 15 TranscriptAudit ≤ 4500

// BenchmarkDoubleBase is the yardstick B: one VarTimeDoubleScalarBaseMult of random points.
func BenchmarkDoubleBase(b *testing.B) {
	x, y, z := testScalar(b), testScalar(b), testScalar(b)
	p := mulBase(&z)
	var v edwards25519.Point
	for b.Loop() {
		v.VarTimeDoubleScalarBaseMult(&x.s, p.ed(), &y.s)
	}
}

func BenchmarkShuffleProve(b *testing.B) {
	for _, n := range []int{3, 52, 120} {
		b.Run(fmt.Sprintf("N=%d", n), func(b *testing.B) {
			d := newTestDeck(b, n)
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := Shuffle(rand.Reader, testPlace, 1, d.key.Public(), d.inSlots, d.outSlots, d.in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkShuffleVerify(b *testing.B) {
	for _, n := range []int{3, 52, 120} {
		b.Run(fmt.Sprintf("N=%d", n), func(b *testing.B) {
			d := newTestDeck(b, n)
			st, _, err := Shuffle(rand.Reader, testPlace, 1, d.key.Public(), d.inSlots, d.outSlots, d.in)
			if err != nil {
				b.Fatal(err)
			}
			wire := encodeDeck(st.Out)
			b.ReportAllocs()
			for b.Loop() {
				st.Out = decodeDeck(b, wire)
				if err := st.Verify(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkShareProve(b *testing.B) {
	b.Run("5", func(b *testing.B) {
		d := newTestDeck(b, 5)
		bases := d.bases(b)
		for b.Loop() {
			if _, _, err := ProveLayers(rand.Reader, testPlace, 1, d.key, d.inSlots, bases); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkShareVerify(b *testing.B) {
	b.Run("5", func(b *testing.B) {
		d := newTestDeck(b, 5)
		bases := d.bases(b)
		layers, proof, err := ProveLayers(rand.Reader, testPlace, 1, d.key, d.inSlots, bases)
		if err != nil {
			b.Fatal(err)
		}
		wire := encodePoints(layers)
		for b.Loop() {
			st := LayersStatement{Place: testPlace, Op: 1, Key: d.key.Public(), Slots: d.inSlots,
				Bases: bases, Layers: decodePoints(b, wire), Proof: proof}
			if err := st.Verify(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkRetargetProve(b *testing.B) {
	d := newTestDeck(b, 1)
	target := testSecret(b).Public()
	for b.Loop() {
		if _, _, err := Retarget(rand.Reader, testPlace, d.key, 7, d.in[0], target); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRetargetVerify(b *testing.B) {
	d := newTestDeck(b, 1)
	st := RetargetStatement{Place: testPlace, Key: d.key.Public(), Target: testSecret(b).Public(), Slot: 7, In: d.in[0]}
	var err error
	if st.Out, st.Proof, err = Retarget(rand.Reader, testPlace, d.key, 7, st.In, st.Target); err != nil {
		b.Fatal(err)
	}
	wire := st.Out.Encode()
	for b.Loop() {
		if st.Out, err = DecodeCiphertext(wire); err != nil {
			b.Fatal(err)
		}
		if err := st.Verify(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTranscriptAudit is a whole game of 8 players: 4 × 8 shuffles of 120
// in chains, and 400 share messages of 3 cards, from bytes to one verdict.
func BenchmarkTranscriptAudit(b *testing.B) {
	a := newAudit(b)
	b.ReportMetric(float64(a.size())/1e6, "MB")
	b.ReportAllocs()
	for b.Loop() {
		if err := VerifyAll(nil, a.decode(b)); err != nil {
			b.Fatal(err)
		}
	}
}

// audit is a transcript in bytes.
type audit struct {
	keys     []Point // seat → key
	joint    Point
	start    []Ciphertext
	slots    []uint32
	shuffles []wireShuffle
	shares   []wireShare
}

type wireShuffle struct{ out, proof []byte }

type wireShare struct {
	shuffle, first int // the bases are C1 of three slots of this shuffle's result
	layers, proof  []byte
}

func newAudit(b *testing.B) *audit {
	const players, piles, n, messages, cards = 8, 4, 120, 400, 3
	a := &audit{}
	secrets := make([]*Secret, players)
	for i := range secrets {
		secrets[i] = testSecret(b)
		a.keys = append(a.keys, secrets[i].Public())
	}
	a.joint = SumPoints(a.keys...)
	for i := range n {
		a.slots = append(a.slots, uint32(i))
		a.start = append(a.start, Trivial(CardPoint(1, uint16(i)), a.joint))
	}
	var decks [][]Ciphertext
	for range piles {
		in := a.start
		for j := range players {
			st, _, err := Shuffle(rand.Reader, a.place(j), 1, a.joint, a.slots, a.slots, in)
			if err != nil {
				b.Fatal(err)
			}
			in = st.Out
			decks = append(decks, in)
			a.shuffles = append(a.shuffles, wireShuffle{encodeDeck(in), st.Proof})
		}
	}
	for m := range messages {
		at, first := 8*(m%piles)+7, m*cards%(n-cards)
		layers, proof, err := ProveLayers(rand.Reader, a.place(m), 1, secrets[m%players],
			a.slots[first:first+cards], bases(decks[at][first:first+cards]))
		if err != nil {
			b.Fatal(err)
		}
		a.shares = append(a.shares, wireShare{at, first, encodePoints(layers), proof})
	}
	return a
}

func (a *audit) place(i int) Place {
	p := testPlace
	p.Round, p.Seat = uint32(i), uint8(i%8)
	return p
}

func (a *audit) size() (n int) {
	for _, s := range a.shuffles {
		n += len(s.out) + len(s.proof)
	}
	for _, s := range a.shares {
		n += len(s.layers) + len(s.proof)
	}
	return n
}

// decode rebuilds the statements from bytes, as a reader of the file does.
func (a *audit) decode(b *testing.B) []Check {
	var checks []Check
	var decks [][]Ciphertext
	for i, s := range a.shuffles {
		in := a.start
		if i%8 > 0 {
			in = decks[i-1]
		}
		out := decodeDeck(b, s.out)
		decks = append(decks, out)
		checks = append(checks, ShuffleStatement{a.place(i % 8), 1, a.joint, a.slots, a.slots, in, out, s.proof})
	}
	for i, s := range a.shares {
		to := s.first + 3
		checks = append(checks, LayersStatement{a.place(i), 1, a.keys[i%8], a.slots[s.first:to],
			bases(decks[s.shuffle][s.first:to]), decodePoints(b, s.layers), s.proof})
	}
	return checks
}

// BenchmarkSum shows where buckets overtake tables (strausLimit).
func BenchmarkSum(b *testing.B) {
	for _, n := range []int{80, 159, 160, 611, 4096} {
		b.Run(fmt.Sprintf("N=%d", n), func(b *testing.B) {
			s, p := make([]Scalar, n), make([]Point, n)
			for i := range s {
				s[i] = testScalar(b)
				p[i] = mulBase(&s[i])
			}
			for b.Loop() {
				varTimeSum(s, p)
			}
		})
	}
}
