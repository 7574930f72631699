package table

import (
	"errors"
	"fmt"
	"slices"

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
	RoundKeys    // audit: own secrets
	RoundResult  // winners
	RoundRecover // audit: shares of the keys that were not shown
)

func (k RoundKind) String() string {
	names := [...]string{"?", "roster", "reveal", "share", "check", "mix", "strip", "own", "act", "wrap", "lift", "keys", "result", "recover"}
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
	wishes []wish // to return
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
		RoundRoster:  {readRoster, closeRoster, speakRoster},
		RoundReveal:  {readReveal, closeReveal, speakReveal},
		RoundShare:   {readShare, closeShare, speakShare},
		RoundCheck:   {readCheck, closeCheck, speakCheck},
		RoundMix:     {readMix, closeMix, speakMix},
		RoundStrip:   {readStrip, closeStrip, speakStrip},
		RoundOwn:     {readOwn, closeOwn, speakOwn},
		RoundAct:     {readAct, closeAct, speakAct},
		RoundWrap:    {readWrap, closeWrap, speakWrap},
		RoundLift:    {readLift, closeLift, speakLift},
		RoundKeys:    {readKeys, closeKeys, speakKeys},
		RoundResult:  {readResult, closeResult, speakResult},
		RoundRecover: {readRecover, closeRecover, speakRecover},
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
		if seats, holders := st.unshown(); seats != 0 {
			ex.Kind, ex.From = RoundRecover, holders
		}
	case atEnd:
		ex.From = 0
	case atPlay:
		if ex.Kind, ex.From = st.repair(); ex.Kind == 0 {
			st.expectPlay(&ex)
		}
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
		ex.From &= st.members
		return
	}
	first := &st.needs[0]
	ex.Kind = st.form(first)
	for ex.needs = 1; ex.needs < len(st.needs) && !first.Inner; ex.needs++ {
		n := &st.needs[ex.needs]
		if n.Inner || st.form(n) != ex.Kind || ex.Kind == RoundOwn && n.Owner != first.Owner ||
			ex.Kind != RoundOwn && !st.live(n.Old) {
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

// form is the kind of round that serves a need. What an owner does with its own cards, all members do with the cards
// that they keep for a seat that is away.
func (st *state) form(n *openNeed) RoundKind {
	away := n.Owner != engine.None && !st.members.Has(st.seat(n.Owner))
	switch {
	case n.Kind == engine.Shuffle, n.Kind == engine.Remask && away:
		return RoundMix
	case !away && (n.Kind == engine.Remask || n.Kind == engine.Give || n.Kind == engine.Find):
		return RoundOwn
	}
	return RoundStrip
}

// live reports whether all the slots are there; those of a mix in work are not yet.
func (st *state) live(ids []engine.Slot) bool {
	for _, id := range ids {
		if st.slot(id) == nil {
			return false
		}
	}
	return true
}

// settle takes in what the engine wants after it has moved, serves what needs no round, decides for seats that are
// away, and moves the stage.
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
		if k, _ := st.repair(); k != 0 {
			return nil // needs start again when the members are in order
		}
		moved, err := st.serveFree()
		if err == nil && !moved && len(st.needs) == 0 && st.game.State().Over == engine.NotOver {
			moved, err = st.decideAway()
		}
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
// nothing, handing a hidden card to a seat that is away. It reports whether the engine has got a reply and may have
// moved on.
func (st *state) serveFree() (bool, error) {
	for len(st.needs) > 0 {
		n := st.needs[0]
		free := len(n.Old) == 0 && n.Kind != engine.Coin
		if st.form(&n) == RoundStrip && (n.Kind != engine.Coin || n.Mask == 0) {
			free = len(st.layersDue(1)) == 0
		}
		if !free {
			return false, nil
		}
		st.needs = st.needs[1:]
		for _, id := range n.Old {
			if s := st.slot(id); s != nil {
				st.handOver(&n, s)
			}
		}
		if n.Inner {
			continue
		}
		switch n.Kind {
		case engine.Open:
			return true, st.game.Supply(engine.Reply{Faces: st.faces(n.Old)})
		case engine.Coin:
			return true, st.game.Supply(engine.Reply{N: int8(st.suite.CoinNumber(n.Given, int(n.N)))})
		}
	}
	return false, nil
}

// handOver names the new owner of a hidden card that a need deals or gives.
func (st *state) handOver(n *openNeed, s *slot) {
	if s.Card == hidden && (n.Kind == engine.Deal || n.Kind == engine.Give) {
		s.Owner = int8(st.seat(n.Seat))
	}
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

// at is the place of a proof of seat in the open round.
func (st *state) at(seat int, ex Expect) Place {
	p := Place{Table: st.roster.Table, Head: st.head, Round: st.round, Seat: uint8(seat), Kind: ex.Kind, Pass: uint32(st.pass)}
	if len(st.needs) > 0 {
		p.Need = st.needs[0].No
	}
	return p
}

// outcome is what a round closes with, as far as the state is concerned.
type outcome struct {
	parts []*part // by seat
	out   []removal
	back  []wish
}

// keeps reports whether a round keeps what is there when somebody is missing; of the others a part is worth nothing.
func (k RoundKind) keeps() bool {
	return k == RoundAct || k == RoundKeys || k == RoundResult || k == RoundRecover
}

// next applies what a round closed with and returns the state after it, its head included. The says count under the
// members as they were; then seats go, then others come back.
func (st *state) next(ex Expect, o outcome, value Hash) (*state, error) {
	n := st.clone()
	full := true
	for _, s := range ex.From.List() {
		full = full && o.parts[s] != nil
	}
	if full || ex.Kind.keeps() {
		err := roundRules[ex.Kind].close(n, ex, o.parts)
		var c *closeFault
		if errors.As(err, &c) && dropped(o.out).Has(c.seat) {
			n, err = st.clone(), nil // a bad dealer goes, and all deal anew
		}
		if err != nil {
			return nil, err
		}
	}
	if err := n.remove(o.out); err != nil {
		return nil, err
	}
	n.admit(o.back)
	if n.game != nil && n.stage == atPlay && n.members != st.members {
		if err := n.settle(); err != nil {
			return nil, err
		}
	}
	n.past = append(slices.Clip(st.past[max(0, len(st.past)-maxPast+1):]), spoken{st.head, ex.From})
	n.round = st.round + 1
	n.head = roundHead(st.head, value, n.hash())
	return n, nil
}
