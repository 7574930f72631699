package engine_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"standoff/engine"
	"standoff/engine/base"
)

// A box of odd rows, each of which needs one of the hooks that the basic box does not use.
const (
	giver engine.Kind = iota + 200
	mimic
	teller
	stone
	hush
	drought
	veto
	rebate
)

var odd = engine.Set{Name: "odd", Rows: []engine.Row{
	{Kind: giver, Name: "Giver", Colour: engine.CharacterCard, Life: 4, Rule: engine.Rule{
		Phase1: func(g *engine.Game, me engine.Seat, f *engine.Frame) bool {
			g.GiveOut(me, f.N)
			g.Peek(me, int(f.N)-1+g.Alive())
			return true
		}}},
	{Kind: mimic, Name: "Mimic", Colour: engine.CharacterCard, Life: 4, Rule: engine.Rule{
		Choose: func(g *engine.Game, me engine.Seat) { g.Choice(me, mimic) },
		Offer: func(g *engine.Game, me engine.Seat, at engine.FrameKind, open []engine.Card, out []engine.Action) []engine.Action {
			if at != engine.AtChoice {
				return out
			}
			for s := g.NextSeat(me); s != me; s = g.NextSeat(s) {
				out = append(out, engine.Action{Seat: me, Verb: engine.Pick, As: mimic, To: s})
			}
			return out
		},
		Act: func(g *engine.Game, me engine.Seat, a engine.Action) { g.SetCopy(me, g.Players[a.To].Character) }}},
	{Kind: teller, Name: "Teller", Colour: engine.CharacterCard, Life: 4, Rule: engine.Rule{
		Start: tell(1), After: tell(2), End: tell(3),
		Used: func(g *engine.Game, me engine.Seat, a engine.Action) { tell(4)(g, me) },
		Dead: func(g *engine.Game, me, dead engine.Seat) { tell(5)(g, me) }}},
	{Kind: stone, Name: "Stone", Colour: engine.CharacterCard, Life: 4, Rule: engine.Rule{
		Immune: func(g *engine.Game, me, by engine.Seat, faces []engine.Face) bool {
			return !slices.ContainsFunc(faces, func(f engine.Face) bool { return g.Suit(me, f) != engine.Diamonds })
		}}},
	{Kind: hush, Name: "Hush", Colour: engine.EventCard, Rule: engine.Rule{
		Mute: func(g *engine.Game, me engine.Seat, src engine.Source) bool { return src.From == engine.OfCharacter }}},
	{Kind: drought, Name: "Drought", Colour: engine.EventCard, Numbers: engine.Numbers{Flat: true}, Rule: engine.Rule{
		Due: func(g *engine.Game, me engine.Seat, n int8) int8 { return max(1, n-1) }}},
	{Kind: veto, Name: "Veto", Colour: engine.EventCard, Rule: engine.Rule{
		Forbid: func(g *engine.Game, me engine.Seat, a engine.Action) engine.Reason {
			if a.Card.Face != 0 && a.Card.Face.Suit() == engine.Hearts {
				return engine.Forbidden
			}
			return engine.Legal
		}}},
	{Kind: rebate, Name: "Rebate", Colour: engine.Brown, Copies: "2S", Rule: engine.Rule{
		Effect: func(g *engine.Game, a engine.Action) { g.Draw(a.Seat, 1) }}},
}}

func tell(n int8) func(g *engine.Game, me engine.Seat) {
	return func(g *engine.Game, me engine.Seat) {
		g.Emit(engine.Event{Kind: engine.BoxEvent, Seat: me, To: engine.None, As: teller, N: n})
	}
}

// play is a position being played with known cards.
type play struct {
	t    *testing.T
	g    *engine.Game
	face map[engine.Slot]engine.Face
	log  []engine.Event
	need []engine.Need
}

// begin plays a position of four seats with the basic box and the odd one. deck lists the top first.
func begin(t *testing.T, deck string, hands [4]string, set func(s *engine.State)) *play {
	t.Helper()
	r, err := engine.Compile(base.Set, odd)
	if err != nil {
		t.Fatal(err)
	}
	p := &play{t: t, face: map[engine.Slot]engine.Face{}}
	s := table(4)
	cards := func(list *[]engine.Card, text string) {
		for _, w := range strings.Fields(text) {
			f, err := r.ParseFace(w)
			if err != nil {
				t.Fatal(err)
			}
			p.face[s.Next] = f
			*list = append(*list, engine.Card{Slot: s.Next})
			s.Next++
		}
	}
	cards(&s.Deck, deck)
	slices.Reverse(s.Deck)
	for i, h := range hands {
		cards(&s.Players[i].Hand, h)
	}
	set(&s)
	if p.g, err = engine.FromState(r, s); err != nil {
		t.Fatal(err)
	}
	p.serve()
	return p
}

