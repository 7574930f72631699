package crypto

import (
	"crypto/rand"
	"os"
	"slices"
	"strconv"
	"testing"
)

// trials scales the long comparisons: STANDOFF_CRYPTO_TRIALS shuffles, else few.
func trials(few int) int {
	if n, err := strconv.Atoi(os.Getenv("STANDOFF_CRYPTO_TRIALS")); err == nil && n > 0 {
		return n
	}
	return few
}

// cutAndChoose is the oldest proof of shuffle, played against a prover that
// claims to know w: per round it shuffles once more, from the in deck or from
// the out deck as it likes, and then a coin says which side it must open. A
// prover without a true witness survives a round with probability 1/2. It needs
// no commitment key, no challenge but coins, and no algebra beyond re-encryption.
func cutAndChoose(t testing.TB, st ShuffleStatement, w witness, rounds int) bool {
	t.Helper()
	n := len(st.In)
	under := newComb(st.Key)
	opens := func(from, to []Ciphertext, w witness) bool {
		seen := make([]bool, n)
		for i, j := range w.perm {
			if j < 0 || j >= n || seen[j] {
				return false
			}
			seen[j] = true
			r := Ciphertext{mulBase(w.rho[i]), under.mul(w.rho[i])}
			if !to[i].Equal(from[j].Refresh(r)) {
				return false
			}
		}
		return true
	}
	for range rounds {
		middle, first, err := remask(rand.Reader, under, st.In)
		if err != nil {
			t.Fatal(err)
		}
		coin, err := below(rand.Reader, 2)
		if err != nil {
			t.Fatal(err)
		}
		if coin == 0 {
			if !opens(st.In, middle, first) {
				return false
			}
			continue
		}
		// From middle to out: middle[i] = in[first.perm[i]] + first.rho[i], so
		// out[i] = middle[k] + w.rho[i] - first.rho[k] where first.perm[k] = w.perm[i].
		second := witness{make([]int, n), make([]*Scalar, n)}
		for i := range n {
			k := slices.Index(first.perm, w.perm[i])
			if k < 0 {
				return false
			}
			rho := w.rho[i].sub(*first.rho[k])
			second.perm[i], second.rho[i] = k, &rho
		}
		if !opens(middle, st.Out, second) {
			return false
		}
	}
	return true
}

// TestThreeVerifiersAgree shuffles small piles honestly and falsely and asks the
// fast verifier, the slow one and cut-and-choose. All must say the same.
func TestThreeVerifiersAgree(t *testing.T) {
	accepted, refused := 0, 0
	for i := range trials(160) {
		n := 2 + i%4
		d := newTestDeck(t, n)
		st, w := d.cheat(t, forgeries[i/2%len(forgeries)], i%2 == 1)
		fast := st.Verify() == nil
		slow := slowVerify(st)
		oracle := cutAndChoose(t, st, w, 24)
		if fast != slow || fast != oracle {
			t.Fatalf("shuffle %d of %d: fast %t, slow %t, cut-and-choose %t", i, n, fast, slow, oracle)
		}
		if fast != (i%2 == 0) {
			t.Fatalf("shuffle %d of %d, forged %t: accepted %t", i, n, i%2 == 1, fast)
		}
		if fast {
			accepted++
		} else {
			refused++
		}
	}
	t.Logf("%d honest shuffles accepted, %d forged refused by all three", accepted, refused)
}

// TestSlowVerifierAgreesOnTampering compares verdicts on an honest proof with
// every piece changed: the slow verifier must see what the fast one sees, row by row.
func TestSlowVerifierAgreesOnTampering(t *testing.T) {
	d := newTestDeck(t, 3)
	s := specimen{"shuffle", d.shuffle(t), 8}
	for _, a := range tamperProof(t, s) {
		st := a.check.(ShuffleStatement)
		q, ok := slowParse(st)
		if !ok {
			t.Fatalf("%s: does not parse", a.what)
		}
		slow := slowEquations(q, slowFiatShamir(st))
		cl, err := st.claim()
		if err != nil {
			t.Fatalf("%s: %v", a.what, err)
		}
		for k, r := range cl.rows {
			if rowHolds(r) != slow[k] {
				t.Errorf("%s: equation %d holds: fast %t, slow %t", a.what, k+1, rowHolds(r), slow[k])
			}
		}
	}
}

// rowHolds evaluates one row by itself, term by term in constant time.
func rowHolds(r row) bool {
	var sum Point
	for _, t := range r {
		sum = sum.Add(t.point.mul(&t.coeff))
	}
	return sum.IsIdentity()
}
