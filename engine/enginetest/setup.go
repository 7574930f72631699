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
	copied     engine.Kind
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
		if l.character != 0 {
			l.copied = k
		} else {
			l.character = k
		}
	}
	return l, nil
}
