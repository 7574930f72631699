package lobby

import (
	"crypto/sha256"
	"fmt"
	"net/netip"
	"strings"

	"standoff/p2p/node"
)

// A Code is an invitation to one table, short enough to be read aloud: where its opener is, which key the opener
// must prove, and the secret of a private table (all zero for a table that is open to the whole network).
//
//	version 1 byte | IPv4 4 | port 2 | Ed25519 key 32 | secret 16 | check 20 bits
//
// It is written in 92 letters and digits, in 23 groups of four; the last group is the check. I and L are read as 1,
// O as 0, small letters as capitals; spaces and dashes do not matter.
type Code struct {
	At     netip.AddrPort
	Key    node.Key
	Secret [16]byte
}

const (
	codeVersion = 1
	codeBytes   = 55
	codeGroups  = 23
	alphabet    = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
)

// A CodeError says why a code cannot be read. Group counts from 1; it is 0 when no single group is to blame. What
// is wrong in one group only is always found, as the check is that of a Reed-Solomon code; several wrong groups are
// found out, but not always by their number.
type CodeError struct {
	Group int
	Char  rune // the letter that no code has, else 0
	Short int  // so many letters are missing; negative: too many
}

func (e *CodeError) Error() string {
	switch {
	case e.Char != 0:
		return fmt.Sprintf("invite code: group %d: %q is in no code", e.Group, e.Char)
	case e.Short > 0:
		return fmt.Sprintf("invite code: %d letters are missing, it has %d groups of four", e.Short, codeGroups)
	case e.Short < 0:
		return fmt.Sprintf("invite code: %d letters too many, it has %d groups of four", -e.Short, codeGroups)
	case e.Group > 0:
		return fmt.Sprintf("invite code: group %d is mistyped", e.Group)
	}
	return "invite code: several groups are mistyped"
}

// Private reports whether the table is a private one.
func (c Code) Private() bool { return c.Secret != [16]byte{} }

// Network is the key of the private network of the table, nil for an open table: what [node.Config] takes.
func (c Code) Network() *[32]byte {
	if !c.Private() {
		return nil
	}
	k := sha256.Sum256(append([]byte("standoff/network/1"), c.Secret[:]...))
	return &k
}

// Address is where the opener is.
func (c Code) Address() (node.Address, error) { return node.AddressOf(c.At, c.Key) }

// String is the code in groups of four.
func (c Code) String() string {
	b := make([]byte, 0, codeBytes)
	ip := c.At.Addr().Unmap().As4()
	b = append(b, codeVersion)
	b = append(b, ip[:]...)
	b = append(b, byte(c.At.Port()>>8), byte(c.At.Port()))
	b = append(b, c.Key[:]...)
	b = append(b, c.Secret[:]...)
	s := symbols(b)
	s = append(s, parity(s)...)
	var out strings.Builder
	for i, v := range s {
		if i > 0 && i%2 == 0 {
			out.WriteByte('-')
		}
		out.WriteByte(alphabet[v>>5])
		out.WriteByte(alphabet[v&31])
	}
	return out.String()
}

// ParseCode reads a code. The error is a *[CodeError], or says what the code, though well written, asks for that
// cannot be done.
func ParseCode(text string) (Code, error) {
	var digits []uint16
	for _, r := range text {
		switch r {
		case ' ', '-', '\t', '\r', '\n', '.':
			continue
		}
		d, ok := digit(r)
		if !ok {
			return Code{}, &CodeError{Group: min(len(digits)/4+1, codeGroups), Char: r}
		}
		if len(digits) < 8*codeGroups {
			digits = append(digits, d)
		}
	}
	if short := 4*codeGroups - len(digits); short != 0 {
		return Code{}, &CodeError{Short: short}
	}
	s := make([]uint16, 2*codeGroups)
	for i := range s {
		s[i] = digits[2*i]<<5 | digits[2*i+1]
	}
	if at, ok := wrong(s); !ok {
		return Code{}, &CodeError{Group: at/2 + 1}
	}
	b := octets(s[:2*codeGroups-2])
	if b[0] != codeVersion {
		return Code{}, fmt.Errorf("invite code of version %d, this program reads version %d", b[0], codeVersion)
	}
	c := Code{
		At:     netip.AddrPortFrom(netip.AddrFrom4([4]byte(b[1:5])), uint16(b[5])<<8|uint16(b[6])),
		Key:    node.Key(b[7:39]),
		Secret: [16]byte(b[39:55]),
	}
	if _, err := c.Address(); err != nil {
		return Code{}, fmt.Errorf("invite code: %w", err)
	}
	return c, nil
}

func digit(r rune) (uint16, bool) {
	if r >= 'a' && r <= 'z' {
		r -= 'a' - 'A'
	}
	switch r {
	case 'I', 'L':
		r = '1'
	case 'O':
		r = '0'
	}
	i := strings.IndexRune(alphabet, r)
	return uint16(i), i >= 0
}

// symbols cuts 55 bytes into 44 numbers of ten bits.
func symbols(b []byte) []uint16 {
	var s []uint16
	var acc uint32
	n := 0
	for _, x := range b {
		acc, n = acc<<8|uint32(x), n+8
		if n >= 10 {
			n -= 10
			s = append(s, uint16(acc>>n)&1023)
		}
	}
	return s
}

// octets is the inverse of symbols.
func octets(s []uint16) []byte {
	var b []byte
	var acc uint32
	n := 0
	for _, x := range s {
		acc, n = acc<<10|uint32(x), n+10
		for n >= 8 {
			n -= 8
			b = append(b, byte(acc>>n))
		}
	}
	return b
}

// The check: the 46 symbols s of a code, as elements of GF(1024) with x^10 = x^3 + 1 and the primitive element
// a = x, satisfy Σ s[i] = 0 and Σ s[i]·a^i = 0. One wrong symbol, by e at place i, makes these sums e and e·a^i, and
// so tells its place.

const last = 2*codeGroups - 1

// parity returns the two check symbols of 44 symbols: u + v = A and u·a^44 + v·a^45 = B.
func parity(s []uint16) []uint16 {
	sum, weighted := sums(s)
	// v·(a^44 + a^45) = B + A·a^44
	v := times(weighted^times(sum, power(last-1)), inverse(power(last-1)^power(last)))
	return []uint16{sum ^ v, v}
}

// wrong checks all 46 symbols. When they fail, at is the place of the wrong one, if it is one, else -2.
func wrong(s []uint16) (at int, ok bool) {
	sum, weighted := sums(s)
	if sum == 0 && weighted == 0 {
		return 0, true
	}
	if sum != 0 {
		for i := range s {
			if times(sum, power(i)) == weighted {
				return i, false
			}
		}
	}
	return -2, false
}

func sums(s []uint16) (sum, weighted uint16) {
	for i, v := range s {
		sum ^= v
		weighted ^= times(v, power(i))
	}
	return sum, weighted
}

// times multiplies in GF(1024).
func times(a, b uint16) uint16 {
	var p uint16
	for ; b != 0; b >>= 1 {
		if b&1 != 0 {
			p ^= a
		}
		if a <<= 1; a&1024 != 0 {
			a ^= 1024 | 8 | 1
		}
	}
	return p
}

// power is a^n.
func power(n int) uint16 {
	p := uint16(1)
	for range n {
		p = times(p, 2)
	}
	return p
}

// inverse is b^1022.
func inverse(b uint16) uint16 {
	p := uint16(1)
	for range 1022 {
		p = times(p, b)
	}
	return p
}
