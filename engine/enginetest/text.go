package enginetest

import (
	"fmt"
	"slices"
	"strings"

	"standoff/engine"
)

// text prints what happens in the words of the scripts.
type text struct {
	r *engine.Rules
	d *dealer
}

func (t text) face(f engine.Face) string { return t.r.FormatFace(f) }

func (t text) kind(k engine.Kind) string {
	if row := t.r.Row(k); row != nil {
		return row.Slug
	}
	return fmt.Sprintf("kind-%d", k)
}

// bracket prints a list; sorted ones in braces, with hidden cards first.
func bracket(name string, open byte, items []string) string {
	if open == '{' {
		items = slices.Clone(items)
		slices.Sort(items)
		return name + "{" + strings.Join(items, " ") + "}"
	}
	return name + "[" + strings.Join(items, " ") + "]"
}

// where names a slot that an action points at.
func (t text) where(s engine.Slot) string {
	st := t.d.g.State()
	for i := range st.Players[:st.N] {
		for _, c := range st.Players[i].Play {
			if c.Slot == s {
				return letter(engine.Seat(i)) + "." + t.face(c.Face)
			}
		}
	}
	return t.face(t.d.face(s))
}

// aims says whether the card takes something of a seat, so that a target without a slot means its hand.
func (t text) aims(k engine.Kind) bool {
	row := t.r.Row(k)
	return row != nil && slices.ContainsFunc(row.Do, func(d engine.Do) bool { return d.What == engine.Take || d.What == engine.Drop })
}

// action prints a as a script would say it.
func (t text) action(a engine.Action) string {
	st := t.d.g.State()
	setting := len(st.Stack) > 0 && st.Stack[len(st.Stack)-1].Kind == engine.AtSetup
	out := letter(a.Seat) + " "
	card := func() {
		out += " " + t.face(a.Card.Face)
		if a.As != 0 && a.As != a.Card.Face.Kind() {
			out += " as " + t.kind(a.As)
		}
		if a.With.Slot != 0 {
			out += " with " + t.face(a.With.Face)
		}
	}
	target := func() {
		switch {
		case a.At != 0:
			out += " at " + t.where(a.At)
		case a.To != engine.None && a.Verb == engine.Play && t.aims(a.As):
			out += " at " + letter(a.To) + ".hand"
		case a.To != engine.None:
			out += " at " + letter(a.To)
		}
	}
	switch a.Verb {
	case engine.Play:
		out += "plays"
		card()
		target()
	case engine.Answer:
		out += "answers"
		card()
	case engine.Flip:
		out += "flips"
	case engine.Pass:
		out += "passes"
		if setting {
			out = letter(a.Seat) + " changes"
		}
	case engine.Pick:
		switch {
		case setting && a.At == 0:
			out += "keeps"
		case a.At != 0:
			out += "picks " + t.where(a.At)
		default:
			out += "picks " + letter(a.To)
		}
	case engine.Act:
		out += "uses " + t.kind(a.As)
		if a.Card.Slot != 0 {
			out += " " + t.face(a.Card.Face)
		}
		target()
	case engine.Discard:
		out += "discards"
		card()
	case engine.End:
		out += "ends"
	default:
		out += fmt.Sprintf("does %d", a.Verb)
	}
	return out
}

