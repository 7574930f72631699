package engine_test

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"standoff/engine"
	"standoff/engine/boxes"
	"standoff/engine/dealer"
)

// rewriting says whether -rewrite is given, the flag that also writes the scripts' expectations anew.
func rewriting() bool {
	f := flag.Lookup("rewrite")
	return f != nil && f.Value.String() == "true"
}

const perftFile = "testdata/perft.txt"

// TestPerft counts the ways in which a game can go on from fixed positions: a change in what is legal anywhere, or
// in what a seed deals, changes a count. A line is
//
//	seats seed steps preset [boxes]: paths of 1, 2, 3 … actions
//
// where the position is reached by so many actions: number i takes the legal one of index 7i + seed, going round.
func TestPerft(t *testing.T) {
	old, err := os.ReadFile(perftFile)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	lines := bufio.NewScanner(bytes.NewReader(old))
	for lines.Scan() {
		line := lines.Text()
		where, want, found := strings.Cut(line, ":")
		if !found || strings.HasPrefix(line, "#") {
			fmt.Fprintln(&out, line)
			continue
		}
		var seats, steps int
		var seed uint64
		var preset, names string
		if n, err := fmt.Sscan(where, &seats, &seed, &steps, &preset, &names); n < 4 {
			t.Fatalf("%q: %v", line, err)
		}
		rules := baseRules
		if names != "" {
			if rules, err = boxes.Compile(strings.Split(names, "+")...); err != nil {
				t.Logf("%q: %v", where, err) // a program without that box
				fmt.Fprintln(&out, line)
				continue
			}
		}
		got, err := perft(rules, seats, seed, steps, preset)
		if err != nil {
			t.Fatalf("%q: %v", where, err)
		}
		if !rewriting() && strings.TrimSpace(want) != got {
			t.Errorf("%s: %s, want %s", where, got, strings.TrimSpace(want))
		}
		fmt.Fprintf(&out, "%s: %s\n", where, got)
	}
	if rewriting() {
		if err := os.WriteFile(perftFile, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// perft counts until a depth would cost more than a few thousand paths.
func perft(rules *engine.Rules, seats int, seed uint64, steps int, preset string) (string, error) {
	setup := engine.Setup{Seats: seats}
	if err := rules.ParsePreset(&setup.Options, preset); err != nil {
		return "", err
	}
	g, err := engine.New(rules, setup)
	if err != nil {
		return "", err
	}
	d := dealer.New(g, seed)
	if err := d.Serve(); err != nil {
		return "", err
	}
	for i := 0; i < steps && g.State().Over == engine.NotOver; i++ {
		legal := d.View(g.State().Asked).Legal()
		if err := d.Step(legal[(7*i+int(seed))%len(legal)]); err != nil {
			return "", err
		}
	}
	var counts []string
	for depth := 1; depth <= 8; depth++ {
		n, err := paths(g, d, depth)
		if err != nil {
			return "", err
		}
		counts = append(counts, fmt.Sprint(n))
		if n > 1500 || n == 0 {
			break
		}
	}
	return strings.Join(counts, " "), nil
}

func paths(g *engine.Game, d *dealer.Dealer, depth int) (int, error) {
	if g.State().Over != engine.NotOver {
		return 0, nil
	}
	legal := d.View(g.State().Asked).Legal()
	if depth == 1 {
		return len(legal), nil
	}
	total := 0
	for _, a := range legal {
		c := g.Clone()
		e := d.Clone(c)
		if err := e.Step(a); err != nil {
			return 0, err
		}
		n, err := paths(c, e, depth-1)
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}
