package crypto

import (
	"crypto/rand"
	"errors"
	"slices"
	"testing"
)

// honestLayers is a valid statement over the first n slots of a shuffled deck.
func honestLayers(t *testing.T, n int) (LayersStatement, *Secret) {
	t.Helper()
	d := newTestDeck(t, n)
	st := LayersStatement{Place: testPlace, Op: 1, Key: d.key.Public(), Slots: d.outSlots, Bases: d.bases(t)}
	var err error
	if st.Layers, st.Proof, err = ProveLayers(rand.Reader, testPlace, 1, d.key, st.Slots, st.Bases); err != nil {
		t.Fatal(err)
	}
	accepted(t, "honest layers", st)
	return st, d.key
}

// prove proves layers as they stand, true or not, with the secret x.
func (s LayersStatement) prove(t *testing.T, x *Secret) LayersStatement {
	t.Helper()
	tr := s.transcript()
	n, err := newNonces(rand.Reader, tr)
	if err != nil {
		t.Fatal(err)
	}
	s.Proof = proveEqualLogs(n, tr, &x.x, weighted(tr.weights("weights", len(s.Bases)), s.Bases))
	return s
}

func attackWrongShare(t *testing.T) {
	st, x := honestLayers(t, 4)
	other := testSecret(t)
	clone := func() LayersStatement {
		c := st
		c.Slots, c.Bases, c.Layers = slices.Clone(st.Slots), slices.Clone(st.Bases), slices.Clone(st.Layers)
		return c
	}
	swapped := clone()
	swapped.Layers[0], swapped.Layers[1] = swapped.Layers[1], swapped.Layers[0]
	wrongSlot := clone()
	wrongSlot.Layers[0] = x.Layer(CardPoint(1, 3))
	wrongKey := clone()
	wrongKey.Layers[2] = other.Layer(wrongKey.Bases[2])
	allWrong := clone()
	for k, b := range allWrong.Bases {
		allWrong.Layers[k] = other.Layer(b)
	}
	for what, c := range map[string]LayersStatement{
		"two layers swapped":             swapped,
		"the layer of another slot":      wrongSlot,
		"a layer with another key":       wrongKey,
		"all layers with another key":    allWrong,
		"swapped, proved anew":           swapped.prove(t, x),
		"another slot, proved anew":      wrongSlot.prove(t, x),
		"another key, proved anew":       wrongKey.prove(t, x),
		"all wrong, proved with x":       allWrong.prove(t, x),
		"all wrong, proved with the key": allWrong.prove(t, other),
	} {
		refused(t, what, c)
	}
}

