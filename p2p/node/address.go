package node

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"

	"github.com/libp2p/go-libp2p/core/peer"
	ma "github.com/multiformats/go-multiaddr"
)

// ErrNotLAN marks an address that is not on a local network. Nothing is ever
// sent to one nor accepted from one.
var ErrNotLAN = errors.New("not an address of a local network (loopback, private or link-local)")

// An Address says where a peer is and which key it must prove to have there. The
// zero Address is invalid.
type Address struct {
	key   Key
	id    peer.ID
	where ma.Multiaddr // ip and tcp port, no peer id
}

// ParseAddress reads an address in the form that Host.Addresses prints:
//
//	/ip4/192.168.1.20/tcp/4001/p2p/12D3KooW…
//	/ip6zone/eth0/ip6/fe80::1/tcp/4001/p2p/12D3KooW…   on the link that this machine's interface eth0 is on
//
// It must be a number (names are never looked up: that would ask a server
// beyond the table), on a local network, over TCP, and must carry the peer id:
// without it anybody at that address could pose as the player.
func ParseAddress(s string) (Address, error) {
	if _, err := netip.ParseAddrPort(s); err == nil {
		return Address{}, fmt.Errorf("address %q: where, but not who: give the whole address as the other peer prints it, /ip4/…/tcp/…/p2p/…", s)
	}
	full, err := ma.NewMultiaddr(s)
	if err != nil {
		return Address{}, fmt.Errorf("address %q: must look like /ip4/192.168.1.20/tcp/4001/p2p/ID: %w", s, err)
	}
	where, last := ma.SplitLast(full)
	if last == nil || last.Protocol().Code != ma.P_P2P {
		if err := checkPlace(full, nil); err != nil {
			return Address{}, fmt.Errorf("address %q: %w", s, err)
		}
		return Address{}, fmt.Errorf("address %q: the end /p2p/ID is missing: give the whole address as the other peer prints it", s)
	}
	if err := checkPlace(where, nil); err != nil {
		return Address{}, fmt.Errorf("address %q: %w", s, err)
	}
	id := peer.ID(last.RawValue())
	key, err := keyOf(id)
	if err != nil {
		return Address{}, fmt.Errorf("address %q: %w", s, err)
	}
	return Address{key, id, where}, nil
}

// AddressOf is the address of the peer with a key at an ip number and TCP port.
func AddressOf(at netip.AddrPort, key Key) (Address, error) {
	id, err := key.peerID()
	if err != nil {
		return Address{}, err
	}
	where, err := multiaddr(netip.AddrPortFrom(at.Addr().Unmap(), at.Port()))
	if err != nil {
		return Address{}, fmt.Errorf("address %s: %w", at, err)
	}
	if at.Port() == 0 {
		return Address{}, fmt.Errorf("address %s: a port is needed", at)
	}
	if err := checkPlace(where, nil); err != nil {
		return Address{}, fmt.Errorf("address %s: %w", at, err)
	}
	return Address{key, id, where}, nil
}

// Place is the ip number and the TCP port.
func (a Address) Place() netip.AddrPort {
	at, _ := place(a.where) // checked when the address was made
	return at
}

// Key is the key that the peer there must prove to have.
func (a Address) Key() Key { return a.key }

// String is the address in the form that ParseAddress reads.
func (a Address) String() string { return fmt.Sprintf("%s/p2p/%s", a.where, a.id) }

// MarshalText is String.
func (a Address) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText is ParseAddress.
func (a *Address) UnmarshalText(text []byte) error {
	b, err := ParseAddress(string(text))
	if err == nil {
		*a = b
	}
	return err
}

// place reads an address that is exactly an ip number and a TCP port.
func place(a ma.Multiaddr) (netip.AddrPort, error) {
	zone := ""
	if len(a) > 1 && a[0].Protocol().Code == ma.P_IP6ZONE && a[1].Protocol().Code == ma.P_IP6 {
		zone, a = a[0].Value(), a[1:]
	}
	if len(a) == 0 {
		return netip.AddrPort{}, errors.New("empty address")
	}
	switch a[0].Protocol().Code {
	case ma.P_IP4, ma.P_IP6:
	case ma.P_DNS, ma.P_DNS4, ma.P_DNS6, ma.P_DNSADDR:
		return netip.AddrPort{}, errors.New("names are not looked up: give the number, /ip4/… or /ip6/…")
	default:
		return netip.AddrPort{}, errors.New("must begin with /ip4/… or /ip6/…")
	}
	if len(a) != 2 || a[1].Protocol().Code != ma.P_TCP {
		return netip.AddrPort{}, errors.New("must be an ip number and a TCP port, /ip4/…/tcp/…, and no other transport")
	}
	at, err := netip.ParseAddrPort(net.JoinHostPort(a[0].Value(), a[1].Value()))
	if err != nil || zone == "" {
		return at, err
	}
	if !ofLink(at.Addr()) {
		return at, errors.New("only a link-local address is one of a zone")
	}
	return netip.AddrPortFrom(at.Addr().WithZone(zone), at.Port()), nil
}

// checkPlace says why nothing may be sent to, or accepted from, address a. The
// prefixes vpn are local by the person's own word.
func checkPlace(a ma.Multiaddr, vpn []netip.Prefix) error {
	at, err := place(a)
	if err != nil {
		return err
	}
	if !local(at.Addr(), vpn) {
		return fmt.Errorf("%s: %w", at.Addr(), ErrNotLAN)
	}
	return nil
}

// local tells the addresses of a local network from all others: loopback,
// RFC 1918 and RFC 4193, link-local, and the prefixes vpn.
func local(ip netip.Addr, vpn []netip.Prefix) bool {
	ip = ip.Unmap().WithZone("")
	if ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() {
		return true
	}
	for _, prefix := range vpn {
		if prefix.Contains(ip) {
			return true
		}
	}
	return false
}

// ofLink reports whether an address is known on one link only.
func ofLink(ip netip.Addr) bool { return ip.Is6() && ip.IsLinkLocalUnicast() }

// multiaddr is the libp2p form of an ip number and a TCP port.
func multiaddr(at netip.AddrPort) (ma.Multiaddr, error) {
	family := "/ip4/"
	switch zone := at.Addr().Zone(); {
	case zone != "":
		family = "/ip6zone/" + zone + "/ip6/"
	case at.Addr().Is6():
		family = "/ip6/"
	}
	return ma.NewMultiaddr(fmt.Sprintf("%s%s/tcp/%d", family, at.Addr().WithZone(""), at.Port()))
}

// noNames answers every look-up of a name with an error. Without it libp2p would
// ask the system's DNS server for the names in peers' addresses, gater or not.
type noNames struct{}

var errNoNames = errors.New("names are not looked up")

func (noNames) ResolveDNSAddr(context.Context, peer.ID, ma.Multiaddr, int, int) ([]ma.Multiaddr, error) {
	return nil, errNoNames
}

func (noNames) ResolveDNSComponent(context.Context, ma.Multiaddr, int) ([]ma.Multiaddr, error) {
	return nil, errNoNames
}
