package table

import (
	"errors"
	"slices"
)

// call is the body of an envelope of kind call: a ballot to close the round without the seats of Out.
type call struct {
	_      struct{} `cbor:",toarray"`
	Ballot uint32
	Out    []removal
	Held   []sayID // the valid says that the caller holds, by seat
	Top    topText
	Wishes [][]byte
}

// topText is the caller's highest seal in the round, and the calls on which it was made; a zero Value is none.
type topText struct {
	_      struct{} `cbor:",toarray"`
	Ballot uint32
	Value  Hash
	Calls  []sayID
}

// maxBallot bounds the ballots of one round; maxEvidence the envelopes that prove one fault.
const (
	maxBallot   = 10_000
	maxEvidence = 2
)

// ids is a list of names by seat as the vote keeps it.
func ids(list []sayID) (out [MaxSeats]Hash, ok bool) {
	last := -1
	for _, s := range list {
		if int(s.Seat) <= last || int(s.Seat) >= MaxSeats || s.ID == (Hash{}) {
			return out, false
		}
		out[s.Seat], last = s.ID, int(s.Seat)
	}
	return out, true
}

func listed(in [MaxSeats]Hash) []sayID {
	out := []sayID{}
	for s, id := range in {
		if id != (Hash{}) {
			out = append(out, sayID{Seat: uint8(s), ID: id})
		}
	}
	return out
}

// readCall checks the shape of a call.
func readCall(e Envelope) (call, *ballotCall, *Misdeed) {
	var b call
	shape := func(reason string) (call, *ballotCall, *Misdeed) {
		return b, nil, &Misdeed{FaultShape, errors.New("call: " + reason)}
	}
	if err := e.oversize(); err != nil {
		return shape(err.Error())
	}
	if err := decode(e.Body, &b); err != nil {
		return shape(err.Error())
	}
	c := &ballotCall{seat: int(e.Seat), id: e.ID, ballot: b.Ballot, out: b.Out}
	if b.Ballot < 1 || b.Ballot > maxBallot || len(b.Wishes) > maxWishes {
		return shape("numbers out of range")
	}
	last := -1
	for _, r := range b.Out {
		if int(r.Seat) <= last || int(r.Seat) >= MaxSeats || r.Seat == e.Seat || r.Why < Silence || r.Why > Cheat ||
			(r.Why == Cheat) != (len(r.Evidence) > 0) || len(r.Evidence) > maxEvidence {
			return shape("seats to go without are out of order")
		}
		last = int(r.Seat)
	}
	var ok, ok2 bool
	c.held, ok = ids(b.Held)
	c.top.calls, ok2 = ids(b.Top.Calls)
	if !ok || !ok2 {
		return shape("names out of order")
	}
	c.top.some, c.top.ballot, c.top.value = b.Top.Value != (Hash{}), b.Top.Ballot, b.Top.Value
	if !c.top.some && (b.Top.Ballot != 0 || len(b.Top.Calls) != 0) || c.top.some && c.top.ballot >= b.Ballot {
		return shape("the top is not below the ballot")
	}
	return b, c, nil
}

// text is the body of an own call.
func (c *ballotCall) text(wishes [][]byte) call {
	b := call{Ballot: c.ballot, Out: []removal{}, Held: listed(c.held), Wishes: wishes,
		Top: topText{Ballot: c.top.ballot, Value: c.top.value, Calls: listed(c.top.calls)}}
	for _, r := range c.out {
		if r.Evidence == nil {
			r.Evidence = []Hash{}
		}
		b.Out = append(b.Out, r)
	}
	return b
}

// namedEvidence lists the envelopes that the calls among some envelopes name as proofs, each once.
func namedEvidence(calls []Envelope) []Hash {
	var list []Hash
	for _, e := range calls {
		if e.Kind != KindCall {
			continue
		}
		b, _, wrong := readCall(e)
		if wrong != nil {
			continue
		}
		for _, r := range b.Out {
			for _, id := range r.Evidence {
				if !slices.Contains(list, id) {
					list = append(list, id)
				}
			}
		}
	}
	return list
}

// supported reports whether a call's reasons are borne out by what goes with it: a wish of the seat for Left and Lost,
// a proof for Cheat. envelope finds evidence by name.
func (st *state) supported(ex Expect, b call, envelope func(Hash) (Envelope, bool)) ([]wish, error) {
	wishes, checks, err := st.readWishes(b.Wishes)
	if err != nil {
		return nil, err
	}
	if _, err := st.suite.VerifyAll(checks); err != nil {
		return nil, err
	}
	for _, r := range b.Out {
		switch r.Why {
		case Left, Lost:
			want := WishLeave
			if r.Why == Lost {
				want = WishLost
			}
			if !slices.ContainsFunc(wishes, func(w wish) bool { return w.what == want && w.env.Seat == r.Seat }) {
				return nil, errors.New("call: the seat has not said so")
			}
		case Cheat:
			var evidence []Envelope
			for _, id := range r.Evidence {
				e, ok := envelope(id)
				if !ok {
					return nil, errMissing
				}
				evidence = append(evidence, e)
			}
			if _, ok := st.convict(ex, int(r.Seat), evidence); !ok {
				return nil, errors.New("call: the evidence proves nothing")
			}
		}
	}
	return wishes, nil
}

