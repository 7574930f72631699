package crypto

import (
	"math"
	"math/bits"
	"slices"
	"testing"
)

// simulate plays many shuffles of a few cards and counts how often a guesser
// that sees what it is shown names the slot that card 0 went to.
func simulate(t *testing.T, trials int, play func(i int) (in, out []Ciphertext, at int), guess func(in, out []Ciphertext) int) (right int) {
	t.Helper()
	for i := range trials {
		in, out, at := play(i)
		if guess(in, out) == at {
			right++
		}
	}
	return right
}

// guessers try to follow card 0, from slot 0, by what a ciphertext looks like.
var guessers = map[string]func(in, out []Ciphertext) int{
	"same place": func(in, out []Ciphertext) int { return 0 },
	"nearest encoding": func(in, out []Ciphertext) int {
		return best(out, func(c Ciphertext) int { return distance(in[0].Encode(), c.Encode()) })
	},
	"nearest first half": func(in, out []Ciphertext) int {
		return best(out, func(c Ciphertext) int { return distance(in[0].C1.Bytes(), c.C1.Bytes()) })
	},
	"smallest encoding": func(in, out []Ciphertext) int {
		return best(out, func(c Ciphertext) int { return int(c.Encode()[40]) })
	},
	"first half kept": func(in, out []Ciphertext) int {
		return max(0, slices.IndexFunc(out, func(c Ciphertext) bool { return c.C1.Equal(in[0].C1) }))
	},
	"difference of halves": func(in, out []Ciphertext) int { // finds a shift that all slots share
		return best(out, func(c Ciphertext) int {
			n := 0
			for _, other := range out {
				if c.sub(in[0]).Equal(other.sub(in[1])) {
					n--
				}
			}
			return n
		})
	},
}

func best(list []Ciphertext, cost func(Ciphertext) int) int {
	at := 0
	for i, c := range list {
		if cost(c) < cost(list[at]) {
			at = i
		}
	}
	return at
}

func distance(a, b []byte) (n int) {
	for i := range a {
		n += bits.OnesCount8(a[i] ^ b[i])
	}
	return n
}

// fair says whether right guesses out of trials look like chance, one in n: within
// five standard deviations. The generator is seeded, so the verdict is stable.
func fair(right, trials, n int) bool {
	p, m := 1/float64(n), float64(trials)
	return math.Abs(float64(right)-m*p) < 5*math.Sqrt(m*p*(1-p))
}

const simTrials = 10_000

// attackTrackHand: two cards known by age lie under the owner's key; the owner
// shuffles its hand. Then nobody who sees everything public can tell them apart.
func attackTrackHand(t *testing.T) {
	rand := newSeeded("A-23")
	key, err := NewSecret(rand)
	if err != nil {
		t.Fatal(err)
	}
	hand := make([]Ciphertext, 2)
	for i := range hand {
		hand[i] = Trivial(CardPoint(1, uint16(i)), key.Public())
	}
	under := newComb(key.Public())
	trackTest(t, hand, func(in []Ciphertext) ([]Ciphertext, witness) {
		out, w, err := remask(rand, under, in)
		if err != nil {
			t.Fatal(err)
		}
		return out, w
	})
}

// attackTrackDeck: all seats but one collude. They know the deck before the
// honest seat's shuffle and take their own masks off after it; what is left is
// under the honest key alone, and they can follow no card.
func attackTrackDeck(t *testing.T) {
	rand := newSeeded("A-24")
	var secrets []*Secret
	for range 3 {
		s, err := NewSecret(rand)
		if err != nil {
			t.Fatal(err)
		}
		secrets = append(secrets, s)
	}
	honest, colluders := secrets[0], secrets[1:]
	joint := SumPoints(honest.Public(), colluders[0].Public(), colluders[1].Public())
	deck := make([]Ciphertext, 2)
	for i := range deck {
		deck[i] = Trivial(CardPoint(1, uint16(i)), joint)
	}
	both := &Secret{x: colluders[0].x.add(colluders[1].x)} // they pool their keys
	under := newComb(joint)
	trackTest(t, deck, func(in []Ciphertext) ([]Ciphertext, witness) {
		out, w, err := remask(rand, under, in)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range out {
			out[i] = c.Strip(both.Layer(c.C1))
		}
		return out, w
	})
}

// trackTest runs all guessers over one set of shuffles; then it runs them over
// shuffles that are broken on purpose, and each must be caught by one of them.
func trackTest(t *testing.T, in []Ciphertext, shuffle func([]Ciphertext) ([]Ciphertext, witness)) {
	right := map[string]int{}
	places := make([]int, len(in))
	for range simTrials {
		out, w := shuffle(in)
		at := slices.Index(w.perm, 0)
		places[at]++
		for name, guess := range guessers {
			if guess(in, out) == at {
				right[name]++
			}
		}
	}
	for name := range guessers {
		if !fair(right[name], simTrials, len(in)) {
			t.Errorf("guessing by %s follows the card %d times in %d", name, right[name], simTrials)
		}
	}
	for at, n := range places {
		if !fair(n, simTrials, len(in)) {
			t.Errorf("card 0 goes to slot %d %d times in %d", at, n, simTrials)
		}
	}
	caught := func(what string, broken func(out []Ciphertext, w *witness)) {
		const few = 300
		for _, guess := range guessers {
			if !fair(simulate(t, few, func(int) ([]Ciphertext, []Ciphertext, int) {
				out, w := shuffle(in)
				broken(out, &w)
				return in, out, slices.Index(w.perm, 0)
			}, guess), few, len(in)) {
				return
			}
		}
		t.Errorf("no guesser notices: %s", what)
	}
	caught("the order is kept", func(out []Ciphertext, w *witness) {
		for i := range w.perm {
			w.perm[i] = i
		}
	})
	caught("the first half is kept", func(out []Ciphertext, w *witness) {
		for i := range out {
			out[i].C1 = in[w.perm[i]].C1.Add(CardPoint(1, uint16(w.perm[i]))).Sub(CardPoint(1, 0))
		}
	})
	shift := Ciphertext{CardPoint(9, 1), CardPoint(9, 2)}
	caught("all slots are re-encrypted with one number", func(out []Ciphertext, w *witness) {
		for i := range out {
			out[i] = in[w.perm[i]].Refresh(shift)
			if w.perm[i] == 0 { // a sloppy shuffler forgets one
				out[i] = in[0]
			}
		}
	})
}
