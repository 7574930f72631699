package crypto

import (
	"crypto/rand"
	"errors"
	"slices"
	"testing"
)

// sharing is one dealing of a secret to seats 0…n-1.
type sharing struct {
	dealer  *Secret
	dealing Dealing
	z       []*Secret // share keys by seat
	shares  []*Secret // decrypted, by seat
}

func newSharing(t *testing.T, dealer *Secret, n, threshold int) sharing {
	t.Helper()
	s := sharing{dealer: dealer}
	var to []Recipient
	for i := range n {
		s.z = append(s.z, testSecret(t))
		to = append(to, Recipient{uint8(i), s.z[i].Public()})
	}
	at := testPlace
	at.Seat = 7
	var err error
	if s.dealing, _, err = Deal(rand.Reader, at, dealer, threshold, to); err != nil {
		t.Fatal(err)
	}
	accepted(t, "the dealing", s.dealing)
	if !s.dealing.Commitments[0].Equal(dealer.Public()) || len(s.dealing.Commitments) != threshold {
		t.Fatal("the commitments are not to the dealer's key")
	}
	for i := range n {
		share, err := s.dealing.Receive(s.z[i], uint8(i))
		if err != nil {
			t.Fatal(err)
		}
		s.shares = append(s.shares, share)
	}
	return s
}

