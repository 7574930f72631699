package ristretto

import (
	"crypto/rand"
	"crypto/sha512"
	"encoding/hex"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"

	"filippo.io/edwards25519"
	"filippo.io/edwards25519/field"
	"github.com/gtank/ristretto255"
)

// The multiples 0…15 of the generator (RFC 9496, appendix A.1).
var multiples = []string{
	"0000000000000000000000000000000000000000000000000000000000000000",
	"e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76",
	"6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919",
	"94741f5d5d52755ece4f23f044ee27d5d1ea1e2bd196b462166b16152a9d0259",
	"da80862773358b466ffadfe0b3293ab3d9fd53c5ea6c955358f568322daf6a57",
	"e882b131016b52c1d3337080187cf768423efccbb517bb495ab812c4160ff44e",
	"f64746d3c92b13050ed8d80236a7f0007c3b3f962f5ba793d19a601ebb1df403",
	"44f53520926ec81fbd5a387845beb7df85a96a24ece18738bdcfa6a7822a176d",
	"903293d8f2287ebe10e2374dc1a53e0bc887e592699f02d077d5263cdd55601c",
	"02622ace8f7303a31cafc63f8fc48fdc16e1c8c8d234b2f0d6685282a9076031",
	"20706fd788b2720a1ed2a5dad4952b01f413bcf0e7564de8cdc816689e2db95f",
	"bce83f8ba5dd2fa572864c24ba1810f9522bc6004afe95877ac73241cafdab42",
	"e4549ee16b9aa03099ca208c67adafcafa4c3f3e4e5303de6026e3ca8ff84460",
	"aa52e000df2e16f55fb1032fc33bc42742dad6bd5a8fc0be0167436c5948501f",
	"46376b80f409b29dc2b5f6f0c52591990896e5716f41477cd30085ab7f10301e",
	"e0c418f7c8d9c4cdd7395b93ea124f3ad99021bb681dfc3302a9d99a2e53e64e",
}

// Labels hashed with SHA-512 and the elements they map to (RFC 9496, appendix A.3).
var hashed = []struct{ label, element string }{
	{"Ristretto is traditionally a short shot of espresso coffee", "3066f82a1a747d45120d1740f14358531a8f04bbffe6a819f86dfe50f44a0a46"},
	{"made with the normal amount of ground coffee but extracted with", "f26e5b6f7d362d2d2a94c5d0e7602cb4773c95a2e5c31a64f133189fa76ed61b"},
	{"about half the amount of water in the same amount of time", "006ccd2a9e6867e6a2c5cea83d3302cc9de128dd2a9a57dd8ee7b9d7ffe02826"},
	{"by using a finer grind.", "f8f0c87cf237953c5890aec3998169005dae3eca1fbb04548c635953c817f92a"},
	{"This produces a concentrated shot of coffee per volume.", "ae81e7dedf20a497e10c304a765c1767a42d6e06029758d2d7e8ef7cc4c41179"},
	{"Just pulling a normal shot short will produce a weaker shot", "e2705652ff9f5e44d3e841bf1c251cf7dddb77d140870d1ab2ed64f1a9ce8628"},
	{"and is not a Ristretto as some believe.", "80bd07262511cdde4863f8a7434cef696750681cb9510eea557088f76d9e5065"},
}

// Four inputs that must map to one element, since field elements are read
// modulo 2^255 - 19 and without their top bit (RFC 9496, appendix A.3).
var equivalent = []string{
	"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff1200000000000000000000000000000000000000000000000000000000000000",
	"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	"0000000000000000000000000000000000000000000000000000000000000080ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	"00000000000000000000000000000000000000000000000000000000000000001200000000000000000000000000000000000000000000000000000000000080",
}

