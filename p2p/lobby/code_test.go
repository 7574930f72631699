package lobby_test

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"standoff/p2p/lobby"
	"standoff/p2p/node"
)

const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

func code(t testing.TB) lobby.Code {
	return lobby.Code{
		At: netip.MustParseAddrPort("192.168.1.20:4001"), Key: identity(t).Key(),
		Secret: [16]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16},
	}
}

func TestACodeIsReadBackHoweverItIsWritten(t *testing.T) {
	c := code(t)
	text := c.String()
	require.Len(t, text, 23*4+22)
	for _, written := range []string{
		text, strings.ToLower(text), strings.ReplaceAll(text, "-", ""), strings.ReplaceAll(text, "-", "  "),
		strings.ReplaceAll(strings.ReplaceAll(text, "0", "o"), "1", "l"), "\n" + text + "\n",
	} {
		got, err := lobby.ParseCode(written)
		require.NoError(t, err)
		require.Equal(t, c, got)
		target, err := lobby.ParseTarget(written)
		require.NoError(t, err)
		require.Equal(t, c, *target.Code)
	}
	a, err := c.Address()
	require.NoError(t, err)
	require.Equal(t, "/ip4/192.168.1.20/tcp/4001/p2p/", a.String()[:31])
	require.Equal(t, c.Key, a.Key())
	require.NotNil(t, c.Network())
	c.Secret = [16]byte{}
	require.Nil(t, c.Network())
	require.False(t, c.Private())
}

// Every single wrong letter, and every two neighbours swapped within a group of two, are found by their group.
func TestOneWrongLetterIsNamedByItsGroup(t *testing.T) {
	text := strings.ReplaceAll(code(t).String(), "-", "")
	for i := range text {
		for _, r := range letters {
			if byte(r) == text[i] {
				continue
			}
			_, err := lobby.ParseCode(text[:i] + string(r) + text[i+1:])
			var e *lobby.CodeError
			require.ErrorAs(t, err, &e)
			require.Equal(t, i/4+1, e.Group)
		}
		_, err := lobby.ParseCode(text[:i] + "U" + text[i+1:])
		var e *lobby.CodeError
		require.ErrorAs(t, err, &e)
		require.Equal(t, lobby.CodeError{Group: i/4 + 1, Char: 'U'}, *e)
	}
	_, err := lobby.ParseCode(text[1:])
	require.EqualError(t, err, "invite code: 1 letters are missing, it has 23 groups of four")
	_, err = lobby.ParseCode(text + "AB")
	require.EqualError(t, err, "invite code: 2 letters too many, it has 23 groups of four")
}

func TestSeveralWrongLettersAreFoundOut(t *testing.T) {
	text := strings.ReplaceAll(code(t).String(), "-", "")
	accepted := 0
	rapid.Check(t, func(t *rapid.T) {
		b := []byte(text)
		for range rapid.IntRange(2, 6).Draw(t, "letters") {
			b[rapid.IntRange(0, len(b)-1).Draw(t, "at")] = letters[rapid.IntRange(0, 31).Draw(t, "letter")]
		}
		if _, err := lobby.ParseCode(string(b)); err == nil && string(b) != text {
			accepted++
		}
	})
	require.Zero(t, accepted)
	// Two wrong symbols never pass: the code has distance three.
	for i := 0; i < len(text); i += 2 {
		b := []byte(text)
		b[i], b[(i+2)%len(b)] = letters[(strings.IndexByte(letters, b[i])+1)%32], letters[(strings.IndexByte(letters, b[(i+2)%len(b)])+5)%32]
		_, err := lobby.ParseCode(string(b))
		require.Error(t, err)
	}
}

func TestACodeNeverLeadsOutOfTheLocalNetwork(t *testing.T) {
	for at, want := range map[string]error{"8.8.8.8:53": node.ErrNotLAN, "10.0.0.1:0": nil} {
		c := code(t)
		c.At = netip.MustParseAddrPort(at)
		_, err := lobby.ParseCode(c.String())
		require.Error(t, err)
		if want != nil {
			require.ErrorIs(t, err, want)
		}
	}
}

func TestTargets(t *testing.T) {
	a := "/ip4/192.168.1.20/tcp/4001/p2p/" + "12D3KooWQYhTNQdmr3ArTeUHRYzFg94BKyTkoWBDWez9kSCVe2Xo"
	target, err := lobby.ParseTarget(a)
	require.NoError(t, err)
	require.Equal(t, a, target.Address.String())
	for _, bare := range []string{"192.168.1.20:4001", "192.168.1.20", "[fd00::1]:4001"} {
		_, err = lobby.ParseTarget(bare)
		require.ErrorIs(t, err, lobby.ErrBareAddress)
	}
	target, err = lobby.ParseTarget(" saloon at noon ")
	require.NoError(t, err)
	require.Equal(t, lobby.Target{Name: "saloon at noon"}, target)
	for _, bad := range []string{"", "/ip4/8.8.8.8/tcp/1/p2p/x", "a\x1bb", strings.Repeat("A", 50)} {
		_, err = lobby.ParseTarget(bad)
		require.Error(t, err, bad)
	}
}

func FuzzParseTarget(f *testing.F) {
	f.Add(code(f).String())
	f.Add("saloon")
	f.Add("/ip4/10.0.0.1/tcp/1")
	f.Fuzz(func(t *testing.T, s string) {
		target, err := lobby.ParseTarget(s)
		if err == nil && target.Code != nil {
			again, err := lobby.ParseCode(target.Code.String())
			require.NoError(t, err)
			require.Equal(t, *target.Code, again)
		}
		var e *lobby.CodeError
		if errors.As(err, &e) {
			require.LessOrEqual(t, e.Group, 23)
		}
	})
}
