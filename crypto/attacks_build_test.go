package crypto

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"filippo.io/edwards25519"
)

// Points and scalars in the golden file are hexadecimal.

func (p Point) MarshalText() ([]byte, error)  { return fmt.Appendf(nil, "%x", p.Bytes()), nil }
func (s Scalar) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%x", s.Bytes()), nil }

func (p *Point) UnmarshalText(text []byte) (err error) {
	var b []byte
	if _, err = fmt.Sscanf(string(text), "%x", &b); err == nil {
		*p, err = DecodePoint(b)
	}
	return err
}

func (s *Scalar) UnmarshalText(text []byte) (err error) {
	var b []byte
	if _, err = fmt.Sscanf(string(text), "%x", &b); err == nil {
		*s, err = DecodeScalar(b)
	}
	return err
}

// golden is one line of testdata/golden.jsonl.
type golden struct {
	Name      string
	Kind      string
	Verdict   string // "valid" or the error
	Statement json.RawMessage
}

var rewrite = flag.Bool("rewrite", false, "rewrite testdata/golden.jsonl; only when the format has a new version")

// goldenLines makes every kind of statement from a seed, honest and forged, with
// the verdict of this build.
func goldenLines(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	line := func(name string, c Check) {
		verdict := "valid"
		if err := c.Verify(); err != nil {
			verdict = err.Error()
		}
		st, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(golden{name, reflect.TypeOf(c).Name(), verdict, st})
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(b, '\n'))
	}
	for _, s := range specimens(t, newSeeded("golden")) {
		line(s.name, s.check)
		proof := tamperProof(t, s)
		line(proof[0].what+" changed", proof[0].check)
		last := proof[len(proof)-1]
		line(last.what+" changed", last.check)
	}
	return out.Bytes()
}

var kinds = map[string]reflect.Type{}

func init() {
	for _, c := range []Check{Possession{}, ShuffleStatement{}, LayersStatement{}, RefreshStatement{},
		RetargetStatement{}, NotEqualStatement{}, Dealing{}, Complaint{}} {
		kinds[reflect.TypeOf(c).Name()] = reflect.TypeOf(c)
	}
}

