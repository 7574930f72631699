package i18n

import (
	"strings"

	"standoff/engine"
	"standoff/p2p/table"
)

// Log turns what happens at one table into lines, for one reader. It remembers the number of the turn and the
// last card and ability, so every event must go through it, in order.
type Log struct {
	Text    *Catalogue
	Rules   *engine.Rules
	Options engine.Options
	Names   []string // the nicks, by place around the table
	Players []string // the nicks, by roster seat, for news of the table

	Known engine.Knowledge // what the reader knows besides what all know

	turn   int
	played engine.Event // the last card played
	used   engine.Kind  // the last ability used
	aside  []string     // the cards of the draw! that is told next, but for the one that counts
}

// Event is the line for e, without a line break; "" when another line says the same.
func (l *Log) Event(e engine.Event) string {
	template := l.template(&e)
	if template == "" {
		return ""
	}
	return l.Text.fill(template, operands{
		seat: l.name(e.Seat), to: l.name(e.To), card: l.Card(e.Card.Face), as: l.as(e), n: int(e.N),
	})
}

// template chooses the template by the kind of the event and the operands it has; it may complete the event.
func (l *Log) template(e *engine.Event) string {
	t := l.Text
	at := e.To != engine.None
	other := e.As != 0 && e.Card.Face != 0 && e.As != e.Card.Face.Kind()
	switch e.Kind {
	case engine.GameStarted:
		return t.GameStarted
	case engine.SheriffIs:
		return t.SheriffIs
	case engine.CharacterIs:
		return t.CharacterIs
	case engine.CharacterKept:
		return t.CharacterKept
	case engine.Dealt:
		return t.Dealt
	case engine.TurnStarted:
		l.turn++
		extra := e.N != 0
		e.N = int8(min(l.turn, 127))
		return pick(extra, t.TurnExtra, t.TurnStarted)
	case engine.TurnSkipped:
		return t.TurnSkipped
	case engine.Drew:
		return pick(e.Card.Face != 0, t.DrewShown, t.Drew)
	case engine.Reshuffled:
		return t.Reshuffled
	case engine.NoCards:
		return t.NoCards
	case engine.Flipped:
		if e.N == 0 {
			l.aside = append(l.aside, l.Card(e.Card.Face))
			return "" // told with the one that counts
		}
		return pick(len(l.aside) > 0, t.FlippedOf, t.Flipped)
	case engine.FlipResult:
		if e.As == 0 {
			e.As = l.used
		}
		return pick(e.N == 1, t.FlipHit, t.FlipMiss)
	case engine.Played:
		l.played = *e
		if row := l.Rules.Row(e.As); row != nil && row.Colour >= engine.Blue && row.Colour <= engine.Green {
			return "" // Laid follows
		}
		switch {
		case other && at:
			return t.PlayedAsAt
		case other:
			return t.PlayedAs
		}
		return pick(at, t.PlayedAt, t.Played)
	case engine.Laid:
		return pick(at && e.To != e.Seat, t.LaidBefore, t.Laid)
	case engine.Used:
		l.used = e.As
		return pick(at && e.To != e.Seat, t.UsedAt, t.Used)
	case engine.Attacked:
		if e.N > 1 {
			return t.AttackedNeeds
		}
		return pick(l.played.Seat == e.Seat && l.played.To == e.To, "", t.Attacked)
	case engine.Answered:
		return pick(other, t.AnsweredAs, t.Answered)
	case engine.Passed:
		return [...]string{t.Passed, t.PassedBeer, t.PassedIn}[max(0, min(e.N, 2))]
	case engine.Missing:
		return t.Missing
	case engine.LostLife:
		return pick(at && e.To != e.Seat, t.LostLifeBy, t.LostLife)
	case engine.Healed:
		return t.Healed
	case engine.NoEffect:
		return pick(at && e.To != e.Seat, t.NoEffectOn, t.NoEffect)
	case engine.Discarded:
		if at && e.To != e.Seat {
			return pick(e.N == 1, t.DiscardedPlay, t.DiscardedHand)
		}
		return t.Discarded
	case engine.Took:
		if e.N == 1 {
			return t.TookPlay
		}
		l.reveal(e)
		return pick(e.Card.Face != 0, t.TookHandShown, t.TookHand)
	case engine.Gave:
		l.reveal(e)
		return pick(e.Card.Face != 0, t.GaveShown, t.Gave)
	}
	return l.rare(e, at)
}

// rare is the second half of template: what happens less often than every turn.
func (l *Log) rare(e *engine.Event, at bool) string {
	t := l.Text
	switch e.Kind {
	case engine.Returned:
		return t.Returned
	case engine.Revealed:
		return t.Revealed
	case engine.Picked:
		switch {
		case e.Card.Face == 0:
			return t.PickedHidden
		case e.N == 1:
			return t.PickedDiscard
		}
		return t.Picked
	case engine.Moved:
		return t.Moved
	case engine.Copied:
		return t.Copied
	case engine.Eliminated:
		return pick(at && e.To != e.Seat, t.EliminatedBy, t.Eliminated)
	case engine.RoleShown:
		return t.RoleShown
	case engine.Rewarded:
		return t.Rewarded
	case engine.Penalised:
		return t.Penalised
	case engine.WentAway:
		return pick(e.N == 1, t.WentOut, t.WentAway)
	case engine.CameBack:
		return pick(e.N == 1, t.CameBackOut, t.CameBack)
	case engine.GameOver:
		return t.GameOver
	case engine.Won:
		return t.Won
	case engine.EventShown:
		return t.EventShown
	case engine.Bought:
		return t.Bought
	case engine.Nuggets:
		return t.Nuggets
	case engine.BoxEvent:
		return pick(at, t.BoxEventAt, t.BoxEvent)
	}
	return ""
}

