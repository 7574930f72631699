package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// calledBy is how the person calls this program, so that a command that is printed can be typed as it stands.
func calledBy(path string) string {
	switch name := strings.TrimSuffix(filepath.Base(path), ".exe"); {
	case name != "standoff" && !strings.HasPrefix(name, "standoff-"):
		return "standoff"
	case strings.Contains(filepath.ToSlash(path), "/go-build") && strings.Contains(filepath.ToSlash(path), "/exe/"):
		return "go run ./cmd/standoff" // go run has compiled it there for this once
	case strings.ContainsAny(path, " \t"):
		return `"` + path + `"`
	}
	return path
}

// command finds the commands of this program in a text: its name and what may follow it, with what stands before, so
// that a path that ends in the name is none.
var command = regexp.MustCompile(`(^|[^\w/\\.-])standoff( (?:play|host|join|watch|resume|list|demo|verify|show|cards|rules|sim|doctor|config|man|` +
	`version|seat|bot|completion|help|--help)\b| \[)`)

// follow writes the commands in a text as the person can type them.
func follow(text string) string { return followAs(calledBy(os.Args[0]), text) }

func followAs(name, text string) string {
	if name == "standoff" {
		return text
	}
	return command.ReplaceAllString(text, "${1}"+strings.ReplaceAll(name, "$", "$$")+"${2}")
}