// serve does what a dealer does; a coin falls on 0.
func (p *play) serve() {
	p.t.Helper()
	for {
		ready := p.g.Ready()
		p.log, p.need = append(p.log, ready.Events...), append(p.need, ready.Needs...)
		var reply engine.Reply
		waits := false
		for _, n := range ready.Needs {
			switch n.Kind {
			case engine.Remask, engine.Shuffle:
				for i, s := range n.Old {
					p.face[n.New+engine.Slot(i)] = p.face[s]
				}
			case engine.Open:
				for _, s := range n.Old {
					reply.Faces = append(reply.Faces, p.face[s])
				}
				waits = true
			case engine.Coin:
				waits = true
			}
		}
		if !waits {
			return
		}
		if err := p.g.Supply(reply); err != nil {
			p.t.Fatal(err)
		}
	}
}

func (p *play) step(a engine.Action) {
	p.t.Helper()
	if err := p.g.Step(a); err != nil {
		p.t.Fatalf("%v; legal: %+v", err, p.legal())
	}
	p.serve()
}

// legal lists what the asked seat can do; it knows its hand.
func (p *play) legal() []engine.Action {
	var k engine.Knowledge
	for s, f := range p.face {
		k.Learn(s, f)
	}
	return p.g.Legal(k)
}

// card is the hand card of s with that text.
func (p *play) card(s engine.Seat, text string) engine.Card {
	p.t.Helper()
	for _, c := range p.g.State().Players[s].Hand {
		if p.g.Rules().FormatFace(p.face[c.Slot]) == text {
			return engine.Card{Slot: c.Slot, Face: p.face[c.Slot]}
		}
	}
	p.t.Fatalf("seat %d has no %s", s, text)
	return engine.Card{}
}

// hand is the hand of s as text.
func (p *play) hand(s engine.Seat) string {
	var out []string
	for _, c := range p.g.State().Players[s].Hand {
		out = append(out, p.g.Rules().FormatFace(p.face[c.Slot]))
	}
	return strings.Join(out, " ")
}

