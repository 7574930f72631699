package table

import (
	"fmt"

	"github.com/fxamacker/cbor/v2"

	"standoff/engine"
)

// RoundKind says what the contributors of a round contribute.
type RoundKind uint8

// The kinds of round. Wrap and Lift belong to the return and the removal of seats.
const (
	RoundRoster RoundKind = 1 + iota // "I sit down at T", and a commitment to nonce and keys
	RoundReveal                      // nonce and keys with proofs of possession
	RoundShare                       // verifiable shares of the card keys
	RoundCheck                       // complaints about shares
	RoundMix                         // one seat shuffles piles
	RoundStrip                       // layers come off: Deal, Open, Coin
	RoundOwn                         // an owner remasks or passes on its own cards
	RoundAct                         // a decision
	RoundWrap
	RoundLift
	RoundKeys   // audit: own secrets
	RoundResult // winners
)

func (k RoundKind) String() string {
	names := [...]string{"?", "roster", "reveal", "share", "check", "mix", "strip", "own", "act", "wrap", "lift", "keys", "result"}
	return names[min(int(k), len(names)-1)]
}

// say is the body of an envelope of kind say.
type say struct {
	_      struct{} `cbor:",toarray"`
	Kind   RoundKind
	Part   cbor.RawMessage
	Wishes [][]byte
}

// seal is the body of an envelope of kind seal.
type seal struct {
	_      struct{} `cbor:",toarray"`
	Ballot uint32
	Value  Hash // V
	Head   Hash // h of the round
}

// Expect is what the open round wants: of whom, and what.
type Expect struct {
	Round uint32
	Kind  RoundKind
	From  Seats
	Asked int // act: the roster seat that decides, else -1
	needs int // how many of the leading needs this round serves
}

// part is the checked shape of one say: what closing the round will use, and the proofs still to be verified.
type part struct {
	body   any
	checks []Check
}

// Misdeed is what a say does wrong.
type Misdeed struct {
	Kind   FaultKind
	Reason error
}

func (m *Misdeed) Error() string { return fmt.Sprintf("%v: %v", m.Kind, m.Reason) }
func (m *Misdeed) Unwrap() error { return m.Reason }

func bad(k FaultKind, format string, args ...any) *Misdeed {
	return &Misdeed{k, fmt.Errorf(format, args...)}
}

// roundRule is how one kind of round works. read looks at one say alone and never changes st; close applies the
// parts of all contributors, by seat, to a copy of the state.
type roundRule struct {
	read  func(st *state, ex Expect, p Place, body []byte) (part, *Misdeed)
	close func(st *state, ex Expect, parts []*part) error
	speak func(st *state, ex Expect, p Place, me *party) (any, error)
}

var roundRules map[RoundKind]roundRule

func init() { // the rules refer to one another through the state, hence not a plain initialiser
	roundRules = map[RoundKind]roundRule{
		RoundRoster: {readRoster, closeRoster, speakRoster},
		RoundReveal: {readReveal, closeReveal, speakReveal},
		RoundShare:  {readShare, closeShare, speakShare},
		RoundCheck:  {readCheck, closeCheck, speakCheck},
		RoundMix:    {readMix, closeMix, speakMix},
		RoundStrip:  {readStrip, closeStrip, speakStrip},
		RoundOwn:    {readOwn, closeOwn, speakOwn},
		RoundAct:    {readAct, closeAct, speakAct},
		RoundKeys:   {readKeys, closeKeys, speakKeys},
		RoundResult: {readResult, closeResult, speakResult},
	}
}

// expect is the round that the state wants next. Needs come before asks; neighbours of one kind share a round.
func (st *state) expect() Expect {
	ex := Expect{Round: st.round, From: st.members, Asked: -1}
	switch st.stage {
	case atRoster:
		ex.Kind = RoundRoster
	case atReveal:
		ex.Kind = RoundReveal
	case atShare:
		ex.Kind = RoundShare
	case atCheck:
		ex.Kind = RoundCheck
	case atKeys:
		ex.Kind = RoundKeys
	case atResult:
		ex.Kind = RoundResult
	case atEnd:
		ex.From = 0
	case atPlay:
		st.expectPlay(&ex)
	}
	return ex
}

