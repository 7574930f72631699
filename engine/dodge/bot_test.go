package dodge_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/engine"
	"standoff/engine/base"
	"standoff/engine/bot"
	"standoff/engine/dealer"
	"standoff/engine/dodge"
	"standoff/engine/enginetest"
	"standoff/engine/promo"
)

// position is a game in which seat 0 is in phase 2, or begins its turn.
type position struct {
	*engine.Game
	t *testing.T
	d *dealer.Dealer
}

type seat = enginetest.Chair

func place(t *testing.T, starts bool, deck string, seats ...seat) position {
	t.Helper()
	l := enginetest.Layout{Rules: compiled(t, base.Set, dodge.Set, promo.Set), Starts: starts, Deck: deck, Chairs: seats}
	g, d, err := l.Lay()
	require.NoError(t, err)
	return position{g, t, d}
}

// text is an action in words, "play knife:8H at B".
func (p position) text(a engine.Action) string {
	verb := map[engine.Verb]string{engine.Play: "play", engine.Answer: "answer", engine.Flip: "flip", engine.Pass: "pass",
		engine.Pick: "pick", engine.Act: "use", engine.Discard: "discard", engine.End: "end"}[a.Verb]
	if a.Card.Slot != 0 {
		verb += " " + p.Rules().FormatFace(p.d.Face(a.Card.Slot))
	}
	if row := p.Rules().Row(a.As); row != nil && a.As != p.d.Face(a.Card.Slot).Kind() {
		verb += " as " + row.Slug
	}
	if a.To != engine.None {
		verb += " at " + string(rune('A'+a.To))
	}
	if a.At != 0 {
		verb += " on " + p.Rules().FormatFace(p.d.Face(a.At))
	}
	return verb
}

// does lets a bot play seat s until the turn of seat 0 is over; whatever else is asked is passed, but seat 0 shoots at
// a bot in seat 1. It returns what the
// bot did, without the discards at the end of a turn.
func (p position) does(s engine.Seat, seed uint64) []string {
	p.t.Helper()
	b := bot.New(seed)
	var out []string
	for p.State().Over == engine.NotOver && p.State().Turn == 0 {
		b.Watch(p.d.Events())
		asked := p.State().Asked
		v := p.d.View(asked)
		a := p.d.Open(p.Default())
		if i := slices.IndexFunc(v.Legal(), func(a engine.Action) bool { return a.Verb == engine.Play && a.To == 1 }); s == 1 && asked == 0 && i >= 0 {
			a = v.Legal()[i]
		}
		if asked == s {
			a = b.Act(v, v.Legal())
			if p.State().Stack[len(p.State().Stack)-1].Kind != engine.AtDiscard {
				out = append(out, p.text(a))
			}
		}
		require.NoError(p.t, p.d.Step(a))
	}
	return out
}