// attackCancel bends two layers so that their sum stays. A verifier with weight
// 1 for all slots would accept; ours weighs with a hash of all layers.
func attackCancel(t *testing.T) {
	st, x := honestLayers(t, 3)
	bent := st
	bent.Layers = slices.Clone(st.Layers)
	delta := CardPoint(1, 7)
	bent.Layers[0], bent.Layers[1] = bent.Layers[0].Add(delta), bent.Layers[1].Sub(delta)

	ones := []Scalar{oneScalar, oneScalar, oneScalar}
	tr := bent.transcript()
	n, err := newNonces(rand.Reader, tr)
	if err != nil {
		t.Fatal(err)
	}
	proof := proveEqualLogs(n, tr, &x.x, weighted(ones, bent.Bases))
	cl, err := claimEqualLogs(bent.transcript(), proof, row{{oneScalar, bent.Key}}, weighted(ones, bent.Bases), weighted(ones, bent.Layers))
	if err != nil || !holds([]*claim{cl}, &cl.seal) {
		t.Fatal("the attack itself is wrong: it does not fool a verifier without weights")
	}
	bent.Proof = proof
	refused(t, "layers that cancel", bent)
	refused(t, "layers that cancel, proved with our weights", bent.prove(t, x))

	// Against weights known before the layers are chosen: w_1·Δ and -w_0·Δ cancel.
	tr = st.transcript()
	w := tr.weights("weights", 3)
	fitted := st
	fitted.Layers = slices.Clone(st.Layers)
	fitted.Layers[0], fitted.Layers[1] = st.Layers[0].Add(delta.mul(&w[1])), st.Layers[1].Sub(delta.mul(&w[0]))
	if !rowHolds(weighted(append(w[:2:2], minusOne, minusOne), []Point{fitted.Layers[0], fitted.Layers[1], st.Layers[0].mul(&w[0]), st.Layers[1].mul(&w[1])})) {
		t.Fatal("the attack itself is wrong: the layers do not cancel for these weights")
	}
	refused(t, "layers that cancel for the weights of other layers", fitted.prove(t, x))
	refused(t, "the same with the honest proof", fitted)

	// The same between two statements of one batch.
	first, second := st, st
	first.Layers, second.Layers = slices.Clone(st.Layers), slices.Clone(st.Layers)
	first.Layers[0] = first.Layers[0].Add(delta)
	second.Layers[0] = second.Layers[0].Sub(delta)
	var culprit *BatchError
	if err := VerifyAll(nil, []Check{st, first.prove(t, x), second.prove(t, x)}); !errors.As(err, &culprit) || culprit.Index != 1 {
		t.Errorf("statements that cancel in a batch: %v", err)
	}

	// Weights hashed from the statement alone, without the responses, could be
	// cancelled by responses chosen last; ours change with every response.
	bentProof := slices.Clone(st.Proof)
	z, err := DecodeScalar(bentProof[64:])
	if err != nil {
		t.Fatal(err)
	}
	copy(bentProof[64:], z.add(oneScalar).Bytes())
	a, err1 := st.claim()
	b, err2 := withProof(st, bentProof).claim()
	if err1 != nil || err2 != nil || a.seal == b.seal {
		t.Errorf("the batch weights do not cover the responses: %v, %v", err1, err2)
	}
}

// attackOracle: z·R and x·c1 leave an honest seat only for an R whose dealer
// knows its logarithm and for the slots that the statement names.
func attackOracle(t *testing.T) {
	victim, dealer := testSecret(t), testSecret(t)
	target, _, err := Deal(rand.Reader, testPlace, dealer, 2, []Recipient{{1, victim.Public()}})
	if err != nil {
		t.Fatal(err)
	}
	// The attacker deals with a foreign ephemeral, hoping for a complaint that
	// shows z·R for it.
	at := testPlace
	at.Seat++
	copied, _, err := Deal(rand.Reader, at, testSecret(t), 2, []Recipient{{1, victim.Public()}})
	if err != nil {
		t.Fatal(err)
	}
	copied.Ephemeral = target.Ephemeral
	refused(t, "a dealing with a foreign ephemeral", copied)
	copied.Proof = target.Proof
	refused(t, "a dealing with a foreign ephemeral and its proof", copied)

	// Blinded by a factor or a shift, the foreign ephemeral is no better.
	factor := testScalar(t)
	copied.Ephemeral = target.Ephemeral.mul(&factor)
	refused(t, "a dealing with a multiple of a foreign ephemeral", copied)
	victimAt := testPlace
	victimAt.Seat = 1
	if c, err := Complain(rand.Reader, victimAt, victim, copied); err == nil || !c.Common.IsIdentity() {
		t.Error("an honest seat answers an unproved ephemeral with its layer")
	}

	// A complaint shows one share: its point opens no other of the dealing.
	z2 := testSecret(t)
	two, f, err := Deal(rand.Reader, testPlace, dealer, 2, []Recipient{{1, victim.Public()}, {2, z2.Public()}})
	if err != nil {
		t.Fatal(err)
	}
	at.Seat = 1
	c, err := Complain(rand.Reader, at, victim, two)
	if err != nil {
		t.Fatal(err)
	}
	if s := two.Shares[1].sub(two.pad(2, c.Common)); s.Equal(f.at(2)) {
		t.Error("the complaint of seat 1 opens the share of seat 2")
	}

	// Layers made for one slot are a statement about that slot alone.
	st, _ := honestLayers(t, 1)
	other := st
	other.Slots = []uint32{st.Slots[0] + 1}
	refused(t, "layers for one slot under the id of another", other)

	// After a wrap no layer ever published fits: C1 is new.
	in := Ciphertext{st.Bases[0], CardPoint(1, 0).Add(st.Layers[0])}
	r, _, err := ProveRefresh(rand.Reader, testPlace, 1, st.Key, st.Slots)
	if err != nil {
		t.Fatal(err)
	}
	wrapped := in.Refresh(r[0])
	if wrapped.C1.Equal(in.C1) {
		t.Fatal("refresh keeps C1")
	}
	if _, ok := FindCard(1, []uint16{0}, wrapped.Strip(st.Layers[0]).C2); ok {
		t.Error("an old layer opens a wrapped slot")
	}
	if _, ok := FindCard(1, []uint16{0}, in.Strip(st.Layers[0]).C2); !ok {
		t.Error("the control fails: the old layer does not open the old slot")
	}
}

