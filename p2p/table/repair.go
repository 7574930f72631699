package table

import (
	"slices"

	"standoff/engine"
)

// After a removal or a return, rounds put the cards and the shares in order before the game goes on:
//
//	guard   the members that hold shares put their layers on what lay under gone seats alone
//	lift    then they supply the layers of the gone seats, from their shares: nobody learns a key or a card
//	share, check   fresh shares among the members of now
//	enter   returned seats put their layers on everything that the members keep together
//
// repair is the kind of the round that is due and who contributes; 0 when all is in order.
func (st *state) repair() (RoundKind, Seats) {
	if !st.absence.begun() {
		return 0, 0
	}
	if gone := st.gone(); gone != 0 {
		if gone&^st.guarded != 0 && len(st.wrapped()) > 0 {
			return RoundWrap, st.holders
		}
		return RoundLift, st.holders
	}
	if m := st.members.Count(); (st.members != st.holders || st.holders != st.current.Members) && Quorum(m, st.choices.tolerate()) < m {
		if st.dealt == nil {
			return RoundShare, st.members
		}
		return RoundCheck, st.members
	}
	if st.entering != 0 {
		return RoundWrap, st.entering
	}
	return 0, 0
}

// wrapped lists the slots of the open wrap round: of a guard what lies under gone seats alone and what an unfinished
// need hands to one of them, for layers of it may be out already; of an enter what the members keep together.
func (st *state) wrapped() []*slot {
	gone := st.gone()
	var promised []engine.Slot
	for i := range st.needs {
		n := &st.needs[i]
		if st.form(n) == RoundStrip && (n.Kind == engine.Deal || n.Kind == engine.Give) && gone.Has(st.seat(n.Seat)) {
			promised = append(promised, n.Old...)
		}
	}
	var list []*slot
	for i := range st.slots {
		s := &st.slots[i]
		switch owner := int(s.Owner); {
		case s.Card != hidden:
		case gone != 0 && (s.Mask&^gone == 0 || slices.Contains(promised, s.ID)),
			gone == 0 && s.Mask != st.members && (!st.members.Has(owner) || st.entering.Has(owner)):
			list = append(list, s)
		}
	}
	return list
}

// wrapPart puts a layer on each slot that lacks the seat's own, and gives every slot a fresh C1, so that no layer
// ever published for it takes anything off it any more.
type wrapPart struct {
	_        struct{} `cbor:",toarray"`
	Layers   []Point  // of the slots without the seat's layer, in order
	Proof    []byte
	Refresh  []Cipher // of all slots, in order
	Refreshs [][]byte // a proof for each key, in the order in which the keys first occur
}

// wrapKey is the group of slots that come under one key.
type wrapKey struct {
	mask  Seats
	key   Point
	index []int // in the list of slots
}

func (st *state) wrapKeys(list []*slot, by Seats) []wrapKey {
	var keys []wrapKey
	for i, s := range list {
		mask := s.Mask | by
		k := slices.IndexFunc(keys, func(k wrapKey) bool { return k.mask == mask })
		if k < 0 {
			var sum []Point
			for _, seat := range mask.List() {
				sum = append(sum, st.card[seat])
			}
			keys = append(keys, wrapKey{mask: mask, key: st.suite.Sum(sum...)})
			k = len(keys) - 1
		}
		keys[k].index = append(keys[k].index, i)
	}
	return keys
}

// bare lists the slots without a layer of seat.
func bare(list []*slot, seat int) []*slot {
	var out []*slot
	for _, s := range list {
		if !s.Mask.Has(seat) {
			out = append(out, s)
		}
	}
	return out
}

func (k *wrapKey) slots(list []*slot) []uint32 {
	var ids []uint32
	for _, i := range k.index {
		ids = append(ids, uint32(list[i].ID))
	}
	return ids
}

