package line

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/p2p/table"
)

// Protocol is the line mode for programs: one JSON object a line in either direction.
//
// Out, told apart by "type":
//
//	event  something happened (see Event)
//	news   the table did something: keys, shuffles, the result (see Event; only text, nick and numbers are set)
//	ask    a decision is wanted (see Ask); nothing else has to be answered
//	tell   a player says something; nick, text
//	note   talk for a person: a refusal, a confirmation
//	leaving         what {"leave":true} does from now on, since nothing asks whether it is meant: text, and void, whether
//	                the game ends for all
//	silent, heard   the table waits for nick, or does no more
//	onlookers       how many look on has changed
//	hurry  the time for the last ask runs out: seconds_left, then the default is played
//	error  a line of input that could not be understood; nothing was done
//
// In, one of:
//
//	{"choice": 3}                                     the third entry of "choices" of the last ask
//	{"verb": "play", "card": "bang:4D", "to": 2}      the one choice that agrees with all fields given
//	{"tell": "well shot"}  {"in": true}  {"auto": true}  {"leave": true}; auto answers an ask that is open as well
//
// Seats are places around the table from 0, clockwise; on the screen they are counted from 1. Cards are written
// kind:rank+suit as "standoff cards --json" names the kinds; "" is a hidden card.
type Protocol struct {
	s     *Session
	legal []engine.Action // of the last ask
}

// Event is something that happened. Fields that do not apply are left out.
type Event struct {
	Type  string `json:"type"` // event or news
	Kind  string `json:"kind"` // played, lost-life, … (see eventNames) or mixed, keys, …
	Round uint32 `json:"round"`
	Seat  *int   `json:"seat,omitempty"`
	To    *int   `json:"to,omitempty"`
	As    string `json:"as,omitempty"`
	Card  string `json:"card,omitempty"`
	N     int    `json:"n,omitempty"`
	Nick  string `json:"nick,omitempty"`
	Text  string `json:"text,omitempty"` // the line that a person reads
}

// Ask is a question with everything that a player sees.
type Ask struct {
	Type     string   `json:"type"` // ask
	Question string   `json:"question"`
	Text     []string `json:"text"` // what a person reads
	Needed   int      `json:"needed,omitempty"`
	From     *int     `json:"from,omitempty"` // whose card is to be answered
	Choices  []Choice `json:"choices"`
	Default  int      `json:"default"` // number of the choice that Enter would take, 0: none
	State    State    `json:"state"`

	SecondsLeft *int `json:"seconds_left,omitempty"` // to decide in, at a table with a clock
}

// Choice is one legal action.
type Choice struct {
	Choice int    `json:"choice"` // from 1
	Verb   string `json:"verb"`
	As     string `json:"as,omitempty"`
	Card   string `json:"card,omitempty"` // of one's own
	With   string `json:"with,omitempty"`
	To     *int   `json:"to,omitempty"`
	At     string `json:"at,omitempty"` // a card in play or on the table
	N      int    `json:"n,omitempty"`
	Slot   uint32 `json:"slot,omitempty"` // of card, or of at: tells equal prints apart
	Effect string `json:"effect,omitempty"`
}

// State is the position as the player sees it.
type State struct {
	Seat     int      `json:"seat"`
	Role     string   `json:"role"`
	Hand     []string `json:"hand"`
	Turn     int      `json:"turn"` // the seat in turn
	TurnNo   int      `json:"turn_number"`
	Deck     int      `json:"deck"`
	Discard  int      `json:"discard"`
	Top      string   `json:"discard_top,omitempty"`
	Table    []string `json:"table,omitempty"`
	Reach    int      `json:"range"`
	Limit    int      `json:"hand_limit"`
	Bangs    int      `json:"bangs_played"`
	Players  []Player `json:"players"`
	Protocol int      `json:"protocol"`
}

