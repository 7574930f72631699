package boxes_test

import (
	"encoding/json"
	"go/scanner"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"standoff/engine"
	"standoff/engine/bot"
	"standoff/engine/boxes"
	"standoff/engine/rulebook"
)

// every are the names of all boxes, the basic one first.
func every() []string {
	names := slices.DeleteFunc(boxes.Names(), func(n string) bool { return n == "base" })
	return append([]string{"base"}, names...)
}

// The basic box alone, each other box with it, and all together compile and play.
func TestCombinations(t *testing.T) {
	choices := [][]string{{"base"}, every()}
	for _, n := range every()[1:] {
		choices = append(choices, []string{"base", n})
	}
	for _, names := range choices {
		r, err := boxes.Compile(names...)
		if err != nil {
			t.Fatal(err)
		}
		for seats := range engine.MaxSeats + 1 {
			if r.Roles(seats) == nil {
				continue
			}
			if res, err := bot.Play(r, engine.Setup{Seats: seats}, uint64(seats)); err != nil || res.Outcome == engine.NotOver {
				t.Errorf("%v with %d: %+v, %v", names, seats, res, err)
			}
		}
	}
	for _, bad := range [][]string{nil, {"nothing"}, {"base", "base"}, {"base", "nothing"}} {
		if _, err := boxes.Compile(bad...); err == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
}

// What the tables and options of all boxes cite is in the book.
func TestCitedRulesExist(t *testing.T) {
	r, err := boxes.Compile(every()...)
	if err != nil {
		t.Fatal(err)
	}
	cited := ""
	for _, row := range r.Rows() {
		cited += " " + row.Rules
	}
	for _, o := range r.OptionTable() {
		cited += " " + o.Rule
	}
	for _, n := range strings.Fields(cited) {
		if _, ok := rulebook.Rule(n); !ok {
			t.Errorf("%s is cited and not in the book", n)
		}
	}
}

// words that the core needs for itself: the tags that the rules name (B-006), symbols and options that share their name
// with a card, and panic, which is Go's word before it is a card's.
var words = []string{"bang", "missed", "beer", "duel", "panic", "dodge", "victory"}

// The core and its dealer name no row of any box in an identifier or a text, and the bots, which call some uses of cards by
// the names of the basic box, no row of another one.
func TestCoreNamesNoCard(t *testing.T) {
	r, err := boxes.Compile(every()...)
	if err != nil {
		t.Fatal(err)
	}
	var names, others []string
	for _, row := range r.Rows() {
		name := strings.ReplaceAll(row.Slug, "-", "")
		if row.Colour == engine.RoleCard || slices.Contains(words, name) {
			continue
		}
		names = append(names, name)
		if row.Box != "base" {
			others = append(others, name)
		}
	}
	for pattern, names := range map[string][]string{"../*.go": names, "../dealer/*.go": names, "../bot/*.go": others} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			for _, word := range tokens(t, file) {
				for _, name := range names {
					if strings.Contains(word, name) {
						t.Errorf("%s: %q names %s", file, word, name)
					}
				}
			}
		}
	}
}

// tokens lists the identifiers and texts of a Go file in lower-case letters only.
func tokens(t *testing.T, file string) []string {
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile(file, -1, len(src)), src, nil, 0)
	var out []string
	for {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			return out
		}
		if tok == token.IDENT || tok == token.STRING {
			out = append(out, strings.Map(func(r rune) rune {
				if r >= 'a' && r <= 'z' {
					return r
				}
				return -1
			}, strings.ToLower(lit)))
		}
	}
}

// No package but this one imports a box besides the basic one; other boxes' tests may.
func TestBoxesAreNamedHereOnly(t *testing.T) {
	box := regexp.MustCompile(`"standoff/engine/(\w+)"`)
	err := filepath.WalkDir("../..", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			filepath.ToSlash(path) == "../../engine/boxes/boxes.go" {
			return err
		}
		src, err := os.ReadFile(path)
		for _, m := range box.FindAllStringSubmatch(string(src), -1) {
			if _, isBox := boxes.All[m[1]]; isBox && m[1] != "base" {
				t.Errorf("%s imports the box %s", path, m[1])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Without the folders of the other boxes, and without their lines in this package, the program builds and plays the
// basic game. The compiler is told so by an overlay; no file is touched.
func TestWithoutTheOthers(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program anew: left out by -short")
	}
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("there is no go command here")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	src, err := os.ReadFile("boxes.go")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	replace := map[string]string{}
	kept := string(src)
	for _, n := range every()[1:] {
		files, err := filepath.Glob("../" + n + "/*.go")
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", n, len(files), err)
		}
		for _, f := range files {
			replace[filepath.Join(root, "engine", n, filepath.Base(f))] = ""
		}
		lines := regexp.MustCompile(`(?m)^\s*("standoff/engine/` + n + `"|"` + n + `":.*)\n`)
		if got := len(lines.FindAllString(kept, -1)); got != 2 {
			t.Fatalf("%s has %d lines in boxes.go", n, got)
		}
		kept = lines.ReplaceAllString(kept, "")
	}
	shorter := filepath.Join(dir, "boxes.go")
	replace[filepath.Join(root, "engine", "boxes", "boxes.go")] = shorter
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string][]byte{shorter: []byte(kept), filepath.Join(dir, "overlay.json"): overlay} {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(dir, "standoff")
	build := exec.Command(tool, "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", program, "./cmd/standoff")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(program, "sim", "--games", "20", "--players", "5").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "finished: 20") {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := exec.Command(program, "cards").CombinedOutput(); err != nil || strings.Contains(string(out), "Springfield") {
		t.Errorf("cards: %v\n%s", err, out)
	}
}