const equivalentElement = "304282791023b73128d277bdcb5c7746ef2eac08dde9f2983379cb8e5ef0517f"

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestConstants(t *testing.T) {
	square := func(e *field.Element) *field.Element { return new(field.Element).Square(e) }
	small := func(n uint32) *field.Element { return new(field.Element).Mult32(one, n) }
	minusD := new(field.Element).Negate(d)
	for _, c := range []struct {
		name       string
		left, want *field.Element
	}{
		{"d = -121665/121666", new(field.Element).Multiply(d, small(121666)), new(field.Element).Negate(small(121665))},
		{"√-1² = -1", square(sqrtM1), minusOne},
		{"√(ad-1)² = -d-1", square(sqrtADMinusOne), new(field.Element).Subtract(minusD, one)},
		{"1/√(a-d)² · (-1-d) = 1", new(field.Element).Multiply(square(invSqrtAMinusD), new(field.Element).Subtract(minusOne, d)), one},
		{"1-d²", oneMinusDSq, new(field.Element).Subtract(one, square(d))},
		{"(d-1)²", dMinusOneSq, square(new(field.Element).Subtract(d, one))},
	} {
		if c.left.Equal(c.want) != 1 {
			t.Errorf("%s does not hold", c.name)
		}
	}
	// The signs of the roots are part of the definition (RFC 9496, section 4.1).
	for name, c := range map[string]struct {
		e       *field.Element
		decimal string
	}{
		"√-1":        {sqrtM1, "19681161376707505956807079304988542015446066515923890162744021073123829784752"},
		"√(ad-1)":    {sqrtADMinusOne, "25063068953384623474111414158702152701244531502492656460079210482610430750235"},
		"1/√(a-d)":   {invSqrtAMinusD, "54469307008909316920995813868745141605393597292927456921205312896311721017578"},
		"d, decimal": {d, "37095705934669439343138083508754565189542113879843219016388785533085940283555"},
	} {
		b := c.e.Bytes()
		slices.Reverse(b)
		if got := new(big.Int).SetBytes(b).String(); got != c.decimal {
			t.Errorf("%s = %s, want %s", name, got, c.decimal)
		}
	}
}

func TestMultiplesOfGenerator(t *testing.T) {
	p := edwards25519.NewIdentityPoint()
	for i, want := range multiples {
		if got := Encode(p); hex.EncodeToString(got[:]) != want {
			t.Errorf("%d·G encodes to %x, want %s", i, got, want)
		}
		q := new(edwards25519.Point)
		if err := Decode(q, unhex(t, want)); err != nil {
			t.Fatalf("%d·G: %v", i, err)
		}
		if !Equal(p, q) {
			t.Errorf("%d·G decodes to something else", i)
		}
		if IsIdentity(q) != (i == 0) {
			t.Errorf("%d·G: IsIdentity is wrong", i)
		}
		p.Add(p, edwards25519.NewGeneratorPoint())
	}
}

func TestHashedElements(t *testing.T) {
	for _, v := range hashed {
		sum := sha512.Sum512([]byte(v.label))
		if got := Encode(FromUniform(&sum)); hex.EncodeToString(got[:]) != v.element {
			t.Errorf("%q maps to %x, want %s", v.label, got, v.element)
		}
	}
}

func TestEquivalentInputs(t *testing.T) {
	for _, s := range equivalent {
		in := [64]byte(unhex(t, s))
		got := Encode(FromUniform(&in))
		theirs := ristretto255.NewElement().FromUniformBytes(in[:]).Encode(nil)
		if string(got[:]) != string(theirs) {
			t.Errorf("%s maps to %x, the other implementation says %x", s, got, theirs)
		}
		if hex.EncodeToString(got[:]) != equivalentElement {
			t.Errorf("%s maps to %x, want %s", s, got, equivalentElement)
		}
	}
}

// badEncodings reads the list shared with the tests of package crypto.
func badEncodings(t testing.TB) (list [][]byte) {
	text, err := os.ReadFile("../../testdata/bad_encodings.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			list = append(list, unhex(t, line))
		}
	}
	return list
}

func TestBadEncodings(t *testing.T) {
	list := badEncodings(t)
	if len(list) != 29 {
		t.Fatalf("%d bad encodings, the RFC has 29", len(list))
	}
	for _, b := range list {
		p := edwards25519.NewGeneratorPoint()
		if err := Decode(p, b); err == nil {
			t.Errorf("%x was accepted", b)
		}
		if p.Equal(edwards25519.NewGeneratorPoint()) != 1 {
			t.Errorf("%x: refused, but the receiver changed", b)
		}
	}
	for _, n := range []int{0, 1, 31, 33, 64} {
		if Decode(new(edwards25519.Point), make([]byte, n)) == nil {
			t.Errorf("%d bytes were accepted", n)
		}
	}
}

