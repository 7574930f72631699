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
