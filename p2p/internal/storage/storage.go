// Package storage has what the standard library lacks of files: a lock that ends with its program, and names that survive
// a power cut.
package storage

import (
	"errors"
	"os"
	"runtime"
)

// ErrLocked is returned by Lock when another program has the lock, or this one has it already.
var ErrLocked = errors.New("locked by another program")

// SyncFolder makes new names in dir survive a power cut. Windows cannot sync a folder and does not need to.
func SyncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
