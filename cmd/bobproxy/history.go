package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"bobproxy/inspector/panel"
	"bobproxy/proxy/journal"
)

// historyName is the file beside the recordings; no recording is called so.
const historyName = "panel-history"

// historyFile keeps what was entered at the panel's prompts, for the panels that
// come later. It never stands in a panel's way: what cannot be read is no
// history, and what cannot be written is only that of this run. Its methods may
// be called at once.
type historyFile struct {
	path string // empty: there is no place for it
	mu   sync.Mutex
}

// usualHistory is the one of this user.
func usualHistory() *historyFile {
	dir, err := journal.DefaultDir()
	if err != nil {
		return &historyFile{}
	}
	return &historyFile{path: filepath.Join(dir, historyName)}
}

// read is what was entered in earlier runs.
func (h *historyFile) read() panel.History {
	if there, ours := h.look(); !there || !ours {
		return nil
	}
	f, err := os.Open(h.path)
	if err != nil {
		return nil
	}
	defer f.Close()
	const most = panel.MaxHistorySize + 1 // so that a longer one is known for that
	if info, err := f.Stat(); err == nil && info.Size() > most {
		f.Seek(-most, io.SeekEnd) // where that fails, its beginning is as good
	}
	text, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return nil
	}
	return panel.ReadHistory(text)
}

// look says whether something is there, and whether that is a file of ours:
// opening a FIFO would wait for its writer, and a link leads elsewhere.
func (h *historyFile) look() (there, ours bool) {
	info, err := os.Lstat(h.path)
	return !errors.Is(err, fs.ErrNotExist), err == nil && info.Mode().IsRegular() && trusted(info)
}

// add puts an entry behind those that are in the file by now, of which another
// panel may have written some.
func (h *historyFile) add(sign rune, text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	dir := filepath.Dir(h.path)
	if h.path == "" || os.MkdirAll(dir, 0o700) != nil {
		return
	}
	unlock := lockFolder(dir)
	defer unlock()
	if there, ours := h.look(); there && !ours {
		return
	}
	h.write(h.read().With(sign, text).Bytes())
}

// write replaces the file as a whole.
func (h *historyFile) write(text []byte) {
	f, err := os.CreateTemp(filepath.Dir(h.path), "."+historyName+"-*") // which only we can read
	if err != nil {
		return
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), h.path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
}
