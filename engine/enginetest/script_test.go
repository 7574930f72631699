package enginetest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const head = `# SB-00 A shot [B-200]
A: sheriff hand[bang:2D bang:3D]
B: hand[missed:3S]
C:
D:
deck[bang:4D ...]
`

// tryText runs the only variant of a script and says what is wrong.
func tryText(t *testing.T, text string) []error {
	t.Helper()
	s, err := Parse("test", text)
	if err != nil {
		t.Fatal(err)
	}
	return s[0].try(s[0].Runs[0], map[string][]string{}, map[int]string{})
}

// A script that says something false, or nothing, does not pass.
func TestFalseScripts(t *testing.T) {
	for _, c := range []struct{ name, lines, want string }{
		{"true", "> A plays bang:2D at B\n= asked: B\n> B passes\n= B 3/4 hand[missed:3S]\n= discard[bang:2D]", ""},
		{"life", "> A plays bang:2D at B\n> B passes\n= B 4/4", "got B 3/4"},
		{"a card too few", "= A hand[bang:2D]", "got A hand[bang:2D bang:3D]"},
		{"order", "= A hand[bang:3D bang:2D]", "got A hand[bang:2D bang:3D]"},
		{"count", "= A hand 3", "got A hand 2"},
		{"deck", "= deck[bang:5D ...]", "got deck[bang:4D ...]"},
		{"whole deck", "= deck[bang:4D]", "got deck[bang:4D "},
		{"view", "= C sees A.hand[bang:2D ?]", "got C sees A.hand[? ?]"},
		{"own view", "= A sees A.hand[? ?]", "got A sees A.hand[bang:2D bang:3D]"},
		{"role", "= C sees B.role[outlaw]", "got C sees B.role[?]"},
		{"asked", "= asked: B", "got asked: A"},
		{"legal", "= legal: A ends", "got legal: A ends | A plays"},
		{"offered", "= offered: A plays bang:2D at C", "got not offered"},
		{"not offered", "= not offered: A plays bang:2D at B", "got offered"},
		{"distance", "= distance A: C 1", "got distance A: C 2"},
		{"over", "= over: law | A", "got over: no"},
		{"log", "> A plays bang:2D at B\n= log[lost]: lost B 1 by A", "got log[lost]:"},
		{"needs", "> A ends\n= needs[deal]:", "got needs[deal]: deal B bang:4D"},
		{"refusal of something legal", ">! A plays bang:2D at B", "is offered"},
		{"acceptance of something illegal", "> A plays bang:2D at C", "is not offered"},
		{"wrong reason", ">! A plays bang:2D at C because the moon", "out of range"},
		{"a card nobody has", ">! A plays bang:9D at B", "has no bang:9D"},
		{"unknown variant", "= asked: A\nsame flow as nothing", "no earlier variant"},
		{"late setup", "= asked: A\nturn B", "setup line after"},
		{"nothing", "", "nothing is done"},
		{"coin left over", "coin[0]\n= asked: A", "never used"},
		{"a card twice", "discard[bang:2D]\n= asked: A", "not so many bang:2D"},
		{"no such expectation", "= B health 3", "no part of a seat"},
		{"no such card", "= A hand[bang:2X]", "got A hand[bang:2D bang:3D]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			wrong := tryText(t, head+c.lines)
			if c.want == "" {
				if len(wrong) > 0 {
					t.Fatal(wrong)
				}
				return
			}
			if len(wrong) != 1 || !strings.Contains(wrong[0].Error(), c.want) {
				t.Errorf("want one error with %q, got %v", c.want, wrong)
			}
		})
	}
}

// What an onlooker sees differs when something public differs.
func TestFlowsDiffer(t *testing.T) {
	s, err := Parse("test", head+"## one\n> A plays bang:2D at B\n> B passes\n## other\n> A plays bang:2D at B\n> B answers missed:3S\nsame flow as one\n")
	if err != nil {
		t.Fatal(err)
	}
	flows := map[string][]string{}
	if wrong := s[0].try(s[0].Runs[0], flows, nil); len(wrong) > 0 {
		t.Fatal(wrong)
	}
	if wrong := s[0].try(s[0].Runs[1], flows, nil); len(wrong) != 1 || !strings.Contains(wrong[0].Error(), "tell them apart") {
		t.Errorf("want one difference, got %v", wrong)
	}
}

func TestParse(t *testing.T) {
	s, err := Parse("f", "# SB-01 One  [B-001 B-002]\n-- a remark\nA:\n## x\n= asked: A\n## y\n= asked: B\n# SB-02 Two [B-003]\nA:\n")
	if err != nil {
		t.Fatal(err)
	}
	if len(s) != 2 || s[0].ID != "SB-01" || !slices.Equal(s[0].Rules, []string{"B-001", "B-002"}) || len(s[0].Runs) != 2 || len(s[1].Runs) != 1 {
		t.Fatalf("%+v", s)
	}
	if r := s[0].Runs[1]; r.Name != "y" || len(r.Lines) != 2 || r.Lines[1] != (Line{7, "= asked: B"}) {
		t.Errorf("%+v", r)
	}
	for _, bad := range []string{"A:\n", "## x\n"} {
		if _, err := Parse("f", bad); err == nil {
			t.Errorf("%q should not be read", bad)
		}
	}
}

// -rewrite puts the truth into the file, and only there.
func TestRewrite(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(file, []byte(head+"-- kept\n= A hand 3\n= asked: A\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	*rewrite = true
	defer func() { *rewrite = false }()
	s[0].Run(t)
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if want := head + "-- kept\n= A hand 2\n= asked: A\n"; string(got) != want {
		t.Errorf("got %s", got)
	}
}
