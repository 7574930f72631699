package node

import (
	"net/netip"
	"slices"
	"time"
)

// A Sighting is a host that multicast on the local network. What it says is not proved; its key is as soon as there
// is a connection.
type Sighting struct {
	Key       Key
	Addresses []Address
	Note      []string // what it says by Host.Announce
	Private   bool     // it is in another, private network: a code is needed to talk with it
	Seen      time.Time
}

// Sightings are the hosts that were seen by multicast and have not said goodbye, in the order of their keys, and a
// channel that tells when that changes. Hosts of the own network have been met already.
func (h *Host) Sightings() ([]Sighting, <-chan struct{}) {
	d := h.discovery
	if d == nil {
		return nil, nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []Sighting
	for k, s := range d.sighted {
		if time.Since(s.Seen) > 2*recordTTL*time.Second {
			delete(d.sighted, k)
			continue
		}
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b Sighting) int { return slices.Compare(a.Key[:], b.Key[:]) })
	return out, d.news
}

// take answers a question soon and notes claims. Only what comes from the very network of an interface counts.
func (d *discovery) take(p heardPacket, reaches []*reach) {
	for _, r := range reaches {
		if p.in != r.group || p.on != 0 && p.on != r.Index || !r.near(p.from.Addr()) {
			continue
		}
		asked, claims, err := hear(p.bytes)
		if err != nil {
			return
		}
		if asked == asksFirst && p.from.Port() == p.in.at.Port() {
			if b := d.answer(r, false); b != nil {
				p.in.reply(p.from, b)
			}
		}
		if asked != asksNothing && r.due.IsZero() {
			// An answer may be repeated after a second (RFC 6762, 6).
			r.due = time.Now().Add(between(20*time.Millisecond, 120*time.Millisecond))
			if soon := r.last.Add(time.Second); r.due.Before(soon) {
				r.due = soon
			}
		}
		for _, c := range claims {
			d.sight(c, r)
		}
		return
	}
}

// sight notes a claim, and meets the host if it is one of this network.
func (d *discovery) sight(c claim, r *reach) {
	if c.key == d.h.key {
		return
	}
	s := Sighting{Key: c.key, Note: c.note, Private: c.network != "" && c.network != d.network, Seen: time.Now()}
	for _, home := range c.homes {
		a, err := AddressOf(netip.AddrPortFrom(r.zoned(home), c.port), c.key)
		if err == nil && r.near(home) {
			s.Addresses = append(s.Addresses, a)
		}
	}
	d.mu.Lock()
	was, known := d.sighted[c.key]
	switch {
	case c.gone:
		delete(d.sighted, c.key)
	case len(s.Addresses) == 0 || !known && len(d.sighted) >= maxSighted:
		d.mu.Unlock()
		return
	default:
		d.sighted[c.key] = s
	}
	moved := !known || !slices.EqualFunc(was.Addresses, s.Addresses, func(a, b Address) bool { return a.String() == b.String() })
	changed := moved || c.gone || !slices.Equal(was.Note, s.Note)
	d.mu.Unlock()
	if !c.gone && moved && c.network == d.network {
		for _, a := range s.Addresses {
			_ = d.h.Meet(a) // too many peers: then not this one
		}
	}
	if changed {
		select {
		case d.news <- struct{}{}:
		default:
		}
	}
}
