package table

import (
	"cmp"
	"crypto/ed25519"
	"errors"
	"io"
	"slices"

	"standoff/engine"
)

// party is what one seat has to itself: its keys, its secrets and what it knows of hidden cards. An observer has
// none.
type party struct {
	seat  int
	id    ed25519.PrivateKey
	rand  io.Reader
	x, z  Secret // card key, share key
	nonce Hash
	known engine.Knowledge // ascending by slot
	ahead engine.Knowledge // of slots that an own round in work makes

	fresh   map[uint32]*freshKeys // shown in wishes to return, by the number of removals before
	saved   map[Hash]bool         // foreign envelopes in the journal, of round savedIn
	savedIn uint32
	past    map[uint32][]Envelope // from the journal, by round, until the round is open again

	action  engine.Action // the decision for the open act round
	byClock bool          // it is the default, for time has run out
	comeIn  bool          // take the next chance to come in (B-363 d)
	spent   Spent         // before this program's clock began
}

// freshKeys are the keys with which a removed seat wants to return.
type freshKeys struct{ x, z Secret }

// read brings the seat's knowledge up to date after a round: a hidden card that lies under its own layer alone can
// be read; a card once known stays known wherever its slot goes, until the slot is dead or open to all.
func (me *party) read(st *state) {
	if st.packs == nil {
		return
	}
	var now engine.Knowledge
	for i := range st.slots {
		s := &st.slots[i]
		if s.Card != hidden {
			continue
		}
		f := me.known.Face(s.ID)
		if f == 0 {
			f = me.ahead.Face(s.ID)
		}
		if f == 0 && me.x != nil && s.Mask == only(me.seat) {
			if card, ok := st.packs.card[st.suite.Read(me.x, s.C)]; ok && int(card) < len(st.packs.face[s.Pile]) {
				f = st.face(s.Pile, card)
			}
		}
		if f != 0 {
			now = append(now, engine.Known{Slot: s.ID, Face: f})
		}
	}
	slices.SortFunc(now, func(a, b engine.Known) int { return cmp.Compare(a.Slot, b.Slot) })
	me.known = now
}

// lookAhead notes what the seat will know of the slots of work, a state in the middle of an own round: a card may be
// remasked and given away in one round, and its giver knows it all the same (B-441).
func (me *party) lookAhead(work *state) {
	later := *me
	later.read(work)
	me.ahead = later.known
}

// find is the index of the own card that shows the face asked for.
func (me *party) find(st *state, n openNeed) (int, error) {
	me.lookAhead(st)
	for i, id := range n.Old {
		f := me.ahead.Face(id)
		if s := st.slot(id); s != nil && s.Card != hidden {
			f = st.face(s.Pile, s.Card)
		}
		if f == n.Face {
			return i, nil
		}
	}
	return 0, errors.New("the card asked for is not in the hand")
}