// Player is one seat in public.
type Player struct {
	Seat      int      `json:"seat"`
	Nick      string   `json:"nick"`
	Role      string   `json:"role,omitempty"` // as far as it is shown
	Character string   `json:"character"`
	Life      int      `json:"life"`
	Max       int      `json:"max_life"`
	Hand      int      `json:"hand"`
	Play      []string `json:"in_play"`
	Distance  int      `json:"distance"`
	Out       bool     `json:"out,omitempty"`
	Away      bool     `json:"away,omitempty"`
	Bot       bool     `json:"bot,omitempty"`

	SecondsLeft *int `json:"seconds_left,omitempty"` // for the open decision, or the next one
}

// Note is talk.
type Note struct {
	Type string `json:"type"`
	Nick string `json:"nick,omitempty"`
	Text string `json:"text"`

	SecondsLeft *int  `json:"seconds_left,omitempty"` // of hurry
	Void        *bool `json:"void,omitempty"`         // of leaving
}

var eventNames = [...]string{"", "game-started", "sheriff-is", "character-is", "character-kept", "dealt", "turn-started", "turn-skipped",
	"turn-ended", "drew", "reshuffled", "no-cards", "flipped", "flip-result", "played", "laid", "used", "attacked", "answered", "passed",
	"missing", "lost-life", "healed", "no-effect", "discarded", "took", "gave", "returned", "revealed", "picked", "moved", "copied",
	"eliminated", "role-shown", "rewarded", "penalised", "went-away", "came-back", "game-over", "won", "event-shown", "bought", "nuggets", "box-event"}

var newsNames = [...]string{"", "seated", "keys", "shared", "mixed", "event", "audit", "result", "removed", "returned", "default"}

var verbNames = [...]string{"", "play", "answer", "flip", "pass", "pick", "act", "discard", "end"}

var questionNames = map[engine.FrameKind]string{
	engine.AtSetup: "setup", engine.AtTurn: "turn", engine.AtDodge: "shot", engine.AtRaid: "raid", engine.AtDuel: "duel", engine.AtStore: "store",
	engine.AtLose: "dying", engine.AtOrder: "order", engine.AtInherit: "inherit", engine.AtFlip: "flip", engine.AtPhase1: "draw",
	engine.AtSteal: "loot", engine.AtPutBack: "put-back", engine.AtGive: "give", engine.AtPay: "pay", engine.AtDiscard: "discard", engine.AtChoice: "choice",
}

func nameOf(list []string, i int) string {
	if i < 0 || i >= len(list) {
		return "other"
	}
	return list[i]
}

func (p *Protocol) object(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic("line: internal error: " + err.Error())
	}
	return string(b)
}

func seatField(s engine.Seat) *int {
	if s == engine.None {
		return nil
	}
	n := int(s)
	return &n
}

func (p *Protocol) kind(k engine.Kind) string {
	if p.s.log.Rules == nil {
		return ""
	}
	if row := p.s.log.Rules.Row(k); row != nil {
		return row.Slug
	}
	return ""
}

func (p *Protocol) face(f engine.Face) string {
	if f == 0 || p.s.log.Rules == nil {
		return ""
	}
	return p.s.log.Rules.FormatFace(f)
}

// news turns news into objects.
func (p *Protocol) news(v engine.View, ok bool, news []table.News) []string {
	var out []string
	for _, n := range news {
		e := Event{Type: "news", Kind: nameOf(newsNames[:], int(n.Kind)), Round: n.Round, N: n.N}
		if n.Seat >= 0 && n.Seat < len(p.s.log.Players) {
			e.Nick = p.s.log.Players[n.Seat]
		}
		if n.Kind == table.NewsHappened {
			h := n.Event
			e = Event{Type: "event", Kind: nameOf(eventNames[:], int(h.Kind)), Round: n.Round, Seat: seatField(h.Seat), To: seatField(h.To),
				As: p.kind(h.As), Card: p.face(h.Card.Face), N: int(h.N)}
			if h.Card.Face == 0 && (h.Kind == engine.Took || h.Kind == engine.Gave) {
				e.Card = p.face(v.Known.Face(h.Card.Slot))
			}
			switch h.Kind {
			case engine.RoleShown, engine.Won:
				e.As, e.N = p.kind(engine.Kind(h.N)), 0
			}
		}
		if lines := p.s.Tell(v, ok, []table.News{n}); len(lines) > 0 {
			e.Text = lines[0]
		}
		out = append(out, p.object(e))
	}
	return out
}

