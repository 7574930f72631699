package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

// dataFolder is where what belongs to the user lies: STANDOFF_DATA, or the place that the system has for such data.
func dataFolder() (string, error) {
	if dir := os.Getenv("STANDOFF_DATA"); dir != "" {
		return filepath.Abs(dir)
	}
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "standoff"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the data folder: %w", err)
	}
	switch runtime.GOOS {
	case "windows":
		if dir := os.Getenv("LocalAppData"); dir != "" {
			return filepath.Join(dir, "standoff"), nil
		}
	case "darwin", "ios":
		return filepath.Join(home, "Library", "Application Support", "standoff"), nil
	}
	return filepath.Join(home, ".local", "share", "standoff"), nil
}

// maxFile bounds what is read of a transcript, a little above what a transcript may have.
const maxFile = 65 << 20

// readTranscript reads a file that the user has named.
func readTranscript(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		err = fmt.Errorf("there is no file %s", path)
		hint := "give the path of a transcript, a file whose name ends in .standoff"
		if data, err := dataFolder(); err == nil {
			hint += "; those of your games lie in " + filepath.Join(data, "transcripts")
		}
		return nil, problem(err, "%s", hint)
	case err != nil:
		return nil, problem(err, "see whether the path is right and you may read it")
	case info.IsDir():
		return nil, problem(fmt.Errorf("%s is a folder", path), "give one file in it, such as %s", filepath.Join(path, "seat-0.standoff"))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, problem(err, "see whether you may read it")
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxFile+1)) // a device or a pipe has no size to ask for
	switch {
	case err != nil:
		return nil, problem(err, "see whether you may read it")
	case len(b) > maxFile:
		return nil, problem(fmt.Errorf("%s has more than %d bytes, a transcript has at most that many", path, maxFile), "see whether it is the right file")
	}
	return b, nil
}

// tryFolder makes a folder and tries whether one may write there.
func tryFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	probe, err := os.CreateTemp(dir, ".standoff-*")
	if err != nil {
		return err
	}
	probe.Close()
	return os.Remove(probe.Name())
}