func speakWrap(st *state, ex Expect, p Place, me *party) (any, error) {
	list := st.wrapped()
	b := wrapPart{Refresh: make([]Cipher, len(list))}
	if own := bare(list, me.seat); len(own) > 0 {
		ids, bases := openings(own)
		var err error
		if b.Layers, b.Proof, err = st.suite.Layers(me.rand, p, me.x, ids, bases); err != nil {
			return nil, err
		}
	}
	for _, k := range st.wrapKeys(list, ex.From) {
		out, proof, err := st.suite.Refresh(me.rand, p, k.key, k.slots(list))
		if err != nil {
			return nil, err
		}
		for i, at := range k.index {
			b.Refresh[at] = out[i]
		}
		b.Refreshs = append(b.Refreshs, proof)
	}
	return b, nil
}

func readWrap(st *state, ex Expect, p Place, body []byte) (part, *Misdeed) {
	var b wrapPart
	if err := decode(body, &b); err != nil {
		return part{}, bad(FaultShape, "wrap: %v", err)
	}
	list := st.wrapped()
	keys := st.wrapKeys(list, ex.From)
	own := bare(list, int(p.Seat))
	if len(b.Refresh) != len(list) || len(b.Refreshs) != len(keys) || len(b.Layers) != len(own) || len(own) == 0 && len(b.Proof) != 0 {
		return part{}, bad(FaultShape, "wrap of %d slots, not %d", len(b.Refresh), len(list))
	}
	pt := part{body: b}
	if len(own) > 0 {
		ids, bases := openings(own)
		pt.checks = append(pt.checks, st.suite.CheckLayers(p, st.card[p.Seat], ids, bases, b.Layers, b.Proof))
	}
	for i, k := range keys {
		out := make([]Cipher, len(k.index))
		for j, at := range k.index {
			if err := st.suite.ValidCipher(b.Refresh[at]); err != nil {
				return part{}, bad(FaultShape, "wrap: %v", err)
			}
			out[j] = b.Refresh[at]
		}
		pt.checks = append(pt.checks, st.suite.CheckRefresh(p, k.key, k.slots(list), out, b.Refreshs[i]))
	}
	return pt, nil
}

func closeWrap(st *state, ex Expect, parts []*part) error {
	list := st.wrapped()
	c1, c2 := make([][]Point, len(list)), make([][]Point, len(list))
	for _, seat := range ex.From.List() {
		b := parts[seat].body.(wrapPart)
		layers := b.Layers
		for i, s := range list {
			c1[i], c2[i] = append(c1[i], b.Refresh[i].C1), append(c2[i], b.Refresh[i].C2)
			if !s.Mask.Has(seat) {
				c2[i], layers = append(c2[i], layers[0]), layers[1:]
			}
		}
	}
	for i, s := range list {
		s.C.C1 = st.suite.Sum(append(c1[i], s.C.C1)...)
		s.C.C2 = st.suite.Sum(append(c2[i], s.C.C2)...)
		s.Mask |= ex.From
	}
	if gone := st.gone(); gone != 0 {
		st.guarded = gone
		return st.settle()
	}
	st.enter()
	return st.settle()
}

// enter ends a return: each returned seat gets its cards out of custody, then it decides for itself again.
func (st *state) enter() {
	back := st.entering
	st.entering = 0
	for _, seat := range back.List() {
		var own []engine.Slot
		for i := range st.slots {
			if s := &st.slots[i]; s.Card == hidden && int(s.Owner) == seat {
				own = append(own, s.ID)
			}
		}
		if len(own) > 0 {
			st.inner(engine.Need{Kind: engine.Deal, Seat: st.place(seat), Owner: engine.None, Old: own})
		}
	}
}

// liftPart holds, for each gone seat, the layers made with the sayer's share of that seat's key.
type liftPart struct {
	_     struct{} `cbor:",toarray"`
	Seats []lifted
}

type lifted struct {
	_      struct{} `cbor:",toarray"`
	Layers []Point
	Proof  []byte
}

