package node

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"syscall"
	"time"

	"github.com/libp2p/go-libp2p"
	pubsub "github.com/libp2p/go-libp2p-pubsub"
	"github.com/libp2p/go-libp2p/core/host"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/record"
	rcmgr "github.com/libp2p/go-libp2p/p2p/host/resource-manager"
	"github.com/libp2p/go-libp2p/p2p/muxer/yamux"
	"github.com/libp2p/go-libp2p/p2p/net/connmgr"
	"github.com/libp2p/go-libp2p/p2p/security/noise"
	"github.com/libp2p/go-libp2p/p2p/transport/tcp"
	"github.com/libp2p/go-libp2p/x/rate"
	ma "github.com/multiformats/go-multiaddr"
)

var (
	// ErrClosed is returned by everything that is used after its Close.
	ErrClosed = errors.New("closed")
	// ErrPortInUse marks a Listen address whose port another program has.
	ErrPortInUse = errors.New("the port is in use by another program: choose another port, or 0 for any free one")
)

// Config is what a Host needs to know.
type Config struct {
	// Identity is the key that this host proves to others. Required.
	Identity Identity
	// Listen are the local addresses to be reached at; port 0 is any free port.
	// Default: 127.0.0.1:0. An unspecified address (0.0.0.0) is refused, since it
	// would listen beyond the local network too.
	Listen []netip.AddrPort
	// Peers are the peers to connect to. More come by Host.Meet and from the
	// peers themselves.
	Peers []Address
	// Admit says whose keys may connect. Default: everybody's. It is called from
	// many goroutines. Host.Admit replaces it.
	Admit func(Key) bool
	// VPN are address prefixes that count as local besides the real ones.
	VPN []netip.Prefix
}

// A Host is this program's place on the network. It stays connected to the peers
// it was told of and to those they tell it of, and carries the packets of the
// tables it has joined. Nothing of it ever talks beyond the local network.
type Host struct {
	id     peer.ID
	key    Key
	host   host.Host
	gater  *gater
	gossip *pubsub.PubSub
	book   *book
	sealed []byte // own record, as others get it

	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup // every goroutine of this package below the host

	mu     sync.Mutex
	closed bool
	rooms  map[[32]byte]*Room
	topics map[string]*Room
	serves chan struct{} // a token per catch-up served at this moment
}

// New starts a host. It runs until Close, or until ctx ends and Close is called.
func New(ctx context.Context, c Config) (_ *Host, err error) {
	if c.Identity.secret == nil {
		return nil, errors.New("host: an identity is needed")
	}
	if len(c.Listen) == 0 {
		c.Listen = []netip.AddrPort{netip.MustParseAddrPort("127.0.0.1:0")}
	}
	for _, at := range c.Listen {
		if !local(at.Addr(), c.VPN) {
			return nil, fmt.Errorf("listen on %s: %w: choose an address of this machine in that network", at, ErrNotLAN)
		}
	}
	h := &Host{
		key:    c.Identity.Key(),
		gater:  &gater{vpn: c.VPN},
		rooms:  map[[32]byte]*Room{},
		topics: map[string]*Room{},
		serves: make(chan struct{}, 8),
	}
	if h.id, err = h.key.peerID(); err != nil {
		return nil, err
	}
	h.ctx, h.cancel = context.WithCancel(ctx)
	h.book = newBook(h)
	defer func() {
		if err != nil {
			h.Close()
		}
	}()
	if c.Admit != nil {
		h.gater.admit.Store(&c.Admit)
	}
	if h.host, err = newLibp2p(c.Identity, h.gater); err != nil {
		return nil, fmt.Errorf("host: %w", err)
	}
	// Gossip and the streams must be there before the first peer is, since a
	// peer asks once what is spoken here.
	if h.gossip, err = newGossip(h.ctx, h.host, tracer{h}, &topics{known: map[string]bool{}}); err != nil {
		return nil, fmt.Errorf("host: %w", err)
	}
	h.host.SetStreamHandler(linkProtocol, h.acceptLink)
	h.host.SetStreamHandler(catchupProtocol, h.acceptCatchup)
	h.host.Network().Notify(&network.NotifyBundle{
		ConnectedF:    func(_ network.Network, c network.Conn) { h.moved(c.RemotePeer()) },
		DisconnectedF: func(_ network.Network, c network.Conn) { h.moved(c.RemotePeer()) },
	})
	for _, at := range c.Listen {
		if err := h.listen(at); err != nil {
			return nil, err
		}
	}
	if err := h.seal(c.Identity); err != nil {
		return nil, fmt.Errorf("host: %w", err)
	}
	for _, a := range c.Peers {
		if err := h.Meet(a); err != nil {
			return nil, err
		}
	}
	h.wg.Add(1)
	go func() {
		defer h.wg.Done()
		h.book.run(h.ctx)
	}()
	return h, nil
}

