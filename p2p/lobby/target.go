package lobby

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"standoff/p2p/node"
)

// ErrBareAddress refuses an ip number and port without a key: anybody there could pose as the host.
var ErrBareAddress = errors.New("an address without a key: give the whole address or the invite code as the host's program prints it")

// A Target is where somebody wants to sit down: exactly one of the three.
type Target struct {
	Name    string
	Address *node.Address
	Code    *Code
}

// ParseTarget tells a table's name, a full address (/ip4/…/tcp/…/p2p/…) and an invite code from each other.
func ParseTarget(text string) (Target, error) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "/") {
		a, err := node.ParseAddress(text)
		return Target{Address: &a}, err
	}
	if _, err := netip.ParseAddrPort(text); err == nil {
		return Target{}, fmt.Errorf("%q: %w", text, ErrBareAddress)
	}
	if _, err := netip.ParseAddr(text); err == nil {
		return Target{}, fmt.Errorf("%q: %w", text, ErrBareAddress)
	}
	// No name is as long as half a code.
	if len(text) > MaxName {
		c, err := ParseCode(text)
		return Target{Code: &c}, err
	}
	return Target{Name: text}, CheckName(text)
}
