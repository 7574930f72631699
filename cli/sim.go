package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/engine/bot"
)

// tally is what a simulation has counted.
type tally struct {
	Games          int            `json:"games"`
	Finished       int            `json:"finished"`
	Endless        int            `json:"endless"`
	GamesPerSecond float64        `json:"games_per_second"`
	Wins           map[string]int `json:"wins"`
}

func (s *shell) sim() *cobra.Command {
	var c choosing
	var games int
	var seed uint64
	var asJSON bool
	cmd := &cobra.Command{
		Use:  "sim",
		Args: noArgs,
	}
	c.flags(cmd, 7)
	cmd.Flags().IntVar(&games, "games", 1000, "")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "")
	cmd.Flags().BoolVar(&asJSON, "json", false, "")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		rules, choices, err := c.choose()
		if err != nil {
			return err
		}
		if games < 1 {
			return misuse(i18n.NoGames, i18n.With{"n": games})
		}
		t, err := simulate(cmd.Context(), rules, engine.Setup{Seats: c.players, Options: choices.Engine}, games, seed)
		if err != nil {
			return err
		}
		if asJSON {
			err = s.json(t)
		} else {
			s.tally(t)
		}
		if err == nil && t.Finished < t.Games {
			err = problem(i18n.GamesUnfinished, i18n.With{"n": t.Games - t.Finished, "m": games, "players": c.players, "seed": seed})
		}
		return err
	}
	return cmd
}

// sides names the winner of each outcome by a role.
var sides = map[engine.Outcome]string{
	engine.LawWins: "sheriff", engine.OutlawsWin: "outlaw", engine.RenegadeWins: "renegade",
	engine.DeputyWins: "deputy", engine.OutlawWins: "outlaw",
}

// simulate plays the games on all cores. The counts do not depend on how many cores there are.
func simulate(ctx context.Context, rules *engine.Rules, setup engine.Setup, games int, seed uint64) (*tally, error) {
	var next, endless atomic.Int64
	var wins [6]atomic.Int64
	workers := min(runtime.GOMAXPROCS(0), games)
	failed := make([]error, workers)
	start := time.Now()
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for i := next.Add(1) - 1; i < int64(games) && ctx.Err() == nil; i = next.Add(1) - 1 {
				r, err := bot.Play(rules, setup, seed+uint64(i))
				if err != nil {
					failed[w] = problem(i18n.GameFailed, i18n.With{"n": i, "why": err})
					next.Store(int64(games))
					return
				}
				if r.Outcome == engine.NotOver {
					endless.Add(1)
				}
				wins[r.Outcome].Add(1)
			}
		})
	}
	all.Wait()
	if err := errors.Join(failed...); err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, problem(i18n.SimStopped, nil)
	}
	t := &tally{Games: games, Endless: int(endless.Load()), Wins: map[string]int{}}
	t.Finished = t.Games - t.Endless
	t.GamesPerSecond = float64(int(float64(games)/time.Since(start).Seconds()*10)) / 10
	roles := rules.Roles(setup.Seats)
	for _, r := range []engine.Role{engine.Sheriff, engine.Deputy, engine.Outlaw, engine.Renegade} {
		deputed := r == engine.Deputy && slices.Contains(roles, engine.Sheriff) // he wins with the Sheriff
		if slices.Contains(roles, r) && !deputed {
			t.Wins[roleWord(r)] = 0 // also a side that never wins is counted
		}
	}
	for o, side := range sides {
		if n := int(wins[o].Load()); n > 0 {
			t.Wins[side] += n
		}
	}
	return t, nil
}

// json prints one object, on several lines so that a person can read it too.
func (s *shell) json(v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	s.say("%s", b)
	return nil
}

// roleWord is a role as JSON and options write it.
func roleWord(r engine.Role) string {
	return [...]string{"", "sheriff", "deputy", "outlaw", "renegade"}[min(int(r), 4)]
}

func (s *shell) tally(t *tally) {
	w := s.texts()
	s.put(w.Games, i18n.With{"n": t.Games})
	s.put(w.Finished, i18n.With{"n": t.Finished})
	s.put(w.Endless, i18n.With{"n": t.Endless})
	s.put(w.PerSecond, i18n.With{"n": int(t.GamesPerSecond + 0.5)})
	for _, side := range slices.Sorted(maps.Keys(t.Wins)) {
		share := fmt.Sprintf("%.1f", 100*float64(t.Wins[side])/float64(t.Games))
		s.put(w.WonBy, i18n.With{"side": side, "n": t.Wins[side], "share": share})
	}
}
