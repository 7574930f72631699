package node

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"slices"
	"sync"
	"testing"
	"time"
)

var (
	// ErrNoInterface is the state of a discovery that has no interface to multicast on. It tries again.
	ErrNoInterface = errors.New("discovery: no interface with an address of a local network can multicast")
	// ErrDiscoveryInTest refuses discovery in a test program that has not said by OwnNamespace that it runs in a
	// network namespace of its own: a test must not talk to the network that the machine is in.
	ErrDiscoveryInTest = errors.New("discovery: refused in a test outside of a network namespace of its own")
)

// OwnNamespace is the environment variable by which a test program says, with the value 1, that it runs in a network
// namespace made for it.
const OwnNamespace = "STANDOFF_OWN_NAMESPACE"

// discovery looks for hosts of this program by multicast and, when there is a note, announces its own. One goroutine
// owns the sockets; it makes new ones when the interfaces change.
type discovery struct {
	h       *Host
	network string
	poked   chan struct{}
	news    chan struct{}

	mu       sync.Mutex
	note     []string // nil: not announced
	fresh    bool     // the note has changed
	look     bool     // somebody wants to know now
	state    error    // why there is no discovery at this moment
	sighted  map[Key]Sighting
	stopping bool
}

const (
	maxSighted   = 128
	maxHeardRate = 200 // packets a second looked at
	lookEvery    = 2 * time.Second
	firstAsk     = time.Second
	longestAsk   = 60 * time.Second
)

// tagOf is how a private network is called in public.
func tagOf(network *[32]byte) string {
	if network == nil {
		return ""
	}
	sum := sha256.Sum256(append([]byte("standoff/tag/1"), network[:]...))
	return fmt.Sprintf("%x", sum[:8])
}

// mayMulticast guards the network that a test's machine is in.
func mayMulticast() error {
	if testing.Testing() && os.Getenv(OwnNamespace) != "1" {
		return ErrDiscoveryInTest
	}
	return nil
}

func newDiscovery(h *Host, network *[32]byte) (*discovery, error) {
	if err := mayMulticast(); err != nil {
		return nil, err
	}
	return &discovery{
		h: h, network: tagOf(network), poked: make(chan struct{}, 1), news: make(chan struct{}, 1),
		sighted: map[Key]Sighting{}, state: ErrNoInterface,
	}, nil
}

// Announce makes this host known by multicast, with a note of up to six strings of 120 bytes that everybody on the
// network can read; nil ends that. Without Config.Discover it does nothing.
func (h *Host) Announce(note []string) error {
	if len(note) > maxNotes || slices.ContainsFunc(note, func(n string) bool { return len(n) > maxNote }) {
		return fmt.Errorf("announce: a note has at most %d strings of %d bytes: %w", maxNotes, maxNote, ErrTooLarge)
	}
	if d := h.discovery; d != nil {
		d.mu.Lock()
		d.fresh = d.fresh || !slices.Equal(d.note, note) || (d.note == nil) != (note == nil)
		d.note = slices.Clone(note)
		d.mu.Unlock()
		d.poke()
	}
	return nil
}

// Look asks at once who is there, instead of at the next of the ever rarer times.
func (h *Host) Look() {
	if d := h.discovery; d != nil {
		d.mu.Lock()
		d.look = true
		d.mu.Unlock()
		d.poke()
	}
}

// Discovery is why nobody can be found by multicast at this moment, nil when somebody can.
func (h *Host) Discovery() error {
	if h.discovery == nil {
		return errors.New("discovery: switched off")
	}
	h.discovery.mu.Lock()
	defer h.discovery.mu.Unlock()
	return h.discovery.state
}

func (d *discovery) poke() {
	select {
	case d.poked <- struct{}{}:
	default:
	}
}

// A reach is one interface that discovery speaks on, by one IP version.
type reach struct {
	Interface
	six   bool
	group *group // nil where it could not be joined
	port  uint16
	homes []netip.Addr

	due  time.Time // of an answer
	last time.Time // of the last one
}

// reaches are the interfaces this host listens on that can multicast.
func (d *discovery) reaches() ([]*reach, error) {
	all, err := Interfaces()
	if err != nil {
		return nil, err
	}
	var out []*reach
	for _, i := range all {
		for _, six := range []bool{false, true} {
			r := &reach{Interface: i, six: six}
			for _, at := range d.h.listening() {
				// One SRV record holds one port; addresses with another are left out.
				if i.has(at.Addr()) && i.Up && i.Multicast && at.Addr().Is6() == six && (r.port == 0 || r.port == at.Port()) && len(r.homes) < maxHomes {
					r.port, r.homes = at.Port(), append(r.homes, at.Addr().WithZone(""))
				}
			}
			if len(r.homes) > 0 {
				out = append(out, r)
			}
		}
	}
	if len(out) == 0 {
		return nil, ErrNoInterface
	}
	return out, nil
}

func (r *reach) card() *net.Interface { return &net.Interface{Index: r.Index, Name: r.Name} }

