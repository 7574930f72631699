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
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

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
	hedgeTest(t)
	permutationTest(t)
}

// hedgeTest: each of the three ingredients alone changes every nonce.
func hedgeTest(t *testing.T) {
	t.Helper()
	a, b := testScalar(t), testScalar(t)
	draw := func(r io.Reader, p Place, secrets ...*Scalar) Scalar {
		t.Helper()
		n, err := newNonces(r, newTranscript("test", &p), secrets...)
		if err != nil {
			t.Fatal(err)
		}
		first := n.next()
		if first.Equal(n.next()) {
			t.Error("two nonces of one proof are equal")
		}
		return first
	}
	p2 := testPlace
	p2.Pass++
	list := []Scalar{
		draw(stuck(1), testPlace, &a, &b),
		draw(stuck(2), testPlace, &a, &b),
		draw(stuck(1), p2, &a, &b),
		draw(stuck(1), testPlace, &b, &a),
		draw(stuck(1), testPlace, &a),
		draw(stuck(1), testPlace),
	}
	for i, x := range list {
		for _, y := range list[:i] {
			if x.Equal(y) {
				t.Errorf("case %d repeats a nonce", i)
			}
		}
	}
	if !draw(stuck(1), testPlace, &a).Equal(draw(stuck(1), testPlace, &a)) {
		t.Error("nonces are not reproducible")
	}
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
