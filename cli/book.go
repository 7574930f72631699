package cli

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"

	"standoff/engine/boxes"
	"standoff/engine/rulebook"
)

// ruling is one numbered rule of the rulebook.
type ruling struct {
	Number string // B-301
	Book   string // base
	Topic  string // 11. Characters
	About  string // Bart Cassidy, where the rule stands under a name
	Text   string
	terms  []string // the words that the book sets off in it, as plain reduces them
	row    bool     // of a table
}

// rulings are all numbered rules, in the order of the books.
var rulings = sync.OnceValue(func() []ruling {
	var all []ruling
	names, err := fs.Glob(rulebook.Files, "*.md")
	if err != nil {
		panic("cli: internal error: " + err.Error())
	}
	for _, name := range names {
		text, err := fs.ReadFile(rulebook.Files, name)
		if err != nil {
			panic("cli: internal error: " + err.Error())
		}
		all = append(all, readBook(strings.TrimSuffix(name, ".md"), string(text))...)
	}
	for i := range all {
		all[i].terms = setOff(all[i].Text)
		all[i].Text = readable(all[i].Text)
	}
	// A table row that sums up a rule stated elsewhere is none.
	stated := map[string]bool{}
	for _, r := range all {
		stated[r.Number] = stated[r.Number] || !r.row
	}
	return slices.DeleteFunc(all, func(r ruling) bool { return r.row && stated[r.Number] })
})

var (
	numbered  = regexp.MustCompile(`^(?:- |\| )(?:\*\*)?([A-Z]-\d{3})(?:\*\*)?\b[ |]*(.*)$`)
	anyRule   = regexp.MustCompile(`^([A-Za-z])-?(\d{3})$`)
	anyNumber = regexp.MustCompile(`^\d{3}$`)
	step      = regexp.MustCompile(`\b[TE][0-7]\b`)
	tableRow  = regexp.MustCompile(`\btable row\b`)
	stepRow   = regexp.MustCompile(`^\| (T[0-7]) \| (.*?) \|`)
	stepOut   = regexp.MustCompile(`^\((E[1-7])\) ([^.]*)`)
)

// readBook finds the rules of a book: list items and table rows that begin with a number.
func readBook(book, text string) []ruling {
	var all []ruling
	topic, about, open := "", "", false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		m := numbered.FindStringSubmatch(line)
		switch {
		case m != nil:
			all = append(all, ruling{Number: m[1], Book: book, Topic: topic, About: about, Text: m[2], row: line[0] == '|'})
			open = true
			continue
		case strings.HasPrefix(line, "## "):
			topic, about = strings.TrimPrefix(line, "## "), ""
			topic, _, _ = strings.Cut(topic, " [") // sources
		case strings.HasPrefix(line, "**") && strings.HasSuffix(line, "**"):
			about = strings.Trim(line, "* ")
		case open && line != "" && !strings.ContainsAny(line[:1], "-|#*"):
			all[len(all)-1].Text += " " + line
			continue
		}
		open = false
	}
	return all
}

// steps are the steps of a turn by their label in the rules, T0 to T7, and those of an elimination, E1 to E7.
var steps = sync.OnceValue(func() map[string]string {
	text, err := rulebook.Files.ReadFile("base.md")
	if err != nil {
		panic("cli: internal error: " + err.Error())
	}
	all := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if m := stepRow.FindStringSubmatch(line); m != nil {
			all[m[1]] = m[2]
		}
	}
	for _, r := range rulings() {
		if m := stepOut.FindStringSubmatch(r.Text); m != nil {
			all[m[1]] = m[2]
		}
	}
	return all
})

// box is the name of the rule's box in this program, as --sets has it; the name of the book where there is none.
func (r *ruling) box() string {
	i := slices.IndexFunc(boxes.Names(), func(box string) bool { return strings.HasPrefix(r.Book, box) })
	if i < 0 {
		return r.Book
	}
	return boxes.Names()[i]
}

// present says whether the box of the rule's book is in this program; a book is called by its box and more.
func (r *ruling) present() bool {
	return slices.ContainsFunc(boxes.Names(), func(box string) bool { return strings.HasPrefix(r.Book, box) })
}

// ruleNumber writes the number of a rule as the books do, B-301 for b301; "" where it is none.
func ruleNumber(s string) string {
	m := anyRule.FindStringSubmatch(s)
	if m == nil {
		return ""
	}
	return strings.ToUpper(m[1]) + "-" + m[2]
}

// ruleByNumber finds a rule by its number, B-301, b301.
func ruleByNumber(s string) (ruling, bool) {
	number := ruleNumber(s)
	i := slices.IndexFunc(rulings(), func(r ruling) bool { return r.Number == number && number != "" })
	if i < 0 {
		return ruling{}, false
	}
	return rulings()[i], true
}

// plain is a name reduced to what people type: lower case letters and digits.
func plain(s string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(s) {
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			b.WriteRune(c)
		case c == 'é':
			b.WriteByte('e')
		}
	}
	return b.String()
}

// nearest are the names that a mistyped one may mean, best first, at most three.
func nearest(word string, names []string) []string {
	type near struct {
		name string
		away int
	}
	var found []near
	w := plain(word)
	for _, n := range names {
		p := plain(n)
		away := distance(w, p)
		if len(w) >= 3 && strings.Contains(p, w) {
			away = 0
		}
		if away <= max(1, (len(w)+2)/3) {
			found = append(found, near{n, away})
		}
	}
	var out []string
	for away := 0; len(out) < 3 && away < 20; away++ {
		for _, f := range found {
			if f.away == away && len(out) < 3 {
				out = append(out, f.name)
			}
		}
	}
	return out
}

// distance is the number of letters to insert, delete or change to make b of a (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