// like reports whether two lists of reaches are the same.
func like(a, b []*reach) bool {
	return slices.EqualFunc(a, b, func(x, y *reach) bool {
		return x.Index == y.Index && x.six == y.six && x.port == y.port && slices.Equal(x.homes, y.homes)
	})
}

func (d *discovery) run(ctx context.Context) {
	for ctx.Err() == nil {
		d.h.roam()
		reaches, err := d.reaches()
		var groups []*group
		if err == nil {
			groups, err = joinGroups(reaches)
		}
		d.mu.Lock()
		d.state = err
		d.mu.Unlock()
		if err == nil {
			err = d.serve(ctx, groups, reaches)
		}
		if err != nil {
			select {
			case <-ctx.Done():
			case <-time.After(lookEvery):
			}
		}
	}
}

type heardPacket struct {
	in    *group
	bytes []byte
	from  netip.AddrPort
	on    int // index of the interface, 0 unknown
}

// serve asks, answers and listens until the interfaces change (nil), a socket fails or ctx ends. Then the sockets are
// closed.
func (d *discovery) serve(ctx context.Context, groups []*group, reaches []*reach) error {
	ctx, cancel := context.WithCancel(ctx)
	packets, failed := make(chan heardPacket, 16), make(chan error, len(groups))
	var readers sync.WaitGroup
	for _, g := range groups {
		readers.Go(func() { failed <- g.hear(ctx, packets) })
	}
	defer func() {
		d.tell(reaches, true)
		cancel()
		for _, g := range groups {
			g.Close()
		}
		readers.Wait()
	}()

	pause, announces, first := firstAsk, 0, true
	now := time.Now()
	asks := now.Add(between(20*time.Millisecond, 120*time.Millisecond))
	checks := now.Add(lookEvery)
	announce := now
	d.mu.Lock()
	d.fresh = false
	d.mu.Unlock()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-failed:
			return fmt.Errorf("discovery: %w", err)
		case p := <-packets:
			d.take(p, reaches)
		case <-d.poked:
			d.mu.Lock()
			if d.fresh {
				d.fresh, announces, announce = false, 0, time.Now()
			}
			if d.look {
				d.look, first, pause, asks = false, true, firstAsk, time.Now()
			}
			d.mu.Unlock()
		case <-timer.C:
		}
		now = time.Now()
		if !now.Before(checks) {
			checks = now.Add(lookEvery)
			d.h.roam()
			if fresh, err := d.reaches(); err != nil || !like(fresh, reaches) {
				return err
			}
		}
		if !now.Before(asks) {
			if b, err := ask(first); err == nil {
				send(reaches, b)
			}
			first = false
			asks = now.Add(between(pause, pause*5/4))
			pause = min(2*pause, longestAsk)
		}
		// At least two announcements a second apart, then ever rarer (RFC 6762, 8.3).
		if announces < 4 && !now.Before(announce) {
			d.tell(reaches, false)
			announces++
			announce = now.Add(time.Second << (announces - 1))
		}
		next := min(time.Until(asks), time.Until(checks))
		if announces < 4 {
			next = min(next, time.Until(announce))
		}
		for _, r := range reaches {
			if r.due.IsZero() {
				continue
			}
			if !now.Before(r.due) {
				d.tell([]*reach{r}, false)
				continue
			}
			next = min(next, time.Until(r.due))
		}
		timer.Reset(max(next, time.Millisecond))
	}
}

// hear hands on what comes, not more than is decent, until the socket fails or ctx ends.
func (g *group) hear(ctx context.Context, packets chan<- heardPacket) error {
	buf := make([]byte, 9000)
	second, count := time.Now(), 0
	for ctx.Err() == nil {
		n, from, on, err := g.read(buf)
		if err != nil {
			return err
		}
		if now := time.Now(); now.Sub(second) > time.Second {
			second, count = now, 0
		}
		if count++; !from.IsValid() || n > maxDNS || count > maxHeardRate {
			continue
		}
		select {
		case packets <- heardPacket{g, slices.Clone(buf[:n]), from, on}:
		case <-ctx.Done():
		}
	}
	return ctx.Err()
}

// answer is what this host says of itself on an interface: with the addresses it has there. It is nil for a host
// that is not announced.
func (d *discovery) answer(r *reach, gone bool) []byte {
	d.mu.Lock()
	note := d.note
	d.mu.Unlock()
	if note == nil {
		return nil
	}
	b, err := claim{key: d.h.key, network: d.network, port: r.port, homes: r.homes, note: note, gone: gone}.say()
	if err != nil {
		return nil // Announce has checked the note; four addresses and a key are never too long
	}
	return b
}

// tell announces this host on each of the interfaces, or says goodbye.
func (d *discovery) tell(reaches []*reach, gone bool) {
	for _, r := range reaches {
		r.due = time.Time{}
		if b := d.answer(r, gone); b != nil {
			r.last = time.Now()
			send([]*reach{r}, b)
		}
	}
}

func send(reaches []*reach, b []byte) {
	for _, r := range reaches {
		if r.group != nil {
			r.group.say(r.card(), b)
		}
	}
}
