package line

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/p2p/peer"
)

// Session is one person's side of one game in lines of text. It is not safe for concurrent use.
type Session struct {
	Rules func(what string) []string // looks a card or rule up; nil: only what the cards say

	text *i18n.Catalogue
	log  *i18n.Log
	bots []bool // by place
	me   engine.Seat
	past []told
	turn int

	m     *menu
	path  []*choice // chosen so far, nothing sent
	sure  *choice   // waits for a yes
	leave bool      // leaving waits for a yes
	queue []engine.Action
	sent  *engine.Action // may still be taken back

	auto, confirm, in bool
	dead              bool
	tipped            bool          // how a choice and its target are typed together has been told
	hand              hand          // the own one, as the person knows it
	fell              fall          // how the person was eliminated
	parting           string        // what leaving does at this table
	waits             time.Duration // how long an automatic pass may wait
	help              []string
	clocks            []time.Duration // thinking time left, by place; nil: the table has no clock
	hurried           int             // how many of the warnings have been given, or came too late to give
}

// Reply is what a line of input leads to.
type Reply struct {
	Lines  []string
	Act    *engine.Action // commit this
	Recall bool           // take the action back, if the peer still holds it
	Tell   string         // say this to the others
	ComeIn *bool          // take the next chance to come in, or not
	Leave  bool           // leave the table
	Wrong  string         // for a program: what could not be understood
}

// New is a session for who sits in seat me; None looks on. players are the nicks by roster seat.
func New(text *i18n.Catalogue, players []string) *Session {
	return &Session{text: text, log: &i18n.Log{Text: text, Players: players}, me: engine.None,
		parting: text.Prompts.LeaveVoid, help: text.Prompts.Help}
}

// Sit tells the session who sits where once there is a game.
func (s *Session) Sit(v engine.View, names []string, bots []bool) {
	s.log.Rules, s.log.Options, s.log.Names = v.Rules(), v.State().Options, names
	s.bots, s.me = bots, v.Seat
}

func (s *Session) words() *i18n.Prompts                    { return &s.text.Prompts }
func (s *Session) put(template string, w i18n.With) string { return s.text.Put(template, w) }
func (s *Session) seated() bool                            { return s.log.Rules != nil }

// name is the nick of a seat, label its number and nick.
func (s *Session) name(p engine.Seat) string {
	if p < 0 || int(p) >= len(s.log.Names) {
		return s.text.Nobody
	}
	return s.log.Names[p]
}

func (s *Session) label(p engine.Seat) string { return strconv.Itoa(int(p)+1) + " " + s.name(p) }

// Ask shows the open question. Where the answer is settled already (the next of the cards chosen for discarding, or
// a pass that the person has set to be automatic) the reply has it.
func (s *Session) Ask(v engine.View) Reply {
	s.path, s.sure, s.sent = nil, nil, nil
	if len(s.queue) > 0 {
		a := s.queue[0]
		if slices.Contains(v.Legal(), a) {
			s.queue = s.queue[1:]
			s.m = nil
			return Reply{Act: &a}
		}
		s.queue = nil
	}
	s.m = s.build(v)
	s.hurry()
	if s.auto && s.hopeless(v) {
		lines := append(s.m.head, s.words().Auto)
		r := s.send(*s.m.enter.act)
		r.Lines = lines
		return r
	}
	return Reply{Lines: s.lines(v, s.m, &s.m.root)}
}

// hopeless reports whether an answer is asked for and there is none but to pass.
func (s *Session) hopeless(v engine.View) bool {
	return peer.IsAnswer(v.Ask().On.Kind) && len(s.m.root.kids) == 0 && s.m.enter != nil
}

// Asked reports whether the session waits for a choice.
func (s *Session) Asked() bool { return s.m != nil }

// Enter takes one line of input.
func (s *Session) Enter(v engine.View, ok bool, input string) Reply {
	words := strings.Fields(input)
	if s.leave {
		s.leave = false
		if len(words) == 1 && s.yes(words[0]) {
			return Reply{Lines: []string{s.words().Left}, Leave: true}
		}
		return s.say(append([]string{s.words().Stays}, s.open(v)...)...)
	}
	if s.sure != nil {
		return s.beSure(v, ok, words, input)
	}
	if keys, numbers := digits(words); numbers && len(keys) > 0 {
		return s.choose(v, keys)
	}
	if len(words) == 0 {
		return s.takeDefault(v)
	}
	if command, known := s.meant(words); known {
		return s.command(v, ok, command, words, input)
	}
	if k := s.named(words); k != nil {
		return s.choose(v, []int{k.key})
	}
	return s.say(s.put(s.words().NoWord, i18n.With{"what": strings.Join(words, " ")}))
}

// meant is the command that a line begins with.
func (s *Session) meant(words []string) (command string, known bool) {
	if len(words) > 0 {
		command, known = s.words().Words[strings.ToLower(words[0])]
	}
	return command, known
}

// open is the question that is open, once more; nothing where there is none.
func (s *Session) open(v engine.View) []string {
	if s.m == nil {
		return nil
	}
	return s.lines(v, s.m, s.here())
}

func (s *Session) say(lines ...string) Reply { return Reply{Lines: lines} }

func (s *Session) yes(word string) bool {
	return slices.Contains(s.words().Yes, strings.ToLower(word))
}

// digits reads a line of numbers.
func digits(words []string) (keys []int, ok bool) {
	for _, w := range words {
		n, err := strconv.Atoi(w)
		if err != nil || n < 0 || n > 999 {
			return nil, false
		}
		keys = append(keys, n)
	}
	return keys, true
}

// named finds the choice whose card has that name.
func (s *Session) named(words []string) *choice {
	if s.m == nil {
		return nil
	}
	want := plain(strings.Join(words, " "))
	for _, k := range s.here().kids {
		name, _, _ := strings.Cut(k.text, ":")
		if strings.Trim(want, "0123456789") != "" && strings.HasPrefix(plain(name), want) {
			return k
		}
	}
	return nil
}

// plain is a name as people type it.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(s))
}

// here is the list of choices that is open.
func (s *Session) here() *choice {
	if len(s.path) > 0 {
		return s.path[len(s.path)-1]
	}
	return &s.m.root
}

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
	if command, known := s.meant(words); known && command != "undo" && command != "pass" {
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
