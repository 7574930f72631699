package crypto

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"math"
	"math/bits"
	"os"
	"slices"
	"strconv"
	"strings"
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

// variableTime are the files that may name variable-time functions: they see
// public data only. All others make or hold secrets.
var variableTime = map[string]string{
	"msm.go":      "defines them",
	"batch.go":    "verifies: statements and proofs are public",
	"lagrange.go": "commitments and published layers are public",
}

// forbidden lists what a source file must not contain, as "line: reason".
func forbidden(name string, src any) (list []string, err error) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, name, src, 0)
	if err != nil {
		return nil, err
	}
	report := func(n ast.Node, what string) {
		list = append(list, fmt.Sprintf("%s: %s", set.Position(n.Pos()), what))
	}
	for _, i := range f.Imports {
		switch path, _ := strconv.Unquote(i.Path.Value); path {
		case "math/rand", "math/rand/v2", "time", "math/big":
			report(i, "imports "+path)
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if _, ok := variableTime[name]; !ok && strings.Contains(strings.ToLower(n.Name), "vartime") {
				report(n, "names "+n.Name)
			}
		case *ast.CallExpr: // edwards25519.Point.Equal tells torsion classes apart
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Equal" {
				if c, ok := s.X.(*ast.CallExpr); ok {
					if e, ok := c.Fun.(*ast.SelectorExpr); ok && e.Sel.Name == "ed" {
						report(n, "compares edwards points")
					}
				}
			}
		}
		return true
	})
	return list, nil
}

func attackTiming(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		list, err := forbidden(f.Name(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range list {
			t.Error(l)
		}
		checked++
	}
	if checked < 15 {
		t.Errorf("only %d files were checked", checked)
	}
	// The lint itself can fail.
	for _, src := range []string{
		"package crypto\nfunc f() { varTimeSum(nil, nil) }",
		"package crypto\nfunc f() { new(edwards25519.Point).VarTimeMultiScalarMult(nil, nil) }",
		"package crypto\nimport _ \"math/rand/v2\"",
		"package crypto\nfunc f() { p.ed().Equal(q.ed()) }",
	} {
		if list, err := forbidden("x.go", src); err != nil || len(list) == 0 {
			t.Errorf("the lint passes %q: %v", src, err)
		}
	}
	if list, err := forbidden("msm.go", "package crypto\nfunc f() { varTimeSum(nil, nil) }"); err != nil || len(list) > 0 {
		t.Errorf("the lint refuses public files: %v, %v", list, err)
	}
}

// stuck repeats one block for ever: the worst generator.
type stuck byte

func (s stuck) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(s) ^ byte(i)
	}
	return len(b), nil
}

// broken fails after some bytes.
type broken struct{ left int }

var errBroken = errors.New("out of entropy")

func (b *broken) Read(p []byte) (int, error) {
	n := min(len(p), b.left)
	for i := range n {
		p[i] = byte(b.left - i) // no zeros: those are refused for another reason
	}
	b.left -= n
	if n < len(p) {
		return n, errBroken
	}
	return n, nil
}

