package node

import (
	"net/netip"
	"sync/atomic"

	"github.com/libp2p/go-libp2p/core/control"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	ma "github.com/multiformats/go-multiaddr"
)

// A gater decides before a packet leaves, and before a handshake is answered,
// whether a connection may be: only within the local network, only with peers
// that are admitted, and with as many spectators as a room has places for.
type gater struct {
	vpn     []netip.Prefix
	admit   atomic.Pointer[func(Key) bool]
	gallery *gallery // nil: no spectators
}

// admits reports whether p may be a peer of this host.
func (g *gater) admits(p peer.ID) bool {
	key, err := keyOf(p)
	if err != nil {
		return false
	}
	admit := g.admit.Load()
	return admit == nil || (*admit)(key)
}

func (g *gater) InterceptPeerDial(p peer.ID) bool { return g.admits(p) }

func (g *gater) InterceptAddrDial(_ peer.ID, a ma.Multiaddr) bool {
	if where, last := ma.SplitLast(a); last != nil && last.Protocol().Code == ma.P_P2P {
		a = where
	}
	return checkPlace(undoubled(a), g.vpn) == nil
}

func (g *gater) InterceptAccept(c network.ConnMultiaddrs) bool {
	return checkPlace(c.RemoteMultiaddr(), g.vpn) == nil
}

func (g *gater) InterceptSecured(d network.Direction, p peer.ID, c network.ConnMultiaddrs) bool {
	guest := d == network.DirInbound && g.gallery != nil && g.gallery.lets(p, homeAt(c))
	return (g.admits(p) || guest) && checkPlace(c.RemoteMultiaddr(), g.vpn) == nil
}

func (g *gater) InterceptUpgraded(network.Conn) (bool, control.DisconnectReason) { return true, 0 }
