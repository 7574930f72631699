package cli

import (
	"testing"

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

func TestWhoLeavesAGameIsToldHowToComeBack(t *testing.T) {
	t.Parallel()
	w := &i18n.English.Lobby
	host := seatAt(t, "Ana", nil, 4, "clock=none", "waits=0s")
	all := []*chair{host, seatAt(t, "Boris", host, 0), seatAt(t, "Cilka", host, 0), seatAt(t, "Eva", host, 0)}
	for _, x := range all[1:] {
		host.sees(x.e.me.Nick + ": sits down")
	}
	for _, x := range all {
		x.types("ready")
	}
	for _, x := range all {
		x.hears("its character", func(s *spoken) bool { return s.Kind == "dealt" })
	}
	all[1].types(`{"leave":true}`)
	require.NoError(t, all[1].end())
	require.True(t, all[1].ever(`\"standoff resume\" takes your seat again as long as the others play`))
	all[2].stop()
	ended(t, all[2].end(), w.Interrupted, w.EndedLeft)
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
	ended(t, e.interrupted(end(table.Void)), w.Interrupted, w.EndedVoid)
	ended(t, e.interrupted(end(table.Finished)), w.Interrupted, w.EndedOver)
}
