package table

import (
	"fmt"

	"standoff/engine"
)

// Report is the verdict on a transcript.
type Report struct {
	Result  Result
	Table   Hash
	Name    string
	Players []Seated
	Sets    []string
	Options [][2]string
	Rounds  int // closed
	Proofs  int // verified
	Outcome engine.Outcome
	Winners []int  // roster seats; of a finished game only, for until then nobody has signed that they won
	Left    int    // void: who left, -1
	Moves   []Move // removals and returns, in order
	Faults  []Fault
	Note    string // incomplete: after which round and why
}

// Move is a seat that was taken out of the members, or came back.
type Move struct {
	Round uint32
	Seat  int
	Back  bool
	Why   Reason
	Fault string // of a cheat: what it did
	Proof *Fault // and what proves it
}

func (m Move) String() string {
	if m.Back {
		return fmt.Sprintf("round %d: seat %d returned", m.Round, m.Seat)
	}
	if m.Fault != "" {
		return fmt.Sprintf("round %d: seat %d removed: %s", m.Round, m.Seat, m.Fault)
	}
	return fmt.Sprintf("round %d: seat %d removed: %v", m.Round, m.Seat, m.Why)
}

// Seated is a player of a transcript, in roster order.
type Seated struct {
	Nick      string
	Key       []byte
	Bot       bool
	Place     int // around the table, -1 before places are drawn
	Role      engine.Role
	Character engine.Kind
}

func (r *Replay) sum() *Report {
	st, o := r.st, r.st.roster.Offer
	rep := &Report{Table: st.roster.Table, Name: o.Name, Sets: o.Sets, Options: o.Options, Rounds: int(st.round),
		Proofs: r.proofs, Left: r.trailer.left, Moves: r.moves, Faults: r.trailer.faults}
	for i, j := range st.roster.Joins {
		p := Seated{Nick: j.Nick, Key: j.Key, Bot: j.Bot, Place: -1}
		if st.game != nil {
			p.Place = int(st.place(i))
			pl := st.game.State().Players[p.Place]
			p.Role, p.Character = pl.Role, pl.Character
		}
		rep.Players = append(rep.Players, p)
	}
	switch {
	case len(rep.Faults) > 0 || rep.Left >= 0:
		rep.Result = Void
	case st.stage == atEnd:
		rep.Result = Finished
	default:
		rep.Note = fmt.Sprintf("incomplete after round %d", int(st.round)-1)
		switch {
		case r.torn != nil:
			rep.Note += ": " + r.torn.err.Error()
		case st.game != nil && st.game.State().Over != engine.NotOver:
			rep.Note += ", before all had signed the result"
		}
	}
	if rep.Result == Finished {
		res := st.result()
		rep.Outcome = res.Outcome
		for _, w := range res.Winners {
			rep.Winners = append(rep.Winners, int(w))
		}
	}
	return rep
}
