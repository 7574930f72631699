package line

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/p2p/node"
	"standoff/p2p/peer"
	"standoff/p2p/table"
)

// Front joins a session to a peer: its methods are what the peer shows and decides. One front serves one game.
type Front struct {
	calls  chan func(*peer.Seat)
	s      *Session
	w      *Writer
	json   *Protocol // speak objects instead of lines
	silent map[int]bool
	left   bool
	gone   atomic.Bool // the person is not to be shown or asked more
	tell   func(text string, to ...node.Key) error

	looksOn bool
	late    bool // the table is shown later than it is played

	fixed    bool    // what leaving does hangs on nothing
	foretold bool    // a program has been told what it does
	was      parting // that
}

// silentAfter is how long the table waits for somebody before the others are told.
const silentAfter = 5 * time.Second

// Config is what a front needs besides the game.
type Config struct {
	Text  *i18n.Catalogue
	Out   *Writer
	JSON  bool                                    // a program plays
	Rules func(what string) []string              // looks a card or rule up
	Tell  func(text string, to ...node.Key) error // says something to the players named, or to all
	Table []string                                // the options of the table, a line each
	Watch bool                                    // the person looks on, without a seat
	Bots  bool                                    // all others are bots of this program, which end with it
}

// NewFront makes the front for the game of a roster.
func NewFront(c Config, r *table.Roster) *Front {
	var players []string
	for _, j := range r.Joins {
		players = append(players, j.Nick)
	}
	f := &Front{calls: make(chan func(*peer.Seat)), s: New(c.Text, players), w: c.Out, silent: map[int]bool{}, tell: c.Tell}
	f.s.Rules, f.s.options = c.Rules, c.Table
	if c.Bots {
		f.fixed, f.s.parting = true, stops
	}
	f.s.waits = pause(&r.Offer)
	if c.Watch {
		delay, _ := table.Spectators(r.Offer.Options)
		f.looksOn, f.late = true, delay > 0
		f.fixed, f.s.parting, f.s.help = true, looksAway, c.Text.Watch.Help
	}
	if c.JSON {
		f.json = &Protocol{s: f.s}
	}
	return f
}

// pause is how long a pass that is automatic may wait at a table of such options.
func pause(o *table.Offer) time.Duration {
	d, _ := time.ParseDuration(chosen(o, "waits")) // the table has read it already
	return d
}

// chosen is the value of an option, "" where the offer does not have it.
func chosen(o *table.Offer, name string) string {
	for _, p := range o.Options {
		if p[0] == name {
			return p[1]
		}
	}
	return ""
}

// Fit puts the front into the configuration of a peer.
func (f *Front) Fit(c *peer.Config) {
	c.Decide, c.Show, c.Calls, c.Onlookers = f.Decide, f.Show, f.calls, f.onlookers
}

// Show tells what happened.
func (f *Front) Show(t *table.Table, r table.Ready) {
	v, ok := t.View()
	if ok && !f.s.seated() {
		var names []string
		var bots []bool
		for p := range t.Roster().Joins {
			j := t.Roster().Joins[t.SeatAt(engine.Seat(p))]
			names, bots = append(names, j.Nick), append(bots, j.Bot)
		}
		f.s.Sit(v, names, bots)
	}
	f.time(t, v, ok)
	f.weigh(t, v, ok)
	for _, n := range r.News {
		if n.Kind == table.NewsDefault && n.Seat == t.Seat() {
			f.s.overruled()
		}
	}
	if f.json != nil {
		f.w.Lines(f.json.news(v, ok, r.News)...)
	} else if f.gone.Load() {
		return
	} else {
		f.w.Lines(f.s.Tell(v, ok, f.worth(r.News))...)
	}
	f.foretell()
	f.missing(t)
	f.hurry(t)
	f.promptAgain()
}

// worth leaves out what a player has read before the game: that all have sat down and that it begins; and of the steps by
// which the keys come about all but the last.
func (f *Front) worth(news []table.News) []table.News {
	if f.looksOn {
		return news
	}
	return slices.DeleteFunc(slices.Clone(news), func(n table.News) bool {
		return n.Kind == table.NewsSeated || n.Kind == table.NewsShared || n.Kind == table.NewsHappened && n.Event.Kind == engine.GameStarted
	})
}

// time tells the session how long everybody may still think.
func (f *Front) time(t *table.Table, v engine.View, ok bool) {
	f.s.clocks = f.s.clocks[:0]
	for p := engine.Seat(0); ok && p < engine.Seat(v.State().N); p++ {
		if left, clock := t.Clock(t.SeatAt(p)); clock {
			f.s.clocks = append(f.s.clocks, left)
		}
	}
}

// hurry warns who has a question before them that the time for it runs out.
func (f *Front) hurry(t *table.Table) {
	if f.s.Asked() && t.Asked() && f.s.hurry() {
		left, _ := f.s.clock(f.s.me)
		f.note("hurry", t, t.Seat(), int(left/time.Second))
	}
}

