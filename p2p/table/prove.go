package table

import "slices"

// prove verifies the proofs of the says that are held: all together when the round is full, or when somebody has
// called and each has to be judged by itself.
func (t *Table) prove() {
	full := true
	for _, s := range t.ex.From.List() {
		full = full && len(t.open.says[s]) > 0
	}
	if full && t.open.fullAt == 0 {
		t.open.fullAt = max(t.now, 1)
	}
	if full || len(t.open.calls) > 0 || t.open.vote.guilty != 0 {
		t.proveAll()
	}
}

// proveAll verifies all proofs that are held. Who gave a false one has not said anything.
func (t *Table) proveAll() {
	for t.end == nil {
		var checks []Check
		var owner []*heldSay
		for s := range MaxSeats {
			for _, h := range t.open.says[s] {
				if h.proved {
					continue
				}
				if len(h.part.checks) == 0 {
					owner = append(owner, h)
					checks = append(checks, nothing{})
				}
				for _, c := range h.part.checks {
					checks, owner = append(checks, c), append(owner, h)
				}
			}
		}
		if len(owner) == 0 {
			return
		}
		bad, err := t.verify(checks)
		if err == nil {
			for _, h := range owner {
				h.proved = true
				t.open.vote.hearSay(int(h.env.Seat), h.env.ID)
			}
			return
		}
		if bad < 0 {
			return
		}
		h := owner[bad]
		seat := int(h.env.Seat)
		t.open.says[seat] = slices.DeleteFunc(t.open.says[seat], func(o *heldSay) bool { return o == h })
		if len(t.open.says[seat]) == 0 {
			t.open.fullAt = 0
		}
		t.wrong(h.env)
		t.fault(seat, &Misdeed{proofFault(t.ex.Kind), err}, h.env)
		if t.end != nil {
			return
		}
	}
}

// nothing is the check of a say without proofs.
type nothing struct{}

func (nothing) Verify() error { return nil }

func (t *Table) verify(checks []Check) (int, error) {
	var real []Check
	var at []int
	for i, c := range checks {
		if _, ok := c.(nothing); !ok {
			real, at = append(real, c), append(at, i)
		}
	}
	i, err := t.st.suite.VerifyAll(real)
	if err == nil {
		t.proofs += len(real)
	} else if i >= 0 {
		i = at[i]
	}
	return i, err
}

// proofFault is what a false proof in a round of that kind is called.
func proofFault(k RoundKind) FaultKind {
	switch k {
	case RoundReveal:
		return FaultPossession
	case RoundShare:
		return FaultDealing
	case RoundMix:
		return FaultShuffle
	case RoundOwn:
		return FaultRetarget
	}
	return FaultLayers
}

// learn holds the proof on which a seat is called out.
func (t *Table) learn(r removal) {
	if r.Why != Cheat {
		return
	}
	var evidence []Envelope
	for _, id := range r.Evidence {
		e, ok := t.envelope(id)
		if !ok {
			return
		}
		evidence = append(evidence, e)
	}
	if m, ok := t.st.convict(t.ex, int(r.Seat), evidence); ok {
		t.fault(int(r.Seat), m, evidence...)
	}
}
