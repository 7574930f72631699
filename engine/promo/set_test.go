package promo_test

import (
	"strings"
	"testing"

	"standoff/engine"
	"standoff/engine/base"
	"standoff/engine/promo"
)

// The three characters go with the basic box alone.
func TestSet(t *testing.T) {
	r, err := engine.Compile(base.Set, promo.Set)
	if err != nil {
		t.Fatal(err)
	}
	lives := map[string]int8{"uncle-will": 4, "johnny-kisch": 4, "claus-the-saint": 3}
	for slug, life := range lives {
		k, ok := r.KindBySlug(slug)
		if row := r.Row(k); !ok || row.Life != life || !strings.HasSuffix(row.Text, ".") || !strings.HasPrefix(row.Rules, "D-") {
			t.Errorf("%s: %+v", slug, row)
		}
	}
	if len(promo.Set.Rows) != len(lives) {
		t.Errorf("%d rows", len(promo.Set.Rows))
	}
}
