package crypto_test

import (
	"crypto/rand"
	"fmt"
	"log"

	"standoff/crypto"
)

// Two seats shuffle three cards and deal one to the first seat: nobody chose the
// order, and only the first seat can read the card.
func Example() {
	check := func(err error) {
		if err != nil {
			log.Fatal(err)
		}
	}
	place := crypto.Place{Table: [32]byte{1}}
	ann, err := crypto.NewSecret(rand.Reader)
	check(err)
	bob, err := crypto.NewSecret(rand.Reader)
	check(err)
	joint := crypto.SumPoints(ann.Public(), bob.Public())

	ids := []uint16{0, 1, 2}
	var pile []crypto.Ciphertext
	for _, id := range ids {
		pile = append(pile, crypto.Trivial(crypto.CardPoint(1, id), joint))
	}
	slots := [][]uint32{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}}
	for seat := range 2 { // each in turn, on its own machine
		place.Seat = uint8(seat)
		st, _, err := crypto.Shuffle(rand.Reader, place, 1, joint, slots[seat], slots[seat+1], pile)
		check(err)
		check(st.Verify()) // the others
		pile = st.Out
	}

	// Bob takes his mask off slot 6; Ann opens the rest for herself.
	st := crypto.LayersStatement{Place: place, Op: 1, Key: bob.Public(), Slots: []uint32{6}, Bases: []crypto.Point{pile[0].C1}}
	st.Layers, st.Proof, err = crypto.ProveLayers(rand.Reader, place, 1, bob, st.Slots, st.Bases)
	check(err)
	check(crypto.VerifyAll(nil, []crypto.Check{st}))
	card := pile[0].Strip(st.Layers[0])

	_, annReads := crypto.FindCard(1, ids, ann.Open(card))
	_, bobReads := crypto.FindCard(1, ids, bob.Open(card))
	fmt.Println(annReads, bobReads)
	// Output: true false
}
