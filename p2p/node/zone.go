package node

import (
	"context"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/transport"
	"github.com/libp2p/go-libp2p/p2p/transport/tcp"
	"github.com/libp2p/go-libp2p/p2p/transport/tcpreuse"
	ma "github.com/multiformats/go-multiaddr"
)

// A zoned transport is TCP that also dials the link-local addresses of IPv6. libp2p listens on them, but takes them out
// of every list of addresses to dial: without the zone, the name of the interface, nobody could reach them. Here the
// zone is always known, and to get an address past that list its zone is written twice.
type zoned struct{ *tcp.TcpTransport }

var _ transport.DialUpdater = zoned{}

func newZoned(u transport.Upgrader, r network.ResourceManager, shared *tcpreuse.ConnMgr) (zoned, error) {
	// A shared port would let two programs listen on one and each get half
	// of the connections, instead of telling the second that it is in use.
	t, err := tcp.NewTCPTransport(u, r, shared, tcp.DisableReuseport(), tcp.WithConnectionTimeout(dialTimeout))
	return zoned{t}, err
}

func (z zoned) CanDial(a ma.Multiaddr) bool {
	if a = undoubled(a); hasZone(a) {
		a = a[1:]
	}
	return z.TcpTransport.CanDial(a)
}

func (z zoned) Dial(ctx context.Context, a ma.Multiaddr, p peer.ID) (transport.CapableConn, error) {
	return z.TcpTransport.Dial(ctx, undoubled(a), p)
}

func (z zoned) DialWithUpdates(ctx context.Context, a ma.Multiaddr, p peer.ID, news chan<- transport.DialUpdate) (transport.CapableConn, error) {
	if hasZone(a) {
		return z.Dial(ctx, a, p) // the news would name an address that nobody waits for
	}
	return z.TcpTransport.DialWithUpdates(ctx, a, p, news)
}

func hasZone(a ma.Multiaddr) bool { return len(a) > 1 && a[0].Protocol().Code == ma.P_IP6ZONE }

// doubled are addresses as libp2p dials them all.
func doubled(all []ma.Multiaddr) []ma.Multiaddr {
	var out []ma.Multiaddr
	for _, a := range all {
		if hasZone(a) {
			a = append(ma.Multiaddr{a[0]}, a...)
		}
		out = append(out, a)
	}
	return out
}

func undoubled(a ma.Multiaddr) ma.Multiaddr {
	if hasZone(a) && hasZone(a[1:]) && a[0].Equal(&a[1]) {
		return a[1:]
	}
	return a
}
