package table

import (
	"fmt"
	"math"
	"slices"
)

// wantText asks a peer for what is missing: everything from Round on, and of Round itself what is not held.
type wantText struct {
	_     struct{} `cbor:",toarray"`
	Table Hash
	Round uint32
	Says  Seats
	Seals Seats
}

// maxServed bounds one answer: rounds, and bytes.
const (
	maxServedRounds = 256
	maxServedBytes  = 4 << 20
)

// Want is a question for what this table is missing, at most 64 bytes; any peer answers it by Serve.
func (t *Table) Want() []byte {
	w := wantText{Table: t.st.roster.Table, Round: t.st.round}
	if t.open.split() {
		return encode(w) // somebody has told different things: everything is of interest
	}
	for s := range MaxSeats {
		if len(t.open.says[s]) > 0 {
			w.Says |= only(s)
		}
		if len(t.open.seals[s]) > 0 {
			w.Seals |= only(s)
		}
	}
	return encode(w)
}

// Serve answers a peer's question with packets. A hostile question costs no more than a bounded answer.
func (t *Table) Serve(question []byte) ([][]byte, error) {
	return t.serve(question, math.MaxUint32, maxServedBytes)
}

// ServeSpectator answers who only looks on, a quarter as much at a time: with the closed rounds before the one given.
// Where that lies beyond the open round, so that nothing is held back, what is held of the open one is shown too.
func (t *Table) ServeSpectator(question []byte, before uint32) ([][]byte, error) {
	return t.serve(question, before, maxServedBytes/4)
}

func (t *Table) serve(question []byte, before uint32, most int) ([][]byte, error) {
	var w wantText
	if len(question) > 128 {
		return nil, fmt.Errorf("question of %d bytes", len(question))
	}
	if err := decode(question, &w); err != nil {
		return nil, fmt.Errorf("question: %w", err)
	}
	if w.Table != t.st.roster.Table || w.Round > t.st.round {
		return nil, nil
	}
	var out [][]byte
	size := 0
	give := func(e Envelope) {
		out = append(out, e.Raw)
		size += len(e.Raw)
	}
	for r := int(w.Round); r < len(t.log) && r < int(min(before, w.Round+maxServedRounds)) && size < most; r++ {
		for _, e := range t.log[r].envelopes() {
			give(e)
		}
	}
	if before <= t.st.round {
		return Bundle(out...), nil
	}
	voting := len(t.open.calls) > 0
	for _, e := range t.heldEnvelopes() {
		had := e.Kind == KindSay && w.Says.Has(int(e.Seat)) || e.Kind == KindSeal && w.Seals.Has(int(e.Seat))
		if w.Round < t.st.round || voting || !had {
			give(e)
		}
	}
	for _, h := range t.wish {
		if h != nil {
			give(h.env)
		}
	}
	for _, e := range t.ended {
		give(e)
	}
	return Bundle(out...), nil
}

// envelopes is what others need to close the round too. One that was closed by a ballot keeps all that was held.
func (c *closedRound) envelopes() []Envelope {
	if c.rest != nil {
		return c.rest
	}
	return slices.Concat(c.says, c.seals)
}

// Round is the number of the open round, and the head of the log before it: what a heartbeat tells.
func (t *Table) Round() (uint32, Hash) { return t.st.round, t.st.head }
