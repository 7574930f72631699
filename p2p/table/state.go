package table

import (
	"fmt"
	"math/bits"
	"slices"
	"sort"

	"standoff/engine"
)

// Seats is a set of roster seats.
type Seats uint8

func only(seat int) Seats              { return 1 << seat }
func (s Seats) Has(seat int) bool      { return seat >= 0 && s&(1<<seat) != 0 }
func (s Seats) Count() int             { return bits.OnesCount8(uint8(s)) }
func (s Seats) With(seat int) Seats    { return s | 1<<seat }
func (s Seats) Without(seat int) Seats { return s &^ (1 << seat) }

// List is the seats in ascending order.
func (s Seats) List() []int {
	if s == 0 {
		return nil
	}
	l := make([]int, 0, MaxSeats)
	for i := range MaxSeats {
		if s.Has(i) {
			l = append(l, i)
		}
	}
	return l
}

const hidden = -1 // slot.Card of a card that nobody opened

// slot is one live place of one physical card.
type slot struct {
	_     struct{} `cbor:",toarray"`
	ID    engine.Slot
	Pile  engine.Pile
	Card  int16 // number in the pack once everybody knows it, else hidden
	Owner int8  // roster seat in whose possession it lies hidden, -1 for a pile
	Mask  Seats // whose layers are on it
	C     Cipher
}

// openNeed is a need of the engine that the members have not served yet.
type openNeed struct {
	engine.Need
	No    uint32 // running number since the start
	Coin  Point  // base point of a Coin, fixed when the need arose
	Mask  Seats  // of a Coin: the members at that moment that have not given their layer
	Given Point  // of a Coin: the sum of the layers supplied for seats that are gone
	Inner bool   // the table's own need: the engine waits for no reply
}

// sharing is one completed distribution of Feldman shares.
type sharing struct {
	_           struct{} `cbor:",toarray"`
	Members     Seats
	Threshold   uint8
	Commitments [][]Point // by roster seat
}

// state is the part of a table that is a function of the log alone. All members, observers and verifiers hold
// the same one; nothing in it depends on a clock, on the order of arrival or on a secret.
type state struct {
	roster  *Roster
	rules   *engine.Rules
	choices Choices
	suite   Suite
	packs   *packs // nil until there is a game

	round uint32 // the open round
	head  Hash   // h of the round before
	past  []spoken

	members Seats
	commits [MaxSeats]Hash
	card    [MaxSeats]Point // X
	share   [MaxSeats]Point // Z
	joint   Point           // Y
	seatAt  []int8          // place to roster seat
	dealt   []Dealing       // of a share round, until its check is closed
	dealtAt Place           // of that round
	current *sharing

	absence

	game  *engine.Game
	ask   engine.Ask
	slots []slot // ascending by ID
	needs []openNeed
	count uint32 // needs so far
	mixed []pile // outputs of the last pass of an unfinished mix
	pass  int

	shown     Seats // keys round closed with these
	recovered bool  // and the keys of the others were looked for
	keys      [MaxSeats][]byte
	stage     stage
	events    []engine.Event // since the round before
	byDefault []uint8        // seats whose decision was the default, since the round before
}

// spoken is who had something to say in a closed round: without it nobody could be held to account later for what it said
// where nothing was asked of it.
type spoken struct {
	prev Hash // the head under which they spoke
	from Seats
}

// maxPast is for how many rounds that is remembered.
const maxPast = 32

// spokeIn is who had something to say in a closed round, if it is one of the last, and prev the head before it.
func (st *state) spokeIn(round uint32, prev Hash) (from Seats, ok bool) {
	back := int64(st.round) - int64(round)
	if back < 1 || back > int64(len(st.past)) {
		return 0, false
	}
	s := st.past[len(st.past)-int(back)]
	return s.from, s.prev == prev
}

type pile struct {
	_   struct{} `cbor:",toarray"`
	Out []Cipher
}

