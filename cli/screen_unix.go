//go:build unix

package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// columns asks the terminal how wide it is, 0 if it does not say.
func columns(f *os.File) int {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(size.Col)
}