// errMissing says that a call names something that is not here yet.
var errMissing = errors.New("call: it names what is not held")

// convict is what envelopes prove against a seat at the open round: one that the rules of the round refuse, or two
// that an honest program never signs both.
func (st *state) convict(ex Expect, seat int, evidence []Envelope) (*Misdeed, bool) {
	for _, e := range evidence {
		if e.Table != st.roster.Table || int(e.Seat) >= len(st.roster.Joins) || !e.signedBy(st.suite, st.roster.Joins[e.Seat].Key) {
			return nil, false
		}
	}
	switch len(evidence) {
	case 1:
		return st.convictOne(ex, seat, evidence[0])
	case 2:
		if m, ok := st.convictTwins(ex, seat, evidence[0], evidence[1]); ok {
			return m, true
		}
		return convictTwo(seat, evidence[0], evidence[1])
	}
	return nil, false
}

// convictOne judges one envelope: one without a shape that any round wants proves a fault in whatever round, a say of a seat
// that had nothing to say for maxPast rounds; whether all that a say has is right can be told in its round only.
func (st *state) convictOne(ex Expect, seat int, e Envelope) (*Misdeed, bool) {
	if m := e.shapeless(); m != nil {
		return m, int(e.Seat) == seat
	}
	if e.Kind != KindSay {
		return nil, false
	}
	if from, ok := st.spokeIn(e.Round, e.Prev); ok && !from.Has(int(e.Seat)) {
		return bad(FaultShape, "seat %d has nothing to say in round %d", e.Seat, e.Round), int(e.Seat) == seat
	}
	if e.Round != st.round || e.Prev != st.head {
		return nil, false
	}
	p, wrong := st.readSay(ex, e)
	if wrong != nil {
		return wrong, int(e.Seat) == seat
	}
	if _, err := st.suite.VerifyAll(p.checks); err != nil {
		return &Misdeed{proofFault(ex.Kind), err}, int(e.Seat) == seat
	}
	if c, ok := p.body.(checkPart); ok { // a complaint that holds convicts the dealer
		for _, c := range c.Complaints {
			if int(c.Dealer) == seat {
				return bad(FaultDealing, "the share for seat %d does not match its commitments", e.Seat), true
			}
		}
	}
	return nil, false
}

// convictTwins judges two reveals of one key: each has proved that it holds it, so they are in it together.
func (st *state) convictTwins(ex Expect, seat int, a, b Envelope) (*Misdeed, bool) {
	if ex.Kind != RoundReveal || a.Kind != KindSay || b.Kind != KindSay || a.Seat >= b.Seat || int(b.Seat) != seat ||
		a.Prev != st.head || b.Prev != st.head {
		return nil, false
	}
	p, wrong := st.readSay(ex, a)
	q, wrong2 := st.readSay(ex, b)
	if wrong != nil || wrong2 != nil || p.body.(revealPart).X != q.body.(revealPart).X {
		return nil, false
	}
	return bad(FaultPossession, "two seats show one key"), true
}

// convictTwo judges a pair: two different envelopes for one place, or a seal at a ballot and a call above it as if
// there were no such seal.
func convictTwo(seat int, a, b Envelope) (*Misdeed, bool) {
	if int(a.Seat) != seat || int(b.Seat) != seat || a.Round != b.Round || a.Prev != b.Prev || a.ID == b.ID {
		return nil, false
	}
	if a.Kind == KindCall && b.Kind == KindSeal {
		a, b = b, a
	}
	var s [2]seal
	var c [2]call
	for i, e := range []Envelope{a, b} {
		var err error
		switch e.Kind {
		case KindSeal:
			err = decode(e.Body, &s[i])
		case KindCall:
			err = decode(e.Body, &c[i])
		case KindWish:
			return nil, false
		}
		if err != nil {
			return nil, false
		}
	}
	two := func(what string) (*Misdeed, bool) { return bad(FaultEquivocation, "two %ss", what), true }
	switch {
	case a.Kind == KindSay && b.Kind == KindSay:
		return two("say")
	case a.Kind == KindSeal && b.Kind == KindSeal && s[0].Ballot == s[1].Ballot:
		return two("seal")
	case a.Kind == KindCall && b.Kind == KindCall && c[0].Ballot == c[1].Ballot:
		return two("call")
	case a.Kind == KindSeal && b.Kind == KindCall && c[1].Ballot > s[0].Ballot &&
		(c[1].Top.Value == (Hash{}) || c[1].Top.Ballot < s[0].Ballot):
		return bad(FaultPromise, "a seal at ballot %d, and a call at ballot %d that denies it", s[0].Ballot, c[1].Ballot), true
	}
	return nil, false
}
