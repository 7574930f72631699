package cli

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/cli/i18n"
	"standoff/cli/line"
)

// Who is asked for a decision may think; but when nothing at all is heard of their program the others are told that
// the table waits for it, and for whoever else is not heard.
func TestSilentSeatsAreNamedEvenWhileOneDecides(t *testing.T) {
	for _, decisions := range []int{0, 5} {
		h := sitDown(t, 4, "clock=none", "grace=60s")
		asked := h.play(decisions)
		require.GreaterOrEqual(t, asked, 0)
		tbl, third, dead := h.tables[(asked+1)%4], (asked+2)%4, (asked+3)%4
		require.Equal(t, asked, tbl.Missing()[0].Seat)
		var screen bytes.Buffer
		front := line.NewFront(line.Config{Text: &i18n.English, Out: line.NewWriter(&screen, 0, false)}, tbl.Roster())
		front.Show(tbl, tbl.Ready())
		now := time.Duration(0)
		wait := func(seconds int, alive ...int) []string {
			screen.Reset()
			for end := now + time.Duration(seconds)*time.Second; now < end; now += 100 * time.Millisecond {
				for _, seat := range alive {
					tbl.Alive(seat)
				}
				tbl.Tick(now)
				front.Show(tbl, tbl.Ready())
			}
			lines := strings.Split(strings.TrimSpace(screen.String()), "\n")
			slices.Sort(lines)
			return lines
		}
		said := func(template string, seats ...int) []string {
			lines := []string{}
			for _, seat := range seats {
				lines = append(lines, fmt.Sprintf(template, h.nick(seat)))
			}
			slices.Sort(lines)
			return lines
		}
		nothing, silent, heard := []string{""}, "%s: silent for 5 s, the table waits", "%s: heard again"
		require.Equal(t, nothing, wait(20, asked, third, dead), "it thinks")
		require.Equal(t, nothing, wait(4, asked, third))
		require.Equal(t, nothing, wait(10, asked, third), "one that owes nothing is dead, and the table waits for one that thinks")
		require.Equal(t, said(silent, asked), wait(20, third, dead))
		require.Equal(t, said(heard, asked), wait(3, asked, third, dead))
		require.Equal(t, said(silent, asked, dead), wait(20, third))
		require.Equal(t, said(heard, asked, dead), wait(3, asked, third, dead))
		require.Equal(t, nothing, wait(3, asked, third, dead), "it thinks on")
	}
}

// When the table is over nobody is missing, and nobody is said to be heard again.
func TestNobodyIsHeardAgainWhenAllIsOver(t *testing.T) {
	h := sitDown(t, 4, "clock=none", "grace=60s", "tolerate=0")
	asked := h.play(0)
	tbl, leaver := h.tables[(asked+1)%4], h.tables[(asked+2)%4]
	var screen bytes.Buffer
	front := line.NewFront(line.Config{Text: &i18n.English, Out: line.NewWriter(&screen, 0, false)}, tbl.Roster())
	for now := time.Duration(0); now < 20*time.Second; now += 100 * time.Millisecond {
		tbl.Tick(now)
		front.Show(tbl, tbl.Ready())
	}
	require.Contains(t, screen.String(), h.nick(asked)+": silent for")
	screen.Reset()
	leaver.Leave()
	for _, p := range leaver.Ready().Send {
		tbl.Receive(p)
	}
	require.True(t, tbl.Ended())
	front.Show(tbl, tbl.Ready())
	tbl.Tick(30 * time.Second)
	front.Show(tbl, tbl.Ready())
	require.NotContains(t, screen.String(), "heard again")
}
