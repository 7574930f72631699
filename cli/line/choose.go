package line

import (
	"slices"
	"strconv"
	"strings"

	"standoff/cli/i18n"
	"standoff/engine"
)

// Choosing: by numbers, stage by stage, until there is an action to send.

// choose goes down the choices by their numbers.
func (s *Session) choose(v engine.View, keys []int) Reply {
	if s.m == nil {
		if len(keys) == 1 && keys[0] == 0 {
			return s.undo(v)
		}
		return s.say(s.words().NotAsked)
	}
	if keys[0] == 0 {
		return s.undo(v)
	}
	if s.m.count > 0 {
		return s.mark(v, keys)
	}
	before := len(s.path)
	at := s.here()
	for i := 0; i < len(keys); i++ {
		k := at.find(keys[i])
		if k == nil {
			chosen := s.path
			s.path = s.path[:before]
			return s.say(append([]string{s.noSuch(keys[i], at.keys())}, s.because(v, chosen, keys[i:])...)...)
		}
		for _, also := range k.also {
			if i+1 < len(keys) && keys[i+1] == also {
				i++
			}
		}
		if k.act != nil {
			if i+1 < len(keys) {
				s.path = s.path[:before]
				return s.say(s.put(s.words().NothingMore, i18n.With{"command": listed(keys[:i+1], " "), "what": listed(keys[i+1:], " ")}))
			}
			return s.settle(v, k)
		}
		s.path = append(s.path, k)
		at = k
	}
	return s.say(s.lines(v, s.m, at)...)
}

// noSuch is the answer to a number that is none of the choices, the same wherever one is typed.
func (s *Session) noSuch(key int, keys []int) string {
	if len(keys) == 0 {
		return s.put(s.words().OnlyEnter, i18n.With{"what": key})
	}
	return s.put(s.words().NoSuch, i18n.With{"what": key, "list": listed(keys, ", ")})
}

// because says why there is no choice of that number: of a card, or of a seat to use one at, the rules give a reason.
func (s *Session) because(v engine.View, chosen []*choice, keys []int) []string {
	hand, card, to := v.Hand(), keys[0]-1, engine.None
	if len(chosen) > 0 {
		card, to = chosen[0].key-1, engine.Seat(keys[0]-1)
	} else if len(keys) > 1 {
		to = engine.Seat(keys[1] - 1)
	}
	aiming := len(chosen) == 0 || len(chosen) == 1 && chosen[0].kids[0].kind == stepSeat
	if to != engine.None && (to < 0 || to >= engine.Seat(v.State().N)) || !aiming || s.picks() || card < 0 || card >= len(hand) {
		return nil
	}
	return s.whyCard(v, hand[card], to)
}

// picks reports whether the choices are cards that lie somewhere, not those of the hand.
func (s *Session) picks() bool {
	kids := s.m.root.kids
	return len(kids) > 0 && first(kids[0]).act.Verb == engine.Pick
}

// keys are the numbers of the choices below.
func (n *choice) keys() []int {
	var keys []int
	for _, k := range n.kids {
		keys = append(keys, k.key)
	}
	return keys
}

// listed writes numbers one after the other.
func listed(keys []int, between string) string {
	var words []string
	for _, k := range keys {
		words = append(words, strconv.Itoa(k))
	}
	return strings.Join(words, between)
}

func (n *choice) find(key int) *choice {
	for _, k := range n.kids {
		if k.key == key {
			return k
		}
	}
	return nil
}

// mark chooses cards to discard together, or takes them out of the choice again.
func (s *Session) mark(v engine.View, keys []int) Reply {
	for _, key := range keys {
		if s.m.root.find(key) == nil {
			return s.say(s.noSuch(key, s.m.root.keys()))
		}
		if i := slices.Index(s.m.cards, key); i >= 0 {
			s.m.cards = slices.Delete(s.m.cards, i, i+1)
		} else if len(s.m.cards) == s.m.count {
			return s.again(v, s.put(s.words().Many, i18n.With{"n": s.m.count, "chosen": len(s.m.cards)}))
		} else {
			s.m.cards = append(s.m.cards, key)
		}
	}
	return s.say(s.lines(v, s.m, &s.m.root)...)
}

