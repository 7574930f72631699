package cli

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/cli/i18n"
	"standoff/cli/line"
	"standoff/p2p/table"
)

// desk is a front before one table of a hall, as a peer runs it, and what it writes.
type desk struct {
	tbl   *table.Table
	front *line.Front
	out   bytes.Buffer
	asked uint32 // the round of the question shown, plus one
}

func newDesk(tbl *table.Table, asJSON bool) *desk {
	d := &desk{tbl: tbl}
	d.front = line.NewFront(line.Config{Text: &i18n.English, Out: line.NewWriter(&d.out, 0, !asJSON), JSON: asJSON}, tbl.Roster())
	return d
}

// show gives what a reading of the table makes the front write.
func (d *desk) show(r table.Ready) string {
	d.out.Reset()
	d.front.Show(d.tbl, r)
	if round, _ := d.tbl.Round(); d.tbl.Asked() && d.asked != round+1 {
		d.asked = round + 1
		v, _ := d.tbl.View()
		d.front.Decide(v)
	}
	return d.out.String()
}

// Who decides sees how much thinking time is left, is warned twice, and then the log says that the default was played.
func TestThinkingTimeIsShownAndRunsOut(t *testing.T) {
	for name, asJSON := range map[string]bool{"lines": false, "JSON": true} {
		t.Run(name, func(t *testing.T) {
			h := sitDown(t, 4, "clock=40s+5s", "waits=0s")
			for _, tbl := range h.tables {
				tbl.Tick(0)
			}
			seat := h.play(0)
			tbl := h.tables[seat]
			d := newDesk(tbl, asJSON)
			at := func(s time.Duration) string {
				tbl.Tick(s * time.Second)
				return d.show(table.Ready{})
			}
			first := at(3)
			if asJSON {
				var a line.Ask
				notes, ask, ok := strings.Cut(strings.TrimSpace(first), "\n")
				require.True(t, ok)
				require.Contains(t, notes, `"type":"leaving"`)
				require.NoError(t, json.Unmarshal([]byte(ask), &a))
				require.Equal(t, 42, *a.SecondsLeft)
				for _, p := range a.State.Players {
					want := 45
					if p.Seat == a.State.Seat {
						want = 42
					}
					require.Equal(t, want, *p.SecondsLeft)
				}
			} else {
				require.Contains(t, first, "\ntime left: 42 s\n")
			}
			require.NotContains(t, at(14), "s left")
			warning := at(16)
			require.Contains(t, warning, h.nick(seat)+": 29 s left, then the default is played")
			if asJSON {
				require.Contains(t, warning, `"type":"hurry"`)
				require.Contains(t, warning, `"seconds_left":29`)
			}
			require.Empty(t, strings.Trim(at(17), "> "), "once")
			require.Contains(t, at(36), "9 s left")
			require.Empty(t, strings.Trim(at(44), "> "))
			tbl.Tick(46 * time.Second)
			var news []table.News
			for range 10 { // the round is said and sealed
				for i, x := range h.tables {
					r := x.Ready()
					if i == seat {
						news = append(news, r.News...)
					}
					for _, p := range r.Send {
						for j, other := range h.tables {
							if j != i {
								other.Receive(p)
							}
						}
					}
				}
			}
			said := d.show(table.Ready{News: news})
			require.Contains(t, said, h.nick(seat)+": has not decided in time, so the default is played")
		})
	}
}

func TestThinkingTimeIsNotTalkedOfWithoutAClock(t *testing.T) {
	h := sitDown(t, 4, "clock=none", "waits=0s")
	for _, tbl := range h.tables {
		tbl.Tick(0)
	}
	seat := h.play(0)
	d := newDesk(h.tables[seat], false)
	h.tables[seat].Tick(time.Hour)
	text := d.show(table.Ready{})
	require.Contains(t, text, "your ")
	require.NotContains(t, text, "time left")
	_, ok := h.tables[seat].Clock(seat)
	require.False(t, ok)
}
