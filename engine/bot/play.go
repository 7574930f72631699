package bot

import (
	"fmt"

	"standoff/engine"
	"standoff/engine/dealer"
)

// MaxSteps is where a game counts as endless. A game of seven takes about 200 steps.
const MaxSteps = 20000

// Result is how a game between bots ended.
type Result struct {
	Outcome engine.Outcome // NotOver: endless, given up after MaxSteps
	Winners []engine.Seat  // ascending
	Roles   [engine.MaxSeats]engine.Role
	Steps   int // actions
	Turns   int
}

// Play plays one game with a bot on every seat. The same rules, set-up and seed give the same game. It keeps no
// state between calls, so several goroutines may play at once over the same rules.
func Play(r *engine.Rules, s engine.Setup, seed uint64) (Result, error) {
	g, err := engine.New(r, s)
	if err != nil {
		return Result{}, err
	}
	return Finish(g, dealer.New(g, seed), seed)
}

// Finish plays g from where it stands, with bots on all seats and d as its dealer. An error means that the engine
// or the dealer is at fault, not a player.
func Finish(g *engine.Game, d *dealer.Dealer, seed uint64) (Result, error) {
	h := NewHistory()
	var bots [engine.MaxSeats]Bot
	for i := range bots {
		bots[i] = Bot{seed: seed + uint64(i)*0x9e3779b97f4a7c15, history: h}
	}
	st := g.State()
	res := Result{}
	var legal []engine.Action
	err := d.Serve()
	for ; err == nil && st.Over == engine.NotOver && res.Steps < MaxSteps; res.Steps++ {
		h.Watch(d.Events())
		if s := comer(bots[:], g, d); s != engine.None {
			err = d.ComeIn(s)
			continue
		}
		v := d.View(st.Asked)
		legal = v.AppendLegal(legal[:0])
		err = d.Step(bots[st.Asked].Act(v, legal))
	}
	if err != nil {
		return res, fmt.Errorf("seed %d, step %d: %w", seed, res.Steps, err)
	}
	res.Outcome, res.Turns = st.Over, int(st.TurnNo)
	for i := range st.Players[:st.N] {
		res.Roles[i] = st.Players[i].Role
	}
	if st.Over != engine.NotOver {
		res.Winners = g.Winners()
	}
	return res, nil
}

// comer is the first seat that wants to use an any-time ability now, None mostly.
func comer(bots []Bot, g *engine.Game, d *dealer.Dealer) engine.Seat {
	for _, s := range d.Ask().May {
		if bots[s].ComesIn(d.View(s)) {
			return s
		}
	}
	return engine.None
}
