//go:build unix

package node

import (
	"errors"
	"os"
	"syscall"
)

// lockFile opens a file that one program at a time can have. The system frees it when the program ends, however.
func lockFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, ErrIdentityInUse
		}
		return nil, err
	}
	return f, nil
}
