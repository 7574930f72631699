package enginetest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"standoff/engine"
)

// Script is one file, or one # part of it.
type Script struct {
	File  string
	ID    string // SB-05
	Title string
	Rules []string // B-041
	Runs  []Run
	boxes func() ([2]*engine.Rules, error)
}

// Run is one variant of a script. Its lines include what all variants share.
type Run struct {
	Name  string // empty when the script has no variants
	Lines []Line
}

// Line is one statement.
type Line struct {
	No   int
	Text string
}

var ruleNumber = regexp.MustCompile(`\b[A-Z]-\d{3}\b`)

// Load reads all scripts of the files that match pattern. They are played with the basic box and the others given.
func Load(pattern string, sets ...engine.Set) ([]Script, error) {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return nil, err
	}
	boxes := sync.OnceValues(func() ([2]*engine.Rules, error) { return compile(sets) })
	var all []Script
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		s, err := Parse(f, string(text))
		if err != nil {
			return nil, err
		}
		for i := range s {
			s[i].boxes = boxes
		}
		all = append(all, s...)
	}
	return all, nil
}

// Parse reads the scripts of one file.
func Parse(file, text string) ([]Script, error) {
	var all []Script
	var shared []Line
	for i, l := range strings.Split(text, "\n") {
		l = strings.TrimSpace(l)
		switch {
		case l == "" || strings.HasPrefix(l, "--"):
		case strings.HasPrefix(l, "## "):
			if len(all) == 0 {
				return nil, fmt.Errorf("%s:%d: a variant before the title", file, i+1)
			}
			s := &all[len(all)-1]
			s.Runs = append(s.Runs, Run{Name: strings.TrimSpace(l[3:]), Lines: append([]Line(nil), shared...)})
		case strings.HasPrefix(l, "# "):
			all = closed(all, shared)
			shared = nil
			id, title, _ := strings.Cut(strings.TrimSpace(l[2:]), " ")
			all = append(all, Script{File: file, ID: id, Title: title, Rules: ruleNumber.FindAllString(title, -1)})
		default:
			if len(all) == 0 {
				return nil, fmt.Errorf("%s:%d: a statement before the title", file, i+1)
			}
			s := &all[len(all)-1]
			if n := len(s.Runs); n > 0 {
				s.Runs[n-1].Lines = append(s.Runs[n-1].Lines, Line{i + 1, l})
			} else {
				shared = append(shared, Line{i + 1, l})
			}
		}
	}
	return closed(all, shared), nil
}

// closed gives the last script its only run, if it has no variants.
func closed(all []Script, shared []Line) []Script {
	if n := len(all); n > 0 && all[n-1].Runs == nil {
		all[n-1].Runs = []Run{{Lines: shared}}
	}
	return all
}

// setup says whether a line belongs before the first action.
func (l Line) setup() bool {
	return !strings.HasPrefix(l.Text, ">") && !strings.HasPrefix(l.Text, "=") && !strings.HasPrefix(l.Text, "same flow ")
}

// words splits s at spaces that stand outside brackets.
func words(s string) []string {
	var out []string
	depth, start := 0, -1
	for i, c := range s {
		switch {
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		}
		if c == ' ' && depth == 0 {
			if start >= 0 {
				out = append(out, s[start:i])
			}
			start = -1
		} else if start < 0 {
			start = i
		}
	}
	if start >= 0 {
		out = append(out, s[start:])
	}
	return out
}

// list takes a word of the form name[a b] or name{a b} apart.
func list(word string) (name string, open byte, items []string, ok bool) {
	i := strings.IndexAny(word, "[{")
	if i < 0 || len(word) < i+2 {
		return "", 0, nil, false
	}
	want := map[byte]byte{'[': ']', '{': '}'}[word[i]]
	if word[len(word)-1] != want {
		return "", 0, nil, false
	}
	return word[:i], word[i], strings.Fields(word[i+1 : len(word)-1]), true
}