// ask is the object for a question.
func (p *Protocol) ask(v engine.View, text []string) string {
	on := v.Ask().On
	p.legal = v.Legal()
	name := questionNames[on.Kind]
	if name == "" {
		name = "other"
	}
	a := Ask{Type: "ask", Question: name, Text: text, Needed: v.Needed(), Choices: []Choice{}, State: p.state(v)}
	switch on.Kind {
	case engine.AtDodge, engine.AtRaid, engine.AtLose:
		a.From = seatField(on.From)
	case engine.AtDuel:
		a.From = seatField(on.From + on.To - v.Seat)
	case engine.AtDiscard:
		a.Needed = len(a.State.Hand) - int(on.N)
	case engine.AtPay:
		a.Needed = int(on.N)
	}
	for i, l := range p.legal {
		c := Choice{Choice: i + 1, Verb: nameOf(verbNames[:], int(l.Verb)), As: p.kind(l.As), Card: p.face(l.Card.Face), With: p.face(l.With.Face),
			To: seatField(l.To), N: int(l.N), Slot: uint32(max(l.Card.Slot, l.At)), Effect: p.s.effect(v, l)}
		if l.At != 0 {
			c.At = p.face(v.Face(l.At))
		}
		a.Choices = append(a.Choices, c)
	}
	a.SecondsLeft = p.seconds(v.Seat)
	if e := p.s.m; e != nil && e.enter != nil {
		a.Default = 1 + slices.Index(p.legal, *e.enter.act)
	}
	return p.object(a)
}

// seconds is the thinking time left to a place, nil where there is no clock.
func (p *Protocol) seconds(s engine.Seat) *int {
	left, ok := p.s.clock(s)
	if !ok {
		return nil
	}
	n := int(left / time.Second)
	return &n
}

func (p *Protocol) state(v engine.View) State {
	st := v.State()
	s := State{Seat: int(v.Seat), Role: p.kind(engine.Kind(v.Role())), Hand: []string{}, Turn: int(st.Turn), TurnNo: int(st.TurnNo), Deck: len(st.Deck),
		Discard: len(st.Discard), Reach: v.Reach(v.Seat), Limit: v.HandLimit(v.Seat), Bangs: int(st.Bangs), Protocol: 1}
	for _, c := range v.Hand() {
		s.Hand = append(s.Hand, p.face(c.Face))
	}
	for _, c := range st.Table {
		s.Table = append(s.Table, p.face(v.Face(c.Slot)))
	}
	if n := len(st.Discard); n > 0 {
		s.Top = p.face(st.Discard[n-1].Face)
	}
	for i := range engine.Seat(st.N) {
		q := &st.Players[i]
		x := Player{Seat: int(i), Nick: p.s.name(i), Role: p.kind(engine.Kind(q.Role)), Character: p.kind(q.Character), Life: int(q.Life), Max: int(q.Max),
			Hand: len(q.Hand), Play: []string{}, Distance: v.Distance(v.Seat, i), Out: q.Status == engine.Out, Away: q.Away,
			Bot: int(i) < len(p.s.bots) && p.s.bots[i], SecondsLeft: p.seconds(i)}
		for _, c := range q.Play {
			x.Play = append(x.Play, p.face(c.Face))
		}
		s.Players = append(s.Players, x)
	}
	return s
}

