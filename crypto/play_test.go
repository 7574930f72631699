package crypto

import (
	"crypto/rand"
	"slices"
	"testing"
)

// play is a table of seats that keep the rules of the log in their heads: every
// step below makes a statement, verifies it, and only then changes the slots.
type play struct {
	t       *testing.T
	secrets []*Secret
	keys    []Point
	joint   Point
	next    uint32
	place   Place
}

func newPlay(t *testing.T, seats int) *play {
	p := &play{t: t, place: testPlace}
	for range seats {
		s := testSecret(t)
		p.secrets, p.keys = append(p.secrets, s), append(p.keys, s.Public())
	}
	p.joint = SumPoints(p.keys...)
	return p
}

func (p *play) verify(c Check) {
	p.t.Helper()
	p.place.Round++
	if err := c.Verify(); err != nil {
		p.t.Fatal(err)
	}
}

func (p *play) slots(n int) (list []uint32) {
	for range n {
		list = append(list, p.next)
		p.next++
	}
	return list
}

// mix has every seat shuffle the pile in turn.
func (p *play) mix(deck []Ciphertext) []Ciphertext {
	p.t.Helper()
	for range p.secrets {
		deck = p.shuffle(deck, p.joint)
	}
	return deck
}

func (p *play) shuffle(deck []Ciphertext, key Point) []Ciphertext {
	p.t.Helper()
	st, _, err := Shuffle(rand.Reader, p.place, 1, key, p.slots(len(deck)), p.slots(len(deck)), deck)
	if err != nil {
		p.t.Fatal(err)
	}
	p.verify(st)
	return st.Out
}

// strip has the seats take their layers off the slots.
func (p *play) strip(deck []Ciphertext, seats ...int) []Ciphertext {
	p.t.Helper()
	deck = slices.Clone(deck)
	for _, j := range seats {
		st := LayersStatement{Place: p.place, Op: 1, Key: p.keys[j], Slots: p.slots(len(deck)), Bases: bases(deck)}
		var err error
		if st.Layers, st.Proof, err = ProveLayers(rand.Reader, p.place, 1, p.secrets[j], st.Slots, st.Bases); err != nil {
			p.t.Fatal(err)
		}
		p.verify(st)
		for i := range deck {
			deck[i] = deck[i].Strip(st.Layers[i])
		}
	}
	return deck
}

// wrap puts the layers of the seats on slots that are under key, with fresh C1.
func (p *play) wrap(deck []Ciphertext, key Point, seats ...int) []Ciphertext {
	p.t.Helper()
	for _, j := range seats {
		key = key.Add(p.keys[j])
	}
	out := slices.Clone(deck)
	for _, j := range seats {
		slots := p.slots(len(deck))
		add := LayersStatement{Place: p.place, Op: 2, Key: p.keys[j], Slots: slots, Bases: bases(deck)}
		var err error
		if add.Layers, add.Proof, err = ProveLayers(rand.Reader, p.place, 2, p.secrets[j], slots, add.Bases); err != nil {
			p.t.Fatal(err)
		}
		fresh := RefreshStatement{Place: p.place, Op: 2, Key: key, Slots: slots}
		if fresh.Refreshes, fresh.Proof, err = ProveRefresh(rand.Reader, p.place, 2, key, slots); err != nil {
			p.t.Fatal(err)
		}
		p.verify(add)
		p.verify(fresh)
		for i := range out {
			out[i] = out[i].Add(add.Layers[i]).Refresh(fresh.Refreshes[i])
		}
	}
	return out
}

// give retargets a slot from seat from to the key.
func (p *play) give(c Ciphertext, from int, to Point) Ciphertext {
	p.t.Helper()
	st := RetargetStatement{Place: p.place, Key: p.keys[from], Target: to, Slot: 7, In: c}
	var err error
	if st.Out, st.Proof, err = Retarget(rand.Reader, p.place, p.secrets[from], 7, c, to); err != nil {
		p.t.Fatal(err)
	}
	p.verify(st)
	return st.Out
}

