package table

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
)

// trailer is what follows the last closed round.
type trailer struct {
	says   [MaxSeats]*Envelope
	parts  [MaxSeats]*part
	left   int
	faults []Fault
}

func (r *Replay) readTrailer() error {
	st := r.st
	var all, loose []Envelope // loose: what has no place here unless it proves a fault
	for ; r.at < len(r.frames); r.at++ {
		e, err := r.envelope(r.at)
		if err != nil {
			return err
		}
		all = append(all, e)
		var s seal
		switch {
		case e.Kind == KindSeal && e.Round+1 == st.round && decode(e.Body, &s) == nil && s.Head == st.head:
		case e.Kind == KindSay && e.Round == st.round:
			r.trailingSay(e)
		case e.Kind == KindWish:
			if !st.endsBy(e) {
				return &AlteredError{Message: r.at, Round: st.round, Seat: int(e.Seat), Err: errors.New("a wish that ends no game")}
			}
			r.trailer.left = int(e.Seat)
		default:
			loose = append(loose, e)
		}
	}
	for _, e := range loose {
		if !r.convicts(e, all) {
			return &AlteredError{Message: slices.IndexFunc(r.frames, func(b []byte) bool { return bytes.Equal(b, e.Raw) }), Round: st.round, Seat: int(e.Seat),
				Err: fmt.Errorf("a %v of round %d where the log stands in round %d", e.Kind, e.Round, st.round)}
		}
	}
	r.tryToClose()
	return nil
}

// endsBy reports whether a wish ends the game here: its seat leaves now, and the others cannot go on without it.
func (st *state) endsBy(e Envelope) bool {
	w, _, err := st.readWish(e)
	v := st.vote(st.expect())
	return err == nil && w.what == WishLeave && e.Round <= st.round+1 && !v.may(only(int(e.Seat)))
}

// convicts notes the fault that an envelope proves, by itself or with another of its seat.
func (r *Replay) convicts(e Envelope, all []Envelope) bool {
	if m, ok := r.st.convictOne(r.st.expect(), int(e.Seat), e); ok {
		r.trailer.faults = append(r.trailer.faults, *faultOf(int(e.Seat), m, e))
		return true
	}
	for _, o := range all {
		if m, ok := convictTwo(int(e.Seat), o, e); ok {
			r.trailer.faults = append(r.trailer.faults, *faultOf(int(e.Seat), m, o, e))
			return true
		}
	}
	return false
}

// tryToClose looks for a misdeed that only shows when all says of the round that did not close are taken together.
func (r *Replay) tryToClose() {
	st := r.st
	ex := st.expect()
	var d verdict
	for _, s := range ex.From.List() {
		if r.trailer.parts[s] == nil {
			return
		}
		d.says[s] = r.trailer.says[s].ID
	}
	_, err := st.next(ex, outcome{parts: r.trailer.parts[:]}, valueOf(st.round, d))
	var c *closeFault
	if errors.As(err, &c) && r.trailer.faults == nil {
		r.blame(c)
	}
}

// blame notes a fault of closing the open round.
func (r *Replay) blame(c *closeFault) {
	var by []Envelope
	for _, raw := range r.frames[r.starts[r.st.round]:] {
		e, err := parseEnvelope(raw)
		if err == nil && e.Kind == KindSay && e.Round == r.st.round && slices.Contains(c.by, int(e.Seat)) && len(by) < len(c.by) {
			by = append(by, e)
		}
	}
	r.trailer.faults = append(r.trailer.faults, *faultOf(c.seat, c.Misdeed, by...))
}

// trailingSay judges a say of the round that did not close.
func (r *Replay) trailingSay(e Envelope) {
	blame := func(m *Misdeed, evidence ...Envelope) {
		r.trailer.faults = append(r.trailer.faults, *faultOf(int(e.Seat), m, evidence...))
	}
	if first := r.trailer.says[e.Seat]; first != nil && first.ID != e.ID {
		blame(bad(FaultEquivocation, "two says"), *first, e)
		return
	}
	r.trailer.says[e.Seat] = &e
	p, wrong := r.readSay(e)
	if wrong != nil {
		blame(wrong, e)
		return
	}
	if _, err := r.st.suite.VerifyAll(p.checks); err != nil {
		blame(&Misdeed{proofFault(r.st.expect().Kind), err}, e)
		return
	}
	r.proofs += len(p.checks)
	r.trailer.parts[e.Seat] = &p
}