func attackStartList(t *testing.T) {
	const n = 6
	d := newTestDeck(t, n)
	for what, bend := range map[string]func([]Ciphertext){
		"a card twice":      func(in []Ciphertext) { in[1] = in[0] },
		"a card is missing": func(in []Ciphertext) { in[2] = Trivial(CardPoint(1, n), d.key.Public()) },
		"cards in another order": func(in []Ciphertext) {
			in[0], in[1] = in[1], in[0]
		},
		"the order is kept, a card under another key": func(in []Ciphertext) {
			in[3] = Trivial(CardPoint(1, 3), generator)
		},
	} {
		bent := d
		bent.in = slices.Clone(d.in)
		bend(bent.in)
		st := bent.shuffle(t)
		accepted(t, "the shuffle of the false list, taken by itself", st)
		// The verifier does not take the list from the sayer; it rebuilds it.
		st.In = d.in
		refused(t, what, st)
	}
	// Trivial is what everybody computes, and never shows the card as it is.
	key := d.key.Public()
	for i := range n {
		m := CardPoint(1, uint16(i))
		if c := Trivial(m, key); !c.C1.Equal(generator) || !c.C2.Sub(key).Equal(m) || c.C2.Equal(m) || !d.key.Open(c).Equal(m) {
			t.Errorf("Trivial of card %d is wrong", i)
		}
	}
}

func attackRetarget(t *testing.T) {
	d := newTestDeck(t, 2)
	x, q, wrong := d.key, testSecret(t), testSecret(t)
	deck := d.shuffle(t).Out
	st := RetargetStatement{Place: testPlace, Key: x.Public(), Target: q.Public(), Slot: 5, In: deck[0]}
	var err error
	if st.Out, st.Proof, err = Retarget(rand.Reader, testPlace, x, 5, st.In, st.Target); err != nil {
		t.Fatal(err)
	}
	accepted(t, "the honest retarget", st)
	if !q.Open(st.Out).Equal(x.Open(st.In)) {
		t.Error("the card changed on the way")
	}
	if x.Open(st.Out).Equal(x.Open(st.In)) {
		t.Error("the giver can still open it with its own key")
	}

	// forge proves with any secret that out is in, as well as it can.
	forge := func(s *Secret, in, out Ciphertext, target Point, r Scalar) RetargetStatement {
		f := st
		f.In, f.Out, f.Target = in, out, target
		tr := f.transcript()
		k1, k2 := testScalar(t), testScalar(t)
		ts := []Point{mulBase(&k1), mulBase(&k2), in.C1.mul(&k1).Sub(target.mul(&k2))}
		tr.points("T", ts)
		e := tr.challenge("e")
		f.Proof = append(encodePoints(ts), append(e.mulAdd(s.x, k1).Bytes(), e.mulAdd(r, k2).Bytes()...)...)
		return f
	}
	r := testScalar(t)
	out := func(m, target Point) Ciphertext { return Ciphertext{mulBase(&r), m.Add(target.mul(&r))} }
	m0, m1 := x.Open(deck[0]), x.Open(deck[1])
	accepted(t, "the forger's honest proof", forge(x, deck[0], out(m0, st.Target), st.Target, r))
	refused(t, "another plaintext", forge(x, deck[0], out(m1, st.Target), st.Target, r))
	refused(t, "no card at all", forge(x, deck[0], out(generator, st.Target), st.Target, r))
	refused(t, "the card under another key than said", forge(x, deck[0], out(m0, wrong.Public()), st.Target, r))
	refused(t, "a slot under somebody else's key", forge(wrong, deck[0], out(m0, st.Target), st.Target, r))
	named := forge(x, deck[0], out(m0, wrong.Public()), wrong.Public(), r)
	accepted(t, "a retarget to a key of its own choice, by itself", named)
	named.Target = st.Target // the verifier takes the target from the rules
	refused(t, "a retarget to a key of its own choice", named)
	other := st
	other.In = deck[1]
	refused(t, "the proof for another slot", other)
}

