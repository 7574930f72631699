//go:build unix

package storage

import (
	"errors"
	"os"
	"syscall"
)

// Lock opens, or makes, a file that one program at a time can have: ErrLocked while somebody has it. It is free again
// with its Close, and when the program ends, however that is.
func Lock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, ErrLocked
		}
		return nil, err
	}
	return f, nil
}
