package node

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"syscall"
	"time"

	pubsub "github.com/libp2p/go-libp2p-pubsub"
	"github.com/libp2p/go-libp2p/core/host"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
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
	// Roam, instead of Listen, listens on the local network, also after a change
	// of address.
	Roam *Roam
	// Network is the secret of a private network: only who has it too can be
	// talked with. Default: none.
	Network *[32]byte
	// Discover looks for other hosts by multicast on the interfaces listened on,
	// and meets those of the own network. Others see this host once it Announces.
	Discover bool
	// Peers are the peers to connect to. More come by Host.Meet and from the
	// peers themselves.
	Peers []Address
	// Admit says whose keys may connect. Default: everybody's. It is called from
	// many goroutines. Host.Admit replaces it.
	Admit func(Key) bool
	// VPN are address prefixes that count as local besides the real ones.
	VPN []netip.Prefix
}

// Roam says where to listen on the local network: at this port, 0 for any, on
// the interfaces named or else on all that LAN lists. While there is none, on
// loopback alone.
type Roam struct {
	Port       uint16
	Interfaces []string
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
	roams  *Roam
	self   Identity

	discovery *discovery // nil when off
	gallery   *gallery

	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup // every goroutine of this package below the host

	mu     sync.Mutex
	closed bool
	rooms  map[[32]byte]*Room
	topics map[string]*Room
	sealed []byte        // own record, as others get it
	serves chan struct{} // a token per catch-up served at this moment
}

