package bot_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/engine"
	"standoff/engine/base"
	"standoff/engine/bot"
	"standoff/engine/dealer"
	"standoff/engine/enginetest"
)

var rules = func() *engine.Rules {
	r, err := engine.Compile(base.Set)
	if err != nil {
		panic(err)
	}
	return r
}()

// position is a game in which seat turn is in phase 2.
type position struct {
	*engine.Game
	d *dealer.Dealer
}

type seat = enginetest.Chair

func place(t *testing.T, turn engine.Seat, seats ...seat) position {
	t.Helper()
	l := enginetest.Layout{Rules: rules, Turn: turn, Chairs: seats}
	g, d, err := l.Lay()
	require.NoError(t, err)
	return position{g, d}
}

// decide is what a bot would do for the asked seat.
func (p position) decide(b *bot.Bot) engine.Action {
	v := p.d.View(p.State().Asked)
	return b.Act(v, v.Legal())
}

// do steps the legal action that matches.
func (p position) do(t *testing.T, match func(a engine.Action) bool) {
	t.Helper()
	legal := p.d.View(p.State().Asked).Legal()
	i := slices.IndexFunc(legal, match)
	require.GreaterOrEqual(t, i, 0, "not among %+v", legal)
	require.NoError(t, p.d.Step(legal[i]))
}

// slug names what an action plays.
func slug(a engine.Action) string {
	if r := rules.Row(a.Card.Face.Kind()); r != nil {
		return r.Slug
	}
	return ""
}

func TestFieldReports(t *testing.T) {
	t.Run("FR-36", func(t *testing.T) {
		t.Run("a: it shoots back", shootsBack)
		t.Run("b: it keeps the better weapon", keepsWinchester)
		t.Run("c: two bots come to an end", twoComeToAnEnd)
		t.Run("d: it does not peek", doesNotPeek)
	})
}

// P attacks the Sheriff twice, Q never; both are in range, with every seed and on either side.
func shootsBack(t *testing.T) {
	for seed := range uint64(50) {
		for _, bad := range []engine.Seat{1, 4} {
			good := 5 - bad
			seats := []seat{
				{Role: engine.Sheriff, Character: "bart-cassidy", Life: 5, Hand: "bang:2D"},
				{Role: engine.Outlaw, Character: "rose-doolan", Life: 4},
				{Role: engine.Renegade, Character: "black-jack", Life: 4},
				{Role: engine.Deputy, Character: "kit-carlson", Life: 4},
				{Role: engine.Outlaw, Character: "willy-the-kid", Life: 4},
			}
			seats[bad].Play, seats[bad].Hand = "volcanic:TS", "bang:3C bang:4C"
			p := place(t, bad, seats...)
			b := bot.New(seed)
			for range 2 {
				p.do(t, func(a engine.Action) bool { return slug(a) == "bang" && a.To == 0 })
				for p.State().Asked == 0 {
					p.do(t, func(a engine.Action) bool { return a.Verb == engine.Pass })
				}
			}
			require.EqualValues(t, 3, p.State().Players[0].Life)
			for turn := p.State().Turn; turn != 0; turn = p.State().Turn {
				b.Watch(p.d.Events())
				p.do(t, func(a engine.Action) bool { return a.Verb == engine.End || a.Verb == engine.Pass })
				for p.State().Asked != engine.None && p.State().Stack[len(p.State().Stack)-1].Kind != engine.AtTurn {
					require.NoError(t, p.d.Step(p.d.View(p.State().Asked).Legal()[0]))
				}
			}
			shot := false
			for p.State().Turn == 0 && p.State().Asked != engine.None {
				b.Watch(p.d.Events())
				a := engine.Action{}
				if p.State().Asked == 0 {
					a = p.decide(b)
				} else {
					a = p.d.View(p.State().Asked).Legal()[0]
				}
				if a.Seat == 0 && slug(a) == "bang" {
					require.Equal(t, bad, a.To, "seed %d: not at seat %d", seed, good)
					shot = true
				}
				require.NoError(t, p.d.Step(a))
			}
			require.True(t, shot, "seed %d: it did not shoot at all", seed)
		}
	}
}

// A Winchester in play, a Schofield in Hand: the Winchester stays; the other way round it is exchanged.
func keepsWinchester(t *testing.T) {
	four := func(hand, play string) position {
		return place(t, 1,
			seat{Role: engine.Sheriff, Character: "bart-cassidy", Life: 5},
			seat{Role: engine.Outlaw, Character: "black-jack", Life: 4, Hand: hand, Play: play},
			seat{Role: engine.Outlaw, Character: "paul-regret", Life: 3},
			seat{Role: engine.Renegade, Character: "kit-carlson", Life: 4})
	}
	for seed := range uint64(50) {
		for _, c := range []struct{ hand, play, keeps string }{
			{"schofield:JC", "winchester:8S", "winchester"},
			{"schofield:JC bang:2D", "winchester:8S", "winchester"},
			{"winchester:8S", "schofield:JC", "winchester"},
			{"remington:KC rev-carabine:AC", "", "rev-carabine"},
			{"remington:KC rev-carabine:AC", "volcanic:TC", "rev-carabine"},
			{"volcanic:TC bang:2D", "winchester:8S", "winchester"},
		} {
			p := four(c.hand, c.play)
			b := bot.New(seed)
			for p.State().Turn == 1 && p.State().Asked != engine.None {
				a := p.decide(b)
				if p.State().Asked != 1 {
					a = p.d.View(p.State().Asked).Legal()[0]
				}
				if a.Verb == engine.End {
					break
				}
				require.NoError(t, p.d.Step(a))
			}
			weapons := []string{}
			for _, card := range p.State().Players[1].Play {
				if r := rules.Row(card.Face.Kind()); r.Colour == engine.Weapon {
					weapons = append(weapons, r.Slug)
				}
			}
			require.Equal(t, []string{c.keeps}, weapons, "seed %d, hand %s, play %s", seed, c.hand, c.play)
		}
	}
}