func (st *state) expectPlay(ex *Expect) {
	if len(st.needs) == 0 {
		ex.Kind = RoundAct
		ex.Asked = st.seat(st.ask.Seat)
		ex.From = only(ex.Asked)
		for _, m := range st.ask.May {
			if s := st.seat(m); s >= 0 {
				ex.From |= only(s)
			}
		}
		return
	}
	ex.Kind = kindOf(st.needs[0].Kind)
	for ex.needs = 1; ex.needs < len(st.needs); ex.needs++ {
		n := st.needs[ex.needs]
		if kindOf(n.Kind) != ex.Kind || ex.Kind == RoundOwn && n.Owner != st.needs[0].Owner {
			break
		}
	}
	switch ex.Kind {
	case RoundMix:
		ex.From = only(st.members.List()[st.pass])
	case RoundOwn:
		ex.From = only(st.seat(st.needs[0].Owner))
	case RoundStrip:
		ex.From = 0
		for _, l := range st.layersDue(ex.needs) {
			ex.From |= only(l.seat)
		}
	}
}

func kindOf(n engine.NeedKind) RoundKind {
	switch n {
	case engine.Shuffle:
		return RoundMix
	case engine.Remask, engine.Give, engine.Find:
		return RoundOwn
	}
	return RoundStrip
}

// settle takes in what the engine wants after it has moved, serves what needs no round, and moves the stage.
func (st *state) settle() error {
	for {
		r := st.game.Ready()
		st.events = append(st.events, r.Events...)
		st.ask = r.Ask
		for _, n := range r.Needs {
			o := openNeed{Need: n, No: st.count}
			st.count++
			if n.Kind == engine.Coin {
				o.Coin, o.Mask = st.suite.CoinPoint(st.roster.Table, st.round, o.No), st.members
			}
			st.needs = append(st.needs, o)
		}
		moved, err := st.serveFree()
		if err != nil {
			return err
		}
		if !moved {
			break
		}
	}
	if len(st.needs) == 0 && st.game.State().Over != engine.NotOver {
		st.stage = atResult
		if st.choices.audit() {
			st.stage = atKeys
		}
	}
	return nil
}

// serveFree serves leading needs that no seat must contribute to: opening what lies open, giving or remasking
// nothing. It reports whether the engine has got a reply and may have moved on.
func (st *state) serveFree() (bool, error) {
	for len(st.needs) > 0 {
		n := st.needs[0]
		free := len(n.Old) == 0 && n.Kind != engine.Coin
		if n.Kind == engine.Open || n.Kind == engine.Deal {
			free = len(st.layersDue(1)) == 0
		}
		if !free {
			return false, nil
		}
		st.needs = st.needs[1:]
		if n.Kind == engine.Open {
			return true, st.game.Supply(engine.Reply{Faces: st.faces(n.Old)})
		}
	}
	return false, nil
}

// faces are the faces of open slots.
func (st *state) faces(ids []engine.Slot) []engine.Face {
	f := make([]engine.Face, len(ids))
	for i, id := range ids {
		if s := st.slot(id); s != nil && s.Card != hidden {
			f[i] = st.face(s.Pile, s.Card)
		}
	}
	return f
}

// read checks the shape of a say and everything about it that needs no proof.
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
	if len(s.Wishes) > 0 {
		return part{}, bad(FaultShape, "round %d: wishes are taken up by ballots only", ex.Round)
	}
	return roundRules[ex.Kind].read(st, ex, st.at(seat, ex), s.Part)
}

// at is the place of a proof of seat in the open round.
func (st *state) at(seat int, ex Expect) Place {
	p := Place{Table: st.roster.Table, Head: st.head, Round: st.round, Seat: uint8(seat), Kind: ex.Kind, Pass: uint32(st.pass)}
	if len(st.needs) > 0 {
		p.Need = st.needs[0].No
	}
	return p
}

// next applies the parts of a full round and returns the state after it, its head included.
func (st *state) next(ex Expect, parts []*part, value Hash) (*state, error) {
	n := st.clone()
	if err := roundRules[ex.Kind].close(n, ex, parts); err != nil {
		return nil, err
	}
	n.round = st.round + 1
	n.head = roundHead(st.head, value, n.hash())
	return n, nil
}
