package base_test

import (
	"regexp"
	"strings"
	"testing"

	"standoff/engine"
	"standoff/engine/base"
)

func rules(t *testing.T) *engine.Rules {
	t.Helper()
	r, err := engine.Compile(base.Set)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The deck of 80: the numbers of each kind, twenty of each suit, every face of a deck of 52 there once and 8 to A a
// second time.
func TestDeck(t *testing.T) {
	r := rules(t)
	want := map[string]int{"BANG!": 25, "Missed!": 12, "Beer": 6, "Panic!": 4, "Cat Balou": 4, "Duel": 3, "Stagecoach": 2,
		"General Store": 2, "Indians!": 2, "Gatling": 1, "Saloon": 1, "Wells Fargo": 1, "Barrel": 2, "Dynamite": 1, "Jail": 3,
		"Mustang": 2, "Scope": 1, "Volcanic": 2, "Schofield": 3, "Remington": 1, "Rev. Carabine": 1, "Winchester": 1}
	times := map[[2]int]int{}
	book, all := 0, 0
	for _, row := range r.Rows() {
		faces := r.Faces(row.Kind)
		if len(faces) != want[row.Name] {
			t.Errorf("%s: %d copies, want %d", row.Name, len(faces), want[row.Name])
		}
		if row.Book {
			book += len(faces)
		}
		all += len(faces)
		for _, f := range faces {
			times[[2]int{int(f.Rank()), int(f.Suit())}]++
		}
	}
	if all != 80 || book != 13 {
		t.Errorf("%d cards, %d of them with the book symbol; want 80 and 13", all, book)
	}
	for suit := 1; suit <= 4; suit++ {
		for rank := 2; rank <= 14; rank++ {
			n := 1
			if rank >= 8 {
				n = 2
			}
			if times[[2]int{rank, suit}] != n {
				t.Errorf("rank %d of suit %d: %d times, want %d", rank, suit, times[[2]int{rank, suit}], n)
			}
		}
	}
}

// The sixteen characters and their lives.
func TestCharacters(t *testing.T) {
	n := 0
	for _, row := range rules(t).Rows() {
		if row.Colour != engine.CharacterCard {
			continue
		}
		n++
		life := int8(4)
		if row.Name == "El Gringo" || row.Name == "Paul Regret" {
			life = 3
		}
		if row.Life != life {
			t.Errorf("%s has %d lives, want %d", row.Name, row.Life, life)
		}
	}
	if n != 16 {
		t.Errorf("%d characters, want 16", n)
	}
}

// Every row says in words what it does and cites rules.
func TestTexts(t *testing.T) {
	number := regexp.MustCompile(`^B-\d{3}$`)
	for _, row := range rules(t).Rows() {
		if len(row.Text) < 8 || !strings.HasSuffix(row.Text, ".") {
			t.Errorf("%s: text %q", row.Name, row.Text)
		}
		for _, rule := range strings.Fields(row.Rules) {
			if !number.MatchString(rule) {
				t.Errorf("%s cites %q", row.Name, rule)
			}
		}
		if row.Rules == "" {
			t.Errorf("%s cites no rule", row.Name)
		}
	}
}

// The roles of 4 to 7 players (B-020).
func TestRoles(t *testing.T) {
	r := rules(t)
	for seats, want := range map[int][5]int{4: {0, 1, 0, 2, 1}, 5: {0, 1, 1, 2, 1}, 6: {0, 1, 1, 3, 1}, 7: {0, 1, 2, 3, 1}} {
		var got [5]int
		for _, role := range r.Roles(seats) {
			got[role]++
		}
		if got != want {
			t.Errorf("%d seats: %v, want %v", seats, got, want)
		}
	}
	for _, seats := range []int{-1, 0, 2, 3, 8, 9} {
		if r.Roles(seats) != nil {
			t.Errorf("the basic box plays with %d", seats)
		}
	}
}
