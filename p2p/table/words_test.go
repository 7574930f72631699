package table

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/crypto"
)

// internals is what a person must not read in a verdict: names of packages and types, and words of libraries.
var internals = regexp.MustCompile(`\b(crypto|table|engine|cbor|toy|node|errors|io|EOF)(\.|: )|Go (value|struct|type)|Statement|toarray|%!|<nil>|0x|\bnil\b|\w+(Part|Text)\b|\[\]`)

// inWords requires that a fault is told in words.
func inWords(t testing.TB, f Fault) {
	t.Helper()
	require.NotRegexp(t, internals, f.String())
}

// Whatever comes in that is not of the form that is due, or does not hold, is told in words. (TestEvidence has the faults
// of every kind, TestCheaters those of the real proofs.)
func TestWhatDoesNotDecodeIsToldInWords(t *testing.T) {
	rng := rand.New(source(1, 1))
	whole := encode(say{Kind: RoundStrip, Part: encode(stripPart{Layers: []Point{{1}}, Proof: []byte{1, 2, 3}}), Wishes: [][]byte{{1}}})
	told := map[string]bool{}
	try := func(b []byte) {
		for _, v := range []any{new(say), new(seal), new(call), new(wishText), new(returnText), new(actPart), new(stripPart), new(text), new(evidenceText)} {
			if err := decode(b, v); err != nil {
				told[err.Error()] = true
				require.NotRegexp(t, internals, err.Error(), "%x as %T", b, v)
			}
		}
		if _, err := unbundle(b); err != nil {
			require.NotRegexp(t, internals, err.Error())
		}
	}
	for _, b := range [][]byte{nil, {}, {0xff}, {0x9f, 0xff}, {0xa0}, {0xa1, 1, 2}, {0xc1, 0}, {0xf6}, {0xf7}, {0xf9, 0, 0}, {0x61, 0xff}, {0x1b, 255, 255, 255, 255, 255, 255, 255, 255}, {0x20},
		{0x83, 6, 0xf6, 0xf6}, {0x83, 0x40, 0x40, 0x80}, {0x83, 1, 0x81, 0x81, 0x81, 0x81, 0x81, 0x81, 0x81, 0x81, 0x81, 0x81, 1, 0x80}, append(slices.Clone(whole), 0)} {
		try(b)
	}
	for range 3000 {
		b := slices.Clone(whole)
		for range 1 + rng.IntN(3) {
			b[rng.IntN(min(len(b), 8))] = byte(rng.Uint32())
		}
		try(b[:1+rng.IntN(len(b))])
	}
	require.Greater(t, len(told), 5)
	for _, err := range []error{crypto.ErrEncoding, crypto.ErrIdentity, crypto.ErrLength, crypto.ErrProof, crypto.ErrShare, ErrStray, ErrSignature} {
		require.NotRegexp(t, internals, err.Error())
	}
	for k := range faultKinds {
		require.NotRegexp(t, internals, k.String())
	}
	for k := range RoundResult + 3 {
		require.NotRegexp(t, internals, k.String())
	}
}
