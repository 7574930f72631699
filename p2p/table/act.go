package table

import (
	"errors"

	"standoff/engine"
)

// actPart is a decision, or of a seat that may come in, "I come in" or nothing. A face is never sent: the face of
// a hidden card follows from the layers shown with it.
type actPart struct {
	_      struct{} `cbor:",toarray"`
	In     bool     // of a seat of Ask.May: it comes in; of the seat asked: the default, for its time has run out
	Verb   engine.Verb
	As     engine.Kind
	Card   engine.Slot
	With   engine.Slot
	To     engine.Seat
	At     engine.Slot
	N      int8
	Layers []Point // of Card and With, as far as they are hidden
	Proof  []byte
}

// shows lists the hidden slots whose layers go with an action: own cards only (rule R).
func (st *state) shows(seat int, cards ...engine.Slot) ([]*slot, error) {
	var out []*slot
	for i, id := range cards {
		if id == 0 || i > 0 && id == cards[0] {
			continue
		}
		s := st.slot(id)
		if s == nil {
			return nil, errors.New("the card is not in play any more")
		}
		if s.Card != hidden {
			continue
		}
		if int(s.Owner) != seat || s.Mask != only(seat) {
			return nil, errors.New("the card is another's")
		}
		out = append(out, s)
	}
	return out, nil
}

func speakAct(st *state, ex Expect, p Place, me *party) (any, error) {
	if me.seat != ex.Asked {
		return actPart{In: me.comeIn, To: engine.None}, nil
	}
	a := me.action
	b := actPart{In: me.byClock, Verb: a.Verb, As: a.As, Card: a.Card.Slot, With: a.With.Slot, To: a.To, At: a.At, N: a.N}
	cards, err := st.shows(me.seat, b.Card, b.With)
	if err != nil || len(cards) == 0 {
		return b, err
	}
	ids, bases := openings(cards)
	b.Layers, b.Proof, err = st.suite.Layers(me.rand, p, me.x, ids, bases)
	return b, err
}

func openings(cards []*slot) (ids []uint32, bases []Point) {
	for _, s := range cards {
		ids, bases = append(ids, uint32(s.ID)), append(bases, s.C.C1)
	}
	return ids, bases
}

func readAct(st *state, ex Expect, p Place, body []byte) (part, *Misdeed) {
	var b actPart
	if err := decode(body, &b); err != nil {
		return part{}, bad(FaultShape, "act: %v", err)
	}
	seat := int(p.Seat)
	if seat != ex.Asked {
		if (b.Verb != 0 || b.Card != 0 || b.With != 0 || len(b.Layers) != 0) || b.To != engine.None {
			return part{}, bad(FaultShape, "seat %d may only come in", seat)
		}
		return part{body: b}, nil
	}
	work := st.clone()
	checks, err := work.act(p, b)
	if err != nil {
		return part{}, err
	}
	return part{body: b, checks: checks}, nil
}

// act opens the cards of a decision and steps the engine. On a misdeed st may be half changed.
func (st *state) act(p Place, b actPart) ([]Check, *Misdeed) {
	seat := int(p.Seat)
	cards, err := st.shows(seat, b.Card, b.With)
	if err != nil {
		return nil, bad(FaultIllegal, "%v", err)
	}
	if len(b.Layers) != len(cards) {
		return nil, bad(FaultShape, "%d layers for %d cards", len(b.Layers), len(cards))
	}
	var checks []Check
	if len(cards) > 0 {
		ids, bases := openings(cards)
		checks = append(checks, st.suite.CheckLayers(p, st.key(seat), ids, bases, b.Layers, b.Proof))
		for i, s := range cards {
			s.C.C2 = st.suite.Minus(s.C.C2, b.Layers[i])
			if err := st.reveal(s); err != nil {
				return nil, bad(FaultLayers, "%v", err)
			}
		}
	} else if len(b.Proof) != 0 {
		return nil, bad(FaultShape, "a proof without layers")
	}
	if b.In && !sameAction(st.game.Default(), st.action(b)) {
		return nil, bad(FaultIllegal, "not the default")
	}
	if err := st.game.Step(st.action(b)); err != nil {
		return nil, illegal(err)
	}
	return checks, nil
}

// illegal is the misdeed of an action that the rules refuse. The engine's error counts places; a fault names the
// roster seat, so of the error only the reason is kept.
func illegal(err error) *Misdeed {
	var e *engine.IllegalError
	if errors.As(err, &e) {
		return bad(FaultIllegal, "%v", e.Reason)
	}
	return &Misdeed{FaultIllegal, err}
}

// sameAction compares a default, which names hidden cards without their faces, with a decision.
func sameAction(d, a engine.Action) bool {
	d.Card.Face, d.With.Face, a.Card.Face, a.With.Face = 0, 0, 0, 0
	return d == a
}

// action is the decision as the engine takes it, with the faces of the cards that lie open now.
func (st *state) action(b actPart) engine.Action {
	return engine.Action{
		Seat: st.ask.Seat, Verb: b.Verb, As: b.As, To: b.To, At: b.At, N: b.N,
		Card: st.opened(b.Card), With: st.opened(b.With),
	}
}

func (st *state) opened(id engine.Slot) engine.Card {
	if id == 0 {
		return engine.Card{}
	}
	return engine.Card{Slot: id, Face: st.faces([]engine.Slot{id})[0]}
}

func closeAct(st *state, ex Expect, parts []*part) error {
	p := st.at(ex.Asked, ex)
	if parts[ex.Asked] == nil {
		return nil // asked again
	}
	if _, err := st.act(p, parts[ex.Asked].body.(actPart)); err != nil {
		return err
	}
	if parts[ex.Asked].body.(actPart).In {
		st.byDefault = append(st.byDefault, uint8(ex.Asked))
	}
	for _, m := range st.ask.May {
		if s := st.seat(m); s >= 0 && s != ex.Asked && parts[s] != nil && parts[s].body.(actPart).In {
			st.game.ComeIn(m) // what is no longer possible falls away and is no fault
		}
	}
	return st.settle()
}
