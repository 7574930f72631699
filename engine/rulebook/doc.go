// Package rulebook carries the rules that the engine follows, as numbered statements in our own words.
//
//	base.md               B-001 …   the basic game
//	dodge-city.md         D-001 …   Dodge City, three and eight players, promo characters
//	high-noon-fistful.md  H-… F-…   the two event decks
//	gold-rush.md          G-… S-…   Gold Rush and the shadow gunslingers
//
// Code and tests cite the numbers. A number is never reused; a RULING decides what the prints leave open, and says
// which table option, if any, decides otherwise. This is the one copy: who changes a rule changes it here first.
package rulebook

import (
	"embed"
	"io/fs"
	"regexp"
	"strings"
)

// Files are the chapters.
//
//go:embed *.md
var Files embed.FS

// entry is the beginning of a line that states a rule: "- B-101 …", "- **H-001** …", "| B-421 … |".
var entry = regexp.MustCompile(`^(?:- |\| )(?:\*\*)?([BDHFGS]-\d{3})(?:\*\*)?\b`)

// Rule is the statement with that number, "B-101", in Markdown without its list mark; false when there is none.
func Rule(number string) (string, bool) {
	number = strings.ToUpper(strings.TrimSpace(number))
	text, found := "", false
	_ = Each(func(n, line string) bool {
		if n == number {
			text, found = line, true
		}
		return !found
	})
	return text, found
}

// Search lists the statements that contain all the words, whatever their case, each with its number.
func Search(words ...string) []string {
	var out []string
	_ = Each(func(_, line string) bool {
		lower := strings.ToLower(line)
		for _, w := range words {
			if !strings.Contains(lower, strings.ToLower(w)) {
				return true
			}
		}
		out = append(out, line)
		return true
	})
	return out
}

// Each calls f for every statement in the order of the chapters until it says no. A table row that sums up a rule
// stated elsewhere is left out.
func Each(f func(number, line string) bool) error {
	names, err := fs.Glob(Files, "*.md")
	if err != nil {
		return err
	}
	var lines []string
	for _, name := range names {
		b, err := Files.ReadFile(name)
		if err != nil {
			return err
		}
		lines = append(lines, strings.Split(string(b), "\n")...)
	}
	stated := map[string]bool{}
	for _, line := range lines {
		if m := entry.FindStringSubmatch(line); m != nil && line[0] == '-' {
			stated[m[1]] = true
		}
	}
	for _, line := range lines {
		m := entry.FindStringSubmatch(line)
		if m == nil || line[0] == '|' && stated[m[1]] {
			continue
		}
		if !f(m[1], strings.TrimLeft(line, "-| ")) {
			return nil
		}
	}
	return nil
}