// torsion is the list of the four points that a ristretto class differs by.
func torsion(t *testing.T) []*edwards25519.Point {
	var list []*edwards25519.Point
	for _, s := range []string{
		"0100000000000000000000000000000000000000000000000000000000000000", // (0, 1)
		"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", // (0, -1), order 2
		"0000000000000000000000000000000000000000000000000000000000000000", // order 4
		"0000000000000000000000000000000000000000000000000000000000000080", // order 4
	} {
		p, err := new(edwards25519.Point).SetBytes(unhex(t, s))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	return list
}

func TestTorsionChangesNothing(t *testing.T) {
	for range 50 {
		p := randomPoint(t)
		for i, e := range torsion(t) {
			q := new(edwards25519.Point).Add(p, e)
			if (p.Equal(q) == 1) != (i == 0) {
				t.Fatalf("torsion point %d is not what it should be", i)
			}
			if !Equal(p, q) || Encode(p) != Encode(q) {
				t.Errorf("adding torsion point %d makes another element", i)
			}
			if !IsIdentity(new(edwards25519.Point).Subtract(p, q)) {
				t.Errorf("torsion point %d is not the identity", i)
			}
		}
	}
}

func randomPoint(t testing.TB) *edwards25519.Point {
	var b [64]byte
	rand.Read(b[:])
	s, err := new(edwards25519.Scalar).SetUniformBytes(b[:])
	if err != nil {
		t.Fatal(err)
	}
	return new(edwards25519.Point).ScalarBaseMult(s)
}

// TestAgainstOtherImplementation compares with github.com/gtank/ristretto255 on
// random and on nearly valid bytes: both decode the same, to the same element.
func TestAgainstOtherImplementation(t *testing.T) {
	accepted := 0
	for i := range 3000 {
		var b [64]byte
		rand.Read(b[:])
		ours, theirs := Encode(FromUniform(&b)), ristretto255.NewElement().FromUniformBytes(b[:]).Encode(nil)
		if string(ours[:]) != string(theirs) {
			t.Fatalf("%x maps to %x here and %x there", b, ours, theirs)
		}
		in := b[:32]
		switch i % 3 {
		case 0:
			in = ours[:]
		case 1: // half of these are elements
			in[0] &= 0xfe
			in[31] &= 0x7f
		}
		compareDecoding(t, in, &accepted)
	}
	if accepted < 1000 {
		t.Errorf("only %d encodings were valid: the comparison says little", accepted)
	}
}

func compareDecoding(t testing.TB, in []byte, accepted *int) {
	t.Helper()
	p, q := new(edwards25519.Point), ristretto255.NewElement()
	errOurs, errTheirs := Decode(p, in), q.Decode(in)
	if (errOurs == nil) != (errTheirs == nil) {
		t.Fatalf("%x: %v here, %v there", in, errOurs, errTheirs)
	}
	if errOurs != nil {
		return
	}
	*accepted++
	sum := new(edwards25519.Point).Add(p, p)
	p3 := Encode(sum.Add(sum, p))
	q3 := ristretto255.NewElement().Add(q, q)
	if string(p3[:]) != string(q3.Add(q3, q).Encode(nil)) {
		t.Fatalf("%x: three times the element differs", in)
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range multiples {
		f.Add(unhex(f, s))
	}
	for _, b := range badEncodings(f) {
		f.Add(b)
	}
	f.Add(make([]byte, 31))
	f.Fuzz(func(t *testing.T, b []byte) {
		p := new(edwards25519.Point)
		if err := Decode(p, b); err == nil {
			if got := Encode(p); string(got[:]) != string(b) {
				t.Errorf("%x decodes, but encodes to %x", b, got)
			}
		}
		if len(b) == Size {
			n := 0
			compareDecoding(t, b, &n)
		}
	})
}
