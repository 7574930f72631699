package table

import (
	"slices"

	"standoff/engine"
)

type keysPart struct {
	_ struct{} `cbor:",toarray"`
	X []byte
}

// speakKeys shows the own card key for the audit, after the last round that depends on anything is closed.
func speakKeys(_ *state, _ Expect, _ Place, me *party) (any, error) {
	return keysPart{X: me.x.Bytes()}, nil
}

func readKeys(st *state, _ Expect, p Place, body []byte) (part, *Misdeed) {
	var b keysPart
	if err := decode(body, &b); err != nil {
		return part{}, bad(FaultShape, "keys: %v", err)
	}
	x, err := st.suite.SecretFrom(b.X)
	if err != nil {
		return part{}, bad(FaultKey, "%v", err)
	}
	if x.Public() != st.key(int(p.Seat)) {
		return part{}, bad(FaultKey, "the key shown is not the one the seat played with")
	}
	return part{body: b}, nil
}

func closeKeys(st *state, ex Expect, parts []*part) error {
	for _, s := range ex.From.List() {
		if parts[s] == nil {
			continue // its line is missing
		}
		st.keys[s] = parts[s].body.(keysPart).X
		st.shown |= only(s)
	}
	st.stage = atResult
	return nil
}

// resultPart is a seat's signature under the result; prev covers everything before.
type resultPart struct {
	_       struct{} `cbor:",toarray"`
	Outcome engine.Outcome
	Winners []uint8 // roster seats, ascending
}

func (st *state) result() resultPart {
	r := resultPart{Outcome: st.game.State().Over, Winners: []uint8{}}
	for _, w := range st.game.Winners() {
		r.Winners = append(r.Winners, uint8(st.seat(w)))
	}
	slices.Sort(r.Winners)
	return r
}

func speakResult(st *state, _ Expect, _ Place, _ *party) (any, error) { return st.result(), nil }

func readResult(st *state, _ Expect, p Place, body []byte) (part, *Misdeed) {
	var b resultPart
	if err := decode(body, &b); err != nil {
		return part{}, bad(FaultShape, "result: %v", err)
	}
	if want := st.result(); b.Outcome != want.Outcome || !slices.Equal(b.Winners, want.Winners) {
		return part{}, bad(FaultResult, "another result than the game had")
	}
	return part{body: b}, nil
}

func closeResult(st *state, _ Expect, _ []*part) error {
	st.stage = atEnd
	return nil
}