var tenCards = []uint16{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}

// read is the ids of cards that seat j alone still masks.
func (p *play) read(deck []Ciphertext, j int) (ids []int) {
	p.t.Helper()
	for _, c := range deck {
		id, ok := FindCard(1, tenCards, p.secrets[j].Open(c))
		if !ok {
			p.t.Fatal("a slot opens to no card")
		}
		ids = append(ids, int(id))
	}
	return ids
}

func sorted(list []int) []int {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}

// TestPlay goes once through everything a game does with cards.
func TestPlay(t *testing.T) {
	p := newPlay(t, 4)
	var deck []Ciphertext
	for _, id := range tenCards {
		deck = append(deck, Trivial(CardPoint(1, id), p.joint))
	}
	deck = p.mix(deck)

	// Three cards to seat 2: everybody else takes its mask off; order is free.
	hand := p.strip(deck[:3], 3, 0, 1)
	held := p.read(hand, 2)
	if len(slices.Compact(sorted(held))) != 3 {
		t.Fatalf("dealt %v", held)
	}
	for j := range 4 {
		if _, ok := FindCard(1, tenCards, p.secrets[j].Open(hand[0])); ok != (j == 2) {
			t.Errorf("seat %d reads the first card: %t", j, ok)
		}
	}
	if other := p.strip(deck[:3], 1, 3, 0); !other[0].Equal(hand[0]) {
		t.Error("the order in which masks come off matters")
	}

	// Seat 2 shuffles its hand, an open card among it; the cards stay the same.
	open := 9
	for slices.Contains(held, open) {
		open--
	}
	hand = p.shuffle(append(hand, Trivial(CardPoint(1, uint16(open)), p.keys[2])), p.keys[2])
	held = append(held, open)
	if got := p.read(hand, 2); !slices.Equal(sorted(got), sorted(held)) {
		t.Fatalf("the hand was %v and is %v after its shuffle", held, got)
	}
	held = p.read(hand, 2)

	// A card goes to seat 0 unseen; seat 2 cannot read it there, seat 0 can.
	given := p.give(hand[1], 2, p.keys[0])
	if got := p.read([]Ciphertext{given}, 0); got[0] != held[1] {
		t.Errorf("gave card %d, card %d arrived", held[1], got[0])
	}
	// One goes back to the deck, is masked by all, and is flipped.
	back := p.give(hand[2], 2, p.joint)
	flipped := p.strip([]Ciphertext{back}, 0, 1, 2, 3)
	if id, ok := FindCard(1, tenCards, flipped[0].C2); !ok || int(id) != held[2] {
		t.Errorf("card %d went back, card %d was flipped", held[2], id)
	}
	// Seat 2 plays one: it takes its own mask off.
	if id, ok := FindCard(1, tenCards, p.strip(hand[:1], 2)[0].C2); !ok || int(id) != held[0] {
		t.Errorf("played card %d, card %d is on the table", held[0], id)
	}
	// One slot remasked alone.
	if got := p.read(p.shuffle(hand[3:], p.keys[2]), 2); got[0] != held[3] {
		t.Errorf("card %d became %d", held[3], got[0])
	}

	// Seat 3 comes back into a running game with a fresh key: wrap the deck.
	p.secrets[3] = testSecret(t)
	former := p.joint
	p.keys[3] = p.secrets[3].Public()
	p.joint = former.Add(p.keys[3])
	wrapped := p.wrap(deck[5:6], former, 3)
	if wrapped[0].C1.Equal(deck[5].C1) {
		t.Error("a wrap keeps C1")
	}

	// Guard: seats 0 and 1 wrap the hand of seat 2 before its layer is supplied.
	guarded := p.wrap(hand[3:], p.keys[2], 0, 1)
	if got := p.read(p.strip(guarded, 1, 0), 2); got[0] != held[3] {
		t.Errorf("the guarded card is %d, was %d", got[0], held[3])
	}
	layer := p.secrets[2].Layer(guarded[0].C1)
	if got := p.read(p.strip([]Ciphertext{guarded[0].Strip(layer)}, 0), 1); got[0] != held[3] {
		t.Error("the lifted card is another")
	}
	// Had they only added and not refreshed, an old layer would open it.
	bare := hand[3].Add(p.secrets[0].Layer(hand[3].C1))
	if _, ok := FindCard(1, tenCards, bare.Strip(p.secrets[0].Layer(hand[3].C1)).Strip(p.secrets[2].Layer(hand[3].C1)).C2); !ok {
		t.Error("the control fails: layers without refresh open the slot")
	}
	if _, ok := FindCard(1, tenCards, guarded[0].Strip(p.secrets[2].Layer(hand[3].C1)).C2); ok {
		t.Error("the layer of the old C1 opens the guarded slot")
	}
}

