package line

import (
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// Writer writes lines, broken at spaces where they are longer than the screen is wide. It may be used by several
// goroutines.
type Writer struct {
	mu     sync.Mutex
	w      io.Writer
	width  int  // 0: do not break
	prompt bool // a person sits before it
	open   bool // the prompt stands at the end
	shown  time.Time
	now    func() time.Time
	err    error
}

// NewWriter writes to w. width is the number of columns, 0 where there is no screen; prompt asks for "> " where input
// is wanted.
func NewWriter(w io.Writer, width int, prompt bool) *Writer {
	return &Writer{w: w, width: width, prompt: prompt, now: time.Now}
}

// Lines writes lines. Where the prompt stands they begin below it.
func (w *Writer) Lines(lines ...string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(lines) == 0 {
		return
	}
	if w.open {
		w.write("\n")
		w.open = false
	}
	for _, l := range lines {
		w.write(Wrap(l, w.width) + "\n")
	}
}

// Prompt shows that input is wanted.
func (w *Writer) Prompt() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.prompt && !w.open {
		w.write("> ")
		w.open, w.shown = true, w.now()
	}
}

// Hush ends the prompt for good.
func (w *Writer) Hush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.prompt = false
}

// readAhead is how soon after a prompt nobody can have answered it: a line that comes sooner was typed before.
const readAhead = 50 * time.Millisecond

// Entered is told that the person has ended a line, which has ended the prompt's line too, unless it was typed before
// the prompt came.
func (w *Writer) Entered() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.open && w.now().Sub(w.shown) >= readAhead {
		w.open = false
	}
}

// Err is the first error of writing.
func (w *Writer) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

func (w *Writer) write(s string) {
	if w.err == nil {
		_, w.err = io.WriteString(w.w, s)
	}
}

// Wrap breaks a line at spaces so that it fits a width; what follows is set in by two. A word that is longer than the
// width stays whole. All runes count as one column: nothing that is written here is wider.
func Wrap(line string, width int) string {
	if width < 10 || utf8.RuneCountInString(line) <= width {
		return line
	}
	var b strings.Builder
	at := 0
	for i, word := range strings.Fields(line) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case at+1+n <= width:
			b.WriteByte(' ')
			at++
		default:
			b.WriteString("\n  ")
			at = 2
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}