// lastTurns bounds the turns of two bots alone against each other; the longest of these thousand takes about 45.
const lastTurns = 120

// Two bots are left, both in range of each other. It ends, in 1,000 games with other cards and characters.
func twoComeToAnEnd(t *testing.T) {
	characters := []string{}
	for _, r := range rules.Rows() {
		if r.Colour == engine.CharacterCard {
			characters = append(characters, r.Slug)
		}
	}
	longest := 0
	for seed := range uint64(1000) {
		n := int(seed)
		other := []engine.Role{engine.Outlaw, engine.Renegade}[n/2%2]
		gone := engine.Outlaw
		if other == engine.Outlaw {
			gone = engine.Renegade
		}
		one, two := characters[n%len(characters)], characters[(n/16+1+n)%len(characters)]
		p := place(t, engine.Seat(n%2*2),
			seat{Role: engine.Sheriff, Character: one, Life: 4, Hand: "bang:2D missed:2S", Play: "winchester:8S"},
			seat{Role: gone, Character: "bart-cassidy", Out: true},
			seat{Role: other, Character: two, Life: 3, Hand: "bang:3D missed:3S", Play: "rev-carabine:AC"},
			seat{Role: engine.Outlaw, Character: "bart-cassidy", Out: true})
		// Let luck have its way with the deck: the cards of the position change places.
		deck := p.State().Deck
		order := make([]int, len(deck))
		require.NoError(t, dealer.Seeded(seed).Perm(order))
		for i, j := range order {
			if i != j {
				p.d.Swap(deck[i].Slot, deck[j].Slot)
			}
		}
		before := int(p.State().TurnNo)
		r, err := bot.Finish(p.Game, p.d, seed)
		require.NoError(t, err)
		require.NotEqual(t, engine.NotOver, r.Outcome, "seed %d: endless", seed)
		turns := r.Turns - before
		longest = max(longest, turns)
		require.LessOrEqual(t, turns, lastTurns, "seed %d: %s against %s", seed, one, two)
	}
	t.Logf("the longest took %d turns", longest)
}

// The hidden roles and cards of the others change places at every decision of a hundred games: with the same public
// history the bot decides the same.
func doesNotPeek(t *testing.T) {
	decisions, changed := 0, 0
	for seed := range uint64(100) {
		g, err := engine.New(rules, engine.Setup{Seats: 4 + int(seed%4)})
		require.NoError(t, err)
		d := dealer.New(g, seed)
		require.NoError(t, d.Serve())
		h := bot.NewHistory()
		for steps := 0; g.State().Over == engine.NotOver; steps++ {
			require.Less(t, steps, bot.MaxSteps)
			h.Watch(d.Events())
			me := g.State().Asked
			b := bot.Share(seed+uint64(me), h)
			v := d.View(me)
			a := b.Act(v, v.Legal())
			swapped := exchange(d, g.State(), me, seed+uint64(steps))
			v = d.View(me)
			require.Equal(t, a, b.Act(v, v.Legal()), "seed %d, step %d: seat %d decides by what it cannot see", seed, steps, me)
			for i := len(swapped) - 1; i >= 0; i-- {
				d.Swap(swapped[i][0], swapped[i][1])
			}
			decisions++
			changed += min(1, len(swapped))
			require.NoError(t, d.Step(a))
		}
	}
	require.Greater(t, 2*changed, decisions, "hardly anything was hidden")
}

// exchange mixes the hidden roles and the hidden hand cards of everybody but me among each other.
func exchange(d *dealer.Dealer, st *engine.State, me engine.Seat, seed uint64) (swapped [][2]engine.Slot) {
	var roles, cards []engine.Slot
	for s := range engine.Seat(st.N) {
		p := &st.Players[s]
		if s == me {
			continue
		}
		if p.Role == engine.NoRole {
			roles = append(roles, p.RoleSlot)
		}
		for _, c := range p.Hand {
			if c.Face == 0 && d.Knowledge(me).Face(c.Slot) == 0 {
				cards = append(cards, c.Slot)
			}
		}
	}
	for _, slots := range [][]engine.Slot{roles, cards} {
		p := make([]int, len(slots))
		_ = dealer.Seeded(seed).Perm(p) // a seeded generator cannot fail
		for i, j := range p {
			if i != j {
				d.Swap(slots[i], slots[j])
				swapped = append(swapped, [2]engine.Slot{slots[i], slots[j]})
			}
		}
	}
	return swapped
}

// A bot alone keeps its promise to be the same for the same seed, and its luck is its own.
func TestSameSeedSameGame(t *testing.T) {
	outcomes := map[string]bool{}
	for seed := range uint64(20) {
		one, err := bot.Play(rules, engine.Setup{Seats: 5}, seed)
		require.NoError(t, err)
		two, err := bot.Play(rules, engine.Setup{Seats: 5}, seed)
		require.NoError(t, err)
		require.Equal(t, one, two)
		require.NotEmpty(t, one.Winners)
		outcomes[fmt.Sprint(one)] = true
	}
	require.Greater(t, len(outcomes), 15)
}