// stage is where the life of a table stands.
type stage uint8

const (
	atRoster stage = iota
	atReveal
	atShare
	atCheck
	atPlay
	atKeys
	atResult
	atEnd
)

// packs knows every physical card of the game: its face, and the card of a point.
type packs struct {
	face [engine.ShopPile + 1][]engine.Face
	card map[Point]int16 // points are separated by pile, so one map serves all
}

func newState(s Suite, r *Roster, rules *engine.Rules) (*state, error) {
	c, err := ReadChoices(rules, r.Offer.Options)
	if err != nil {
		return nil, err
	}
	if r.Offer.Rules != RulesVersion {
		return nil, fmt.Errorf("the game was played by rules %q, this program knows %q", r.Offer.Rules, RulesVersion)
	}
	if f := r.Offer.Former; f != nil {
		if err := f.known(rules); err != nil {
			return nil, err
		}
	}
	return &state{
		roster: r, rules: rules, choices: c, suite: s,
		head: r.Table, members: Seats(1<<len(r.Joins) - 1),
	}, nil
}

// clone copies everything that a round may change.
func (st *state) clone() *state {
	n := *st
	n.slots = slices.Clone(st.slots)
	n.needs = slices.Clone(st.needs)
	n.mixed = slices.Clone(st.mixed)
	n.dealt = slices.Clone(st.dealt)
	n.events, n.byDefault = nil, nil
	if st.game != nil {
		n.game = st.game.Clone()
	}
	return &n
}

// slot finds a live slot.
func (st *state) slot(id engine.Slot) *slot {
	i := sort.Search(len(st.slots), func(i int) bool { return st.slots[i].ID >= id })
	if i < len(st.slots) && st.slots[i].ID == id {
		return &st.slots[i]
	}
	return nil
}

// drop makes slots dead.
func (st *state) drop(ids []engine.Slot) {
	st.slots = slices.DeleteFunc(st.slots, func(s slot) bool { return slices.Contains(ids, s.ID) })
}

// add makes fresh slots; their ids are above all others.
func (st *state) add(fresh ...slot) {
	st.slots = append(st.slots, fresh...)
}

// seat turns a place of the engine into a roster seat, -1 for nobody.
func (st *state) seat(place engine.Seat) int {
	if place < 0 || int(place) >= len(st.seatAt) {
		return -1
	}
	return int(st.seatAt[place])
}

// place is the inverse of seat.
func (st *state) place(seat int) engine.Seat {
	return engine.Seat(slices.Index(st.seatAt, int8(seat)))
}

// key is the card key of a seat: its own while it is a member, the joint key while others keep its cards.
func (st *state) key(seat int) Point {
	if !st.members.Has(seat) {
		return st.joint
	}
	return st.card[seat]
}

// face is the face of card number card of a pile.
func (st *state) face(p engine.Pile, card int16) engine.Face {
	return st.packs.face[p][card]
}

// input is the ciphertext with which a slot enters a shuffle under key: an open card trivially encrypted.
func (st *state) input(s *slot, key Point) Cipher {
	if s.Card != hidden {
		return st.suite.Trivial(st.suite.CardPoint(uint8(s.Pile), uint16(s.Card)), key)
	}
	return s.C
}

// freshCiphers refuses outputs that share C1 with one another or with a live slot: a layer published for one
// would take the layer off the other as well.
func (st *state) freshCiphers(out []Cipher) error {
	seen := make(map[Point]bool, len(out)+len(st.slots))
	for i := range st.slots {
		if st.slots[i].Card == hidden {
			seen[st.slots[i].C.C1] = true
		}
	}
	for _, c := range out {
		if err := st.suite.ValidCipher(c); err != nil {
			return err
		}
		if seen[c.C1] {
			return fmt.Errorf("two cards under one randomness")
		}
		seen[c.C1] = true
	}
	return nil
}