// attackWrongCard plays a flip: four seats, one deck. What the card is follows
// from verified layers alone; nobody is asked to name it.
func attackWrongCard(t *testing.T) {
	const seats, n = 4, 5
	secrets := make([]*Secret, seats)
	var keys []Point
	for i := range secrets {
		secrets[i] = testSecret(t)
		keys = append(keys, secrets[i].Public())
	}
	joint := SumPoints(keys...)
	var deck []Ciphertext
	var ids []uint16
	slots := make([]uint32, n)
	for i := range n {
		deck = append(deck, Trivial(CardPoint(1, uint16(i)), joint))
		ids = append(ids, uint16(i))
		slots[i] = uint32(i)
	}
	track := []int{0, 1, 2, 3, 4}
	for range seats {
		st, perm, err := Shuffle(rand.Reader, testPlace, 1, joint, slots, slots, deck)
		if err != nil {
			t.Fatal(err)
		}
		accepted(t, "a turn of the mix", st)
		deck = st.Out
		next := make([]int, n)
		for i := range next {
			next[i] = track[perm[i]]
		}
		track = next
	}
	card := deck[2]
	for j, s := range secrets {
		st := LayersStatement{Place: testPlace, Op: 1, Key: keys[j], Slots: slots[2:3], Bases: []Point{card.C1}}
		var err error
		if st.Layers, st.Proof, err = ProveLayers(rand.Reader, testPlace, 1, s, st.Slots, st.Bases); err != nil {
			t.Fatal(err)
		}
		accepted(t, "a layer", st)
		if j == seats-1 { // the last bends its layer so that another card appears
			for id := range ids {
				claim := st
				claim.Layers = []Point{card.C2.Sub(CardPoint(1, uint16(id)))}
				if id == track[2] {
					accepted(t, "the layer that fits the true card", claim)
					continue
				}
				refused(t, "a layer that would make another card", claim)
				refused(t, "that layer with a proof as good as it gets", claim.prove(t, s))
			}
			if _, ok := FindCard(1, ids, card.C2); ok {
				t.Error("the card is open before the last layer")
			}
		}
		card = card.Strip(st.Layers[0])
	}
	if id, ok := FindCard(1, ids, card.C2); !ok || int(id) != track[2] {
		t.Errorf("opened card %d (%t), want %d", id, ok, track[2])
	}
	if _, ok := FindCard(1, ids[:0], card.C2); ok {
		t.Error("a card is found in an empty pile")
	}
	if _, ok := FindCard(2, ids, card.C2); ok {
		t.Error("a card of deck 1 is found in deck 2")
	}
}

