// Package boxes lists the boxes that this program can play with. It is the only place that names them all: take a
// line out, and a program without that box builds and plays.
package boxes

import (
	"fmt"
	"sort"
	"strings"

	"standoff/engine"
	"standoff/engine/base"
	"standoff/engine/dodge"
	"standoff/engine/promo"
)

// All are the boxes by name.
var All = map[string]engine.Set{
	"base":  base.Set,
	"dodge": dodge.Set,
	"promo": promo.Set,
}

// Names lists the boxes in alphabetical order.
func Names() []string {
	var names []string
	for n := range All {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// Compile puts the named boxes together. The base box is always needed and comes first.
func Compile(names ...string) (*engine.Rules, error) {
	var sets []engine.Set
	for i, n := range names {
		s, ok := All[n]
		if !ok {
			return nil, fmt.Errorf("there is no box %q; there are: %s", n, strings.Join(Names(), ", "))
		}
		for _, m := range names[:i] {
			if m == n {
				return nil, fmt.Errorf("box %q is named twice", n)
			}
		}
		sets = append(sets, s)
	}
	if len(names) == 0 || names[0] != "base" {
		return nil, fmt.Errorf("the first box is always %q", "base")
	}
	return engine.Compile(sets...)
}