// TestCoin: the coin is a function of all layers, in range, and about fair.
func TestCoin(t *testing.T) {
	p := newPlay(t, 3)
	count := make([]int, 5)
	for round := range 400 {
		base := HashPoint("coin", []byte{byte(round), byte(round >> 8)})
		var sum Point
		for _, s := range p.secrets {
			sum = sum.Add(s.Layer(base))
		}
		c := Coin(sum, 5)
		if c > 4 {
			t.Fatalf("coin %d of 5", c)
		}
		if c != Coin(sum, 5) || Coin(sum, 1) != 0 {
			t.Fatal("a coin that changes")
		}
		count[c]++
	}
	for side, n := range count { // 80 expected, 8 the deviation
		if n < 40 || n > 120 {
			t.Errorf("side %d came up %d times in 400", side, n)
		}
	}
}

// TestPoints: the small promises of the group that others build on.
func TestPoints(t *testing.T) {
	a, b := testSecret(t).Public(), testSecret(t).Public()
	var zero Point
	if !zero.IsIdentity() || !zero.Equal(a.Sub(a)) || zero.Encoding() != a.Sub(a).Encoding() || !a.Add(zero).Equal(a) || !a.Add(a.Neg()).IsIdentity() {
		t.Error("the zero point is not the identity")
	}
	if !a.Add(b).Equal(SumPoints(b, a)) || a.Add(b).Equal(a) || !SumPoints().IsIdentity() {
		t.Error("addition is wrong")
	}
	p, err := DecodePoint(a.Bytes())
	if err != nil || !p.Equal(a) || p.Encoding() != a.Encoding() {
		t.Errorf("a point does not survive its encoding: %v", err)
	}
	bytes := a.Bytes()
	bytes[0] ^= 1
	if a.Encoding() != p.Encoding() {
		t.Error("Bytes hands out the point's own memory")
	}
	s := testSecret(t)
	back, err := SecretFromBytes(s.Bytes())
	if err != nil || !back.Public().Equal(s.Public()) {
		t.Errorf("a secret does not survive its bytes: %v", err)
	}
	s.Wipe()
	if !s.x.isZero() {
		t.Error("a wiped secret is still there")
	}
	f, err := NewPolynomial(rand.Reader, testSecret(t), 3)
	if err != nil {
		t.Fatal(err)
	}
	f.Wipe()
	if at := f.at(1); !at.isZero() {
		t.Error("a wiped polynomial is still there")
	}
}

// TestDecodersReturnNothingOnError: an error returns nothing usable.
func TestDecodersReturnNothingOnError(t *testing.T) {
	bad := badPoints(t)[0]
	if p, err := DecodePoint(bad); err == nil || !p.IsIdentity() {
		t.Error("a point comes with its error")
	}
	g := generator.Bytes()
	for _, b := range [][]byte{slices.Concat(g, bad), slices.Concat(make([]byte, 32), g)} {
		if c, err := DecodeCiphertext(b); err == nil || !c.C1.IsIdentity() || !c.C2.IsIdentity() {
			t.Error("a ciphertext comes with its error")
		}
	}
}
