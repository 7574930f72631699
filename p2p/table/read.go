package table

import "fmt"

// readSay is all that can be told of a say in its round without looking at proofs.
func (st *state) readSay(ex Expect, e Envelope) (part, *Misdeed) {
	if wrong := e.shapeless(); wrong != nil {
		return part{}, wrong
	}
	return st.read(ex, int(e.Seat), e.Body)
}

// shapeless is what is wrong with an envelope whatever the round wants.
func (e Envelope) shapeless() (wrong *Misdeed) {
	switch e.Kind {
	case KindSeal:
		_, wrong = readSeal(e)
	case KindCall:
		_, _, wrong = readCall(e)
	case KindSay:
		var s say
		if err := e.oversize(); err != nil {
			wrong = &Misdeed{FaultShape, err}
		} else if err := decode(e.Body, &s); err != nil {
			wrong = bad(FaultShape, "round %d: %v", e.Round, err)
		}
	}
	return wrong
}

// readSeal checks the shape of a seal.
func readSeal(e Envelope) (s seal, wrong *Misdeed) {
	err := e.oversize()
	if err == nil {
		err = decode(e.Body, &s)
	}
	if err == nil && s.Ballot > maxBallot {
		err = fmt.Errorf("ballot %d, at most %d are allowed", s.Ballot, maxBallot)
	}
	if err != nil {
		return s, bad(FaultShape, "seal: %v", err)
	}
	return s, nil
}

// read checks everything about a say that needs no proof.
func (st *state) read(ex Expect, seat int, body []byte) (part, *Misdeed) {
	if !ex.From.Has(seat) {
		return part{}, bad(FaultShape, "seat %d has nothing to say in round %d (%v)", seat, ex.Round, ex.Kind)
	}
	var s say
	if err := decode(body, &s); err != nil {
		return part{}, bad(FaultShape, "round %d: %v", ex.Round, err)
	}
	if s.Kind != ex.Kind {
		return part{}, bad(FaultShape, "round %d wants %v, not %v", ex.Round, ex.Kind, s.Kind)
	}
	wishes, checks, err := st.readWishes(s.Wishes)
	for _, w := range wishes {
		if w.what != WishReturn {
			err = fmt.Errorf("a say takes up returns only")
		}
	}
	if err != nil {
		return part{}, bad(FaultShape, "round %d: wishes: %v", ex.Round, err)
	}
	p, wrong := roundRules[ex.Kind].read(st, ex, st.at(seat, ex), s.Part)
	if wrong != nil {
		return p, wrong
	}
	p.wishes, p.checks = wishes, append(p.checks, checks...)
	return p, nil
}