// eventNames are the kinds of events in scripts. The second part says which fields an event of that kind has:
// s seat, t at to, b by to, f for to, a as, c card, n number, r role, o outcome.
var eventNames = map[engine.EventKind][2]string{
	engine.GameStarted: {"game", "n"}, engine.SheriffIs: {"sheriff", "s"}, engine.CharacterIs: {"character", "sa"},
	engine.CharacterKept: {"kept", "sa"}, engine.Dealt: {"dealt", "sn"}, engine.TurnStarted: {"turn", "s"},
	engine.TurnSkipped: {"skipped", "sc"}, engine.TurnEnded: {"end", "s"}, engine.Drew: {"drew", "scn"},
	engine.Reshuffled: {"reshuffled", "n"}, engine.NoCards: {"no-cards", "sn"}, engine.Flipped: {"flipped", "scN"},
	engine.FlipResult: {"flip-result", "sN"}, engine.Played: {"played", "stca"}, engine.Laid: {"laid", "stc"},
	engine.Used: {"used", "stca"}, engine.Attacked: {"attacked", "stan"}, engine.Answered: {"answered", "sca"},
	engine.Passed: {"passed", "s"}, engine.Missing: {"missing", "st"}, engine.LostLife: {"lost", "snb"},
	engine.Healed: {"healed", "sn"}, engine.NoEffect: {"no-effect", "stc"}, engine.Discarded: {"discarded", "sc"},
	engine.Took: {"took", "stcn"}, engine.Gave: {"gave", "st"}, engine.Returned: {"returned", "sn"},
	engine.Revealed: {"revealed", "c"}, engine.Picked: {"picked", "sc"}, engine.Moved: {"moved", "stc"},
	engine.Copied: {"copied", "sa"}, engine.Eliminated: {"eliminated", "sb"}, engine.RoleShown: {"role", "sr"},
	engine.Rewarded: {"rewarded", "snf"}, engine.Penalised: {"penalised", "sf"}, engine.WentAway: {"away", "s"},
	engine.CameBack: {"back", "s"}, engine.GameOver: {"over", "o"}, engine.Won: {"won", "s"},
}

var outcomes = map[engine.Outcome]string{engine.NotOver: "no", engine.LawWins: "law", engine.OutlawsWin: "outlaws",
	engine.RenegadeWins: "renegade", engine.DeputyWins: "deputy", engine.OutlawWins: "outlaw"}

func (t text) event(e engine.Event) string {
	name := eventNames[e.Kind]
	out := name[0]
	for _, field := range name[1] {
		switch field {
		case 's':
			out += " " + letter(e.Seat)
		case 't', 'b', 'f':
			if e.To != engine.None {
				out += map[rune]string{'t': " at ", 'b': " by ", 'f': " for "}[field] + letter(e.To)
			}
		case 'a':
			switch {
			case e.As == 0 || e.Card.Face.Kind() == e.As:
			case e.Kind == engine.CharacterIs || e.Kind == engine.CharacterKept || e.Kind == engine.Copied:
				out += " " + t.kind(e.As)
			default:
				out += " as " + t.kind(e.As)
			}
		case 'c':
			if e.Card.Face != 0 {
				out += " " + t.face(e.Card.Face)
			}
		case 'n':
			if e.N != 0 {
				out += fmt.Sprintf(" %d", e.N)
			}
		case 'N':
			out += fmt.Sprintf(" %d", e.N)
		case 'r':
			out += " " + t.kind(engine.Kind(e.N))
		case 'o':
			out += " " + outcomes[engine.Outcome(e.N)]
		}
	}
	return out
}

// eventKind finds the kind of event that scripts call name.
func eventKind(name string) (engine.EventKind, bool) {
	for k, n := range eventNames {
		if n[0] == name {
			return k, true
		}
	}
	return 0, false
}

var needNames = map[string]engine.NeedKind{"shuffle": engine.Shuffle, "deal": engine.Deal, "open": engine.Open,
	"remask": engine.Remask, "give": engine.Give, "coin": engine.Coin, "find": engine.Find}

func (t text) need(l logged) string {
	var names []string
	for _, f := range l.faces {
		names = append(names, t.face(f))
	}
	cards := strings.Join(names, " ")
	n := l.need
	switch n.Kind {
	case engine.Shuffle:
		return fmt.Sprintf("shuffle %d", len(n.Old))
	case engine.Deal:
		for i := range names {
			names[i] = "deal " + letter(n.Seat) + " " + names[i]
		}
		return strings.Join(names, " | ")
	case engine.Open:
		return "open " + cards
	case engine.Remask:
		return fmt.Sprintf("remask %s %d", letter(n.Seat), len(n.Old))
	case engine.Give:
		return "give " + letter(n.Owner) + " " + letter(n.Seat) + " " + cards
	case engine.Coin:
		return fmt.Sprintf("coin %d", n.N)
	}
	return fmt.Sprintf("find %s %s", letter(n.Seat), t.face(n.Face))
}
