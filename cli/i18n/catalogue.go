package i18n

import (
	"strconv"
	"strings"

	"standoff/p2p/node"
)

// Catalogue holds one template per code. The fields are the codes; a new one without a template in a language shows in
// TestEveryMessageHasAText.
type Catalogue struct {
	Plural func(n int) int // which of the words in {n:a|b|…} goes with n

	// What happens in a game, one field per kind of event and form of its operands.
	GameStarted, SheriffIs, CharacterIs, CharacterKept, Dealt              string
	TurnStarted, TurnExtra, TurnSkipped                                    string
	Drew, DrewShown, Reshuffled, NoCards                                   string
	Flipped, FlippedOf, FlipHit, FlipMiss                                  string
	Played, PlayedAt, PlayedAs, PlayedAsAt, Laid, LaidBefore               string
	Used, UsedAt, Attacked, AttackedNeeds                                  string
	Answered, AnsweredAs, Passed, PassedBeer, PassedIn, Missing            string
	LostLife, LostLifeBy, Healed, NoEffect, NoEffectOn                     string
	Discarded, DiscardedHand, DiscardedPlay                                string
	TookHand, TookHandShown, TookPlay, Gave, GaveShown                     string
	Returned, Revealed, Picked, PickedDiscard, PickedHidden, Moved, Copied string
	Eliminated, EliminatedBy, RoleShown, Rewarded, Penalised               string
	WentAway, WentOut, CameBack, CameBackOut, GameOver, Won                string
	EventShown, Bought, Nuggets, BoxEvent, BoxEventAt                      string

	Outcomes [6]string // by engine.Outcome

	// What the table does.
	Seated, Keys, Shared, Mixed, Audit, Recovered, Result string
	Removed                                               [5]string // by table.Reason
	Readmitted, ByDefault                                 string

	// What a reader of hidden cards sees.
	Holds, SecretRole string

	// Words for what has no name.
	Nobody, Hidden, NoCard, Unknown string

	Prompts  Prompts    // what a front end asks and answers in lines
	Glossary []Term     // the words that the program uses, explained
	Lobby    LobbyTexts // what it says before and after a game
	Watch    WatchTexts // what it says to who looks on

	Report ReportTexts // what the commands print that ask nothing

	Manual map[string]Page   // the help of each command by its name, that of the program as "standoff"
	Flags  map[string]string // what the flags do that several commands have

	Findings   map[node.Symptom]Finding // what the doctor finds
	Complaints [complaints]Finding      // why a command has failed
}

// operands are what a template may hold.
type operands struct {
	seat, to, card, as string
	n, of, cards       int
}

// fill puts operands into a template.
func (c *Catalogue) fill(template string, o operands) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(template, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		name, after, _ := strings.Cut(rest, "}")
		b.WriteString(c.operand(name, o))
		template = after
	}
}

func (c *Catalogue) operand(name string, o operands) string {
	name, words, plural := strings.Cut(name, ":")
	n := 0
	switch name {
	case "seat":
		return o.seat
	case "to":
		return o.to
	case "card":
		return o.card
	case "as":
		return o.as
	case "n":
		n = o.n
	case "of":
		n = o.of
	case "cards":
		n = o.cards
	default:
		return "{" + name + "}"
	}
	if !plural {
		return strconv.Itoa(n)
	}
	forms := strings.Split(words, "|")
	return forms[min(c.Plural(n), len(forms)-1)]
}
