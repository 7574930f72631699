package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"standoff/p2p/internal/storage"
	"standoff/p2p/table"
)

// PutAside renames the folder of a journal that cannot be gone on with to ID.damaged-1, or the next number that is free:
// nothing in it is lost, and the table has no journal any more. It returns the new name, "" where there was no folder. Errors: ErrInUse,
// and those of the file system.
func PutAside(dir string, id table.Hash) (string, error) {
	path := Folder(dir, id)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	lock, err := lockFolder(path)
	if err != nil {
		return "", err
	}
	defer lock.Close()
	if runtime.GOOS == "windows" {
		lock.Close() // an open file holds its folder there
	}
	for n := 1; ; n++ {
		to := fmt.Sprintf("%s.damaged-%d", path, n)
		if _, err := os.Lstat(to); err == nil {
			continue
		}
		if err := os.Rename(path, to); err != nil {
			return "", fmt.Errorf("journal: %w", err)
		}
		return to, storage.SyncFolder(filepath.Dir(path))
	}
}

// Sweep empties the folders of games that are over, but for the mark that they are: nobody can go on with them, and what they
// have proved stands in the transcript. A folder that a program still has is left as it is. Errors are those of the file
// system; what could not be removed now is the next time.
func Sweep(dir string) error {
	root := filepath.Join(dir, "tables")
	folders, err := os.ReadDir(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, d := range folders {
		path := filepath.Join(root, d.Name())
		if over(path) {
			err = errors.Join(err, empty(path))
		}
	}
	return err
}

// empty leaves nothing in one such folder but the mark and the lock.
func empty(path string) error {
	lock, err := lockFolder(path)
	if errors.Is(err, ErrInUse) {
		return nil
	}
	if err != nil {
		return err
	}
	defer lock.Close()
	files, err := os.ReadDir(path)
	for _, f := range files {
		if f.Name() != endedFile && f.Name() != lockName {
			err = errors.Join(err, os.Remove(filepath.Join(path, f.Name())))
		}
	}
	return err
}

// lockFolder takes the lock of a journal's folder.
func lockFolder(path string) (*os.File, error) {
	lock, err := storage.Lock(filepath.Join(path, lockName))
	if errors.Is(err, storage.ErrLocked) {
		err = ErrInUse
	}
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	return lock, nil
}
