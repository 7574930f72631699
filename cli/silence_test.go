package cli

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/cli/i18n"
	"standoff/cli/line"
)

// Who is asked for a decision may think; but when nothing at all is heard of their program the others are told that
// the table waits, whatever it waits for.
func TestASilentSeatIsNamedEvenWhileItDecides(t *testing.T) {
	for _, decisions := range []int{0, 5} {
		h := sitDown(t, 4, "clock=none", "grace=60s")
		asked := h.play(decisions)
		require.GreaterOrEqual(t, asked, 0)
		tbl := h.tables[(asked+1)%4]
		require.Equal(t, asked, tbl.Missing()[0].Seat)
		var screen bytes.Buffer
		front := line.NewFront(line.Config{Text: &i18n.English, Out: line.NewWriter(&screen, 0, false)}, tbl.Roster())
		front.Show(tbl, tbl.Ready())
		now := time.Duration(0)
		wait := func(seconds int, alive bool) string {
			screen.Reset()
			for end := now + time.Duration(seconds)*time.Second; now < end; now += 100 * time.Millisecond {
				if alive {
					tbl.Alive(asked)
				}
				tbl.Tick(now)
				front.Show(tbl, tbl.Ready())
			}
			return screen.String()
		}
		require.Empty(t, wait(20, true), "it thinks")
		require.Equal(t, fmt.Sprintf("%s: silent for 5 s, the table waits\n", h.nick(asked)), wait(20, false))
		require.Equal(t, fmt.Sprintf("%s: heard again\n", h.nick(asked)), wait(3, true))
		require.Empty(t, wait(3, true), "it thinks on")
	}
}
