package setup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A link to settings in a repository stays a link, and the mode stays.
func TestReplaceBehindALink(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	real, link := filepath.Join(dir, "dotfiles.json"), filepath.Join(dir, "settings.json")
	write(t, real, "old", 0o640)
	if err := os.Symlink("dotfiles.json", link); err != nil {
		t.Fatal(err)
	}
	f, err := Read(link)
	if err != nil {
		t.Fatal(err)
	}
	backup, err := Replace(f, []byte("new"), noon)
	if err != nil || backup != real+".bobproxy-backup-20260701T120000Z" || read(t, backup) != "old" || read(t, link) != "new" {
		t.Errorf("backup %s, %v", backup, err)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info.Mode(), err)
	}
	if info, err := os.Stat(real); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the mode is %v, %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".bobproxy-*")); len(left) > 0 {
		t.Errorf("left over: %q", left)
	}
}

func TestReplaceMakesAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "er", "acp.json")
	f, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	backup, err := Replace(f, []byte("new"), noon)
	if err != nil || backup != "" || read(t, path) != "new" {
		t.Errorf("backup %q, %v", backup, err)
	}
}

// What an editor saved in between is not lost.
func TestReplaceRefusesAChangedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	write(t, path, "old", 0o600)
	f, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, "saved by the editor", 0o600)
	if _, err := Replace(f, []byte("new"), noon); err == nil || !strings.Contains(err.Error(), "changed") {
		t.Errorf("got %v", err)
	}
	if got := read(t, path); got != "saved by the editor" {
		t.Errorf("the file is %q", got)
	}
}

// A copy of before is never written over.
func TestReplaceKeepsEveryBackup(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	write(t, path, "old", 0o600)
	write(t, path+".bobproxy-backup-20260701T120000Z", "older", 0o600)
	f, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Replace(f, []byte("new"), noon); err == nil || read(t, path) != "old" {
		t.Errorf("the file is %q, %v", read(t, path), err)
	}
}

func TestWhatIsNotRead(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(dir, "nowhere"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{dir: "not a file", filepath.Join(dir, "link"): "link to nothing"} {
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}
