package cli

import (
	"regexp"
	"strings"
	"sync"

	"standoff/cli/i18n"
)

// The rulebook is written for who works on the rules too: in Markdown, with the sources of every statement. A person
// reads it without.

var (
	emphasis = regexp.MustCompile(`\*\*?([^*]+)\*\*?`)
	values   = regexp.MustCompile("`[^`]*`")
	sentence = regexp.MustCompile(`\S+\. [a-z]`)
	marks    = strings.NewReplacer("**", "", "*", "", "`", "", " | ", ": ", " |", "")
)

// setOff are the words that a statement sets off, as plain reduces them: it says what they mean.
func setOff(text string) []string {
	var words []string
	for _, m := range emphasis.FindAllStringSubmatch(text, -1) {
		words = append(words, plain(m[1]))
	}
	return words
}

// readable is a statement as a person reads it: without Markdown, and the sources left out or called by their names.
func readable(text string) string {
	text = values.ReplaceAllStringFunc(text, func(v string) string { return strings.ReplaceAll(v, " | ", ", ") })
	text = marks.Replace(text)
	for _, s := range sources() {
		text = s.mark.ReplaceAllString(text, s.text)
	}
	return sentence.ReplaceAllStringFunc(text, capital)
}

// capital begins a sentence with a capital, as a source at its beginning has none; short words with a full stop end none.
func capital(s string) string {
	if word, _, _ := strings.Cut(s, " "); strings.HasSuffix(word, "e.g.") || strings.HasSuffix(word, "ff.") {
		return s
	}
	last := len(s) - 1
	return s[:last] + strings.ToUpper(s[last:])
}

// source is how a source is marked in the rulebook, and what a person reads for it.
type source struct {
	mark *regexp.Regexp
	text string
}

// sources are compiled once; the rulebook is English, and so are they.
var sources = sync.OnceValue(func() []source {
	var all []source
	for _, mark := range i18n.English.Report.Unsaid {
		all = append(all, source{mark: regexp.MustCompile(mark)})
	}
	for _, s := range i18n.English.Report.Sources {
		all = append(all, source{regexp.MustCompile(s.Mark), s.Text})
	}
	return all
})
