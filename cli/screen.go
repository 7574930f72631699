package cli

import (
	"io"
	"os"
	"strconv"
)

// isScreen reports whether a person sits at the other end.
func isScreen(x any) bool {
	f, ok := x.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// screenWidth is the number of columns to write for, 0 where there is no screen. COLUMNS comes first.
func screenWidth(w io.Writer) int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if f, ok := w.(*os.File); ok && isScreen(f) {
		if n := columns(f); n > 0 {
			return n
		}
		return 80
	}
	return 0
}
