package peer

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/engine"
	"standoff/p2p/table"
)

func roster(waits string) *table.Roster {
	return &table.Roster{Offer: table.Offer{Options: [][2]string{{"audit", "on"}, {"waits", waits}}}}
}

// FR-32: the moment at which an answer goes out is drawn when the question comes, from one distribution for all
// answers; neither what the answer is nor when the person gives it, as long as that is before, moves it.
func TestFieldReports(t *testing.T) {
	t.Run("FR-32 Automatic passing must not leak", func(t *testing.T) {
		start := time.Unix(1000, 0)
		pass := engine.Action{Verb: engine.Pass, To: engine.None}
		card := engine.Action{Verb: engine.Answer, Card: engine.Card{Slot: 7, Face: 1}, To: engine.None}
		for _, k := range []engine.FrameKind{engine.AtDodge, engine.AtRaid, engine.AtDuel, engine.AtLose} {
			h := newHold(roster("3s"))
			var sum time.Duration
			early, late := 0, 0
			const draws = 4000
			for i := range draws {
				h.open(uint32(i), k, start)
				wait := h.due.Sub(start)
				require.Positive(t, wait)
				require.LessOrEqual(t, wait, 3*time.Second)
				sum += wait
				if wait < 300*time.Millisecond {
					early++
				}
				if wait > 2700*time.Millisecond {
					late++
				}
				// At once by a setting, or soon by hand; a pass or a card: it is out at that moment and not before.
				choice := []*engine.Action{&pass, &card}[i%2]
				h.choice = choice
				_, out := h.release(h.due.Add(-time.Nanosecond))
				require.False(t, out)
				a, out := h.release(h.due)
				require.True(t, out)
				require.Equal(t, *choice, a)
				_, again := h.release(h.due.Add(time.Hour))
				require.False(t, again, "sent once")
			}
			require.InDelta(t, 1.5, (sum / draws).Seconds(), 0.1)
			require.InDelta(t, draws/10, early, draws/25)
			require.InDelta(t, draws/10, late, draws/25)
		}
	})
}

func TestWhatADecisionIsNotHeldFor(t *testing.T) {
	start := time.Unix(1000, 0)
	h := newHold(roster("3s"))
	for _, k := range []engine.FrameKind{engine.AtTurn, engine.AtPhase1, engine.AtStore, engine.AtDiscard, engine.AtFlip} {
		h.open(1, k, start)
		require.Equal(t, start, h.due)
	}
	h = newHold(roster("0s"))
	h.open(1, engine.AtDodge, start)
	require.Equal(t, start, h.due)
}
