package engine

import (
	"fmt"
	"strings"
)

// MakeFace puts a face together.
func MakeFace(k Kind, r Rank, s Suit) Face {
	return Face(k)<<8 | Face(r&15)<<4 | Face(s&15)
}

// Kind is the row of the tables that f belongs to.
func (f Face) Kind() Kind { return Kind(f >> 8) }

// Rank is the printed rank of f, 0 for a card without one.
func (f Face) Rank() Rank { return Rank(f >> 4 & 15) }

// Suit is the printed suit of f. What counts in a game may differ: [Game.Suit].
func (f Face) Suit() Suit { return Suit(f & 15) }

const (
	rankLetters = "??23456789TJQKA?"
	suitLetters = "?SHDC"
)

// String is the letter of the suit: S H D C.
func (s Suit) String() string {
	if int(s) >= len(suitLetters) {
		return "?"
	}
	return suitLetters[s : s+1]
}

// String is the letter of the rank: 2 … 9 T J Q K A.
func (r Rank) String() string { return rankLetters[r&15 : r&15+1] }

// printed is the text of rank and suit, "2D"; empty for a card without them.
func (f Face) printed() string {
	if f.Suit() == NoSuit {
		return ""
	}
	return f.Rank().String() + f.Suit().String()
}

// parsePrinted reads "2D", "TC", "10C".
func parsePrinted(s string) (Rank, Suit, bool) {
	s = strings.ToUpper(strings.TrimSpace(s))
	if strings.HasPrefix(s, "10") {
		s = "T" + s[2:]
	}
	if len(s) != 2 {
		return 0, 0, false
	}
	r, u := strings.IndexByte(rankLetters, s[0]), strings.IndexByte(suitLetters, s[1])
	if r < 2 || u < 1 || s[0] == '?' {
		return 0, 0, false
	}
	return Rank(r), Suit(u), true
}

// FormatFace is the text of f that [Rules.ParseFace] reads: slug, and for a playing card rank and suit, "bang:2D".
// A face-down card is "?".
func (r *Rules) FormatFace(f Face) string {
	if f == 0 {
		return "?"
	}
	row := r.Row(f.Kind())
	if row == nil {
		return fmt.Sprintf("unknown:%04x", uint16(f))
	}
	if f.Suit() == NoSuit {
		return row.Slug
	}
	return row.Slug + ":" + f.printed()
}

// ParseFace reads what FormatFace writes, "bang:2D", "bang:10C" too. The face need not occur in any pack.
func (r *Rules) ParseFace(s string) (Face, error) {
	slug, rest, printed := strings.Cut(strings.TrimSpace(s), ":")
	k, ok := r.KindBySlug(strings.ToLower(slug))
	if !ok {
		return 0, fmt.Errorf("no card is called %q", slug)
	}
	if !printed {
		return MakeFace(k, 0, NoSuit), nil
	}
	rank, suit, ok := parsePrinted(rest)
	if !ok {
		return 0, fmt.Errorf("%q is no rank and suit: want something like 2D, TC, AS", rest)
	}
	return MakeFace(k, rank, suit), nil
}
