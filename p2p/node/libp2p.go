package node

import (
	"net/netip"
	"time"

	"github.com/libp2p/go-libp2p"
	"github.com/libp2p/go-libp2p/core/host"
	"github.com/libp2p/go-libp2p/core/network"
	rcmgr "github.com/libp2p/go-libp2p/p2p/host/resource-manager"
	"github.com/libp2p/go-libp2p/p2p/muxer/yamux"
	"github.com/libp2p/go-libp2p/p2p/net/connmgr"
	"github.com/libp2p/go-libp2p/p2p/security/noise"
	"github.com/libp2p/go-libp2p/x/rate"
	ma "github.com/multiformats/go-multiaddr"
)

// newLibp2p makes a libp2p host that does nothing but TCP within the gater's
// bounds: no relay, no hole punching, no port mapping, no reachability probes,
// no metrics, no look-up of names.
func newLibp2p(i Identity, g *gater, network *[32]byte) (host.Host, error) {
	key, err := i.libp2p()
	if err != nil {
		return nil, err
	}
	limits, err := resources()
	if err != nil {
		return nil, err
	}
	conns, err := connmgr.NewConnManager(32, 64)
	if err != nil {
		return nil, err
	}
	private := libp2p.ChainOptions()
	if network != nil {
		// Whoever lacks the secret does not get as far as a handshake.
		private = libp2p.PrivateNetwork(network[:])
	}
	return libp2p.New(
		private,
		libp2p.Identity(key),
		libp2p.NoListenAddrs, // addresses follow one by one, for an error of each
		libp2p.Transport(newZoned),
		libp2p.Security(noise.ID, noise.New),
		libp2p.Muxer(yamux.ID, yamux.DefaultTransport),
		libp2p.DisableRelay(),
		libp2p.DisableMetrics(),
		libp2p.DisableIdentifyAddressDiscovery(),
		libp2p.ForceReachabilityPrivate(),
		libp2p.Ping(false),
		libp2p.UserAgent("standoff"),
		libp2p.WithDialTimeout(dialTimeout),
		libp2p.ConnectionManager(conns),
		libp2p.ConnectionGater(g),
		libp2p.ResourceManager(limits),
		libp2p.MultiaddrResolver(noNames{}),
		libp2p.AddrsFactory(func(all []ma.Multiaddr) []ma.Multiaddr { return shareable(all, g.vpn) }),
	)
}

// resources bounds what all peers together, and each of them, may use. libp2p
// allows eight connections from one address; a household behind one address, or
// a test with a table on one machine, needs more.
func resources() (network.ResourceManager, error) {
	limits := rcmgr.PartialLimitConfig{
		System:      rcmgr.ResourceLimits{Conns: 64, ConnsInbound: 64, ConnsOutbound: 64, Streams: 1024, StreamsInbound: 1024, StreamsOutbound: 1024, FD: 128, Memory: 128 << 20},
		Transient:   rcmgr.ResourceLimits{Conns: 32, ConnsInbound: 32, ConnsOutbound: 32},
		PeerDefault: rcmgr.ResourceLimits{Conns: 4, ConnsInbound: 4, ConnsOutbound: 4, Streams: 64, StreamsInbound: 64, StreamsOutbound: 64, Memory: 16 << 20},
	}.Build(rcmgr.DefaultLimits.AutoScale())
	newcomers := rate.Limit{RPS: 5, Burst: 64}
	return rcmgr.NewResourceManager(rcmgr.NewFixedLimiter(limits),
		rcmgr.WithMetricsDisabled(),
		rcmgr.WithLimitPerSubnet(
			[]rcmgr.ConnLimitPerSubnet{{PrefixLength: 32, ConnCount: 32}},
			[]rcmgr.ConnLimitPerSubnet{{PrefixLength: 56, ConnCount: 64}}),
		rcmgr.WithConnRateLimiters(&rate.Limiter{
			NetworkPrefixLimits: []rate.PrefixLimit{
				{Prefix: netip.MustParsePrefix("127.0.0.0/8")},
				{Prefix: netip.MustParsePrefix("::1/128")},
			},
			SubnetRateLimiter: rate.SubnetLimiter{
				IPv4SubnetLimits: []rate.SubnetLimit{{PrefixLength: 32, Limit: newcomers}},
				IPv6SubnetLimits: []rate.SubnetLimit{{PrefixLength: 56, Limit: newcomers}},
				GracePeriod:      time.Minute,
			},
		}))
}

// shareable are the addresses that others are told: local ones only, and
// loopback only when there is nothing else. Of a link-local one of IPv6 the
// zone is left out, which each machine calls by a name of its own.
func shareable(all []ma.Multiaddr, vpn []netip.Prefix) []ma.Multiaddr {
	var near, link, far []ma.Multiaddr
	for _, a := range all {
		at, err := place(a)
		switch {
		case err != nil || !local(at.Addr(), vpn):
		case ofLink(at.Addr()):
			link = append(link, a[len(a)-2:])
		case at.Addr().IsLoopback():
			near = append(near, a)
		default:
			far = append(far, a)
		}
	}
	for _, best := range [][]ma.Multiaddr{far, link, near} {
		if len(best) > 0 {
			return best[:min(len(best), maxAddresses)]
		}
	}
	return nil
}
