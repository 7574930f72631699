package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/engine"
	"standoff/engine/base"
	"standoff/engine/dealer"
)

// The events of an absence say whether the seat is in the game.
func TestAnAbsenceTellsWhetherTheSeatIsInTheGame(t *testing.T) {
	rules, err := engine.Compile(base.Set)
	require.NoError(t, err)
	g, err := engine.New(rules, engine.Setup{Seats: 5})
	require.NoError(t, err)
	require.NoError(t, dealer.New(g, 1).Serve())
	last := func(do func() error) engine.Event {
		require.NoError(t, do())
		events := g.Ready().Events
		require.NotEmpty(t, events)
		return events[0]
	}
	s := g.State().Asked
	require.Equal(t, engine.Event{Kind: engine.WentAway, Seat: s, To: engine.None}, last(func() error { return g.StepAway(s) }))
	require.Equal(t, engine.Event{Kind: engine.CameBack, Seat: s, To: engine.None}, last(func() error { return g.StepBack(s) }))
	require.Equal(t, engine.Event{Kind: engine.WentAway, Seat: s, To: engine.None, N: 1}, last(func() error { return g.Expel(s) }))
	require.Equal(t, engine.Event{Kind: engine.CameBack, Seat: s, To: engine.None, N: 1}, last(func() error { return g.StepBack(s) }))
}
