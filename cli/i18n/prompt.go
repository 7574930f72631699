package i18n

import (
	"fmt"
	"strconv"
	"strings"

	"standoff/engine"
)

// Prompts are the words of a front end that asks and answers in lines. Operands stand in braces as in the other
// templates, by the names that the front end gives them.
type Prompts struct {
	// The questions, by what is asked.
	Turn, Shot, Raid, Duel, Duelling, Store, Dying, Order, Inherit, Flip, Phase1, PutBack, Give, Pay, Surplus string
	Keep, Choose, Other, Drop, Loot, Offer                                                                    string
	Needs, NeedsAll, NeedsFlips, PayFor, OrderOut                                                             string
	Whom, Which, How, Tip, Marking, MarkOne, TypeNumber                                                       string
	Thinking, Hurry, ClockOf, NoClock, Minutes, Seconds                                                       string

	// What can be chosen.
	Choice, Default, Target, TargetOut, Back, Chosen                                         string
	End, EndDiscard, TakeHit, GiveIn, BeOut, DefaultOrder, FromDeck, NewOne, No, NotIn, Take string
	Draw, Ability, AnyCard, UsedAs, Same, OrAs, AtSeat, AtPlace, NotNow, Discard             string

	// What a choice does.
	Life, LifeLeft, LastLife, YouAreOut, DrawN, ThenDraw, ThenTake, Cancels, MoreNeeded, Kept, Survive, ThenMust                          string
	Reach, Farther, Nearer, Tries, AnyNumber, Replaces, Shown, NothingHappens, Idle, AtFullLife, FullLife, TwoLeft, Immune, RunsOutChosen string
	Symbols                                                                                                                               [12]string // by engine.Symbol
	SymbolsAll                                                                                                                            [12]string // where it is for all others, or for all; else the same

	// Before and after sending.
	Sure, SureOwn, Confirm, Held, Recalled, TooLate, Undone, NothingToUndo, Refused, Auto, NotAsked, NoSuch, OnlyEnter, Many, Few string
	NoChoice, PassAtTurn, NoWord, BadForm, NothingMore, Stays                                                                     string
	LeaveDefaults, LeaveOut, LeaveDead, LeaveVoid, LeaveBots, LeaveSure                                                           string

	// Questions about the game.
	Hand, HandSame, HandEmpty, LifeOf, SeatLine, SeatOut, SeatYou, SeatTurn, SeatAsked, SeatBot, SeatAway, SeatDistance, SeatTime, RoleHidden, InPlay, NothingInPlay                                                                           string
	Range, RangeOf, InRange, OutOfRange, Piles, PileTop, NoGame, CanBeUsed, CanButIdle, CanAnswer, CanDiscard, CanGoNext, CanPutBack, CanGive, DrawFirst, WhyNot, WhyRange, WhyTooFar, NoCardThere, Which2, ByMissed, ByBang, ByBeer, ByNumber string
	YourRole, YourGoal, YourCharacter, NewCards, FirstCards, NoLog, NoTurn, NoSeat, Waiting, WaitingFor, Dead, DeadNeeded                                                                                                                      string
	Unheard, OrderUnread, OrderEmpty, OrderNone, OrderMany, Numbered                                                                                                                                                                           string
	Tell, TellDead, NothingToTell                                                                                                                                                                                                              string
	Silent, Heard, AutoOn, AutoWaits, AutoYours, AutoOff, ConfirmOn, ConfirmOff, InOn, InOff, InNone, ToChange, RunsOut, Left, Missed, InputEnded                                                                                              string
	Last, LastOut, LastWins, YouWin, YouLose, YouFell, YouFellBy                                                                                                                                                                               string // the end of a game
	NotInRules, NotInRulesBut                                                                                                                                                                                                                  string
	Help                                                                                                                                                                                                                                       []string

	Cast      string                 // the roles of a game of so many players
	CastRoles map[engine.Role]string // so many of a role

	Yes     []string                 // words that mean yes
	Words   map[string]string        // typed word to command
	Forms   map[string]string        // command to how it is typed, where it takes a word or a number
	Reasons map[engine.Reason]string // where a language has its own; else the engine's English
}

// Cast says how many players of which role a game with such roles has.
func (c *Catalogue) Cast(roles []engine.Role) string {
	count := map[engine.Role]int{}
	for _, r := range roles {
		count[r]++
	}
	var list []string
	for _, r := range []engine.Role{engine.Sheriff, engine.Deputy, engine.Outlaw, engine.Renegade} {
		if count[r] > 0 {
			list = append(list, c.Put(c.Prompts.CastRoles[r], With{"n": count[r]}))
		}
	}
	return c.Put(c.Prompts.Cast, With{"n": len(roles), "list": strings.Join(list, ", ")})
}

// With are the operands of a prompt by name.
type With map[string]any

// Put fills a template: {name} with the operand, {name:one|many} with the word that goes with the number.
func (c *Catalogue) Put(template string, w With) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(template, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		name, after, _ := strings.Cut(rest, "}")
		name, words, plural := strings.Cut(name, ":")
		switch x := w[name].(type) {
		case int:
			if plural {
				forms := strings.Split(words, "|")
				b.WriteString(forms[min(c.Plural(x), len(forms)-1)])
			} else {
				b.WriteString(strconv.Itoa(x))
			}
		case interface{ Say(*Catalogue) string }: // it knows how to say itself
			b.WriteString(x.Say(c))
		case nil:
			b.WriteString("{" + name + "}")
		default:
			fmt.Fprint(&b, x)
		}
		template = after
	}
}

// Reason says why something is not legal.
func (c *Catalogue) Reason(r engine.Reason) string {
	if s := c.Prompts.Reasons[r]; s != "" {
		return s
	}
	return r.String()
}
