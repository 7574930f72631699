package node

import "slices"

// Known are the addresses at which a peer may be reached, those it has signed itself first: what to keep for the next
// time, when nobody may be there to ask.
func (h *Host) Known(key Key) []Address {
	id, err := key.peerID()
	if err != nil {
		return nil
	}
	h.book.mu.Lock()
	defer h.book.mu.Unlock()
	c := h.book.contacts[id]
	if c == nil {
		return nil
	}
	var out []Address
	for _, where := range append(slices.Clone(c.signed), c.told...) {
		if !slices.ContainsFunc(out, func(a Address) bool { return a.where.Equal(where) }) {
			out = append(out, Address{key, id, where})
		}
	}
	return out
}
