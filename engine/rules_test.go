package engine_test

import (
	"strings"
	"testing"

	"standoff/engine"
	"standoff/engine/base"
)

func compiled(t testing.TB) *engine.Rules {
	t.Helper()
	r, err := engine.Compile(base.Set)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Boxes that clash or cannot be read are refused with the reason.
func TestCompileRefuses(t *testing.T) {
	row := func(k engine.Kind, name, copies string) engine.Set {
		return engine.Set{Name: "odd", Rows: []engine.Row{{Kind: k, Name: name, Colour: engine.Brown, Copies: copies}}}
	}
	opt := func(o engine.Option) engine.Set { return engine.Set{Name: "odd", Options: []engine.Option{o}} }
	for _, c := range []struct {
		name string
		sets []engine.Set
		want string
	}{
		{"a kind twice", []engine.Set{base.Set, row(base.Barrel, "Keg", "")}, "is taken"},
		{"a name twice", []engine.Set{base.Set, row(200, "Barrel", "")}, "the name barrel is taken"},
		{"a kind of the core", []engine.Set{row(3, "Keg", "")}, "belong to the core"},
		{"no name", []engine.Set{row(200, "", "")}, "needs a kind and a name"},
		{"copies that are no cards", []engine.Set{row(200, "Keg", "QS 1H")}, `"1H" is no rank and suit`},
		{"an option id twice", []engine.Set{base.Set, opt(engine.Option{ID: engine.OptHeir, Name: "x", Values: []string{"a", "b"}})}, "is taken"},
		{"an option with one value", []engine.Set{opt(engine.Option{ID: 60, Name: "x", Values: []string{"a"}})}, "two values"},
		{"a preset with an unknown value", []engine.Set{base.Set, {Name: "odd", Presets: []engine.Preset{
			{Name: "p", Values: [][2]string{{"reshuffle", "never"}}}}}}, "want one of eager, lazy"},
	} {
		if _, err := engine.Compile(c.sets...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q in it", c.name, err, c.want)
		}
	}
}

// Every table option of the rulebook is there with its values, the default first, and parses back and forth.
func TestOptions(t *testing.T) {
	r := compiled(t)
	want := map[string]string{
		"names": "Scope, Appaloosa", "characterChoice": "off, on", "simplified": "off, on", "reshuffle": "eager, lazy",
		"brownDiscard": "before, after", "selfTarget": "off, on", "ownDiscard": "off, phase2",
		"duelCredit": "cardPlayer, opponent", "victoryCheck": "afterCard, immediate", "beerFull": "allow, forbid",
		"gringoOwnDuel": "off, on", "sidLethal": "on, off", "suzy": "unitEnd, immediate", "vulture": "all, handOnly",
		"sheriffRotation": "off, on",
	}
	for _, o := range r.OptionTable() {
		if want[o.Name] != strings.Join(o.Values, ", ") || !strings.HasPrefix(o.Rule, "B-") || o.Help == "" {
			t.Errorf("option %+v", o)
		}
		delete(want, o.Name)
		for _, v := range o.Values {
			var opt engine.Options
			if err := r.ParseOption(&opt, o.Name, v); err != nil || r.Option(opt, o.Name) != v {
				t.Errorf("option %s = %s: %v, %s", o.Name, v, err, r.Option(opt, o.Name))
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
	var opt engine.Options
	if err := r.ParseOption(&opt, "reshuffle", "sometimes"); err == nil || !strings.Contains(err.Error(), "eager, lazy") {
		t.Error(err)
	}
	if err := r.ParseOption(&opt, "shuffle", "lazy"); err == nil || !strings.Contains(err.Error(), "reshuffle") {
		t.Error(err)
	}
	if opt != (engine.Options{}) {
		t.Error("a refused option has changed something")
	}
}

// The presets set exactly what they say.
func TestPresets(t *testing.T) {
	r := compiled(t)
	for name, want := range map[string]map[string]string{
		"classic":       {},
		"third-edition": {"brownDiscard": "after", "gringoOwnDuel": "on", "names": "Appaloosa"},
		"beginner":      {"simplified": "on"},
	} {
		var o engine.Options
		if err := r.ParsePreset(&o, name); err != nil {
			t.Fatal(err)
		}
		for _, opt := range r.OptionTable() {
			v := want[opt.Name]
			if v == "" {
				v = opt.Values[0]
			}
			if got := r.Option(o, opt.Name); got != v {
				t.Errorf("%s: %s is %s, want %s", name, opt.Name, got, v)
			}
		}
	}
	o := engine.Options{engine.OptHeir: 1}
	if err := r.ParsePreset(&o, "fourth"); err == nil || o[engine.OptHeir] != 1 {
		t.Error("an unknown preset is not refused, or has changed something")
	}
	third := engine.Options{engine.OptNames: 1}
	if r.Name(engine.Options{}, base.Scope) != "Scope" || r.Name(third, base.Scope) != "Appaloosa" || r.Name(third, base.Mustang) != "Mustang" {
		t.Error("the names option does not name the horse")
	}
}

// Every face of the deck has a text that reads back.
func TestFaceText(t *testing.T) {
	r := compiled(t)
	for _, row := range r.Rows() {
		for _, f := range append(r.Faces(row.Kind), engine.MakeFace(row.Kind, 0, engine.NoSuit)) {
			got, err := r.ParseFace(r.FormatFace(f))
			if err != nil || got != f || f.Kind() != row.Kind {
				t.Errorf("%s: %v %v", r.FormatFace(f), got, err)
			}
		}
	}
	if f, err := r.ParseFace("bang:10c"); err != nil || f != engine.MakeFace(base.Bang, 10, engine.Clubs) {
		t.Errorf("bang:10c: %v %v", f, err)
	}
	for _, bad := range []string{"", "bang:", "bang:1D", "bang:2X", "bang:?D", "keg:2D", "bang:2D3"} {
		if _, err := r.ParseFace(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

// New refuses what it cannot play.
func TestNewRefuses(t *testing.T) {
	r := compiled(t)
	for _, s := range []engine.Setup{
		{Seats: -1}, {Seats: 0}, {Seats: 2}, {Seats: 9}, {Seats: 100},
		{Seats: 4, Options: engine.Options{engine.OptHeir: 2}},
		{Seats: 4, Options: engine.Options{63: 1}},
		{Seats: 4, Former: &engine.Former{Sheriff: 4}},
		{Seats: 4, Former: &engine.Former{Alive: [8]bool{true}, Characters: [8]engine.Kind{base.Barrel}}},
	} {
		if _, err := engine.New(r, s); err == nil {
			t.Errorf("%+v is accepted", s)
		}
	}
}
