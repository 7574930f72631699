package enginetest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"standoff/engine"
)

// seatLine is what a script says about one seat.
type seatLine struct {
	role       engine.Role
	character  engine.Kind
	life, max  int
	hand, play []engine.Face
	out        bool
	said       bool
}

// setup is what stands before the first action.
type setup struct {
	seats     []seatLine
	turn      engine.Seat
	starts    bool
	deck      []engine.Face
	rest      bool // the rest of the pack follows
	discard   []engine.Face
	options   engine.Options
	coins     []string
	shuffles  [][]engine.Face
	remasks   [][]engine.Face
	choices   []engine.Face
	meanwhile []string
	game      bool
	former    *engine.Former
}

var roleNames = map[string]engine.Role{"sheriff": engine.Sheriff, "deputy": engine.Deputy, "outlaw": engine.Outlaw, "renegade": engine.Renegade}

// letter is the name of a seat in scripts.
func letter(s engine.Seat) string {
	if s < 0 || s >= engine.MaxSeats {
		return "none"
	}
	return string(rune('A' + s))
}

// seatOf reads the name of a seat.
func seatOf(s string) (engine.Seat, bool) {
	if len(s) != 1 || s[0] < 'A' || s[0] >= 'A'+engine.MaxSeats {
		return engine.None, false
	}
	return engine.Seat(s[0] - 'A'), true
}

func faces(r *engine.Rules, items []string) ([]engine.Face, error) {
	var out []engine.Face
	for _, i := range items {
		f, err := r.ParseFace(i)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// read takes one setup line in.
func (s *setup) read(r *engine.Rules, text string) error {
	w := words(text)
	if name, ok := strings.CutSuffix(w[0], ":"); ok {
		seat, ok := seatOf(name)
		if !ok {
			return fmt.Errorf("%q is no seat", name)
		}
		for len(s.seats) <= int(seat) {
			s.seats = append(s.seats, seatLine{})
		}
		l, err := readSeat(r, w[1:])
		s.seats[seat] = l
		return err
	}
	if name, _, items, ok := list(w[0]); ok && len(w) == 1 {
		return s.readList(r, name, items)
	}
	switch {
	case w[0] == "game" && len(w) == 1:
		s.game = true
	case w[0] == "option" && len(w) == 3:
		return r.ParseOption(&s.options, w[1], w[2])
	case w[0] == "turn" && (len(w) == 2 || len(w) == 3 && w[2] == "starts"):
		var ok bool
		if s.turn, ok = seatOf(w[1]); !ok {
			return fmt.Errorf("%q is no seat", w[1])
		}
		s.starts = len(w) == 3
	case w[0] == "meanwhile" && len(w) > 2:
		s.meanwhile = append(s.meanwhile, strings.Join(w[1:], " "))
	case w[0] == "former" && len(w) >= 3:
		return s.readFormer(r, w[1:])
	default:
		return fmt.Errorf("no setup line: %s", text)
	}
	return nil
}

func (s *setup) readList(r *engine.Rules, name string, items []string) error {
	if name == "coin" {
		s.coins = items
		return nil
	}
	rest := len(items) > 0 && items[len(items)-1] == "..."
	if rest {
		items = items[:len(items)-1]
	}
	f, err := faces(r, items)
	if err != nil {
		return err
	}
	switch name {
	case "deck":
		s.deck, s.rest = f, rest
	case "discard":
		s.discard = f
	case "choices":
		s.choices = f
	case "shuffle":
		s.shuffles = append(s.shuffles, f)
	case "remask":
		s.remasks = append(s.remasks, f)
	default:
		return fmt.Errorf("no setup list: %s", name)
	}
	return nil
}

func (s *setup) readFormer(r *engine.Rules, w []string) error {
	if s.former == nil {
		s.former = &engine.Former{}
	}
	seat, ok := seatOf(w[0])
	k, known := r.KindBySlug(w[1])
	if !ok || !known {
		return fmt.Errorf("no former seat: %v", w)
	}
	s.former.Characters[seat] = k
	s.former.Alive[seat] = !slices.Contains(w, "out")
	if slices.Contains(w, "sheriff") {
		s.former.Sheriff = seat
	}
	return nil
}

func readSeat(r *engine.Rules, w []string) (seatLine, error) {
	l := seatLine{said: true}
	for _, t := range w {
		if role, ok := roleNames[t]; ok {
			l.role = role
			continue
		}
		if t == "out" {
			l.out = true
			continue
		}
		if a, b, ok := strings.Cut(t, "/"); ok {
			var err1, err2 error
			l.life, err1 = strconv.Atoi(a)
			l.max, err2 = strconv.Atoi(b)
			if err1 != nil || err2 != nil {
				return l, fmt.Errorf("no life: %s", t)
			}
			continue
		}
		if name, _, items, ok := list(t); ok {
			f, err := faces(r, items)
			if err != nil {
				return l, err
			}
			switch name {
			case "hand":
				l.hand = f
			case "play":
				l.play = f
			default:
				return l, fmt.Errorf("no part of a seat: %s", t)
			}
			continue
		}
		k, ok := r.KindBySlug(t)
		if !ok || r.Row(k).Colour != engine.CharacterCard {
			return l, fmt.Errorf("no character: %s", t)
		}
		l.character = k
	}
	return l, nil
}

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
	used := map[engine.Face]int{}
	for i, l := range s.seats {
		p := &st.Players[i]
		p.Character, p.Life, p.Max = l.character, int8(l.life), int8(l.max)
		if l.out {
			p.Status = engine.Out
		}
		if l.role == engine.Sheriff || l.out {
			p.Role = l.role
		}
		if l.role == engine.Sheriff {
			st.Keeper = engine.Seat(i)
		} else {
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