// order is a line of input.
type order struct {
	Choice *int    `json:"choice"`
	Verb   string  `json:"verb"`
	As     *string `json:"as"`
	Card   *string `json:"card"`
	With   *string `json:"with"`
	To     *int    `json:"to"`
	At     *string `json:"at"`
	N      *int    `json:"n"`
	Slot   *uint32 `json:"slot"`

	Tell  string `json:"tell"`
	In    *bool  `json:"in"`
	Auto  *bool  `json:"auto"`
	Leave bool   `json:"leave"`
}

// read takes a line of input.
func (p *Protocol) read(v engine.View, ok bool, input string) Reply {
	if strings.TrimSpace(input) == "" {
		return Reply{}
	}
	var o order
	if n, err := strconv.Atoi(strings.TrimSpace(input)); err == nil {
		o.Choice = &n
	} else {
		d := json.NewDecoder(strings.NewReader(input))
		d.DisallowUnknownFields()
		if err := d.Decode(&o); err != nil {
			return p.wrong(errors.New(p.s.put(p.s.words().OrderUnread, i18n.With{"why": err})))
		}
	}
	switch {
	case o.Tell != "":
		return Reply{Tell: o.Tell}
	case o.In != nil && ok && v.Seat != engine.None:
		return p.s.comeIn(v, *o.In)
	case o.In != nil:
		return Reply{ComeIn: o.In}
	case o.Auto != nil:
		return Reply{Act: p.s.setAuto(v, *o.Auto).Act}
	case o.Leave:
		return Reply{Leave: true}
	}
	if !ok || p.s.m == nil {
		return p.wrong(errors.New(p.s.words().NotAsked))
	}
	a, err := p.find(v, o)
	if err != nil {
		return p.wrong(err)
	}
	return p.s.send(a)
}

// find is the choice that an order means.
func (p *Protocol) find(v engine.View, o order) (engine.Action, error) {
	if o.Choice != nil {
		if *o.Choice < 1 || *o.Choice > len(p.legal) {
			var keys []int
			for i := range p.legal {
				keys = append(keys, i+1)
			}
			return engine.Action{}, errors.New(p.s.noSuch(*o.Choice, keys))
		}
		return p.legal[*o.Choice-1], nil
	}
	if o.Verb == "" {
		return engine.Action{}, errors.New(p.s.words().OrderEmpty)
	}
	var found []engine.Action
	for _, l := range p.legal {
		if p.agrees(v, l, o) {
			found = append(found, l)
		}
	}
	switch {
	case len(found) == 0:
		return engine.Action{}, errors.New(p.s.words().OrderNone)
	case len(found) > 1 && o.Slot == nil && !p.alike(v, found):
		return engine.Action{}, errors.New(p.s.words().OrderMany)
	}
	return found[0], nil
}

func (p *Protocol) agrees(v engine.View, l engine.Action, o order) bool {
	at := ""
	if l.At != 0 {
		at = p.face(v.Face(l.At))
	}
	return o.Verb == nameOf(verbNames[:], int(l.Verb)) &&
		(o.As == nil || *o.As == p.kind(l.As)) &&
		(o.Card == nil || *o.Card == p.face(l.Card.Face)) &&
		(o.With == nil || *o.With == p.face(l.With.Face)) &&
		(o.To == nil || l.To != engine.None && *o.To == int(l.To)) &&
		(o.At == nil || *o.At == at) &&
		(o.N == nil || *o.N == int(l.N)) &&
		(o.Slot == nil || *o.Slot == uint32(max(l.Card.Slot, l.At)))
}

// alike reports whether choices differ only in which of several equal prints they use.
func (p *Protocol) alike(v engine.View, list []engine.Action) bool {
	same := func(a engine.Action) engine.Action {
		a.Card.Slot, a.With.Slot = 0, 0
		if a.At != 0 {
			a.At = engine.Slot(v.Face(a.At))
		}
		return a
	}
	return !slices.ContainsFunc(list, func(a engine.Action) bool { return same(a) != same(list[0]) })
}

func (p *Protocol) wrong(err error) Reply {
	return Reply{Lines: nil, Wrong: err.Error()}
}