// liftDue lists what still carries a layer of a gone seat: slots, then a coin.
func (st *state) liftDue(gone int) (slots []uint32, bases []Point) {
	for i := range st.slots {
		if s := &st.slots[i]; s.Mask.Has(gone) {
			slots, bases = append(slots, uint32(s.ID)), append(bases, s.C.C1)
		}
	}
	for i := range st.needs {
		if n := &st.needs[i]; n.Mask.Has(gone) {
			slots, bases = append(slots, 0), append(bases, n.Coin)
		}
	}
	return slots, bases
}

// heldRecipients are those to whom dealer dealt in the current sharing.
func (st *state) heldRecipients(dealer int) []Recipient {
	var to []Recipient
	for _, s := range st.current.Members.List() {
		if s != dealer {
			to = append(to, Recipient{Seat: uint8(s), Key: st.shareKeys[s]})
		}
	}
	return to
}

// myShare is the share that the seat holds of a gone seat's key.
func (st *state) myShare(me *party, gone int) (Secret, error) {
	at := st.dealingsAt
	at.Seat = uint8(gone)
	b, err := st.suite.OpenShare(at, st.heldRecipients(gone), st.dealings[gone], me.z, me.seat)
	if err != nil {
		return nil, err
	}
	return st.suite.SecretFrom(b)
}

func speakLift(st *state, ex Expect, p Place, me *party) (any, error) {
	var b liftPart
	for _, g := range st.gone().List() {
		share, err := st.myShare(me, g)
		if err != nil {
			return nil, err
		}
		slots, bases := st.liftDue(g)
		layers, proof, err := st.suite.Layers(me.rand, p, share, slots, bases)
		if err != nil {
			return nil, err
		}
		b.Seats = append(b.Seats, lifted{Layers: layers, Proof: proof})
	}
	return b, nil
}

func readLift(st *state, ex Expect, p Place, body []byte) (part, *Misdeed) {
	var b liftPart
	if err := decode(body, &b); err != nil {
		return part{}, bad(FaultShape, "lift: %v", err)
	}
	gone := st.gone().List()
	if len(b.Seats) != len(gone) {
		return part{}, bad(FaultShape, "lift of %d seats, not %d", len(b.Seats), len(gone))
	}
	pt := part{body: b}
	for i, g := range gone {
		slots, bases := st.liftDue(g)
		if len(b.Seats[i].Layers) != len(slots) {
			return part{}, bad(FaultShape, "lift: %d layers, not %d", len(b.Seats[i].Layers), len(slots))
		}
		key := st.suite.PublicShare(st.current.Commitments[g], p.Seat)
		pt.checks = append(pt.checks, st.suite.CheckLayers(p, key, slots, bases, b.Seats[i].Layers, b.Seats[i].Proof))
	}
	return pt, nil
}

func closeLift(st *state, ex Expect, parts []*part) error {
	helpers := ex.From.List()[:st.current.Threshold]
	ids := make([]uint8, len(helpers))
	for i, h := range helpers {
		ids[i] = uint8(h)
	}
	gone := st.gone()
	for at, g := range gone.List() {
		next := 0
		layer := func() Point {
			var part []Point
			for _, h := range helpers {
				part = append(part, parts[h].body.(liftPart).Seats[at].Layers[next])
			}
			next++
			return st.suite.Combine(ids, part)
		}
		for i := range st.slots {
			if s := &st.slots[i]; s.Mask.Has(g) {
				s.C.C2 = st.suite.Minus(s.C.C2, layer())
				s.Mask = s.Mask.Without(g)
			}
		}
		for i := range st.needs {
			n := &st.needs[i]
			if !n.Mask.Has(g) {
				continue
			}
			given := []Point{layer()}
			if n.Given != (Point{}) {
				given = append(given, n.Given)
			}
			n.Given, n.Mask = st.suite.Sum(given...), n.Mask.Without(g)
		}
	}
	st.guarded = 0
	return st.settle()
}
