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

// LAN are the addresses to listen on to be reached on the local network: all local IPv4 addresses of the interfaces
// named, or of all that are up and lead to other machines. Port 0 is any free port, on each its own. It is empty
// when there is no network.
//
// IPv6 is left out: libp2p does not dial link-local IPv6 addresses, and a home network seldom has others.
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
		for _, p := range i.Local {
			if p.Addr().Is4() {
				out = append(out, netip.AddrPortFrom(p.Addr(), port))
			}
		}
	}
	return out, nil
}
