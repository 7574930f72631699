package lobby

import (
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/p2p/node"
	"standoff/p2p/table"
)

// A running table can be watched, also a private one (with its code), unless the players have agreed that nobody looks
// on; and that is so whether the notice came over a link or the note by multicast.
func TestWhichTableCanBeWatched(t *testing.T) {
	fine := Notice{Version: Version, Protocol: table.Version, Rules: table.RulesVersion, Name: "x", Seats: 4, Taken: 4, Phase: Begun}
	for name, row := range map[string]struct {
		change  func(*Notice)
		private bool
		want    bool
	}{
		"running":       {func(*Notice) {}, false, true},
		"private":       {func(*Notice) {}, true, true},
		"shown later":   {func(n *Notice) { n.Changed = [][2]string{{"delay", "10m"}} }, false, true},
		"never":         {func(n *Notice) { n.Changed = [][2]string{{"reshuffle", "lazy"}, {"delay", "never"}} }, false, false},
		"gathering":     {func(n *Notice) { n.Phase = Gathering }, false, false},
		"other version": {func(n *Notice) { n.Rules = "other-rules/9" }, false, false},
	} {
		n := fine
		row.change(&n)
		for how, of := range map[string]func() (Notice, bool){
			"link":      func() (Notice, bool) { got, err := readNotice(n.encode()); return got, err == nil },
			"multicast": func() (Notice, bool) { return readNote(n.note()) },
		} {
			got, ok := of()
			require.True(t, ok)
			l := Listing{Notice: got, Host: node.Key{2}}
			l.judge(node.Key{1}, how == "link", row.private)
			require.Equal(t, row.want, l.Watchable(), "%s, by %s", name, how)
		}
	}
}

// Of the tables of a name those count that one can sit down at; when there is none, one that has been seen and does not
// answer yet is worth waiting for, whatever the others say.
func TestChoiceOfATable(t *testing.T) {
	of := func(name string, why Reason) Listing {
		return Listing{Notice: Notice{Name: name}, Host: node.Key{byte(why)}, Why: why}
	}
	for name, row := range map[string]struct {
		all   []Listing
		found int
		why   Reason
	}{
		"none":                    {nil, 0, NoSuchTable},
		"of another name":         {[]Listing{of("bank", 0), of("jail", Full)}, 0, NoSuchTable},
		"one":                     {[]Listing{of("Saloon", 0), of("bank", 0)}, 1, 0},
		"two":                     {[]Listing{of("saloon", 0), of("SALOON", 0)}, 2, 0},
		"one that is free":        {[]Listing{of("saloon", Unreachable), of("saloon", 0), of("saloon", Full)}, 1, 0},
		"full":                    {[]Listing{of("saloon", Full)}, 0, Full},
		"not reached yet":         {[]Listing{of("saloon", Unreachable)}, 0, Unreachable},
		"not reached before full": {[]Listing{of("saloon", Unreachable), of("saloon", Full)}, 0, Unreachable},
		"not reached after full":  {[]Listing{of("saloon", Full), of("saloon", Unreachable)}, 0, Unreachable},
	} {
		found, why := choose(row.all, "saloon")
		require.Len(t, found, row.found, name)
		if row.found == 0 {
			require.Equal(t, row.why, why.Reason, name)
		}
	}
}
