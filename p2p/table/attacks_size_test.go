package table

import (
	"crypto/ed25519"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// counting counts the signatures that a suite is asked to check.
type counting struct {
	Suite
	verified int
}

func (c *counting) Verify(key ed25519.PublicKey, text, sig []byte) bool {
	c.verified++
	return c.Suite.Verify(key, text, sig)
}

// cost is what f allocates, in bytes.
func cost(f func()) uint64 {
	var a, b runtime.MemStats
	runtime.ReadMemStats(&a)
	f()
	runtime.ReadMemStats(&b)
	return b.TotalAlloc - a.TotalAlloc
}

// bombs are texts that announce or nest more than they hold.
func bombs() map[string][]byte {
	deep := func(n int) []byte { return append(bytesOf(0x81, n), 0) }
	return map[string][]byte{
		"2^62 elements":       {0x9b, 0x40, 0, 0, 0, 0, 0, 0, 0},
		"2^32 elements":       {0x9a, 0xff, 0xff, 0xff, 0xff, 0x40},
		"5000 empty strings":  append([]byte{0x99, 0x13, 0x88}, bytesOf(0x40, 5000)...),
		"a string of 2^63":    {0x81, 0x5b, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
		"a string of 2^31":    {0x81, 0x5a, 0x7f, 0xff, 0xff, 0xff, 1, 2, 3},
		"2^40 map pairs":      {0xbb, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1},
		"9 levels":            deep(9),
		"60000 levels":        deep(60000),
		"indefinite array":    append([]byte{0x9f}, bytesOf(0x40, 1000)...),
		"indefinite string":   append([]byte{0x81, 0x5f}, bytesOf(0x40, 1000)...),
		"tags":                append(bytesOf(0xc1, 1000), 0),
		"a bignum":            {0x81, 0xc2, 0x41, 1},
		"a float":             {0x81, 0xfb, 0, 0, 0, 0, 0, 0, 0, 0},
		"nothing":             {},
		"trailing bytes":      {0x80, 0},
		"not shortest length": {0x98, 1, 0x40},
	}
}

func bytesOf(b byte, n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = b
	}
	return out
}

func attackExhaustion(t *testing.T) {
	g := recorded(t)
	s := g.find(t, "late round of layers", func(s *step) bool { return s.at > len(g.steps) && s.ex.Kind == RoundStrip })
	suite := &counting{Suite: NewRistretto(nil)}
	o := g.observer(t, s, suite)
	seat := int(s.says[0].Seat)
	big := func(k Kind, n int) []byte {
		return g.sign(s.prev, seat, k, encode(make([]byte, n)))
	}
	refuse := func(what string, packet []byte) {
		t.Helper()
		was, sigs := fingerprint(o), suite.verified
		used := cost(func() {
			require.Error(t, o.Receive(packet), what)
			require.NotEqual(t, Accept, o.Gate().Look(packet), what)
		})
		require.Less(t, used, uint64(1<<20), "%s: memory", what)
		require.Equal(t, sigs, suite.verified, "%s: no signature is worth checking", what)
		require.Equal(t, was, fingerprint(o), what)
	}
	t.Run("packets", func(t *testing.T) {
		refuse("63 KiB and a byte", encode([][]byte{make([]byte, MaxPacket)}))
		refuse("a megabyte", make([]byte, 1<<20))
		refuse("65 envelopes", encode(slices.Repeat([][]byte{{1}}, maxBundle+1)))
		refuse("no envelope", encode([][]byte{}))
		refuse("64 empty envelopes", encode(slices.Repeat([][]byte{{}}, maxBundle)))
		for what, b := range bombs() {
			refuse(what, b)
		}
	})
	t.Run("envelopes", func(t *testing.T) {
		for what, raw := range map[string][]byte{
			"beyond all limits": big(KindSay, MaxSay+sigSize+128), "a wish beyond 1 KiB": big(KindWish, MaxWish),
			"an unknown kind": big(KindWish+1, 8), "kind 0": big(0, 8), "kind 255": big(255, 8),
			"a signature alone": make([]byte, sigSize), "one byte": {0x80},
		} {
			refuse(what, encode([][]byte{raw}))
		}
		for what, b := range bombs() {
			refuse("an envelope of "+what, encode([][]byte{append(make([]byte, sigSize), b...)}))
		}
		for seat := range 3 {
			x := s.says[0].text
			x.Seat = []uint8{4, 8, 255}[seat]
			packet := Bundle(sealEnvelope(suite, g.net.tables[0].me.id, x).Raw)[0]
			sigs := suite.verified
			require.Error(t, o.Receive(packet)) // the first may be noted: see TestAFloodOfStrays
			require.LessOrEqual(t, suite.verified, sigs+MaxSeats)
			refuse("a seat that is not at the table", packet)
		}
	})
	t.Run("too large, properly signed", func(t *testing.T) {
		// Told by its length alone; then the signature, as of any message, shows whose fault it is.
		for what, raw := range map[string][]byte{
			"a say beyond 60 KiB": big(KindSay, MaxSay), "a seal beyond 256 bytes": big(KindSeal, MaxSeal), "a call beyond 4 KiB": big(KindCall, MaxCall),
		} {
			suite := &counting{Suite: NewRistretto(nil)}
			o := g.observer(t, s, suite)
			sigs := suite.verified
			used := cost(func() { require.NoError(t, o.Receive(Bundle(raw)[0]), what) })
			require.Less(t, used, uint64(1<<20), "%s: memory", what)
			require.Equal(t, sigs+1, suite.verified, what)
			faults := o.Ready().Faults
			require.Len(t, faults, 1, what)
			require.Equal(t, seat, faults[0].Seat)
			require.Equal(t, FaultShape, faults[0].Kind)
			require.Contains(t, faults[0].Reason, "are allowed")
		}
	})
	t.Run("bodies, properly signed", func(t *testing.T) {
		done := map[RoundKind]bool{}
		for i := range g.steps {
			s := &g.steps[i]
			if done[s.ex.Kind] {
				continue
			}
			done[s.ex.Kind] = true
			seat := s.ex.From.List()[0]
			for what, b := range bombs() {
				used := cost(func() {
					_, wrong := s.prev.read(s.ex, seat, b)
					require.NotNil(t, wrong, "%v: %s", s.ex.Kind, what)
					require.Equal(t, FaultShape, wrong.Kind)
					part := sayOf(s.ex.Kind, []byte{})
					part = append(append(part[:2:2], b...), 0x80)
					_, wrong = s.prev.read(s.ex, seat, part)
					require.NotNil(t, wrong, "%v: %s", s.ex.Kind, what)
				})
				require.Less(t, used, uint64(2<<20), "%v: %s", s.ex.Kind, what)
			}
		}
		require.Len(t, done, 10, "a kind of round is missing")
	})
	t.Run("more than was asked for", func(t *testing.T) {
		// A say full of points that nobody asked for is counted, not computed with.
		points := slices.Repeat([]Point{s.prev.joint}, 1700)
		pt, wrong := s.prev.read(s.ex, seat, sayOf(RoundStrip, stripPart{Layers: points}))
		require.NotNil(t, wrong)
		require.Equal(t, FaultShape, wrong.Kind)
		require.Empty(t, pt.checks)
		mix := g.find(t, "mix", func(s *step) bool { return s.ex.Kind == RoundMix })
		ciphers := slices.Repeat([]Cipher{{C1: s.prev.joint, C2: s.prev.joint}}, 850)
		pt, wrong = mix.prev.read(mix.ex, mix.ex.From.List()[0], sayOf(RoundMix, mixPart{Piles: []mixedPile{{Out: ciphers}, {}, {}}}))
		require.NotNil(t, wrong)
		require.Empty(t, pt.checks)
	})
	t.Run("one seat talking without end", func(t *testing.T) {
		// Of the round after the open one a table keeps a few envelopes of each seat, whatever comes.
		o := g.observer(t, s, nil)
		next := *s.cur
		for i := range 200 {
			next.head[5] = byte(i) + 1
			o.Receive(Bundle(g.sign(&next, seat, KindSay, sayOf(RoundAct, i)))[0])
		}
		count := 0
		for _, list := range o.open.early {
			count += len(list)
		}
		require.Positive(t, count)
		require.LessOrEqual(t, count, maxEarly)
		require.Nil(t, o.end)
	})
	t.Run("questions", func(t *testing.T) {
		for what, b := range bombs() {
			used := cost(func() {
				_, err := o.Serve(b)
				require.Error(t, err, what)
			})
			require.Less(t, used, uint64(1<<20), what)
		}
		answer, err := g.net.tables[0].Serve(encode(wantText{Table: s.prev.roster.Table})) // everything
		require.NoError(t, err)
		size := 0
		for _, p := range answer {
			require.LessOrEqual(t, len(p), MaxPacket)
			size += len(p)
		}
		require.LessOrEqual(t, size, maxServedBytes+MaxPacket)
	})
	t.Run("files", func(t *testing.T) {
		for what, b := range bombs() {
			used := cost(func() {
				_, err := ReadRoster(suite, b)
				require.Error(t, err, what)
				_, _, err = ReadOffer(suite, b)
				require.Error(t, err, what)
				_, err = ReadJoin(suite, b)
				require.Error(t, err, what)
				_, err = Verify(fileOf(b), rulesOf)
				require.Error(t, err, what)
			})
			require.Less(t, used, uint64(4<<20), what)
		}
		huge := append([]byte(magic), 0xff, 0xff, 0xff, 0xff)
		_, err := Verify(huge, rulesOf)
		var unreadable *UnreadableError
		require.ErrorAs(t, err, &unreadable)
		_, err = Verify(make([]byte, maxTranscript+1), rulesOf)
		require.ErrorAs(t, err, &unreadable)
	})
}
