package bot_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/engine"
	"standoff/engine/bot"
)

// stack puts cards on top of the deck, the first one topmost.
func (p position) stack(t *testing.T, cards string) {
	t.Helper()
	deck := p.State().Deck
	for i, s := range strings.Fields(cards) {
		f, err := rules.ParseFace(s)
		require.NoError(t, err)
		j := slices.IndexFunc(deck, func(c engine.Card) bool { return p.d.Face(c.Slot) == f })
		require.GreaterOrEqual(t, j, 0, "%s is not in the deck", s)
		if top := len(deck) - 1 - i; j != top {
			p.d.Swap(deck[j].Slot, deck[top].Slot)
		}
	}
}

var verbs = [...]string{engine.Play: "play", engine.Answer: "answer", engine.Flip: "flip", engine.Pass: "pass", engine.Pick: "pick", engine.Act: "act", engine.Discard: "discard", engine.End: "end"}

// told is what seat me does until its turn (or the turn of the seat that plays against it) is over, in words.
// Everybody else does nothing that can be left undone.
func (p position) told(t *testing.T, me engine.Seat, seed uint64) []string {
	t.Helper()
	b := bot.New(seed)
	var out []string
	for turn := p.State().Turn; p.State().Turn == turn && p.State().Over == engine.NotOver; {
		b.Watch(p.d.Events())
		v := p.d.View(p.State().Asked)
		legal := v.Legal()
		a := legal[len(legal)-1]
		if v.Seat == me {
			a = b.Act(v, legal)
			word := verbs[a.Verb]
			at := p.d.Face(a.At)
			if a.Card.Face != 0 {
				word += " " + slug(a)
			} else if at != 0 {
				word += " " + rules.FormatFace(at)
			}
			if a.To != engine.None {
				word += " at " + string(rune('A'+a.To))
			}
			if a.Card.Face != 0 && at != 0 {
				word += " on " + rules.FormatFace(at)
			}
			out = append(out, word)
		}
		require.NoError(t, p.d.Step(a))
	}
	return out
}

// What a bot does with its cards, in small positions, whatever its taste.
func TestHabits(t *testing.T) {
	four := func(me seat, others ...seat) []seat {
		all := []seat{
			{Role: engine.Sheriff, Character: "paul-regret", Life: 4},
			{Role: engine.Outlaw, Character: "bart-cassidy", Life: 4},
			{Role: engine.Renegade, Character: "rose-doolan", Life: 4},
			{Role: engine.Outlaw, Character: "black-jack", Life: 4},
		}
		copy(all[1:], append([]seat{me}, others...))
		return all
	}
	outlaw := func(life int8, hand, play string) seat {
		return seat{Role: engine.Outlaw, Character: "suzy-lafayette", Life: life, Hand: hand, Play: play}
	}
	for _, c := range []struct {
		name  string
		seats []seat
		top   string // of the deck
		does  []string
		never []string
	}{
		{"shoots the Sheriff in reach", four(outlaw(4, "bang:2D missed:2S", "schofield:JC")), "", []string{"play bang at A"}, []string{"play missed"}},
		{"a weapon first, when the Sheriff is too far", four(outlaw(4, "bang:2D schofield:JC", "")), "", []string{"play schofield", "play bang at A"}, nil},
		{"lays horse and barrel", four(outlaw(4, "mustang:8H barrel:QS", "")), "", []string{"play mustang", "play barrel"}, nil},
		{"draws before it acts", four(outlaw(4, "bang:2D wells-fargo:3H", "schofield:JC")), "", []string{"play wells-fargo", "play bang at A"}, nil},
		{"keeps its only Beer", four(outlaw(3, "beer:6H", "")), "", []string{"end"}, []string{"play beer"}},
		{"drinks when hurt badly", four(outlaw(2, "beer:6H", "")), "", []string{"play beer"}, nil},
		{"drinks one of two", four(outlaw(3, "beer:6H beer:7H", "")), "", []string{"play beer"}, nil},
		{"no Beer at full life", four(outlaw(4, "beer:6H beer:7H", "")), "", []string{"end"}, []string{"play beer"}},
		{"keeps Missed! over a useless weapon", four(outlaw(1, "schofield:JC missed:2S", "winchester:8S")), "", []string{"end", "discard schofield"}, []string{"discard missed"}},
		{"no Dynamite when one explosion kills", four(outlaw(3, "dynamite:2H", "")), "", []string{"end"}, []string{"play dynamite"}},
		{"takes the Sheriff's barrel before it shoots", append([]seat{{Role: engine.Sheriff, Character: "black-jack", Life: 4, Hand: "bang:3D", Play: "barrel:KS"}}, four(outlaw(4, "panic:JH bang:2D", ""))[1:3]...), "", []string{"play panic at A on barrel:KS", "play bang at A"}, nil},
		{"strikes everybody when that hurts the Sheriff most", four(outlaw(4, "gatling:TH", "")), "", []string{"play gatling"}, nil},
		{"strikes nobody when it would help the Outlaws", []seat{
			{Role: engine.Sheriff, Character: "black-jack", Life: 1},
			{Role: engine.Renegade, Character: "kit-carlson", Life: 4, Hand: "gatling:TH"},
			{Role: engine.Outlaw, Character: "rose-doolan", Life: 4}}, "", []string{"end"}, []string{"play gatling"}},
		{"a Renegade spares the Sheriff while others live", []seat{
			{Role: engine.Sheriff, Character: "black-jack", Life: 1},
			{Role: engine.Renegade, Character: "kit-carlson", Life: 4, Hand: "bang:2D"},
			{Role: engine.Outlaw, Character: "paul-regret", Life: 3, Play: "mustang:8H"}}, "", []string{"end"}, []string{"play bang at A"}},
		{"a Renegade alone with the Sheriff shoots", []seat{
			{Role: engine.Sheriff, Character: "black-jack", Life: 1},
			{Role: engine.Renegade, Character: "kit-carlson", Life: 4, Hand: "bang:2D"},
			{Role: engine.Outlaw, Character: "rose-doolan", Out: true},
			{Role: engine.Outlaw, Character: "paul-regret", Out: true}}, "", []string{"play bang at A"}, nil},
	} {
		if len(c.seats) < 4 {
			c.seats = append(c.seats, seat{Role: engine.Outlaw, Character: "kit-carlson", Life: 4})
		}
		t.Run(c.name, func(t *testing.T) {
			for seed := range uint64(20) {
				p := place(t, 1, c.seats...)
				p.stack(t, c.top)
				did := p.told(t, 1, seed)
				at := 0
				for _, want := range c.does {
					i := slices.Index(did[at:], want)
					require.GreaterOrEqual(t, i, 0, "%q is missing in %q", want, did)
					at += i + 1
				}
				for _, bad := range c.never {
					require.NotContains(t, did, bad)
				}
			}
		})
	}
}

