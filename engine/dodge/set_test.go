package dodge_test

import (
	"regexp"
	"strings"
	"testing"

	"standoff/engine"
	"standoff/engine/base"
	"standoff/engine/dodge"
)

func compiled(t *testing.T, sets ...engine.Set) *engine.Rules {
	t.Helper()
	r, err := engine.Compile(sets...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The 40 cards are one each of 5 to A in every suit (D section 1), 24 of them of new kinds.
func TestDeck(t *testing.T) {
	without, with := compiled(t, base.Set), compiled(t, base.Set, dodge.Set)
	times := map[[2]int]int{}
	all, fresh := 0, 0
	colours := map[engine.Colour]int{}
	for _, row := range with.Rows() {
		faces := with.Faces(row.Kind)
		old := len(without.Faces(row.Kind))
		for _, f := range faces[old:] {
			times[[2]int{int(f.Rank()), int(f.Suit())}]++
		}
		all += len(faces) - old
		if row.Box == "dodge" {
			fresh += len(faces)
			colours[row.Colour] += len(faces)
		}
	}
	if all != 40 || fresh != 24 || colours[engine.Brown] != 8 || colours[engine.Blue] != 2 || colours[engine.Green] != 14 {
		t.Errorf("%d cards, %d of new kinds, colours %v", all, fresh, colours)
	}
	for suit := 1; suit <= 4; suit++ {
		for rank := 5; rank <= 14; rank++ {
			if n := times[[2]int{rank, suit}]; n != 1 {
				t.Errorf("rank %d of suit %d: %d times", rank, suit, n)
			}
		}
	}
}

// The kinds of the basic box and how many more there are of each.
func TestMore(t *testing.T) {
	want := map[engine.Kind]int{base.Bang: 4, base.Beer: 2, base.CatBalou: 1, base.GeneralStore: 1, base.Indians: 1, base.Missed: 1,
		base.Panic: 1, base.Barrel: 1, base.Dynamite: 1, base.Mustang: 1, base.Remington: 1, base.RevCarabine: 1}
	without, with := compiled(t, base.Set), compiled(t, base.Set, dodge.Set)
	for _, row := range without.Rows() {
		if n := len(with.Faces(row.Kind)) - len(without.Faces(row.Kind)); n != want[row.Kind] {
			t.Errorf("%d more of %s, want %d", n, row.Name, want[row.Kind])
		}
	}
}

// The fifteen characters and their lives.
func TestCharacters(t *testing.T) {
	three := map[string]bool{"Apache Kid": true, "Elena Fuente": true, "Pixie Pete": true, "Sean Mallory": true, "Vera Custer": true}
	n := 0
	for _, row := range dodge.Set.Rows {
		if row.Colour != engine.CharacterCard {
			continue
		}
		n++
		want := int8(4)
		if three[row.Name] {
			want = 3
		}
		if row.Life != want {
			t.Errorf("%s has %d lives, want %d", row.Name, row.Life, want)
		}
	}
	if n != 15 {
		t.Errorf("%d characters", n)
	}
}

// Every row says in words what it does and cites rules.
func TestTexts(t *testing.T) {
	number := regexp.MustCompile(`^D-\d{3}$`)
	for _, row := range dodge.Set.Rows {
		if len(row.Text) < 8 || !strings.HasSuffix(row.Text, ".") || row.Rules == "" {
			t.Errorf("%s: text %q, rules %q", row.Name, row.Text, row.Rules)
		}
		for _, rule := range strings.Fields(row.Rules) {
			if !number.MatchString(rule) {
				t.Errorf("%s cites %q", row.Name, rule)
			}
		}
	}
}

// Three and eight players (D-040, D-050); the tables of the basic box stay as they are.
func TestRoles(t *testing.T) {
	without, with := compiled(t, base.Set), compiled(t, base.Set, dodge.Set)
	for seats := range engine.MaxSeats + 2 {
		var got [5]int
		for _, role := range with.Roles(seats) {
			got[role]++
		}
		want := [5]int{}
		switch seats {
		case 3:
			want = [5]int{engine.Deputy: 1, engine.Outlaw: 1, engine.Renegade: 1}
		case 8:
			want = [5]int{engine.Sheriff: 1, engine.Deputy: 2, engine.Outlaw: 3, engine.Renegade: 2}
		default:
			for _, role := range without.Roles(seats) {
				want[role]++
			}
		}
		if got != want {
			t.Errorf("%d seats: %v, want %v", seats, got, want)
		}
	}
}

// The options of section 8, the default first.
func TestOptions(t *testing.T) {
	want := map[string]string{"jail3p": "anyone nobody", "apacheDuel": "immune duelsWork", "molly": "anyHandCard listed",
		"sean": "10 unlimited", "firstPrinting": "off on", "dodgeDraw": "atOnce unitEnd", "veraKeepsDead": "on off"}
	for _, o := range dodge.Set.Options {
		if want[o.Name] != strings.Join(o.Values, " ") || o.Help == "" || !strings.HasPrefix(o.Rule, "D-") {
			t.Errorf("option %+v", o)
		}
		delete(want, o.Name)
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
}