func (p *play) want(what string, got, want any) {
	p.t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		p.t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// bang shoots: seat 0 at seat to.
func (p *play) bang(text string, to engine.Seat) engine.Action {
	return engine.Action{Seat: 0, Verb: engine.Play, As: base.Bang, Card: p.card(0, text), To: to}
}

// Looking at one card for each seat and one more, keeping two and giving the others away, clockwise.
func TestGiveOut(t *testing.T) {
	p := begin(t, "bang:2C bang:3C bang:4C bang:5C bang:6C", [4]string{}, func(s *engine.State) {
		s.Players[0].Character = giver
		s.BeginTurn(0)
	})
	for i := range 3 {
		table := p.g.State().Table
		p.want("on the table", len(table), 5-i)
		p.want("asked", p.g.State().Asked, 0)
		p.step(engine.Action{Seat: 0, Verb: engine.Pick, To: engine.None, At: table[len(table)-1].Slot})
	}
	p.want("A", p.hand(0), "bang:2C bang:3C")
	p.want("B C D", []string{p.hand(1), p.hand(2), p.hand(3)}, "[bang:6C bang:5C bang:4C]")
	var kinds []engine.NeedKind
	for _, n := range p.need {
		kinds = append(kinds, n.Kind)
	}
	p.want("needs", kinds, []engine.NeedKind{engine.Deal, engine.Remask, engine.Give, engine.Give, engine.Give})
}

// A copied ability counts from the choice to the next one.
func TestCopy(t *testing.T) {
	p := begin(t, "bang:2C bang:3C bang:4C bang:5C", [4]string{}, func(s *engine.State) {
		s.Players[0].Character, s.Players[0].Copy = mimic, base.PaulRegret
		s.Players[2].Character = base.RoseDoolan
		s.BeginTurn(0)
	})
	p.want("the old copy is gone", p.g.Distance(1, 0), 1)
	p.want("choices", len(p.legal()), 3)
	p.step(engine.Action{Seat: 0, Verb: engine.Pick, As: mimic, To: 2})
	p.want("copied", p.g.State().Players[0].Copy, base.RoseDoolan)
	p.want("A sees C", p.g.Distance(0, 2), 1)
	p.want("cards drawn", len(p.g.State().Players[0].Hand), 2)
}

// Two heirs take one card each in turn, the nearer first: a random hand card or a card in play.
func TestTwoHeirs(t *testing.T) {
	p := begin(t, "beer:6H", [4]string{"bang:2D", "missed:2S missed:3S", "", ""}, func(s *engine.State) {
		place(s, 1, base.Mustang)
		place(s, 0, base.Winchester)
		s.Players[1].Life, s.Players[1].Role = 1, engine.Outlaw
		s.Players[2].Character, s.Players[2].Copy = mimic, base.VultureSam
		s.Players[3].Character = base.VultureSam
	})
	p.step(p.bang("bang:2D", 1))
	p.step(engine.Action{Seat: 1, Verb: engine.Pass, To: engine.None})
	p.step(engine.Action{Seat: 1, Verb: engine.Pass, To: engine.None})
	p.want("asked", p.g.State().Asked, 2)
	p.want("choices", len(p.legal()), 2)
	p.step(engine.Action{Seat: 2, Verb: engine.Pick, To: 1})
	p.want("asked", p.g.State().Asked, 3)
	p.step(engine.Action{Seat: 3, Verb: engine.Pick, To: 1, At: p.g.State().Players[1].Play[0].Slot})
	p.step(engine.Action{Seat: 2, Verb: engine.Pick, To: 1})
	p.want("C", p.hand(2), "missed:2S missed:3S")
	p.want("D's card is known to all", p.g.State().Players[3].Hand[0].Face.Kind(), base.Mustang)
	p.want("reward", len(p.g.State().Players[0].Hand), 1+1) // one card from the deck, then the pile: three are due
}

// What an event mutes neither counts nor offers.
func TestMute(t *testing.T) {
	p := begin(t, "", [4]string{"bang:2D bang:3D", "", "", ""}, func(s *engine.State) {
		s.Event = hush
		s.Players[0].Character, s.Players[1].Character, s.Players[3].Character = base.WillyTheKid, base.Jourdonnais, base.PaulRegret
	})
	p.want("distance", p.g.Distance(0, 3), 1)
	p.step(p.bang("bang:2D", 1))
	p.want("B was not asked", p.g.State().Players[1].Life, 3)
	err := p.g.Step(p.bang("bang:3D", 1))
	var illegal *engine.IllegalError
	if !errors.As(err, &illegal) || illegal.Reason != engine.BangLimit {
		t.Errorf("a second shot: %v", err)
	}
}

// An event takes away from the finished number of cards, and makes every distance 1.
func TestDueAndFlat(t *testing.T) {
	p := begin(t, "bang:2C bang:3C bang:4C bang:5C", [4]string{}, func(s *engine.State) {
		s.Event = drought
		s.BeginTurn(0)
	})
	p.want("A", p.hand(0), "bang:2C")
	p.want("distance", p.g.Distance(0, 2), 1)
}

// A forbidden action is not offered, and its reason is the rule's.
func TestForbid(t *testing.T) {
	p := begin(t, "", [4]string{"bang:QH bang:2D", "missed:2S", "", ""}, func(s *engine.State) { s.Event = veto })
	var illegal *engine.IllegalError
	if err := p.g.Step(p.bang("bang:QH", 1)); !errors.As(err, &illegal) || illegal.Reason != engine.Forbidden {
		t.Errorf("a Heart: %v", err)
	}
	for _, a := range p.legal() {
		if a.Card.Face != 0 && a.Card.Face.Suit() == engine.Hearts {
			t.Errorf("%+v is offered", a)
		}
	}
	p.step(p.bang("bang:2D", 1))
	p.want("asked", p.g.State().Asked, 1)
}

// A card that leaves its target alone is spent, counts, and asks nothing.
func TestImmune(t *testing.T) {
	p := begin(t, "", [4]string{"bang:2D", "missed:2S", "", ""}, func(s *engine.State) { s.Players[1].Character = stone })
	p.step(p.bang("bang:2D", 1))
	p.want("asked", p.g.State().Asked, 0)
	p.want("life", p.g.State().Players[1].Life, 4)
	p.want("counted", p.g.State().Bangs, 1)
	p.want("logged", p.log[len(p.log)-1].Kind, engine.NoEffect)
}

// The moments of a turn, of a card and of an elimination come in their order.
func TestMoments(t *testing.T) {
	p := begin(t, "bang:2D bang:3C bang:4C bang:5C bang:6C bang:7C", [4]string{}, func(s *engine.State) {
		s.Players[0].Character = teller
		s.Players[1].Life, s.Players[1].Role = 1, engine.Renegade
		s.BeginTurn(0)
	})
	p.step(p.bang("bang:2D", 1))
	p.step(engine.Action{Seat: 0, Verb: engine.End, To: engine.None})
	var told []int8
	for _, e := range p.log {
		if e.Kind == engine.BoxEvent {
			told = append(told, e.N)
		}
	}
	p.want("told", told, []int8{1, 2, 4, 5, 3})
}

// A card that no symbol says has its effect after it is discarded.
func TestEffect(t *testing.T) {
	p := begin(t, "bang:2C bang:3C", [4]string{"rebate:2S", "", "", ""}, func(s *engine.State) {})
	p.step(engine.Action{Seat: 0, Verb: engine.Play, As: rebate, Card: p.card(0, "rebate:2S"), To: engine.None})
	p.want("A", p.hand(0), "bang:2C")
	p.want("discarded", p.g.State().Discard[0].Face.Kind(), rebate)
}
