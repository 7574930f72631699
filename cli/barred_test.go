package cli

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/cli/i18n"
	"standoff/p2p/table"
)

// Whoever is not let in again is told why in one line, and until when or that it is for good, as text and as an object.
func TestWhoIsNotLetInAgainIsToldWhy(t *testing.T) {
	for _, c := range []struct {
		bar         table.Bar
		kind, words string
	}{
		{table.BarWait, "barred-wait", "this is round 104 of the table, and you come back from round 130 on"},
		{table.BarReturns, "barred", "a seat comes back 5 times at most; you look on until the game is over"},
		{table.BarFault, "barred", "taken out for a proven fault; you look on until the game is over"},
		{table.BarNeeded, "barred", "the game stands still for good"},
		{table.BarNone, "", ""},
	} {
		for _, asJSON := range []bool{false, true} {
			var out bytes.Buffer
			s := &shell{in: strings.NewReader(""), out: &sink{w: &out}, err: io.Discard}
			s.newEvening(&i18n.English, asJSON).barred(c.bar, 104, 130)
			if c.words == "" {
				require.Empty(t, out.String())
				continue
			}
			require.Contains(t, out.String(), c.words)
			require.Equal(t, 1, strings.Count(out.String(), "\n"))
			require.Equal(t, asJSON, strings.HasPrefix(out.String(), `{"type":"lobby","kind":"`+c.kind+`"`), out.String())
		}
	}
}
