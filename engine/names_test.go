package engine_test

import (
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"standoff/engine"
	"standoff/engine/base"
)

// The core knows tags and symbols, never cards and characters: no identifier and no text in it contains the name of a
// row of a box. Excepted are the three tags that the rules themselves name (B-006), the Duel, which is a symbol of its
// own, and panic, which is Go's word before it is a card's.
func TestCoreNamesNoCard(t *testing.T) {
	rules, err := engine.Compile(base.Set)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, row := range rules.Rows() {
		switch row.Slug {
		case "bang", "missed", "beer", "duel", "panic", "rewards-and-penalty", "victory":
		default:
			if row.Colour != engine.RoleCard {
				names = append(names, strings.ReplaceAll(row.Slug, "-", ""))
			}
		}
	}
	if len(names) < 22-5+16 {
		t.Fatalf("only %d names to look for", len(names))
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, word := range words(t, file) {
			for _, name := range names {
				if strings.Contains(word, name) {
					t.Errorf("%s: %q names %s", file, word, name)
				}
			}
		}
	}
}

// words lists the identifiers and texts of a Go file in lower-case letters only.
func words(t *testing.T, file string) []string {
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile(file, -1, len(src)), src, nil, 0)
	var out []string
	for {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			return out
		}
		if tok != token.IDENT && tok != token.STRING {
			continue
		}
		out = append(out, strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' {
				return r
			}
			return -1
		}, strings.ToLower(lit)))
	}
}