// A bot that is shot at: seat A shoots, B answers.
func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		name, shooter string
		life          int8
		hand, play    string
		top           string
		want          []string
	}{
		{"a Missed!", "bart-cassidy", 4, "missed:2S bang:3D", "", "", []string{"answer missed"}},
		{"the Barrel costs nothing", "bart-cassidy", 4, "missed:2S", "barrel:QS", "beer:6H", []string{"flip"}},
		{"the Barrel, then the card", "bart-cassidy", 4, "missed:2S", "barrel:QS", "bang:2C", []string{"flip", "answer missed"}},
		{"one Missed! is not enough for two", "slab-the-killer", 4, "missed:2S bang:3D", "", "", []string{"pass"}},
		{"two are", "slab-the-killer", 4, "missed:2S missed:3S", "", "", []string{"answer missed", "answer missed"}},
		{"a Beer at the end", "bart-cassidy", 1, "beer:6H bang:3D", "", "", []string{"pass", "answer beer"}},
		{"nothing to say", "bart-cassidy", 2, "bang:3D", "", "", []string{"pass"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := place(t, 0,
				seat{Role: engine.Sheriff, Character: c.shooter, Life: 4, Hand: "bang:2D"},
				seat{Role: engine.Outlaw, Character: "kit-carlson", Life: c.life, Hand: c.hand, Play: c.play},
				seat{Role: engine.Renegade, Character: "rose-doolan", Life: 4},
				seat{Role: engine.Outlaw, Character: "black-jack", Life: 4})
			p.stack(t, c.top)
			p.do(t, func(a engine.Action) bool { return slug(a) == "bang" && a.To == 1 })
			require.Equal(t, c.want, p.told(t, 1, 3))
		})
	}
}

// Abilities that choose: the next seat's turn begins, and its bot draws or flips.
func TestAbilities(t *testing.T) {
	for _, c := range []struct {
		name, character string
		life            int8
		hand, play, top string
		does            string
	}{
		{"Kit puts the worst back", "kit-carlson", 1, "", "winchester:8S", "missed:2S schofield:JC beer:6H", "pick schofield:JC"},
		{"Lucky Duke leaves jail", "lucky-duke", 4, "", "jail:TS", "bang:2C beer:6H", "pick beer:6H"},
		{"Lucky Duke survives Dynamite", "lucky-duke", 4, "", "dynamite:2H", "missed:5S bang:2C", "pick bang:2C"},
		{"Jesse robs the Sheriff", "jesse-jones", 4, "", "", "", "act at A"},
		{"Sid heals with what he would discard", "sid-ketchum", 1, "missed:2S schofield:JC schofield:KS bang:3D", "winchester:8S", "remington:KC rev-carabine:AC", "discard schofield"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := place(t, 0,
				seat{Role: engine.Sheriff, Character: "bart-cassidy", Life: 4, Hand: "gatling:TH missed:3S"},
				seat{Role: engine.Outlaw, Character: c.character, Life: c.life, Hand: c.hand, Play: c.play},
				seat{Role: engine.Renegade, Character: "rose-doolan", Life: 4},
				seat{Role: engine.Outlaw, Character: "black-jack", Life: 4})
			p.stack(t, c.top)
			for p.State().Turn == 0 {
				p.do(t, func(a engine.Action) bool { return a.Verb == engine.End })
				if p.State().Turn == 0 {
					break
				}
			}
			require.Contains(t, p.told(t, 1, 3), c.does)
		})
	}
}