// New starts a host. It runs until Close, or until ctx ends and Close is called.
func New(ctx context.Context, c Config) (_ *Host, err error) {
	if c.Identity.secret == nil {
		return nil, errors.New("host: an identity is needed")
	}
	if c.Roam != nil {
		if len(c.Listen) > 0 {
			return nil, errors.New("host: either Listen or Roam")
		}
		if c.Listen, err = LAN(c.Roam.Port, c.Roam.Interfaces...); err != nil {
			return nil, fmt.Errorf("host: %w", err)
		}
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
		self:   c.Identity,
		roams:  c.Roam,
		rooms:  map[[32]byte]*Room{},
		topics: map[string]*Room{},
		serves: make(chan struct{}, 8),

		gallery: newGallery(),
	}
	h.gater = &gater{vpn: c.VPN, gallery: h.gallery}
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
	if h.host, err = newLibp2p(c.Identity, h.gater, c.Network); err != nil {
		return nil, fmt.Errorf("host: %w", err)
	}
	// Gossip and the streams must be there before the first peer is, since a
	// peer asks once what is spoken here.
	if h.gossip, err = newGossip(h.ctx, h.host, tracer{h}, &topics{known: map[string]bool{}}, h.inspect); err != nil {
		return nil, fmt.Errorf("host: %w", err)
	}
	h.host.SetStreamHandler(linkProtocol, h.acceptLink)
	h.host.SetStreamHandler(catchupProtocol, h.acceptCatchup)
	h.host.SetStreamHandler(watchProtocol, h.acceptWatch)
	h.host.SetStreamHandler(seatsProtocol, h.acceptSeats)
	h.host.Network().Notify(&network.NotifyBundle{
		ConnectedF:    func(_ network.Network, c network.Conn) { h.replace(c); h.moved(c.RemotePeer()) },
		DisconnectedF: func(_ network.Network, c network.Conn) { h.moved(c.RemotePeer()) },
	})
	for _, at := range c.Listen {
		if err := h.listenSoon(at); err != nil {
			return nil, err
		}
	}
	if err := h.seal(); err != nil {
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
	if c.Discover {
		if h.discovery, err = newDiscovery(h, c.Network); err != nil {
			return nil, err
		}
		h.wg.Add(1)
		go func() {
			defer h.wg.Done()
			h.discovery.run(h.ctx)
		}()
	} else if c.Roam != nil {
		h.wg.Add(1)
		go func() {
			defer h.wg.Done()
			for h.ctx.Err() == nil {
				select {
				case <-h.ctx.Done():
				case <-time.After(lookEvery):
					h.roam()
				}
			}
		}()
	}
	return h, nil
}

// newAddress is how long a machine may need to find out that nobody else on a link has an address (RFC 4862, 5.4).
const newAddress = 4 * time.Second

// listenSoon waits where the machine has just given itself the address of a link.
func (h *Host) listenSoon(at netip.AddrPort) error {
	for late := time.Now().Add(newAddress); ; time.Sleep(newAddress / 80) {
		err := h.listen(at)
		if !ofLink(at.Addr()) || !errors.Is(err, syscall.EADDRNOTAVAIL) || time.Now().After(late) || h.ctx.Err() != nil {
			return err
		}
	}
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

// Key is this host's key.
func (h *Host) Key() Key { return h.key }

// Addresses are what others give to Config.Peers to reach this host. Where there is nothing but link-local IPv6 each
// has the zone as it is called here, for which others put theirs.
func (h *Host) Addresses() []Address {
	var out []Address
	own := h.listening()
	for _, a := range h.seen(h.where()) {
		if at, err := place(a); err == nil && (!ofLink(at.Addr()) || slices.Contains(own, at)) {
			out = append(out, Address{h.key, h.id, a})
		}
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

// Admit replaces Config.Admit and disconnects whom it does not admit, or did not
// until now: who comes again comes as what it then is. A table that has begun
// admits its seats only; for others there is RoomConfig.Spectators.
func (h *Host) Admit(admit func(Key) bool) {
	all := h.host.Network().Peers()
	before := map[peer.ID]bool{}
	for _, p := range all {
		before[p] = h.gater.admits(p)
	}
	h.gater.admit.Store(&admit)
	for _, p := range all {
		if !before[p] || !h.gater.admits(p) {
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
	h.mu.Unlock()
	if !first {
		return nil
	}
	for _, r := range h.all() {
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

// replace closes the connections that a new one makes void. A peer dials only
// when it has no connection left, and gives one up for silence: one that is
// older by that much is broken, even if nothing is noticed of that here, as
// when the peer has another address now and can still be heard at the old one.
// What is sent on it would get lost. Two peers that dial each other at the same
// time make connections that are closer together, and keep both.
func (h *Host) replace(by network.Conn) {
	for _, c := range h.host.Network().ConnsToPeer(by.RemotePeer()) {
		if by.Stat().Opened.Sub(c.Stat().Opened) < silence || !h.enter() {
			continue
		}
		go func() {
			defer h.wg.Done()
			_ = c.Close()
		}()
	}
}

// abandon closes the connections with p that stood when a hello went out which got
// no answer, unless a link of some room shows that p is heard. Both sides may take
// such a connection for a good one until TCP gives it up after minutes; only a
// new one helps.
func (h *Host) abandon(p peer.ID, since time.Time) (closed bool) {
	for _, r := range h.all() {
		if r.linked(p) {
			return false
		}
	}
	for _, c := range h.host.Network().ConnsToPeer(p) {
		if c.Stat().Opened.Before(since) {
			_, closed = c.Close(), true
		}
	}
	return closed
}

// all are the rooms of this host.
func (h *Host) all() (rooms []*Room) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range h.rooms {
		rooms = append(rooms, r)
	}
	return rooms
}

func (h *Host) connected(p peer.ID) bool {
	return h.host.Network().Connectedness(p) == network.Connected
}

// moved tells book, rooms and gallery that p has come or gone.
func (h *Host) moved(p peer.ID) {
	connected := h.connected(p)
	h.book.moved(p, connected)
	switch {
	case !connected:
		h.gallery.gone(p)
		if h.connected(p) && h.stranger(p) { // it has come again meanwhile
			h.welcomed(p)
		}
		return
	case h.stranger(p):
		h.welcomed(p)
		return
	}
	for _, r := range h.all() {
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
