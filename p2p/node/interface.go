package node

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
)

// An Interface is a network interface of this machine.
type Interface struct {
	Name      string
	Index     int
	Up        bool
	Loopback  bool
	Multicast bool           // can find others by multicast
	Container bool           // made for containers or virtual machines: no player is behind it
	Local     []netip.Prefix // its addresses in local networks, IPv4 first
	Other     []netip.Prefix // its other addresses, which are never used
}

// containers are how bridges and cables of containers and virtual machines are named.
var containers = []string{"docker", "br-", "veth", "virbr", "podman", "cni", "lxc", "lxd", "vmnet", "vboxnet"}

// Interfaces lists the network interfaces of this machine.
func Interfaces() ([]Interface, error) {
	all, err := net.Interfaces()
	if err != nil {
		return nil, fmt.Errorf("list the network interfaces: %w", err)
	}
	var out []Interface
	for _, i := range all {
		n := Interface{
			Name: i.Name, Index: i.Index,
			Up:        i.Flags&net.FlagUp != 0,
			Loopback:  i.Flags&net.FlagLoopback != 0,
			Multicast: i.Flags&net.FlagMulticast != 0,
			Container: slices.ContainsFunc(containers, func(p string) bool { return strings.HasPrefix(i.Name, p) }),
		}
		addrs, err := i.Addrs()
		if err != nil {
			continue // it has gone meanwhile
		}
		for _, a := range addrs {
			p, err := netip.ParsePrefix(a.String())
			switch {
			case err != nil:
			case local(p.Addr(), nil):
				n.Local = append(n.Local, p)
			default:
				n.Other = append(n.Other, p)
			}
		}
		slices.SortStableFunc(n.Local, func(a, b netip.Prefix) int {
			return a.Addr().BitLen() - b.Addr().BitLen()
		})
		out = append(out, n)
	}
	return out, nil
}

// homes are the addresses by which this machine is reached on an interface: those of IPv4, or where there are none, as
// in a network that nobody gives out addresses in, the link-local ones of IPv6.
func (i Interface) homes() (out []netip.Addr) {
	for _, p := range i.Local {
		switch a := p.Addr(); {
		case a.Is4():
			out = append(out, a)
		case ofLink(a) && (len(out) == 0 || out[0].Is6()): // IPv4 comes first
			out = append(out, i.zoned(a))
		}
	}
	return out
}

// zoned is an address seen from this machine: that of a link needs to say which.
func (i Interface) zoned(a netip.Addr) netip.Addr {
	if ofLink(a) {
		return a.WithZone(i.Name)
	}
	return a
}

// has reports whether the interface has an address.
func (i Interface) has(a netip.Addr) bool {
	return slices.ContainsFunc(i.Local, func(p netip.Prefix) bool { return i.zoned(p.Addr()) == a })
}

// near reports whether an address is of a local network that the interface is in.
func (i Interface) near(a netip.Addr) bool {
	return slices.ContainsFunc(i.Local, func(p netip.Prefix) bool { return p.Contains(a.WithZone("")) })
}

// LAN are the addresses to listen on to be reached on the local network, of the interfaces named, or of all that are up
// and lead to other machines: of each its local IPv4 addresses, or where it has none its link-local IPv6 addresses.
// Port 0 is any free port, on each its own. It is empty when there is no network.
func LAN(port uint16, names ...string) ([]netip.AddrPort, error) {
	all, err := Interfaces()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if !slices.ContainsFunc(all, func(i Interface) bool { return i.Name == name }) {
			var known []string
			for _, i := range all {
				known = append(known, i.Name)
			}
			return nil, fmt.Errorf("there is no interface %q; there are %s", name, strings.Join(known, ", "))
		}
	}
	var out []netip.AddrPort
	for _, i := range all {
		if !i.Up || len(names) > 0 && !slices.Contains(names, i.Name) {
			continue
		}
		if len(names) == 0 && (i.Loopback || i.Container) {
			continue
		}
		for _, a := range i.homes() {
			out = append(out, netip.AddrPortFrom(a, port))
		}
	}
	return out, nil
}