// reveal fills in a card that is hidden from the table but known to the reader, who took part in moving it.
func (l *Log) reveal(e *engine.Event) {
	if e.Card.Face == 0 && e.Card.Slot != 0 {
		e.Card.Face = l.Known.Face(e.Card.Slot)
	}
}

func pick(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}

// as is the operand {as}: a row's name, a role, an outcome.
func (l *Log) as(e engine.Event) string {
	switch {
	case e.Kind == engine.GameOver:
		return l.Outcome(engine.Outcome(e.N))
	case e.Kind == engine.Flipped:
		others := strings.Join(l.aside, ", ")
		l.aside = nil
		return others
	case e.Kind == engine.Passed:
		return l.Tagged(engine.Beer)
	case e.Kind == engine.RoleShown || e.Kind == engine.Won:
		return l.Kind(engine.Kind(e.N))
	case e.As != 0:
		return l.Kind(e.As)
	case e.Card.Face != 0:
		return l.Kind(e.Card.Face.Kind())
	}
	return l.Text.Unknown
}

// Outcome says who wins.
func (l *Log) Outcome(o engine.Outcome) string {
	if int(o) >= len(l.Text.Outcomes) {
		return l.Text.Unknown
	}
	return l.Text.Outcomes[o]
}

// Kind is the name of a row under the table's options.
func (l *Log) Kind(k engine.Kind) string {
	if l.Rules.Row(k) == nil {
		return l.Text.Unknown
	}
	return l.Rules.Name(l.Options, k)
}

// Tagged is the name of the card that the rules mean by a tag.
func (l *Log) Tagged(t engine.Tag) string {
	for i := range l.Rules.Rows() {
		if row := &l.Rules.Rows()[i]; row.Tag&t != 0 {
			return l.Kind(row.Kind)
		}
	}
	return l.Text.Unknown
}

// Role is the name of a role; its row has the role's number.
func (l *Log) Role(r engine.Role) string { return l.Kind(engine.Kind(r)) }

// Card is the name of a card with rank and suit: "BANG! 4♦". A hidden card is "a card".
func (l *Log) Card(f engine.Face) string {
	if f == 0 {
		return l.Text.Hidden
	}
	return joined(l.Kind(f.Kind()), Print(f))
}

// Print is rank and suit of a card, "10♣"; "" for a card without them.
func Print(f engine.Face) string {
	if f.Suit() == engine.NoSuit {
		return ""
	}
	rank := f.Rank().String()
	if rank == "T" {
		rank = "10"
	}
	return rank + [...]string{"?", "♠", "♥", "♦", "♣"}[min(int(f.Suit()), 4)]
}

func joined(a, b string) string {
	if b == "" {
		return a
	}
	return a + " " + b
}

func (l *Log) name(s engine.Seat) string {
	if s < 0 || int(s) >= len(l.Names) {
		return l.Text.Nobody
	}
	return l.Names[s]
}

// Holds is the line for the hand of a seat, as far as the reader knows it.
func (l *Log) Holds(s engine.Seat, hand []engine.Card) string {
	var cards []string
	for _, c := range hand {
		if c.Face == 0 {
			c.Face = l.Known.Face(c.Slot)
		}
		cards = append(cards, l.Card(c.Face))
	}
	if cards == nil {
		cards = []string{l.Text.NoCard}
	}
	return l.Text.fill(l.Text.Holds, operands{seat: l.name(s), card: strings.Join(cards, ", ")})
}

// Secret is the line for a role that the reader knows and the table does not.
func (l *Log) Secret(s engine.Seat, r engine.Role) string {
	return l.Text.fill(l.Text.SecretRole, operands{seat: l.name(s), as: l.Role(r)})
}

// News is the line for something that the table did, "" for a kind that has none.
func (l *Log) News(n table.News) string {
	o := operands{n: n.N, of: n.Of, cards: n.Cards, seat: l.Text.Nobody}
	if n.Seat >= 0 && n.Seat < len(l.Players) {
		o.seat = l.Players[n.Seat]
	}
	switch n.Kind {
	case table.NewsHappened:
		return l.Event(n.Event)
	case table.NewsSeated:
		return l.Text.fill(l.Text.Seated, o)
	case table.NewsKeys:
		return l.Text.fill(l.Text.Keys, o)
	case table.NewsShared:
		return l.Text.fill(l.Text.Shared, o)
	case table.NewsMixed:
		return l.Text.fill(l.Text.Mixed, o)
	case table.NewsAudit:
		return l.Text.fill(l.Text.Audit, o)
	case table.NewsRecovered:
		return l.Text.fill(l.Text.Recovered, o)
	case table.NewsResult:
		return l.Text.fill(l.Text.Result, o)
	case table.NewsRemoved:
		return l.Text.fill(l.Text.Removed[min(int(n.Why), len(l.Text.Removed)-1)], o)
	case table.NewsReturned:
		return l.Text.fill(l.Text.Readmitted, o)
	case table.NewsDefault:
		if n.Why != 0 {
			return "" // it is away, which has been told
		}
		return l.Text.fill(l.Text.ByDefault, o)
	}
	return ""
}
