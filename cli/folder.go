package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"standoff/cli/i18n"
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
		return "", err
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
		if data, err := dataFolder(); err == nil {
			return nil, problem(i18n.NoFileThere, i18n.With{"file": path, "dir": filepath.Join(data, "transcripts")})
		}
		return nil, problem(i18n.NoFile, i18n.With{"file": path})
	case err != nil:
		return nil, problem(i18n.FilePathWrong, why(err))
	case info.IsDir():
		return nil, problem(i18n.IsFolder, i18n.With{"file": path, "example": filepath.Join(path, "seat-0.standoff")})
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, problem(i18n.FileUnread, why(err))
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxFile+1)) // a device or a pipe has no size to ask for
	switch {
	case err != nil:
		return nil, problem(i18n.FileUnread, why(err))
	case len(b) > maxFile:
		return nil, problem(i18n.FileTooLong, i18n.With{"file": path, "n": maxFile})
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
