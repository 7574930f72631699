package table

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// located requires that a changed transcript is not taken for a whole game, and that the verdict says where it is
// changed: a byte, a message, a round, a seat.
func located(t testing.TB, what string, rep *Report, err error) {
	t.Helper()
	var altered *AlteredError
	var unreadable *UnreadableError
	switch {
	case errors.As(err, &altered):
		if altered.Message >= 0 {
			require.True(t, strings.Contains(err.Error(), fmt.Sprintf("round %d", altered.Round)), "%s: %v", what, err)
		}
	case errors.As(err, &unreadable):
		require.Regexp(t, `byte \d+|does not begin with|before its roster`, err.Error(), what)
	case err != nil:
		t.Fatalf("%s: an error of no kind: %v", what, err)
	case len(rep.Faults) > 0:
		require.Equal(t, Void, rep.Result, what)
		require.GreaterOrEqual(t, rep.Faults[0].Seat, 0, what)
	default:
		require.Equal(t, Incomplete, rep.Result, what)
		require.Contains(t, rep.Note, "incomplete after round", what)
	}
}

// TestEveryByteCounts changes one byte of a whole game, at places spread over the file and at random ones, and has
// the real verifier judge it. STANDOFF_FLIPS sets how many (2000 in full).
func TestEveryByteCounts(t *testing.T) {
	t.Parallel()
	g := recorded(t)
	rep, err := Verify(g.file, rulesOf)
	require.NoError(t, err)
	require.Equal(t, Finished, rep.Result)
	flips := count(t, "STANDOFF_FLIPS", 2000)

	t.Run("one byte", func(t *testing.T) {
		rng := rand.New(source(5, 5))
		altered, faults, unreadable, incomplete := 0, 0, 0, 0
		for i := range flips {
			pos := i * len(g.file) / flips
			if i%2 == 1 {
				pos = rng.IntN(len(g.file))
			}
			file := slices.Clone(g.file)
			change := byte(1 << rng.IntN(8))
			if i%4 == 3 {
				change = byte(1 + rng.IntN(255))
			}
			file[pos] ^= change
			rep, err := Verify(file, rulesOf)
			located(t, fmt.Sprintf("byte %d changed by %#x", pos, change), rep, err)
			var u *UnreadableError
			switch {
			case errors.As(err, &u):
				unreadable++
			case err != nil:
				altered++
			case len(rep.Faults) > 0:
				faults++
			default:
				incomplete++
			}
		}
		t.Logf("%d flips: %d altered, %d faults, %d unreadable, %d incomplete", flips, altered, faults, unreadable, incomplete)
	})

	roster, frames, _, err := readFrames(g.file)
	require.NoError(t, err)
	n := len(frames)
	t.Run("cut between messages", func(t *testing.T) {
		for _, k := range some(n, flips) {
			rep, err := Verify(fileOf(roster, frames[:k]...), rulesOf)
			require.NoError(t, err, "after %d messages", k)
			require.Equal(t, Incomplete, rep.Result, "after %d messages", k)
			closed := 0
			for closed < len(g.steps) && g.steps[closed].at+len(g.steps[closed].says) <= k {
				closed++
			}
			require.Equal(t, fmt.Sprintf("incomplete after round %d", closed-1), strings.TrimSuffix(rep.Note, ", before all had signed the result"), "after %d messages", k)
		}
	})
	t.Run("cut in a message", func(t *testing.T) {
		for _, pos := range []int{len(g.file) - 1, len(g.file) - 3, len(g.file) - 100, len(g.file) / 2, len(g.file) / 3} {
			rep, err := Verify(g.file[:pos], rulesOf)
			require.NoError(t, err)
			require.Equal(t, Incomplete, rep.Result)
			require.Regexp(t, `incomplete after round \d+(, before all had signed the result)?: the file ends in the middle of a message at byte \d+`, rep.Note)
		}
		for _, pos := range []int{0, 1, len(magic) - 1, len(magic), len(magic) + 2, len(magic) + 50} {
			_, err := Verify(g.file[:pos], rulesOf)
			var unreadable *UnreadableError
			require.ErrorAs(t, err, &unreadable, "%d bytes", pos)
		}
	})
	t.Run("a length that is not the message's", func(t *testing.T) {
		start := len(magic) + 4 + len(roster)
		for i, b := range frames {
			if flips >= 2000 && i%(len(frames)/7+1) == 0 || i == len(frames)/2 || i == len(frames)-1 {
				for bit := range 32 {
					if flips < 2000 && bit%5 != i%5 {
						continue
					}
					file := slices.Clone(g.file)
					file[start+bit/8] ^= 1 << (bit % 8)
					_, err := Verify(file, rulesOf)
					var altered *AlteredError
					require.ErrorAs(t, err, &altered, "message %d, bit %d", i, bit)
					require.NotContains(t, err.Error(), "EOF")
				}
			}
			start += 4 + len(b)
		}
	})
	t.Run("no winners before all have signed the result", func(t *testing.T) {
		rep, err := Verify(fileOf(roster, frames[:n-1]...), rulesOf)
		require.NoError(t, err)
		require.Equal(t, Incomplete, rep.Result)
		require.Empty(t, rep.Winners)
		require.Zero(t, rep.Outcome)
		require.Contains(t, rep.Note, "before all had signed the result")
	})
	t.Run("something after the end", func(t *testing.T) {
		for what, more := range map[string][]byte{
			"a byte": {0}, "three bytes": {1, 2, 3}, "an empty message": {0, 0, 0, 0}, "half a message": {0, 0, 1, 0, 7, 7},
			"a message of nobody": append([]byte{0, 0, 0, 200}, make([]byte, 200)...), "a length of 4 GB": {255, 255, 255, 255},
			"the file again": g.file, "the last message again": fileOf(frames[n-1])[len(magic):],
		} {
			rep, err := Verify(append(slices.Clone(g.file), more...), rulesOf)
			require.Error(t, err, what)
			located(t, what, rep, err)
		}
		void := golden(t, "golden-void")
		_, err := Verify(append(slices.Clone(void), 1, 2), rulesOf)
		require.Error(t, err, "a void game")
	})
	t.Run("another roster", func(t *testing.T) {
		other := seatPlayers(t, 4, 4713)
		_, err := Verify(fileOf(other.roster, frames...), rulesOf)
		var altered *AlteredError
		require.ErrorAs(t, err, &altered)
		require.Equal(t, 0, altered.Message)
	})
	t.Run("another version", func(t *testing.T) {
		var unreadable *UnreadableError
		_, err := Verify([]byte(strings.Replace(string(g.file), "transcript 1", "transcript 2", 1)), rulesOf)
		require.ErrorAs(t, err, &unreadable)
		_, err = Verify(fileOf(otherOffer(t, func(o *Offer) { o.Rules = "standoff-rules/0" }), frames...), rulesOf)
		require.ErrorAs(t, err, &unreadable)
		require.ErrorContains(t, err, `"standoff-rules/0"`)
		require.ErrorContains(t, err, RulesVersion)
		_, err = Verify(fileOf(otherOffer(t, func(o *Offer) { o.Protocol = 9 }), frames...), rulesOf)
		require.ErrorContains(t, err, "protocol version 9, this program speaks 1")
		_, err = Verify(fileOf(otherOffer(t, func(o *Offer) { o.Sets = []string{"base", "no such box"} }), frames...), rulesOf)
		require.ErrorAs(t, err, &unreadable)
		require.ErrorContains(t, err, "no such box")
		x := must(parseEnvelope(frames[0])).text
		x.Version = 2
		b := encode(x)
		s := must(ReadRoster(NewRistretto(nil), roster))
		require.Equal(t, s.Joins[0].Key, []byte(g.net.tables[0].me.id.Public().(ed25519.PublicKey)))
		raw := append(NewRistretto(nil).Sign(g.net.tables[0].me.id, append([]byte(envelopeDomain), b...)), b...)
		_, err = Verify(fileOf(roster, raw), rulesOf)
		require.ErrorContains(t, err, "protocol version 2, this program speaks 1")
	})
}

// some are the numbers from 0 to n-1, or as many of them as are wanted with the last ones among them.
func some(n, wanted int) []int {
	var list []int
	for k := range n {
		if wanted >= n || k%max(1, n/wanted) == 0 || k > n-6 {
			list = append(list, k)
		}
	}
	return list
}

// otherOffer is a roster of four that is in order but for what change does to its offer.
func otherOffer(t *testing.T, change func(*Offer)) []byte {
	t.Helper()
	s := seatPlayers(t, 4, 4714)
	suite := NewRistretto(nil)
	r := must(ReadRoster(suite, s.roster))
	opener := s.keys[r.SeatOf(r.Offer.Opener)]
	o := r.Offer
	change(&o)
	offer := sign(suite, offerDomain, opener, o)
	var joins [][]byte
	for i, k := range s.keys {
		j, err := SignJoin(suite, idOf(offer.Text), r.Joins[i].Nick, true, k, source(1, uint64(i)))
		require.NoError(t, err)
		joins = append(joins, j)
	}
	return encode(sign(suite, rosterDomain, opener, rosterText{Offer: encode(offer), Joins: joins}))
}