// onlookers tells how many look on.
func (f *Front) onlookers(n int) {
	line := f.s.text.Watch.Nobody
	if n > 0 {
		line = f.s.put(f.s.text.Watch.LookOn, i18n.With{"n": n})
	}
	switch {
	case f.json != nil:
		line = f.json.object(Note{Type: "onlookers", Text: line})
	case f.gone.Load():
		return
	}
	f.w.Lines(line)
	f.promptAgain()
}

// missing tells once for whom the table waits, and that it does no more.
func (f *Front) missing(t *table.Table) {
	now := map[int]bool{}
	if f.late || t.Ended() {
		return // what is not shown yet is not missing, and nobody is when all is over
	}
	for _, m := range t.Waits(silentAfter) {
		now[m.Seat] = true
		if !f.silent[m.Seat] {
			f.note("silent", t, m.Seat, int(m.Since/time.Second))
		}
	}
	for seat := range f.silent {
		if !now[seat] {
			f.note("heard", t, seat, 0)
		}
	}
	f.silent = now
}

func (f *Front) note(kind string, t *table.Table, seat, n int) {
	nick := t.Roster().Joins[seat].Nick
	w := f.s.words()
	text := map[string]string{"silent": w.Silent, "heard": w.Heard, "hurry": w.Hurry}[kind]
	line := f.s.put(text, i18n.With{"seat": nick, "n": n})
	if f.json != nil {
		o := Note{Type: kind, Nick: nick, Text: line}
		if kind == "hurry" {
			o.SecondsLeft = &n
		}
		line = f.json.object(o)
	}
	f.w.Lines(line)
}

// Decide shows a question; the answer comes by a line, unless it is settled already.
func (f *Front) Decide(v engine.View) (engine.Action, bool) {
	if f.gone.Load() {
		return engine.Action{}, false
	}
	r := f.s.Ask(v)
	if f.json != nil {
		if r.Act == nil {
			f.w.Lines(f.json.ask(v, r.Lines))
		}
	} else {
		f.w.Lines(r.Lines...)
	}
	if r.Act != nil {
		return *r.Act, true
	}
	f.w.Prompt()
	return engine.Action{}, false
}

// promptAgain shows that input is wanted, where it is.
func (f *Front) promptAgain() {
	if f.s.Asked() && !f.gone.Load() {
		f.w.Prompt()
	}
}

// Feed hands every line to the peer until ctx ends. When there are no more lines the seat leaves the table; who looks on
// goes on looking.
func (f *Front) Feed(ctx context.Context, lines <-chan string) {
	for {
		call := f.ended
		select {
		case line, ok := <-lines:
			if ok {
				f.w.Entered()
				call = func(p *peer.Seat) { f.line(p, line) }
			}
			select {
			case f.calls <- call:
			case <-ctx.Done():
				return
			}
			if !ok {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// Left reports whether the person has left.
func (f *Front) Left() bool { return f.left }

// Quiet asks the person nothing more and tells a person nothing more of the game. It may be called from any goroutine.
func (f *Front) Quiet() { f.gone.Store(true) }

func (f *Front) ended(p *peer.Seat) {
	if p.End() == nil && !f.looksOn {
		f.say(f.s.words().InputEnded)
		f.left = true
		f.Quiet()
		p.Leave()
	}
}

// line carries out one line of input.
func (f *Front) line(p *peer.Seat, input string) {
	v, ok := p.Table().View()
	f.weigh(p.Table(), v, ok)
	var r Reply
	if f.json != nil {
		r = f.json.read(v, ok, input)
	} else {
		r = f.s.Enter(v, ok, input)
	}
	if f.looksOn && r.Tell != "" {
		r = f.s.say(f.s.text.Watch.Unheard)
	}
	f.say(r.Lines...)
	if r.Wrong != "" {
		f.w.Lines(f.json.object(Note{Type: "error", Text: r.Wrong}))
	}
	switch {
	case r.Act != nil:
		f.act(p, *r.Act)
	case r.Recall && p.Recall():
		f.say(f.s.words().Recalled)
		f.Decide(v)
	case r.Recall:
		f.say(f.s.words().TooLate)
	case r.ComeIn != nil:
		p.ComeIn(*r.ComeIn)
	case r.Leave:
		f.left = true
		f.Quiet()
		p.Leave()
	case r.Tell != "":
		f.speak(p, r.Tell)
	}
	f.promptAgain()
}

func (f *Front) act(p *peer.Seat, a engine.Action) {
	err := p.Act(a)
	var illegal *engine.IllegalError
	switch {
	case errors.As(err, &illegal):
		f.say(f.s.put(f.s.words().Refused, i18n.With{"reason": f.s.text.Reason(illegal.Reason)}))
	case err != nil:
		f.say(f.s.put(f.s.words().Refused, i18n.With{"reason": err}))
	case p.Held() && f.json == nil:
		f.say(f.s.words().Held)
	}
	if v, ok := p.Table().View(); err != nil && ok && p.Table().Asked() {
		f.Decide(v)
	}
}

// say writes talk: lines for a person, notes for a program.
func (f *Front) say(lines ...string) {
	if f.json == nil {
		f.w.Lines(lines...)
		return
	}
	for _, l := range lines {
		f.w.Lines(f.json.object(Note{Type: "note", Text: l}))
	}
}