func attackFalseClaim(t *testing.T) {
	d := newTestDeck(t, 3)
	hand := d.shuffle(t).Out
	bang := CardPoint(1, 0)
	proved := 0
	for i, c := range hand {
		st := NotEqualStatement{Place: testPlace, Key: d.key.Public(), Slot: uint32(i), In: c, Card: bang}
		var err error
		st.Proof, err = ProveNotEqual(rand.Reader, testPlace, d.key, uint32(i), c, bang)
		if d.key.Open(c).Equal(bang) {
			if err == nil {
				t.Error("the prover proves something false")
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		accepted(t, "a true claim", st)
		proved++
	}
	if proved != 2 {
		t.Errorf("%d of 2 claims proved", proved)
	}
	// A liar holds the card and claims not to. With the true secret the blinded
	// difference is 0; with a made-up β the second equation breaks.
	at := slices.IndexFunc(hand, func(c Ciphertext) bool { return d.key.Open(c).Equal(bang) })
	st := NotEqualStatement{Place: testPlace, Key: d.key.Public(), Slot: 9, In: hand[at], Card: bang}
	alpha, beta, a, b := testScalar(t), testScalar(t), testScalar(t), testScalar(t)
	diff := st.In.C2.Sub(bang)
	combine := func(a, b Scalar) Point { return diff.mul(&a).Sub(st.In.C1.mul(&b)) }
	ts := []Point{combine(alpha, beta), combine(a, b), st.Key.mul(&a).Sub(mulBase(&b))}
	tr := st.transcript()
	tr.points("C, T", ts)
	e := tr.challenge("e")
	st.Proof = append(encodePoints(ts), append(e.mulAdd(alpha, a).Bytes(), e.mulAdd(beta, b).Bytes()...)...)
	if err := st.Verify(); !errors.Is(err, ErrProof) {
		t.Errorf("a false claim: %v", err)
	}
	if broken := brokenRows(t, st); !slices.Equal(broken, []int{2}) {
		t.Errorf("a false claim breaks rows %v, want the second alone", broken)
	}
	// The key shown at the end opens everything that was ever under it.
	shown, err := SecretFromBytes(d.key.Bytes())
	if err != nil || !shown.Public().Equal(d.key.Public()) {
		t.Fatalf("the key shown is not the key played with: %v", err)
	}
	if id, ok := FindCard(1, []uint16{0, 1, 2}, shown.Open(hand[at])); !ok || id != 0 {
		t.Error("the audit does not find the card that was denied")
	}
}

func attackFalseKey(t *testing.T) {
	x := testSecret(t)
	b := x.Bytes()
	b[0] ^= 1
	other, err := SecretFromBytes(b)
	if err != nil {
		t.Fatal(err)
	}
	if other.Public().Equal(x.Public()) {
		t.Error("another scalar passes for the key")
	}
	// Who shows none is made up for by any threshold of the others.
	z := []*Secret{testSecret(t), testSecret(t), testSecret(t)}
	d, _, err := Deal(rand.Reader, testPlace, x, 2, []Recipient{{0, z[0].Public()}, {3, z[1].Public()}, {5, z[2].Public()}})
	if err != nil {
		t.Fatal(err)
	}
	s0, err0 := d.Receive(z[0], 0)
	s5, err5 := d.Receive(z[2], 5)
	if err0 != nil || err5 != nil {
		t.Fatal(err0, err5)
	}
	back, err := CombineShares([]uint8{0, 5}, []*Secret{s0, s5})
	if err != nil || !back.Public().Equal(x.Public()) {
		t.Errorf("the key is not recovered: %v", err)
	}
}

func attackCrossDeck(t *testing.T) {
	seen := map[[32]byte]bool{}
	for deck := range byte(6) {
		for id := range uint16(130) {
			enc := CardPoint(deck, id).Encoding()
			if seen[enc] {
				t.Fatalf("card %d of deck %d is also another card", id, deck)
			}
			seen[enc] = true
		}
	}
	if HashPoint("card", []byte{1}, []byte{0, 1}).Equal(CardPoint(1, 1)) || HashPoint("a", []byte("bc")).Equal(HashPoint("ab", []byte("c"))) {
		t.Error("points of different meaning coincide")
	}
	d := newTestDeck(t, 4)
	st := d.shuffle(t)
	other := st
	other.Deck = 2
	refused(t, "the shuffle of one deck as that of another", other)
	for i := range forgeries {
		if forgeries[i].name == "a card of another deck comes in" {
			forged, _ := d.cheat(t, forgeries[i], true)
			refused(t, forgeries[i].name, forged)
			return
		}
	}
	t.Error("no forgery brings in a card of another deck")
}