// again says what is the matter and shows the question once more.
func (s *Session) again(v engine.View, what string) Reply {
	return s.say(append([]string{what}, s.lines(v, s.m, &s.m.root)...)...)
}

// takeDefault is Enter.
func (s *Session) takeDefault(v engine.View) Reply {
	switch {
	case s.m == nil:
		return Reply{}
	case len(s.path) > 0:
		return s.say(s.open(v)...)
	case s.m.count > 0 && len(s.m.cards) == 0 && s.m.enter != nil:
		return s.settle(v, s.m.enter)
	case s.m.count > 0 && len(s.m.cards) < s.m.count:
		return s.again(v, s.put(s.words().Few, i18n.With{"n": s.m.count, "chosen": len(s.m.cards)}))
	case s.m.count > 0:
		s.queue = nil
		for _, key := range s.m.cards {
			s.queue = append(s.queue, *s.m.root.find(key).act)
		}
		a := s.queue[0]
		s.queue = s.queue[1:]
		return s.send(a)
	case s.m.enter != nil:
		return s.settle(v, s.m.enter)
	}
	return s.say(s.words().TypeNumber)
}

// settle is a complete choice: sent at once, unless it needs a yes first (FR-08, FR-26).
func (s *Session) settle(v engine.View, n *choice) Reply {
	if doubt := s.doubt(v, n); doubt != "" {
		s.sure = n
		return s.say(doubt)
	}
	return s.send(*n.act)
}

// doubt is the question before a choice is sent, "" where there is none.
func (s *Session) doubt(v engine.View, n *choice) string {
	warning := s.warning(v, n)
	if warning == "" && s.confirm {
		return s.put(s.words().Confirm, i18n.With{"what": s.full(n)})
	}
	return warning
}

// full is a choice with the stages before it.
func (s *Session) full(n *choice) string {
	if n == s.m.enter && n.key == 0 {
		return n.text
	}
	text := n.text
	for i := len(s.path) - 1; i >= 0; i-- {
		before := *s.path[i]
		text = s.joined(&before, &choice{kind: n.kind, text: text, seat: n.seat})
		n = s.path[i]
	}
	return text
}

// beSure takes the answer to "are you sure?". A question about the game may come first, and a number is another choice.
func (s *Session) beSure(v engine.View, ok bool, words []string, input string) Reply {
	n := s.sure
	if command, known := s.meant(words); known && command != "undo" && command != "pass" && command != "end" {
		r := s.command(v, ok, command, words, input)
		switch doubt := s.doubt(v, n); {
		case s.sure == nil || s.leave:
		case doubt != "":
			r.Lines = append(r.Lines, doubt)
		default:
			s.sure = nil
			r.Lines = append(r.Lines, s.open(v)...)
		}
		return r
	}
	s.sure = nil
	keys, numbers := digits(words)
	switch {
	case len(words) == 0 && s.warning(v, n) == "", len(words) == 1 && s.yes(words[0]):
		return s.send(*n.act)
	case numbers && len(keys) > 0 && keys[0] != 0:
		return s.choose(v, keys)
	}
	return s.say(append([]string{s.words().Undone}, s.open(v)...)...)
}

func (s *Session) send(a engine.Action) Reply {
	s.m, s.path, s.sure = nil, nil, nil
	s.sent = &a
	return Reply{Act: &a}
}

// undo goes back one stage; what has left for the peer is called back.
func (s *Session) undo(v engine.View) Reply {
	switch {
	case s.m == nil && s.sent != nil:
		s.queue = nil
		return Reply{Recall: true}
	case s.m == nil:
		return s.say(s.words().TooLate)
	case s.m.count > 0 && len(s.m.cards) > 0:
		s.m.cards = s.m.cards[:len(s.m.cards)-1]
	case len(s.path) > 0:
		s.path = s.path[:len(s.path)-1]
	default:
		return s.say(s.words().NothingToUndo)
	}
	return s.say(append([]string{s.words().Undone}, s.open(v)...)...)
}