// TestGolden holds every build to the same bytes and the same verdicts: it makes
// the statements anew from their seed, and it reads them from the file as somebody
// would who was not there.
func TestGolden(t *testing.T) {
	const file = "testdata/golden.jsonl"
	made := goldenLines(t)
	if *rewrite {
		if err := os.WriteFile(file, made, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(made, kept) {
		t.Error("statements made from the seed differ from the golden ones")
	}
	scan := bufio.NewScanner(bytes.NewReader(kept))
	scan.Buffer(nil, 1<<20)
	var valid []Check
	seen := map[string]bool{}
	for scan.Scan() {
		var g golden
		if err := json.Unmarshal(scan.Bytes(), &g); err != nil {
			t.Fatal(err)
		}
		kind, ok := kinds[g.Kind]
		if !ok {
			t.Fatalf("%s: unknown kind %s", g.Name, g.Kind)
		}
		seen[g.Kind] = true
		v := reflect.New(kind)
		if err := json.Unmarshal(g.Statement, v.Interface()); err != nil {
			t.Fatalf("%s: %v", g.Name, err)
		}
		c := v.Elem().Interface().(Check)
		verdict := "valid"
		if err := c.Verify(); err != nil {
			verdict = err.Error()
		} else {
			valid = append(valid, c)
		}
		if verdict != g.Verdict {
			t.Errorf("%s: %s, want %s", g.Name, verdict, g.Verdict)
		}
	}
	if len(seen) != len(kinds) || len(valid) < len(kinds) {
		t.Errorf("%d of %d kinds in the file, %d valid statements", len(seen), len(kinds), len(valid))
	}
	if err := VerifyAll(nil, valid); err != nil {
		t.Errorf("the golden statements as a batch: %v", err)
	}
}

// attackImplementations runs TestGolden in other builds: without assembler, and
// for arm64 where Debian's qemu-user can run it. Each compares with one file, so
// all agree byte by byte on statements and verdicts.
func attackImplementations(t *testing.T) {
	t.Run("this build", TestGolden)
	if testing.Short() {
		t.Skip("other builds take a minute to compile: left out by -short")
	}
	gotool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("the go command is not in the path: other builds cannot be made")
	}
	build := func(t *testing.T, args, env []string) string {
		t.Helper()
		binary := filepath.Join(t.TempDir(), "crypto.test")
		output(t, append(os.Environ(), env...), gotool, append([]string{"test", "-c", "-o", binary}, append(args, ".")...)...)
		return binary
	}
	const run = "-test.run=^TestGolden$"
	t.Run("purego", func(t *testing.T) {
		output(t, os.Environ(), build(t, []string{"-tags", "purego"}, nil), run)
	})
	t.Run("arm64", func(t *testing.T) {
		qemu, err := exec.LookPath("qemu-aarch64-static")
		if err != nil {
			t.Skip("qemu-aarch64-static is not installed (Debian package qemu-user-static)")
		}
		output(t, os.Environ(), qemu, build(t, nil, []string{"GOARCH=arm64", "CGO_ENABLED=0"}), run)
	})
}

func output(t *testing.T, env []string, name string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
}

// edgeScalars are those where digits and carries are at their limits.
func edgeScalars(t *testing.T) (list []Scalar) {
	for _, n := range []uint64{0, 1, 2, 7, 8, 9, 15, 16, 255, 1<<14 - 1, 1 << 14, 1<<63 - 1, 1<<64 - 1} {
		list = append(list, smallScalar(n), smallScalar(n).neg())
	}
	for _, bit := range []uint{31, 32, 63, 127, 128, 251, 252} {
		n := new(big.Int).Lsh(big.NewInt(1), bit)
		list = append(list, scalarOf(n.Bytes()), scalarOf(n.Sub(n, big.NewInt(1)).Bytes()))
	}
	for range 20 {
		list = append(list, testScalar(t))
	}
	return list
}

// attackLibrary: CVE-2026-26958 was a sum that started from what the receiver
// happened to hold. Every wrapper here, and every function of the library that it
// calls, must give the naive sum into a receiver that holds something.
func attackLibrary(t *testing.T) {
	edges := edgeScalars(t)
	dirty := func() *edwards25519.Point {
		s := testScalar(t)
		return new(edwards25519.Point).Set(mulBase(&s).ed())
	}
	same := func(what string, got *edwards25519.Point, want Point) {
		t.Helper()
		if !newPoint(got).Equal(want) {
			t.Errorf("%s differs from the naive sum", what)
		}
	}
	for _, n := range []int{0, 1, 2, 5, 40, strausLimit - 1, strausLimit, strausLimit + 1, 300} {
		s, p := make([]Scalar, n), make([]Point, n)
		scalars, points := make([]*edwards25519.Scalar, n), make([]*edwards25519.Point, n)
		var want Point
		for i := range n {
			s[i] = edges[(i*7+n)%len(edges)]
			r := testScalar(t)
			p[i] = mulBase(&r)
			if i%11 == 5 {
				p[i] = p[i-1] // a point twice
			}
			if i%13 == 6 {
				p[i] = Point{} // the identity
			}
			scalars[i], points[i] = &s[i].s, p[i].ed()
			want = want.Add(p[i].mul(&s[i]))
		}
		name := func(f string) string { return fmt.Sprintf("%s of %d", f, n) }
		same(name("MultiScalarMult"), dirty().MultiScalarMult(scalars, points), want)
		same(name("VarTimeMultiScalarMult"), dirty().VarTimeMultiScalarMult(scalars, points), want)
		v := dirty()
		varTimePippenger(v, s, p)
		same(name("varTimePippenger"), v, want)
		same(name("constantTimeSum"), constantTimeSum(s, p).ed(), want)
		same(name("varTimeSum"), varTimeSum(s, p).ed(), want)
	}
	r := testScalar(t)
	p := mulBase(&r)
	under := newComb(p)
	for i, s := range edges {
		want := p.mul(&s)
		same(fmt.Sprintf("comb of edge %d", i), under.mul(&s).ed(), want)
		same(fmt.Sprintf("ScalarMult of edge %d", i), dirty().ScalarMult(&s.s, p.ed()), want)
		same(fmt.Sprintf("ScalarBaseMult of edge %d", i), dirty().ScalarBaseMult(&s.s), generator.mul(&s))
		b := edges[(i+3)%len(edges)]
		same(fmt.Sprintf("VarTimeDoubleScalarBaseMult of edge %d", i),
			dirty().VarTimeDoubleScalarBaseMult(&s.s, p.ed(), &b.s), want.Add(mulBase(&b)))
		for w := 4; w <= 14; w++ {
			checkDigits(t, s, w)
		}
	}
	ck := commitments()
	small := []int{0, 1, 255, 130, 7}
	var a []Scalar
	want := ck.K.mul(&r)
	for i, n := range small {
		a = append(a, smallScalar(uint64(n)))
		want = want.Add(ck.H[i].mul(&a[i]))
	}
	same("commitSmall", ck.commitSmall(small, r).ed(), want)
	same("commit", ck.commit(a, r).ed(), want)
}

// checkDigits puts s together again from its signed digits.
func checkDigits(t *testing.T, s Scalar, w int) {
	t.Helper()
	digits := make([]int16, 253/w+1)
	signedDigits(digits, &s, w)
	sum := new(big.Int)
	for _, d := range slices.Backward(digits) {
		if d > 1<<(w-1) || d < -1<<(w-1) {
			t.Errorf("digit %d of %x to the base 2^%d", d, s.Bytes(), w)
		}
		sum.Lsh(sum, uint(w)).Add(sum, big.NewInt(int64(d)))
	}
	if sum.Cmp(littleEndian(s.Bytes())) != 0 {
		t.Errorf("%x to the base 2^%d adds up to %x", s.Bytes(), w, sum)
	}
}
