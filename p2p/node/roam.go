package node

import (
	"net/netip"
	"slices"

	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/record"
	ma "github.com/multiformats/go-multiaddr"
)

// seal signs the record of where this host is.
func (h *Host) seal() error {
	key, err := h.self.libp2p()
	if err != nil {
		return err
	}
	envelope, err := record.Seal(&peer.PeerRecord{PeerID: h.id, Addrs: h.where(), Seq: peer.TimestampSeq()}, key)
	if err != nil {
		return err
	}
	sealed, err := envelope.Marshal()
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sealed = sealed
	return nil
}

// record is the sealed record of where this host is.
func (h *Host) record() []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.sealed
}

// where are the addresses that others are told.
func (h *Host) where() []ma.Multiaddr {
	all, err := h.host.Network().InterfaceListenAddresses()
	if err != nil {
		all = h.host.Network().ListenAddresses()
	}
	return shareable(all, h.gater.vpn)
}

// listening are the places this host listens at. Not every system tells the zone of a listener: it is that of the
// interface which has the address.
func (h *Host) listening() []netip.AddrPort {
	all, _ := Interfaces()
	var out []netip.AddrPort
	for _, a := range h.host.Network().ListenAddresses() {
		at, err := place(a)
		if err != nil {
			continue
		}
		for _, i := range all {
			if home := i.zoned(at.Addr()); at.Addr().Zone() == "" && i.has(home) {
				at = netip.AddrPortFrom(home, at.Port())
			}
		}
		out = append(out, at)
	}
	return out
}

// seen are addresses that somebody has told, as they look from here: one of a link could be on any link that this host
// listens on.
func (h *Host) seen(told []ma.Multiaddr) []ma.Multiaddr {
	var out []ma.Multiaddr
	for _, a := range told {
		at, err := place(a)
		if err != nil || !ofLink(at.Addr()) {
			out = append(out, a)
			continue
		}
		for _, own := range h.listening() {
			if ofLink(own.Addr()) {
				here, err := multiaddr(netip.AddrPortFrom(at.Addr().WithZone(own.Addr().Zone()), at.Port()))
				if err == nil && !ma.Contains(out, here) {
					out = append(out, here)
				}
			}
		}
	}
	return out
}

// roam listens on addresses that this machine has newly got, and tells the peers where it is now.
func (h *Host) roam() {
	if h.roams == nil {
		return
	}
	want, err := LAN(h.roams.Port, h.roams.Interfaces...)
	if err != nil {
		return // an interface by name that is gone may come back
	}
	have, moved := h.listening(), false
	for _, at := range want {
		if !slices.ContainsFunc(have, func(old netip.AddrPort) bool { return old.Addr() == at.Addr() }) {
			moved = h.listen(at) == nil || moved
		}
	}
	if !moved || h.seal() != nil {
		return
	}
	news := encode([][]byte{h.record()})
	for _, r := range h.all() {
		r.mu.Lock()
		for _, l := range r.links {
			if l.out != nil {
				l.out.send(frameRecords, news)
			}
		}
		r.mu.Unlock()
	}
}
