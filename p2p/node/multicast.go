package node

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"time"

	"golang.org/x/net/ipv4"
	"golang.org/x/net/ipv6"
)

// The groups of multicast DNS (RFC 6762, 3).
var (
	group4 = netip.MustParseAddrPort("224.0.0.251:5353")
	group6 = netip.MustParseAddrPort("[ff02::fb]:5353")
)

// A group is the multicast group of one IP version, and this program's socket there. Of several programs of one machine
// each hears everything.
type group struct {
	at netip.AddrPort
	v4 *ipv4.PacketConn // one of the two is nil
	v6 *ipv6.PacketConn
}

// joinGroups joins the group of its IP version on every interface. What fails on one does not keep the others from
// talking; where nothing works the error is that of the last.
func joinGroups(reaches []*reach) (groups []*group, err error) {
	for _, at := range []netip.AddrPort{group4, group6} {
		var own []*reach
		for _, r := range reaches {
			if r.six == at.Addr().Is6() {
				own = append(own, r)
			}
		}
		if own == nil {
			continue
		}
		g, e := joinGroup(at, own)
		if e != nil {
			err = e
			continue
		}
		groups = append(groups, g)
	}
	if groups == nil {
		return nil, fmt.Errorf("discovery: %w", err)
	}
	return groups, nil
}

func joinGroup(at netip.AddrPort, reaches []*reach) (*group, error) {
	// A multicast address makes the port shared with the system's own resolver; the socket then hears all addresses.
	version, shared := "udp4", netip.MustParseAddr("224.0.0.0")
	if at.Addr().Is6() {
		version, shared = "udp6", netip.MustParseAddr("ff02::")
	}
	udp, err := net.ListenUDP(version, net.UDPAddrFromAddrPort(netip.AddrPortFrom(shared, at.Port())))
	if err != nil {
		return nil, err
	}
	g := &group{at: at}
	var join func(*net.Interface, net.Addr) error
	// Where the system does not tell the interface of a packet, packets are told apart by their source.
	if at.Addr().Is6() {
		g.v6 = ipv6.NewPacketConn(udp)
		join = g.v6.JoinGroup
		_ = g.v6.SetControlMessage(ipv6.FlagInterface, true)
		_ = g.v6.SetMulticastHopLimit(255)
		_ = g.v6.SetMulticastLoopback(true)
	} else {
		g.v4 = ipv4.NewPacketConn(udp)
		join = g.v4.JoinGroup
		_ = g.v4.SetControlMessage(ipv4.FlagInterface, true)
		_ = g.v4.SetMulticastTTL(255)
		_ = g.v4.SetMulticastLoopback(true)
	}
	for _, r := range reaches {
		if e := join(r.card(), net.UDPAddrFromAddrPort(at)); e != nil {
			err = e
		} else {
			r.group = g
		}
	}
	for _, r := range reaches {
		if r.group != nil {
			return g, nil
		}
	}
	return nil, errors.Join(err, g.Close())
}

func (g *group) Close() error {
	if g.v6 != nil {
		return g.v6.Close()
	}
	return g.v4.Close()
}

func (g *group) setReadDeadline(t time.Time) error {
	if g.v6 != nil {
		return g.v6.SetReadDeadline(t)
	}
	return g.v4.SetReadDeadline(t)
}

// read waits for a packet: its size, whence it came, and the index of the interface, 0 when unknown.
func (g *group) read(buf []byte) (n int, from netip.AddrPort, on int, err error) {
	var addr net.Addr
	if g.v6 != nil {
		var cm *ipv6.ControlMessage
		if n, cm, addr, err = g.v6.ReadFrom(buf); cm != nil {
			on = cm.IfIndex
		}
	} else {
		var cm *ipv4.ControlMessage
		if n, cm, addr, err = g.v4.ReadFrom(buf); cm != nil {
			on = cm.IfIndex
		}
	}
	if udp, ok := addr.(*net.UDPAddr); ok && err == nil {
		at := udp.AddrPort()
		from = netip.AddrPortFrom(at.Addr().Unmap(), at.Port())
	}
	return n, from, on, err
}

// say sends to everybody on an interface. A packet that cannot be sent is like one that is lost: there will be another.
func (g *group) say(on *net.Interface, b []byte) {
	to := net.UDPAddrFromAddrPort(g.at)
	if g.v6 != nil {
		if to.Zone = on.Name; g.v6.SetMulticastInterface(on) == nil {
			_, _ = g.v6.WriteTo(b, nil, to)
		}
		return
	}
	if g.v4.SetMulticastInterface(on) == nil {
		_, _ = g.v4.WriteTo(b, nil, to)
	}
}

// reply sends to one program alone.
func (g *group) reply(to netip.AddrPort, b []byte) {
	if g.v6 != nil {
		_, _ = g.v6.WriteTo(b, nil, net.UDPAddrFromAddrPort(to))
	} else {
		_, _ = g.v4.WriteTo(b, nil, net.UDPAddrFromAddrPort(to))
	}
}