// newLibp2p makes a libp2p host that does nothing but TCP within the gater's
// bounds: no relay, no hole punching, no port mapping, no reachability probes,
// no metrics, no look-up of names.
func newLibp2p(i Identity, g *gater) (host.Host, error) {
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
	return libp2p.New(
		libp2p.Identity(key),
		libp2p.NoListenAddrs, // addresses follow one by one, for an error of each
		// A shared port would let two programs listen on one and each get half
		// of the connections, instead of telling the second that it is in use.
		libp2p.Transport(tcp.NewTCPTransport, tcp.DisableReuseport(), tcp.WithConnectionTimeout(dialTimeout)),
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
// loopback only when there is nothing else.
func shareable(all []ma.Multiaddr, vpn []netip.Prefix) []ma.Multiaddr {
	var near, far []ma.Multiaddr
	for _, a := range all {
		at, err := place(a)
		switch {
		case err != nil || !local(at.Addr(), vpn):
		case at.Addr().IsLoopback():
			near = append(near, a)
		default:
			far = append(far, a)
		}
	}
	if len(far) > 0 {
		near = far
	}
	return near[:min(len(near), maxAddresses)]
}

func (h *Host) listen(at netip.AddrPort) error {
	a, err := multiaddr(at)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", at, err)
	}
	s, ok := h.host.Network().(interface{ AddListenAddr(ma.Multiaddr) error })
	if !ok {
		panic("node: internal error: this libp2p network cannot listen")
	}
	switch err := s.AddListenAddr(a); {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("listen on %s: %w", at, ErrPortInUse)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return fmt.Errorf("listen on %s: this machine has no such address: %w", at, err)
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("listen on %s: ports below 1024 are reserved: choose a higher one: %w", at, err)
	case err != nil:
		return fmt.Errorf("listen on %s: %w", at, err)
	}
	return nil
}

// seal signs the record of where this host is.
func (h *Host) seal(i Identity) error {
	key, err := i.libp2p()
	if err != nil {
		return err
	}
	envelope, err := record.Seal(&peer.PeerRecord{PeerID: h.id, Addrs: h.where(), Seq: peer.TimestampSeq()}, key)
	if err != nil {
		return err
	}
	h.sealed, err = envelope.Marshal()
	return err
}

func (h *Host) where() []ma.Multiaddr {
	all, err := h.host.Network().InterfaceListenAddresses()
	if err != nil {
		all = h.host.Network().ListenAddresses()
	}
	return shareable(all, h.gater.vpn)
}

// Key is this host's key.
func (h *Host) Key() Key { return h.key }

// Addresses are what others give to Config.Peers to reach this host.
func (h *Host) Addresses() []Address {
	var out []Address
	for _, a := range h.where() {
		out = append(out, Address{h.key, h.id, a})
	}
	return out
}

// Meet makes a the address of a peer to be connected with, now and whenever the
// connection is lost. It is where discovery, invitations and addresses kept from
// last time come in. Meeting oneself does nothing.
func (h *Host) Meet(a Address) error {
	if err := checkPlace(a.where, h.gater.vpn); err != nil {
		return fmt.Errorf("meet %s: %w", a, err)
	}
	if err := h.book.meet(a); err != nil {
		return fmt.Errorf("meet %s: %w", a, err)
	}
	return nil
}

// Admit replaces Config.Admit and disconnects whom it does not admit. A table
// that has begun admits its seats and spectators only.
func (h *Host) Admit(admit func(Key) bool) {
	h.gater.admit.Store(&admit)
	for _, p := range h.host.Network().Peers() {
		if !h.gater.admits(p) {
			_ = h.host.Network().ClosePeer(p)
		}
	}
	h.book.poke()
}

// Close leaves all tables, closes all connections and waits until everything has
// ended. A second Close does nothing.
func (h *Host) Close() error {
	h.mu.Lock()
	first := !h.closed
	h.closed = true
	var rooms []*Room
	for _, r := range h.rooms {
		rooms = append(rooms, r)
	}
	h.mu.Unlock()
	if !first {
		return nil
	}
	for _, r := range rooms {
		r.Close()
	}
	h.cancel()
	var err error
	if h.host != nil {
		err = h.host.Close()
	}
	h.wg.Wait()
	return err
}

// enter counts a goroutine in, unless the host is closing. The goroutine ends
// with h.wg.Done.
func (h *Host) enter() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false
	}
	h.wg.Add(1)
	return true
}

func (h *Host) connected(p peer.ID) bool {
	return h.host.Network().Connectedness(p) == network.Connected
}

// moved tells book and rooms that p has come or gone.
func (h *Host) moved(p peer.ID) {
	connected := h.connected(p)
	h.book.moved(p, connected)
	if !connected {
		return
	}
	h.mu.Lock()
	var rooms []*Room
	for _, r := range h.rooms {
		rooms = append(rooms, r)
	}
	h.mu.Unlock()
	for _, r := range rooms {
		r.met(p)
	}
}

func (h *Host) roomAt(table [32]byte) *Room {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.rooms[table]
}

func (h *Host) roomOf(topic string) *Room {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.topics[topic]
}

// onlyRoom is the room of this host when it has just one.
func (h *Host) onlyRoom() *Room {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.rooms) == 1 {
		for _, r := range h.rooms {
			return r
		}
	}
	return nil
}
