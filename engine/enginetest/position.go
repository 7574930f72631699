package enginetest

import (
	"fmt"
	"slices"

	"standoff/engine"
)

// fill completes what the seats do not say.
func (s *setup) fill(r *engine.Rules) error {
	left := r.Roles(len(s.seats))
	if left == nil {
		return fmt.Errorf("no game for %d seats", len(s.seats))
	}
	take := func(role engine.Role) bool {
		i := slices.Index(left, role)
		if i >= 0 {
			left = slices.Delete(left, i, i+1)
		}
		return i >= 0
	}
	for i := range s.seats {
		l := &s.seats[i]
		if !l.said {
			return fmt.Errorf("seat %s is missing", letter(engine.Seat(i)))
		}
		if l.role != engine.NoRole && !take(l.role) {
			return fmt.Errorf("seat %s: no such role is left in a game for %d", letter(engine.Seat(i)), len(s.seats))
		}
	}
	for i := len(s.seats) - 1; i >= 0 && slices.Contains(left, engine.Sheriff); i-- {
		if s.seats[i].role == engine.NoRole {
			s.seats[i].role = engine.Sheriff
			take(engine.Sheriff)
		}
	}
	for i := range s.seats {
		l := &s.seats[i]
		if l.role == engine.NoRole {
			for _, role := range []engine.Role{engine.Outlaw, engine.Renegade, engine.Deputy} {
				if take(role) {
					l.role = role
					break
				}
			}
		}
		if l.character == 0 {
			l.character = neutral
		}
		if l.max == 0 {
			if row := r.Row(l.character); row != nil {
				l.max = int(row.Life)
			}
			if l.role == engine.Sheriff {
				l.max++
			}
			l.life = l.max
		}
		if l.out {
			l.life = 0
		}
	}
	return nil
}

// beginner is the role that begins: the Sheriff, or the Deputy where all roles are open (B-028, D-050).
func beginner(r *engine.Rules, seats int) engine.Role {
	if slices.Contains(r.Roles(seats), engine.Sheriff) {
		return engine.Sheriff
	}
	return engine.Deputy
}

// state builds the position, and the true faces of its slots.
func (s *setup) state(r *engine.Rules) (engine.State, map[engine.Slot]engine.Face, error) {
	truth := map[engine.Slot]engine.Face{}
	next := engine.Slot(1)
	card := func(f engine.Face, shown bool) engine.Card {
		c := engine.Card{Slot: next}
		truth[next] = f
		next++
		if shown {
			c.Face = f
		}
		return c
	}
	st := engine.State{Options: s.options, N: int8(len(s.seats)), Turn: s.turn, First: engine.None, TurnNo: 1, Asked: engine.None}
	if s.starts {
		st.BeginTurn(s.turn)
	} else {
		st.EnterPlay(s.turn)
	}
	first := beginner(r, len(s.seats))
	used := map[engine.Face]int{}
	for i, l := range s.seats {
		p := &st.Players[i]
		p.Character, p.Copy, p.Life, p.Max = l.character, l.copied, int8(l.life), int8(l.max)
		if l.out {
			p.Status = engine.Out
		}
		if l.role == engine.Sheriff || l.out || first != engine.Sheriff {
			p.Role = l.role
		}
		if l.role == first {
			st.Keeper = engine.Seat(i)
		}
		if l.role != engine.Sheriff {
			p.RoleSlot = card(engine.MakeFace(engine.Kind(l.role), 0, engine.NoSuit), false).Slot
		}
		for _, f := range l.hand {
			p.Hand = append(p.Hand, card(f, false))
			used[f]++
		}
		for _, f := range l.play {
			p.Play = append(p.Play, card(f, true))
			used[f]++
		}
	}
	for _, f := range append(slices.Clone(s.discard), s.deck...) {
		used[f]++
	}
	deck := slices.Clone(s.deck)
	for _, row := range r.Rows() {
		for _, f := range r.Faces(row.Kind) {
			if used[f] > 0 {
				used[f]--
			} else if s.rest {
				deck = append(deck, f)
			}
		}
	}
	for f, n := range used {
		if n > 0 {
			return st, nil, fmt.Errorf("the pack has not so many %s", r.FormatFace(f))
		}
	}
	for _, f := range s.discard {
		st.Discard = append(st.Discard, card(f, true))
	}
	slices.Reverse(deck)
	for _, f := range deck {
		st.Deck = append(st.Deck, card(f, false))
	}
	st.Next = next
	return st, truth, nil
}
