package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// prose is a text of words: two of them with a space between.
var prose = regexp.MustCompile(`[A-Za-z}]{2,}[,:;)"]? [A-Za-z({%"]`)

// TestAllWordsAreInTheCatalogue finds what a person would read in the code of the commands and of the line mode: every
// literal of words that is none of these. A panic is about an own bug; a regular expression reads text and tells none;
// Use is how a command is typed; and the man page is a format.
func TestAllWordsAreInTheCatalogue(t *testing.T) {
	var files []string
	for _, dir := range []string{".", "line"} {
		found, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		files = append(files, found...)
	}
	looked := 0
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") || path == "man.go" {
			continue
		}
		looked++
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.Field:
				x.Tag = nil
			case *ast.KeyValueExpr:
				k, ok := x.Key.(*ast.Ident)
				return !ok || k.Name != "Use"
			case *ast.CallExpr:
				return !spared(x)
			case *ast.BasicLit:
				if x.Kind != token.STRING {
					return true
				}
				text, err := strconv.Unquote(x.Value)
				require.NoError(t, err)
				if prose.MatchString(text) && text != "go run ./cmd/standoff" { // to be typed

					t.Errorf("%s: words outside the catalogue: %q", set.Position(x.Pos()), text)
				}
			}
			return true
		})
	}
	require.Greater(t, looked, 20)
}

// spared reports whether a call takes words that nobody reads.
func spared(x *ast.CallExpr) bool {
	switch f := x.Fun.(type) {
	case *ast.Ident:
		return f.Name == "panic"
	case *ast.SelectorExpr:
		on, _ := f.X.(*ast.Ident)
		return f.Sel.Name == "MustCompile" || on != nil && on.Name == "filepath"
	}
	return false
}

func TestWordsAreFound(t *testing.T) {
	for text, want := range map[string]bool{
		"the transcript lies in %s": true, "seats: %d of %d": true, "did you mean {near}?": true, "{seat}: ready": true,
		"seat-%d.standoff": false, "2006-01-02": false, "": false, "tolerate=1": false, "result: %s": true,
	} {
		require.Equal(t, want, prose.MatchString(text), text)
	}
}
