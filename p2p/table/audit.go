package table

import "standoff/engine"

// Keys are the card keys that the seats have shown for the audit, or that the others have put together from shares, by
// roster seat; nil as long as there are none, or where the option audit is off.
func (r *Replay) Keys() [][]byte {
	if r.st.shown == 0 {
		return nil
	}
	keys := make([][]byte, MaxSeats)
	copy(keys, r.st.keys[:])
	return keys
}

// Secrets reads, with keys that [Replay.Keys] gave at the end of the game, the cards that lie hidden under one seat's
// layer alone after the rounds taken in: the hands and the roles.
func (r *Replay) Secrets(keys [][]byte) (engine.Knowledge, error) {
	var all engine.Knowledge
	st := r.st
	if st.packs == nil {
		return nil, nil
	}
	for seat, b := range keys {
		if b == nil {
			continue
		}
		x, err := st.suite.SecretFrom(b)
		if err != nil {
			return nil, err
		}
		me := party{seat: seat, x: x}
		me.read(st)
		all = append(all, me.known...)
	}
	return all, nil
}
