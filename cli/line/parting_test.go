package line

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/p2p/table"
)

// What is said about leaving follows from what the table says it does. That the table is right about it, package table
// tests with tables of all sizes.
func TestWhatLeavingDoes(t *testing.T) {
	void, seats := "the game is void for all", []string{"your seat plays by default", "your seat is out of the game", "your seat is out of the game already"}
	for _, c := range []struct {
		spared, out bool
		away        string
		want        string
	}{
		{true, false, "defaults", seats[0]}, {true, false, "out", seats[1]}, {true, true, "defaults", seats[2]}, {true, true, "out", seats[2]},
		{false, false, "defaults", void}, {false, false, "out", void}, {false, true, "defaults", void}, {false, true, "out", void},
	} {
		s := New(&i18n.English, nicks)
		s.parting = partingOf(c.spared, c.out, c.away)
		said := s.asksToLeave().Lines[0]
		require.True(t, strings.HasSuffix(said, "; yes or y leaves, anything else stays"))
		require.True(t, strings.HasSuffix(strings.TrimSuffix(strings.TrimSuffix(said, "; yes or y leaves, anything else stays"), ": the others cannot open the cards without you (rules tolerate)"), c.want), said)
		require.Equal(t, c.spared, strings.Contains(said, "the others go on without you"), said)
		require.NotEqual(t, c.spared, strings.Contains(said, void), said)
	}
}

// Whoever says yes to something that leaving does not do any more is asked again.
func TestAYesIsToWhatLeavingDoesNow(t *testing.T) {
	s := New(&i18n.English, nicks)
	for _, first := range []parting{playsOn, breaksOff} {
		then := breaksOff - first + playsOn
		s.parting = first
		require.Contains(t, s.Enter(engine.View{}, false, "leave").Lines[0], first.say(s.text))
		s.parting = then
		r := s.Enter(engine.View{}, false, "yes")
		require.False(t, r.Leave)
		require.Contains(t, r.Lines[0], then.say(s.text))
		require.True(t, s.Enter(engine.View{}, false, "yes").Leave)
	}
	s.Enter(engine.View{}, false, "leave")
	s.parting = playsOn
	require.False(t, s.Enter(engine.View{}, false, "no").Leave)
}

// Who is out is told whether to stay: at once, and again when a turn begins after others have gone or come back.
func TestWhoIsOutIsToldWhetherTheGameNeedsThem(t *testing.T) {
	w := &i18n.English.Prompts
	dead := engine.None
	h, _, v := find(t, 5, func(v engine.View) bool {
		for i := range engine.Seat(v.State().N) {
			if p := &v.State().Players[i]; p.Status == engine.Out && len(p.Hand)+len(p.Play) == 0 {
				dead = i
			}
		}
		return dead != engine.None
	})
	s := h.sessions[dead]
	turn := happened([]engine.Event{{Kind: engine.TurnStarted, Seat: v.Seat, To: engine.None}})
	told := func(news []table.News) []string {
		return slices.DeleteFunc(s.Tell(h.d.View(dead), true, news), func(l string) bool { return l != w.Dead && l != w.DeadNeeded })
	}
	for p, want := range map[parting]string{outAlready: w.Dead, stops: w.Dead, breaksOff: w.DeadNeeded} {
		s.dying, s.dead, s.needed, s.parting = true, false, false, p
		require.Equal(t, []string{want}, told(nil))
		require.Empty(t, told(nil))
		require.Empty(t, told(turn), "nothing has changed")
		if s.parting = breaksOff; p == breaksOff {
			s.parting = outAlready
		}
		require.Empty(t, told(nil), "not before a turn begins")
		require.Equal(t, []string{either(p == breaksOff, w.Dead, w.DeadNeeded)}, told(turn))
		require.Empty(t, told(turn))
	}
}

// A program is told what leaving does whenever that changes, and once only.
func TestAProgramIsToldWhatLeavingDoes(t *testing.T) {
	var b bytes.Buffer
	r := &table.Roster{Offer: table.Offer{Seats: 4}}
	f := NewFront(Config{Text: &i18n.English, Out: NewWriter(&b, 0, false), JSON: true}, r)
	var got []bool
	for _, p := range []parting{playsOn, playsOn, breaksOff, breaksOff, outAlready} {
		f.s.parting = p
		f.foretell()
	}
	for l := range bytes.Lines(b.Bytes()) {
		var n Note
		require.NoError(t, json.Unmarshal(l, &n))
		require.Equal(t, "leaving", n.Type)
		require.NotContains(t, n.Text, "yes or y")
		require.NotNil(t, n.Void)
		got = append(got, *n.Void)
	}
	require.Equal(t, []bool{false, true, false}, got)
	b.Reset()
	f = NewFront(Config{Text: &i18n.English, Out: NewWriter(&b, 0, false), JSON: true, Watch: true}, r)
	f.foretell()
	require.Empty(t, b.String(), "who looks on takes nothing away")
}
