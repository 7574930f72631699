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
	}
	return path
}

var command = regexp.MustCompile(`\bstandoff (play|host|join|resume|list|demo|verify|show|cards|rules|sim|doctor|config|man|version|completion|help|--help)\b`)

// follow writes the commands in a text as the person can type them.
func follow(text string) string {
	name := calledBy(os.Args[0])
	if name == "standoff" {
		return text
	}
	return command.ReplaceAllStringFunc(text, func(s string) string { return name + strings.TrimPrefix(s, "standoff") })
}
