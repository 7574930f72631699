package bot

import "standoff/engine"

// History is what the table has seen each seat do to each other seat in this game. It is fed with public events
// only, so every seat can keep the same one and a table of bots can share a single copy.
type History struct {
	traits  *traits
	harm    [engine.MaxSeats][engine.MaxSeats]int16 // harm[a][b]: how much a has harmed b; negative: helped
	last    deed                                    // the latest deed, until the card it hit is seen
	version int                                     // counts the changes
	heard   []engine.Event                          // what came before the rules were known
}

// NewHistory is the history of a game that is about to begin.
func NewHistory() *History { return &History{last: deed{from: engine.None}} }

type deed struct {
	from, to engine.Seat
	weight   int16
}

// What an act says about how its author feels. Cards that strike the whole table say nothing about anybody.
const (
	harmShot  = 4
	harmDuel  = 4
	harmCard  = 3 // a card of the other taken or discarded
	harmJail  = 5
	harmLimit = 60
)

// Watch takes in what has happened since the last call.
func (h *History) Watch(events []engine.Event) {
	if h.traits == nil {
		h.heard = append(h.heard, events...)
		return
	}
	for i := range events {
		e := &events[i]
		switch e.Kind {
		case engine.GameStarted:
			*h = History{traits: h.traits, last: deed{from: engine.None}, version: h.version + 1}
		case engine.Played, engine.Used:
			h.act(e)
		case engine.Took, engine.Discarded:
			h.aid(e)
		}
	}
}

// learn reads the rules of the game once, and then what was heard before.
func (h *History) learn(r *engine.Rules) {
	if h.traits != nil && h.traits.rules == r {
		return
	}
	h.traits = read(r)
	heard := h.heard
	h.heard = nil
	h.Watch(heard)
}

// act notes an act of one seat against another.
func (h *History) act(e *engine.Event) {
	h.last = deed{from: engine.None}
	if e.To == engine.None || e.To == e.Seat || !seated(e.To) || !seated(e.Seat) {
		return
	}
	kind := e.As
	if kind == 0 {
		kind = e.Card.Face.Kind()
	}
	w := int16(0)
	switch t := h.traits.of(kind); {
	case t.is(shoots):
		w = harmShot
	case t.is(duels):
		w = harmDuel
	case t.is(takes | drops):
		w = harmCard
	case t.is(jails):
		w = harmJail
	case t.is(heals):
		w = -harmShot
	}
	if w == 0 {
		return
	}
	h.add(e.Seat, e.To, w)
	h.last = deed{e.Seat, e.To, w}
}

// aid turns the latest deed into a kindness when the card that it removed was a burden.
func (h *History) aid(e *engine.Event) {
	d := h.last
	if d.from == engine.None || d.weight != harmCard {
		return
	}
	victim := e.To
	if e.Kind == engine.Discarded {
		victim = e.Seat
	}
	if victim != d.to || e.Card.Face == 0 {
		return
	}
	if t := h.traits.of(e.Card.Face.Kind()); t.is(jails|burns) && (e.Kind == engine.Discarded || e.N == 1) {
		h.add(d.from, d.to, -2*harmCard)
	}
	h.last = deed{from: engine.None}
}

func (h *History) add(from, to engine.Seat, w int16) {
	h.version++
	h.harm[from][to] = max(-harmLimit, min(harmLimit, h.harm[from][to]+w))
}

func seated(s engine.Seat) bool { return s >= 0 && s < engine.MaxSeats }
