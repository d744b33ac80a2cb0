package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// mostText is the most bytes of a settings file that are read.
const mostText = 8 << 20

// File is a settings file as it was read.
type File struct {
	Path string // as it is called
	Real string // what it leads to, where it is a link
	Text []byte
	Mode fs.FileMode // 0: there is none yet
}

// Read reads the file at path, following links. That there is none is no error;
// what is no ordinary file is.
func Read(path string) (File, error) {
	f := File{Path: path, Real: path}
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(path); err == nil {
			return f, fmt.Errorf("%s is a link to nothing", path)
		}
		return f, nil
	}
	if err != nil {
		return f, err
	}
	f.Real = real
	info, err := os.Stat(real)
	if err != nil {
		return f, err
	}
	if !info.Mode().IsRegular() {
		return f, fmt.Errorf("%s is not a file", path)
	}
	f.Mode = info.Mode().Perm()
	f.Text, err = readAll(real)
	return f, err
}

func readAll(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, mostText+1))
	if err == nil && len(text) > mostText {
		err = fmt.Errorf("%s is larger than %d MiB, which no settings are", path, mostText>>20)
	}
	return text, err
}

// Replace puts text in the place of a file, whole or not at all, with the same
// mode and behind the same link, after a copy of what was there was kept beside
// it, whose path it gives. When the file is not what was read any more nothing
// is done. A file that was not there is made, with its folders.
func Replace(f File, text []byte, now time.Time) (backup string, err error) {
	dir := filepath.Dir(f.Real)
	mode := f.Mode
	if mode == 0 {
		mode = 0o600
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return "", err
		}
	}
	if err := unchanged(f); err != nil {
		return "", err
	}
	if f.Mode != 0 {
		backup = f.Real + ".bobproxy-backup-" + now.UTC().Format("20060102T150405Z")
		if err := writeNew(backup, f.Text, mode); err != nil {
			return "", fmt.Errorf("keeping a copy: %w", err)
		}
	}
	return backup, writeOver(f, dir, text, mode)
}

// writeOver writes a new file in dir and gives it the old one's name.
func writeOver(f File, dir string, text []byte, mode fs.FileMode) error {
	temporary, err := os.CreateTemp(dir, ".bobproxy-*")
	if err != nil {
		return err
	}
	name := temporary.Name()
	_, err = temporary.Write(text)
	err = errors.Join(err, temporary.Chmod(mode), temporary.Sync(), temporary.Close())
	if err == nil {
		err = unchanged(f) // an editor may have saved its settings meanwhile
	}
	if err == nil {
		err = os.Rename(name, f.Real)
	}
	if err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return nil
}

func unchanged(f File) error {
	again, err := Read(f.Path)
	switch {
	case err != nil:
		return err
	case again.Real != f.Real, again.Mode != f.Mode, !bytes.Equal(again.Text, f.Text):
		return fmt.Errorf("%s has changed just now; nothing was written", f.Path)
	}
	return nil
}

// writeNew never writes over a file.
func writeNew(path string, text []byte, mode fs.FileMode) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Chmod(mode), file.Sync(), file.Close())
}
