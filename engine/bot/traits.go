package bot

import "standoff/engine"

// use is what a card is good for, as far as a bot cares: one bit per symbol and target of its row.
type use uint32

const (
	shoots   use = 1 << iota // a BANG! effect on one seat
	sweeps                   // a BANG! effect on all others
	raids                    // the others give up BANG! cards
	duels                    // a Duel with one seat
	takes                    // a card of another seat into the own hand
	drops                    // a card of another seat away
	scatters                 // a card of every other seat away
	jails                    // laid before another seat, to its harm
	burns                    // laid before oneself, to somebody's harm
	cures                    // life for oneself
	heals                    // life for any one seat
	toasts                   // life for everybody
	draws                    // cards from the deck
	stores                   // open cards for everybody
	dodges                   // a Missed! effect
	lasting                  // stays in play and helps its owner
	weapon                   // the one weapon
)

// trait is a row as a bot reads it.
type trait struct {
	use
	tag    engine.Tag
	cards  int8 // drawn
	cost   int8 // hand cards to be paid
	wound  int8 // life to be paid
	life   int8 // of a character
	rng    int8 // reach
	bangs  int8 // BANG! cards a turn
	shield int8 // draws against shots and distance: how much harder its owner is to hit
	close  int8
	flips  int8
	remedy bool // an ability that turns cards into life
	talent int8 // what a character is worth to somebody who may have it
}

func (t *trait) is(u use) bool { return t.use&u != 0 }

// traits are the rows of a game's rules.
type traits struct {
	rules *engine.Rules
	row   [256]trait
	roles [engine.MaxSeats + 1][5]int // by the number of seats: how many of each role (B-020)
}

func read(r *engine.Rules) *traits {
	t := &traits{rules: r}
	rows := r.Rows()
	for i := range rows {
		t.row[rows[i].Kind] = readRow(&rows[i])
	}
	for n := range t.roles {
		for _, role := range r.Roles(n) {
			t.roles[n][role]++
		}
	}
	return t
}

func readRow(r *engine.Row) trait {
	t := trait{tag: r.Tag, life: r.Life, rng: r.Range, bangs: r.Bangs, close: r.Close, flips: r.Flips}
	t.shield = 2*r.Tries + r.Far
	for _, d := range r.Do {
		switch d.What {
		case engine.Shoot:
			t.use |= one(d.Who, shoots, sweeps)
		case engine.Raid:
			t.use |= raids
		case engine.Duel:
			t.use |= duels
		case engine.Take:
			t.use |= takes
		case engine.Drop:
			t.use |= one(d.Who, drops, scatters)
		case engine.LayOn:
			t.use |= jails
		case engine.Pay:
			t.cost += d.N
		case engine.Heal:
			switch {
			case d.N < 0:
				t.wound -= d.N
			case d.Who == engine.Self:
				t.use |= cures
			case d.Who == engine.Any || d.Who == engine.Other:
				t.use |= heals
			default:
				t.use |= toasts
			}
		case engine.DrawCards:
			t.use |= draws
			t.cards += d.N
		case engine.Store:
			t.use |= stores
		case engine.Dodge:
			t.use |= dodges
		}
	}
	switch r.Colour {
	case engine.CharacterCard:
		t.remedy = t.is(cures)
		t.talent = 12*r.Draws + 10*r.Tries + 8*r.Far + 6*r.Close + 5*r.Flips + 6*r.Double + min(8, r.Bangs) + min(6, r.Hold) + 4*r.Sip
		if r.Phase1 != nil || r.Drawn != nil || r.Due != nil {
			t.talent += 9
		}
		if r.As != nil || r.Immune != nil || r.Mute != nil || len(r.Do) > 0 {
			t.talent += 7
		}
	case engine.Weapon:
		t.use |= weapon | lasting
	case engine.Green:
		t.use |= lasting
	case engine.Blue:
		if r.Check != nil && !t.is(jails) {
			t.use |= burns
		} else if !t.is(jails) {
			t.use |= lasting
		}
	}
	return t
}

// one tells a symbol with a single target from one that strikes everybody else.
func one(w engine.Who, single, several use) use {
	if w == engine.Others || w == engine.All {
		return several
	}
	return single
}

// of is the trait of a kind.
func (t *traits) of(k engine.Kind) *trait { return &t.row[k] }

// card is the trait of a face.
func (t *traits) card(f engine.Face) *trait { return &t.row[f.Kind()] }
