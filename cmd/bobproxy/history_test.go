package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bobproxy/inspector/panel"
	"bobproxy/proxy/journal"
)

// inState is the history of a user whose state is in a folder of the test's own,
// which is not there yet.
func inState(t *testing.T) *historyFile {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", filepath.Join(t.TempDir(), "state"))
	return usualHistory()
}

func TestHistoryIsKept(t *testing.T) {
	h := inState(t)
	if got := h.read(); got != nil {
		t.Fatalf("before anything was entered there is %q", got)
	}
	h.add(':', "theme dark")
	h.add('/', "is:open")
	h.add(':', "theme dark")
	want := panel.History{"/is:open", ":theme dark"}
	if got := usualHistory().read(); !slices.Equal(got, want) {
		t.Errorf("a later panel reads %q, want %q", got, want)
	}
	if !strings.HasSuffix(h.path, filepath.FromSlash("state/bobproxy/panel-history")) {
		t.Errorf("it is at %s", h.path)
	}
	for path, want := range map[string]os.FileMode{h.path: 0o600, filepath.Dir(h.path): 0o700} {
		if info, err := os.Stat(path); err != nil || hasModes && info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v; want %v", path, info, err, want)
		}
	}
	entries, err := os.ReadDir(filepath.Dir(h.path))
	if err != nil || len(entries) != 1 {
		t.Errorf("beside it there are %v, %v", entries, err)
	}
}

func TestHistoryThatCannotBeKept(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(t *testing.T, h *historyFile)
	}{
		{"a file where the folder should be", func(t *testing.T, h *historyFile) {
			if err := os.WriteFile(filepath.Dir(filepath.Dir(h.path)), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}},
		{"a folder in its place", func(t *testing.T, h *historyFile) {
			if err := os.MkdirAll(filepath.Join(h.path, "in"), 0o700); err != nil {
				t.Fatal(err)
			}
		}},
		{"nowhere", func(_ *testing.T, h *historyFile) { h.path = "" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := inState(t)
			c.make(t, h)
			h.add(':', "theme dark")
			if got := h.read(); got != nil {
				t.Errorf("there is %q", got)
			}
		})
	}
}

// A link in its place is neither followed nor replaced.
func TestHistoryThatIsALink(t *testing.T) {
	h := inState(t)
	elsewhere := filepath.Join(t.TempDir(), "notes")
	if err := os.WriteFile(elsewhere, []byte(":secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(h.path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, h.path); err != nil {
		t.Fatal(err)
	}
	h.add(':', "theme dark")
	text, err := os.ReadFile(elsewhere)
	if got := h.read(); err != nil || string(text) != ":secret\n" || got != nil {
		t.Errorf("read %q; the file has %q, %v", got, text, err)
	}
}

func TestGarbledHistory(t *testing.T) {
	h := inState(t)
	if err := os.MkdirAll(filepath.Dir(h.path), 0o700); err != nil {
		t.Fatal(err)
	}
	garbled := strings.Repeat("\x00\xff\x1b]52;c;\a\n:\n", 1<<18) + "\n:a\x1b[2Jb\n/c"
	if err := os.WriteFile(h.path, []byte(garbled), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, want := h.read(), (panel.History{":a [2Jb", "/c"}); !slices.Equal(got, want) {
		t.Errorf("read %q, want %q", got, want)
	}
	h.add(':', "d")
	text, err := os.ReadFile(h.path)
	if want := ":a [2Jb\n/c\n:d\n"; err != nil || string(text) != want {
		t.Errorf("it has become %q, %v; want %q", text, err, want)
	}
	if info, err := os.Stat(h.path); err != nil || hasModes && info.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v, %v", info, err)
	}
}

// A history is no recording: nothing lists it, counts it, or removes it.
func TestHistoryIsNoRecording(t *testing.T) {
	h := inState(t)
	h.add(':', "theme dark")
	dir := filepath.Dir(h.path)
	long := time.Now().Add(-1000 * 24 * time.Hour)
	if err := os.Chtimes(h.path, long, long); err != nil {
		t.Fatal(err)
	}
	j, err := journal.New(journal.Options{Dir: dir, Instance: "z69pu", MaxBytes: 8, MaxAge: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	j.Note(journal.Event{Type: journal.StderrEvent, Text: "x"})
	if err := j.Close(10 * time.Second); err != nil {
		t.Fatal(err)
	}
	recorded := int64(0)
	for _, r := range journal.List(dir) {
		for _, file := range r.Files {
			info, err := os.Stat(file)
			if err != nil || filepath.Base(file) == historyName {
				t.Fatalf("it is listed as %+v, %v", r, err)
			}
			recorded += info.Size()
		}
	}
	if books := newShelf(dir, nil).books; len(books) != 1 || books[0].instance != "z69pu" {
		t.Errorf("on the shelf are %+v", books)
	}
	if recorded == 0 {
		t.Error("nothing was recorded")
	}
	if d := storageOf(newSettings(os.LookupEnv)); d.Dir != dir || d.Used != recorded {
		t.Errorf("doctor counts %d bytes in %s, want %d in %s", d.Used, d.Dir, recorded, dir)
	}
	if got := h.read(); !slices.Equal(got, panel.History{":theme dark"}) {
		t.Errorf("after recordings were swept it is %q", got)
	}
}