// What a bot does with the new cards and characters in small positions, whatever its taste. A is the bot, an Outlaw; B
// is the Sheriff, C another Outlaw, D a Renegade.
func TestBotHabits(t *testing.T) {
	me := func(character string, life int8, hand, play string) seat {
		return seat{Role: engine.Outlaw, Character: character, Life: life, Hand: hand, Play: play}
	}
	for _, c := range []struct {
		name   string
		a, b   seat
		starts bool
		deck   string
		bot    engine.Seat
		want   []string // in this order, other actions between them do not matter
		not    string   // no action begins so
	}{
		{name: "green cards are laid", a: me("greg-digger", 4, "knife:8H sombrero:7C pony-express:QD", ""),
			b: seat{Character: "slab-the-killer", Life: 5}, want: []string{"play sombrero:7C", "end"}, not: "play knife:8H at"},
		{name: "and used in a later turn, what draws first", a: me("greg-digger", 4, "", "knife:8H pony-express:QD buffalo-rifle:QC"),
			b: seat{Character: "slab-the-killer", Life: 5}, want: []string{"play pony-express:QD", "play buffalo-rifle:QC at B", "end"}},
		{name: "the Canteen is kept until it helps", a: me("greg-digger", 4, "", "canteen:7H"),
			b: seat{Character: "slab-the-killer", Life: 5}, want: []string{"end"}, not: "play"},
		{name: "the Canteen helps", a: me("greg-digger", 3, "", "canteen:7H"),
			b: seat{Character: "slab-the-killer", Life: 5}, want: []string{"play canteen:7H", "end"}},
		{name: "a Duel is for the Sheriff", a: me("greg-digger", 4, "duel:QD bang:2D bang:3D", "volcanic:TS"),
			b: seat{Character: "slab-the-killer", Life: 5}, want: []string{"play duel:QD at B"}, not: "play duel:QD at C"},
		{name: "a Springfield costs the worst card", a: me("greg-digger", 4, "springfield:KS mustang:9H missed:2S", "mustang:8H"),
			b: seat{Character: "slab-the-killer", Life: 5}, want: []string{"play springfield:KS at B", "discard mustang:9H", "end"}},
		{name: "a Brawl takes the Sheriff's shield and the friend's least", a: me("greg-digger", 4, "brawl:JS mustang:9H", "mustang:8H"),
			b: seat{Character: "slab-the-killer", Life: 5, Hand: "bang:4C", Play: "barrel:QS"}, want: []string{"play brawl:JS", "discard mustang:9H", "pick at B on barrel:QS"}},
		{name: "a Rag Time robs the Sheriff", a: me("greg-digger", 4, "rag-time:9H mustang:9H", "mustang:8H"),
			b: seat{Character: "slab-the-killer", Life: 5, Hand: "bang:4C"}, want: []string{"play rag-time:9H at B", "discard mustang:9H"}},
		{name: "a Tequila is for oneself", a: me("greg-digger", 2, "tequila:9C mustang:9H", "mustang:8H"),
			b: seat{Character: "slab-the-killer", Life: 5}, want: []string{"play tequila:9C at A", "discard mustang:9H"}},
		{name: "a green shield goes before a card of the hand", bot: 1, a: me("greg-digger", 4, "bang:2D", "volcanic:TS"),
			b: seat{Character: "molly-stark", Life: 5, Hand: "missed:2S", Play: "iron-plate:AD"}, want: []string{"answer iron-plate:AD"}, not: "answer missed:2S"},
		{name: "Elena Fuente gives the worst card", bot: 1, a: me("slab-the-killer", 4, "punch:TS", ""),
			b: seat{Character: "elena-fuente", Life: 2, Hand: "beer:6H hideout:KD missed:2S dynamite:2H"}, want: []string{"answer dynamite:2H as missed"}},
		{name: "Chuck Wengam draws while he can afford it", a: me("chuck-wengam", 4, "", ""),
			b: seat{Character: "slab-the-killer", Life: 5}, deck: "missed:2S missed:3S missed:4S missed:5S", want: []string{"use as chuck-wengam"}},
		{name: "but not for his last lives", a: me("chuck-wengam", 2, "missed:2S", ""),
			b: seat{Character: "slab-the-killer", Life: 5}, want: []string{"end"}, not: "use"},
		{name: "Doc Holyday shoots with what he does not need", a: me("doc-holyday", 4, "mustang:9H mustang:5H missed:2S", "mustang:8H"),
			b: seat{Character: "slab-the-killer", Life: 5}, want: []string{"use as doc-holyday at B"}, not: "discard missed:2S"},
		{name: "José Delgado throws away the second Mustang", a: me("jose-delgado", 4, "mustang:9H", "mustang:8H"),
			b: seat{Character: "slab-the-killer", Life: 5}, want: []string{"use mustang:9H as jose-delgado"}},
		{name: "Uncle Will opens a store with a card of no use", a: me("uncle-will", 4, "mustang:9H missed:2S", "mustang:8H"),
			b: seat{Character: "slab-the-killer", Life: 5}, want: []string{"play mustang:9H as general-store"}, not: "play missed:2S"},
		{name: "Claus keeps the best", a: me("claus-the-saint", 3, "", ""), starts: true, deck: "dynamite:2H beer:6H mustang:8H missed:2S jail:JS",
			b: seat{Character: "slab-the-killer", Life: 5}, want: []string{"pick on dynamite:2H", "pick on jail:JS"}, not: "pick on beer:6H"},
		{name: "Pat Brennan draws when little lies there", a: me("pat-brennan", 4, "", ""), starts: true,
			b: seat{Character: "slab-the-killer", Life: 5, Play: "schofield:JC"}, want: []string{"pass"}},
		{name: "Vera Custer chooses a good ability", a: me("vera-custer", 3, "", ""), starts: true,
			b: seat{Character: "pixie-pete", Life: 4}, want: []string{"pick as vera-custer at B"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for seed := range uint64(20) {
				c.b.Role = engine.Sheriff
				p := place(t, c.starts, c.deck, c.a, c.b,
					seat{Role: engine.Outlaw, Character: "bart-cassidy", Life: 4},
					seat{Role: engine.Renegade, Character: "herb-hunter", Life: 4})
				did := p.does(c.bot, seed)
				at := 0
				for _, want := range c.want {
					i := slices.Index(did[at:], want)
					require.GreaterOrEqual(t, i, 0, "seed %d: %q is not in %q", seed, want, did)
					at += i + 1
				}
				for _, d := range did {
					require.False(t, c.not != "" && strings.HasPrefix(d, c.not), "seed %d: %q", seed, did)
				}
			}
		})
	}
}

// Three bots hunt in their circle: with everything equal the first shot goes at the target (D-051).
func TestBotsHunt(t *testing.T) {
	for seed := range uint64(20) {
		for _, c := range []struct {
			roles [3]engine.Role
			want  string
		}{
			{[3]engine.Role{engine.Deputy, engine.Outlaw, engine.Renegade}, "play bang:2D at C"},
			{[3]engine.Role{engine.Renegade, engine.Outlaw, engine.Deputy}, "play bang:2D at B"},
			{[3]engine.Role{engine.Outlaw, engine.Renegade, engine.Deputy}, "play bang:2D at C"},
		} {
			p := place(t, false, "", seat{Role: c.roles[0], Character: "greg-digger", Life: 4, Hand: "bang:2D"},
				seat{Role: c.roles[1], Character: "bart-cassidy", Life: 4}, seat{Role: c.roles[2], Character: "herb-hunter", Life: 4})
			require.Equal(t, []string{c.want, "end"}, p.does(0, seed), "seed %d, %v", seed, c.roles)
		}
	}
}