// lift has the helpers supply the dealer's layer on base, every part verified.
func (s sharing) lift(t *testing.T, helpers []uint8, base Point) Point {
	t.Helper()
	var layers []Point
	for _, i := range helpers {
		st := LayersStatement{Place: testPlace, Op: 9, Key: PublicShare(s.dealing.Commitments, i), Slots: []uint32{1}, Bases: []Point{base}}
		var err error
		if st.Layers, st.Proof, err = ProveLayers(rand.Reader, testPlace, 9, s.shares[i], st.Slots, st.Bases); err != nil {
			t.Fatal(err)
		}
		accepted(t, "a helper's layer", st)
		layers = append(layers, st.Layers[0])
	}
	sum, err := CombineLayers(helpers, layers)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

func attackWithheld(t *testing.T) {
	gone := testSecret(t)
	s := newSharing(t, gone, 5, 3)
	base := newTestDeck(t, 1).bases(t)[0]
	want := gone.Layer(base)
	for _, helpers := range [][]uint8{{0, 1, 2}, {2, 3, 4}, {4, 0, 2}, {0, 1, 2, 3, 4}} {
		if !s.lift(t, helpers, base).Equal(want) {
			t.Errorf("helpers %v do not supply the layer of the gone seat", helpers)
		}
	}
	if s.lift(t, []uint8{0, 1}, base).Equal(want) {
		t.Error("two helpers are enough where three are due")
	}
	// A helper that lies is named before anything is combined.
	st := LayersStatement{Place: testPlace, Op: 9, Key: PublicShare(s.dealing.Commitments, 1), Slots: []uint32{1},
		Bases: []Point{base}, Layers: []Point{s.shares[2].Layer(base)}}
	refused(t, "a helper's false layer", st.prove(t, s.shares[1]))
	refused(t, "a helper's layer with the share of another", st.prove(t, s.shares[2]))
}

// attackCollusion shows what a coalition can do, below the threshold and at it.
func attackCollusion(t *testing.T) {
	victim := testSecret(t)
	const n, threshold = 6, 5
	s := newSharing(t, victim, n, threshold)
	var seats []uint8
	for i := range uint8(n) {
		seats = append(seats, i)
	}
	recovered := func(coalition []uint8) bool {
		var shares []*Secret
		for _, i := range coalition {
			shares = append(shares, s.shares[i])
		}
		x, err := CombineShares(coalition, shares)
		return err == nil && x.Public().Equal(victim.Public())
	}
	for size := 1; size <= n; size++ {
		for start := range n {
			coalition := slices.Clone(seats)
			coalition = append(coalition[start:], coalition[:start]...)[:size]
			if got := recovered(coalition); got != (size >= threshold) {
				t.Errorf("coalition %v reads the victim's secret: %t", coalition, got)
			}
		}
	}
	// Below the threshold every secret fits the shares they hold: for any x'
	// there is a polynomial through all of them, so the shares say nothing.
	coalition := seats[:threshold-1]
	other := testSecret(t)
	f := interpolate(t, append([]point{{Scalar{}, other.x}}, pointsOf(s, coalition)...))
	for _, i := range coalition {
		if !f(smallScalar(uint64(i) + 1)).Equal(s.shares[i].x) {
			t.Error("no other secret fits the shares of a small coalition")
		}
	}
	if !f(Scalar{}).Equal(other.x) {
		t.Error("the interpolation is wrong")
	}

	// Without shares n-1 colluders hold all masks but one, and that hides the card.
	mask := testSecret(t)
	card := Trivial(CardPoint(1, 3), SumPoints(victim.Public(), mask.Public()))
	left := card.Strip(mask.Layer(card.C1))
	if _, ok := FindCard(1, []uint16{0, 1, 2, 3, 4}, left.C2); ok {
		t.Error("the card is open with one mask left")
	}
	if _, ok := FindCard(1, []uint16{0, 1, 2, 3, 4}, victim.Open(left)); !ok {
		t.Error("the card is not open with the last mask gone")
	}
}

type point struct{ x, y Scalar }

func pointsOf(s sharing, seats []uint8) (list []point) {
	for _, i := range seats {
		list = append(list, point{smallScalar(uint64(i) + 1), s.shares[i].x})
	}
	return list
}

// interpolate is the polynomial through all points, by Lagrange's formula.
func interpolate(t *testing.T, list []point) func(Scalar) Scalar {
	t.Helper()
	return func(x Scalar) (sum Scalar) {
		for i, p := range list {
			l := p.y
			for j, q := range list {
				if i != j {
					l = l.mul(x.sub(q.x)).mul(invert(p.x.sub(q.x)))
				}
			}
			sum = sum.add(l)
		}
		return sum
	}
}

// badDealing is a dealing to the same seats, well proved, with the share of one wrong.
func (s sharing) badDealing(t *testing.T, victim int) Dealing {
	t.Helper()
	f, err := NewPolynomial(rand.Reader, s.dealer, 2)
	if err != nil {
		t.Fatal(err)
	}
	r := testSecret(t)
	d := Dealing{Place: s.dealing.Place, Commitments: f.Commitments(), Recipients: s.dealing.Recipients, Ephemeral: r.Public()}
	for i, to := range d.Recipients {
		share := f.at(to.Seat)
		if i == victim {
			share = share.add(oneScalar)
		}
		d.Shares = append(d.Shares, share.add(d.pad(to.Seat, r.Layer(to.Key))))
	}
	tr := d.transcript()
	k := testScalar(t)
	tr.point("A", mulBase(&k))
	d.Proof = append(mulBase(&k).Bytes(), tr.challenge("e").mulAdd(r.x, k).Bytes()...)
	return d
}

func attackBadShare(t *testing.T) {
	s := newSharing(t, testSecret(t), 3, 2)
	complain := func(d Dealing, seat uint8) Complaint {
		t.Helper()
		at := testPlace
		at.Seat = seat
		c, err := Complain(rand.Reader, at, s.z[seat], d)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	// A bad share: its recipient notices, complains, and the dealer is named.
	bad := s.badDealing(t, 1)
	accepted(t, "a dealing with a bad share, as far as its proof goes", bad)
	if _, err := bad.Receive(s.z[1], 1); !errors.Is(err, ErrShare) {
		t.Errorf("a bad share is received: %v", err)
	}
	if _, err := bad.Receive(s.z[0], 0); err != nil {
		t.Errorf("the good share of another seat: %v", err)
	}
	c := complain(bad, 1)
	accepted(t, "a true complaint", c)
	if !c.DealerAtFault() {
		t.Error("the dealer of a bad share is not named")
	}
	// A false complaint names its sayer.
	c = complain(s.dealing, 1)
	accepted(t, "a false complaint, as far as its proof goes", c)
	if c.DealerAtFault() {
		t.Error("an honest dealer is named")
	}
	// A complaint with a made-up point does not verify.
	c.Common = c.Common.Add(generator)
	refused(t, "a complaint with another point", c)
	lie := complain(s.dealing, 1)
	lie.Common = testSecret(t).Public()
	tr := lie.transcript()
	n, err := newNonces(rand.Reader, tr)
	if err != nil {
		t.Fatal(err)
	}
	lie.Proof = proveEqualLogs(n, tr, &s.z[1].x, row{{oneScalar, s.dealing.Ephemeral}})
	refused(t, "a complaint with another point, proved as well as can be", lie)
	// It is nobody else's to make.
	at := testPlace
	at.Seat = 2
	if _, err := Complain(rand.Reader, at, s.z[1], s.dealing); err == nil {
		t.Error("a seat complains with the key of another")
	}
	// The promised degree: commitments of another length are another threshold,
	// and the caller knows which it asked for; a vanishing coefficient is refused.
	flat := s.dealing
	flat.Commitments = []Point{s.dealing.Commitments[0], {}}
	if err := flat.Verify(); !errors.Is(err, ErrIdentity) {
		t.Errorf("a polynomial of lower degree: %v", err)
	}
	// One complaint opens one share and nothing else: with it and one share of a
	// colluder a sharing of threshold 3 stays closed.
	big := newSharing(t, testSecret(t), 4, 3)
	x, err := CombineShares([]uint8{0, 1}, big.shares[:2])
	if err != nil || x.Public().Equal(big.dealer.Public()) {
		t.Error("two shares open a secret of threshold three")
	}
}

func attackOldShares(t *testing.T) {
	x := testSecret(t)
	before, after := newSharing(t, x, 4, 3), newSharing(t, x, 4, 2)
	base := CardPoint(1, 1)
	// An old share is no share of the new sharing, though the secret is the same.
	old := LayersStatement{Place: testPlace, Op: 9, Key: PublicShare(after.dealing.Commitments, 1), Slots: []uint32{1},
		Bases: []Point{base}, Layers: []Point{before.shares[1].Layer(base)}}
	refused(t, "a layer with an old share", old.prove(t, before.shares[1]))
	mixed, err := CombineLayers([]uint8{0, 1}, []Point{before.shares[0].Layer(base), after.shares[1].Layer(base)})
	if err != nil || mixed.Equal(x.Layer(base)) {
		t.Error("old and new shares combine")
	}
	// A new key makes old shares worthless altogether.
	fresh := newSharing(t, testSecret(t), 4, 2)
	mixed, err = CombineLayers([]uint8{0, 1, 2}, []Point{before.shares[0].Layer(base), before.shares[1].Layer(base), before.shares[2].Layer(base)})
	if err != nil || mixed.Equal(fresh.dealer.Layer(base)) || !mixed.Equal(x.Layer(base)) {
		t.Error("old shares open what lies under the new key")
	}
}