func attackRandomness(t *testing.T) {
	d := newTestDeck(t, 3)
	x, hand := d.key, d.shuffle(t).Out
	deal, _, err := Deal(rand.Reader, testPlace, testSecret(t), 2, []Recipient{{testPlace.Seat, x.Public()}})
	if err != nil {
		t.Fatal(err)
	}
	// Two proofs of one statement share nothing.
	p2 := testPlace
	p2.Round++
	type source = func() io.Reader
	provers := map[string]func(r source, p Place, s *Secret) ([]byte, error){}
	provers["possession"] = func(r source, p Place, s *Secret) ([]byte, error) {
		return ProvePossession(r(), p, "x", s)
	}
	provers["layers"] = func(r source, p Place, s *Secret) ([]byte, error) {
		_, proof, err := ProveLayers(r(), p, 1, s, d.inSlots, bases(hand))
		return proof, err
	}
	provers["not equal"] = func(r source, p Place, s *Secret) ([]byte, error) {
		return ProveNotEqual(r(), p, s, 1, hand[0], CardPoint(1, 9))
	}
	provers["refresh"] = func(r source, p Place, s *Secret) ([]byte, error) {
		_, proof, err := ProveRefresh(r(), p, 1, s.Public(), d.inSlots)
		return proof, err
	}
	provers["retarget"] = func(r source, p Place, s *Secret) ([]byte, error) {
		_, proof, err := Retarget(r(), p, s, 1, hand[0], CardPoint(1, 1))
		return proof, err
	}
	provers["shuffle"] = func(r source, p Place, s *Secret) ([]byte, error) {
		st, _, err := Shuffle(r(), p, 1, s.Public(), d.inSlots, d.outSlots, d.in)
		return st.Proof, err
	}
	provers["dealing"] = func(r source, p Place, s *Secret) ([]byte, error) {
		d, _, err := Deal(r(), p, s, 2, []Recipient{{1, CardPoint(1, 1)}})
		return d.Proof, err
	}
	provers["complaint"] = func(r source, p Place, s *Secret) ([]byte, error) {
		if s != x {
			return ProvePossession(r(), p, "no other seat can complain", s)
		}
		c, err := Complain(r(), p, s, deal)
		return c.Proof, err
	}
	share := func(a, b []byte) bool {
		for i := range len(a) / 32 {
			if bytes.Contains(b, a[32*i:32*i+32]) {
				return true
			}
		}
		return false
	}
	run := func(prove func(source, Place, *Secret) ([]byte, error), r source, p Place, s *Secret) []byte {
		t.Helper()
		proof, err := prove(r, p, s)
		if err != nil {
			t.Fatal(err)
		}
		return proof
	}
	good := func() io.Reader { return rand.Reader }
	bad := func() io.Reader { return stuck(77) }
	other := testSecret(t)
	for name, prove := range provers {
		if share(run(prove, good, testPlace, x), run(prove, good, testPlace, x)) {
			t.Errorf("%s: two proofs of one statement share a part", name)
		}
		// A generator that always says the same: other statements and other
		// secrets still get other nonces.
		first := run(prove, bad, testPlace, x)
		if !bytes.Equal(first, run(prove, bad, testPlace, x)) {
			t.Errorf("%s: the proof depends on something beside statement, secret and generator", name)
		}
		if share(first, run(prove, bad, p2, x)) {
			t.Errorf("%s: a stuck generator repeats a nonce for another round", name)
		}
		if share(first, run(prove, bad, testPlace, other)) {
			t.Errorf("%s: a stuck generator repeats a nonce for another secret", name)
		}
		// A generator that fails makes an error at every point, never a proof.
		for left := 0; ; left++ {
			_, err := prove(func() io.Reader { return &broken{left} }, testPlace, x)
			if err == nil {
				if left == 0 {
					t.Errorf("%s: needs no randomness", name)
				}
				break
			}
			if !errors.Is(err, errBroken) || left > 4096 {
				t.Errorf("%s: with %d bytes: %v", name, left, err)
				break
			}
		}
	}
	permutationTest(t)
}

func permutationTest(t *testing.T) {
	// A constant generator ends in an error, not in a loop.
	if _, err := permutation(constant(0), 3); err != nil {
		t.Errorf("zeros are a possible draw: %v", err)
	}
	if _, err := permutation(constant(0xff), 3); err == nil {
		t.Error("255 for ever is no draw below 3")
	}
	if _, err := NewSecret(constant(0)); !errors.Is(err, ErrIdentity) {
		t.Errorf("a secret from zeros: %v", err)
	}
	// All orders of four come up equally often: chi-square with 23 degrees.
	const draws = 24_000
	r := newSeeded("permutation")
	count := map[string]int{}
	for range draws {
		p, err := permutation(r, 4)
		if err != nil {
			t.Fatal(err)
		}
		count[fmt.Sprint(p)]++
	}
	chi := 0.0
	for _, n := range count {
		chi += math.Pow(float64(n)-draws/24, 2) / (draws / 24)
	}
	if len(count) != 24 || chi > 60 { // 60 is beyond p = 4·10^-5
		t.Errorf("%d orders of 24, chi-square %.1f", len(count), chi)
	}
	for _, n := range []int{1, 2, 130, 256} {
		p, err := permutation(r, n)
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(p)
		if len(p) != n || p[0] != 0 || p[n-1] != n-1 || len(slices.Compact(p)) != n {
			t.Errorf("permutation of %d is none", n)
		}
	}
}

type constant byte

func (c constant) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(c)
	}
	return len(b), nil
}
