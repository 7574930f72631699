package cli

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/cli/i18n"
	"standoff/cli/line"
	"standoff/p2p/lobby"
	"standoff/p2p/table"
)

// ended checks what somebody is told at the end of an evening.
func ended(t *testing.T, err error, what, hint string) {
	t.Helper()
	require.EqualError(t, err, what)
	p := &Problem{}
	require.ErrorAs(t, err, &p)
	require.Equal(t, Failure, p.Exit)
	_, advice := p.Words(&i18n.English)
	require.Equal(t, hint, advice)
}

// Whoever ends the program at a table is told what has become of the seat, and how to come back.
func TestWhoEndsTheProgramBeforeTheGameIsToldHowToComeBack(t *testing.T) {
	t.Parallel()
	w := &i18n.English.Lobby
	host := seatAt(t, "Ana", nil, 4)
	boris, cilka, eva := seatAt(t, "Boris", host, 0), seatAt(t, "Cilka", host, 0), seatAt(t, "Eva", host, 0)
	boris.stop()
	ended(t, boris.end(), w.Interrupted, w.EndedGuest)
	host.sees("Boris: seat free again, left")
	cilka.in.Close()
	ended(t, cilka.end(), w.NoInput, w.EndedGuest+"; "+w.KeepOpen)
	host.sees("Cilka: seat free again, left")
	host.stop()
	ended(t, host.end(), w.Interrupted, w.EndedHost)
	ended(t, eva.end(), "the table is closed: whoever opened it has closed it", i18n.English.Advice(lobby.HostLeft))
}

// dealt is a table at which a game has begun, with no clock and the options given; the Sheriff first, without whom an
// expulsion may end the game.
func dealt(t *testing.T, options ...string) []*chair {
	host := seatAt(t, "Ana", nil, 4, append(options, "clock=none", "waits=0s")...)
	all := []*chair{host, seatAt(t, "Boris", host, 0), seatAt(t, "Cilka", host, 0), seatAt(t, "Eva", host, 0)}
	for _, x := range all[1:] {
		host.sees(x.e.me.Nick + ": sits down")
	}
	for _, x := range all {
		x.types("ready")
	}
	sheriff := ""
	for _, x := range all {
		x.hears("its cards", func(s *spoken) bool {
			if s.Kind == "sheriff-is" {
				sheriff = s.Text.(string)
			}
			return s.Kind == "dealt"
		})
	}
	slices.SortStableFunc(all, func(a, b *chair) int {
		return cmp.Compare(strings.Index(sheriff, b.e.me.Nick+":"), strings.Index(sheriff, a.e.me.Nick+":"))
	})
	require.Equal(t, all[0].e.me.Nick+": Sheriff", sheriff)
	return all
}

func TestWhoLeavesAGameIsToldHowToComeBack(t *testing.T) {
	t.Parallel()
	for away, w := range map[string][2]string{
		"defaults": {i18n.English.Lobby.YouLeft, i18n.English.Lobby.EndedLeft}, "out": {i18n.English.Lobby.YouLeftOut, i18n.English.Lobby.EndedOut},
	} {
		all := dealt(t, "away="+away)
		all[1].types(`{"leave":true}`)
		require.NoError(t, all[1].end())
		require.True(t, all[1].ever(strings.ReplaceAll(w[0], `"`, `\"`)), away)
		all[0].hears("the shares dealt anew", func(s *spoken) bool { return s.Kind == "shared" })
		all[2].stop()
		ended(t, all[2].end(), i18n.English.Lobby.Interrupted, w[1])
	}
}

// What leaving does is foretold by who is there now: of four players two may leave, and the third ends the game for all.
func TestTheThirdOfFourEndsTheGame(t *testing.T) {
	t.Parallel()
	all := dealt(t)
	foretold := func(x *chair, void bool) {
		t.Helper()
		require.Eventually(t, func() bool { return x.foretold() == void }, 60*time.Second, 20*time.Millisecond, "void %v", void)
	}
	for i, x := range all[:2] {
		foretold(x, false)
		x.types(`{"leave":true}`)
		require.NoError(t, x.end())
		require.True(t, x.ever("you have left"), "%d", i)
		all[3].hears("who has left", func(s *spoken) bool { return s.Kind == "removed" })
		if i == 0 {
			all[3].hears("the shares dealt anew", func(s *spoken) bool { return s.Kind == "shared" })
		}
	}
	foretold(all[2], true)
	foretold(all[3], true)
	all[2].types(`{"leave":true}`)
	all[3].sees("the game is void: " + all[2].e.me.Nick + " has left")
	require.NoError(t, all[2].end())
}

// foretold is what the last note on leaving says: that the game would be void.
func (x *chair) foretold() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	for i := len(x.said) - 1; i >= 0; i-- {
		if n := (line.Note{}); x.said[i].Type == "leaving" {
			require.NoError(x.t, json.Unmarshal(x.said[i].raw, &n))
			return *n.Void
		}
	}
	return true // no game has begun
}

func TestHowAnInterruptOfEveryGameIsTold(t *testing.T) {
	w := &i18n.English.Lobby
	s := &shell{out: &sink{}}
	e := &evening{shell: s, text: &i18n.English, out: line.NewWriter(s.out, 0, false)}
	end := func(r table.Result) *table.End { return &table.End{Result: r} }
	ended(t, e.interrupted(nil), w.Interrupted, w.EndedResume)
	e.paused = true
	require.NoError(t, e.interrupted(end(table.Incomplete)), "it has been said, and is no failure")
	e.paused = false
	ended(t, e.interrupted(end(table.Incomplete)), w.Interrupted, w.EndedLeft)
	e.seatOut = true
	ended(t, e.interrupted(end(table.Incomplete)), w.Interrupted, w.EndedOut)
	ended(t, e.interrupted(end(table.Void)), w.Interrupted, w.EndedVoid)
	ended(t, e.interrupted(end(table.Finished)), w.Interrupted, w.EndedOver)
}
