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
	dying             bool          // eliminated, and not told yet what is left to do
	dead, needed      bool          // that has been told, and that the game needs the seat all the same
	tipped            bool          // how a choice and its target are typed together has been told
	hand              hand          // the own one, as the person knows it
	fell              fall          // how the person was eliminated
	parting           parting       // what leaving does now
	asked             parting       // what it did when the person was asked for a yes
	options           []string      // those of the table, a line each
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
	return &Session{text: text, log: &i18n.Log{Text: text, Players: players}, me: engine.None, help: text.Prompts.Help}
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
		return s.leaves(len(words) == 1 && s.yes(words[0]), s.open(v))
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
	thing, at := words[:len(words)-1], words[len(words)-1:]
	if keys, seat := digits(at); seat && len(thing) > 0 {
		if k := s.named(thing); k != nil {
			return s.choose(v, []int{k.key, keys[0]})
		}
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
