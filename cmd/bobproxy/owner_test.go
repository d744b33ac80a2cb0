//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// configFor makes a config file with that mode and reads the settings.
func configFor(t *testing.T, text string, mode os.FileMode, owner int) (where string, err error) {
	t.Helper()
	dir := t.TempDir()
	where = filepath.Join(dir, "bobproxy", "config.toml")
	if err := os.Mkdir(filepath.Dir(where), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(where, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(where, mode); err != nil { // whatever the umask is
		t.Fatal(err)
	}
	if owner != os.Geteuid() {
		if err := os.Chown(where, owner, -1); err != nil {
			t.Skipf("what another user's file would do cannot be tested: %v", err)
		}
	}
	return where, newSettings(func(name string) (string, bool) { return dir, name == "XDG_CONFIG_HOME" }).complete("run")
}

// Whoever can write the file can switch the gate off.
func TestWhoMayWriteTheFile(t *testing.T) {
	for _, tt := range []struct {
		name  string
		mode  os.FileMode
		owner int
		says  string // empty: the file is read
	}{
		{"private", 0o600, os.Geteuid(), ""},
		{"read by all", 0o644, os.Geteuid(), ""},
		{"read only", 0o444, os.Geteuid(), ""},
		{"written by the group", 0o660, os.Geteuid(), "chmod go-w "},
		{"written by all", 0o606, os.Geteuid(), "chmod go-w "},
		{"another user's", 0o644, os.Geteuid() + 1, "belongs to another user"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			where, err := configFor(t, "bounds = \"strict\"\n", tt.mode, tt.owner)
			if tt.says == "" {
				complains(t, err, where+":1: ")
				return
			}
			complains(t, err, where, tt.says)
		})
	}
}

// A key in the file needs a file that nobody else can read, and is in no error.
func TestKeyInTheFile(t *testing.T) {
	for _, mode := range []os.FileMode{0o600, 0o400, 0o640, 0o604, 0o644} {
		where, err := configFor(t, "api-key = \"k-12345678\"\n", mode, os.Geteuid())
		if mode&0o077 == 0 {
			if err != nil {
				t.Errorf("%o: %v", mode, err)
			}
			continue
		}
		complains(t, err, where+":1: ", "chmod 600 "+where)
	}
	_, err := configFor(t, "api-key = \"k-12345678\\u0000\"\n", 0o600, os.Geteuid())
	complains(t, err, "api-key: is not a key")
	if strings.Contains(err.Error(), "k-12345678") {
		t.Errorf("the error tells the key: %v", err)
	}
}

// What cannot be read is said, not passed over: there may be bounds in it.
func TestUnreadableFile(t *testing.T) {
	where, err := configFor(t, "bounds = \"strict\"\n", 0, os.Geteuid())
	if os.Geteuid() == 0 {
		t.Skip("root can read everything; what a user is told goes untested")
	}
	complains(t, err, where, "chmod u+r")
}

// A FIFO would be waited for.
func TestFifoIsNoFile(t *testing.T) {
	dir := t.TempDir()
	where := filepath.Join(dir, "bobproxy", "config.toml")
	if err := os.Mkdir(filepath.Dir(where), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(where, 0o600); err != nil {
		t.Skip(err)
	}
	err := newSettings(func(name string) (string, bool) { return dir, name == "XDG_CONFIG_HOME" }).complete("run")
	complains(t, err, where, "is not a file")
}

// Whoever can write the folder can take the file away, and with it what it
// forbids.
func TestWhoMayWriteTheFolder(t *testing.T) {
	for _, tt := range []struct {
		mode os.FileMode
		file bool
		says string // empty: it is read
	}{
		{0o755, true, ""},
		{0o775, true, ""},
		{0o777 | os.ModeSticky, true, ""},
		{0o777, true, "chmod o-w "},
		{0o777, false, "chmod o-w "},
	} {
		dir := t.TempDir()
		folder := filepath.Join(dir, "bobproxy")
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if tt.file {
			if err := os.WriteFile(filepath.Join(folder, "config.toml"), []byte("bounds = \"warn\"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chmod(folder, tt.mode); err != nil {
			t.Fatal(err)
		}
		s := newSettings(func(name string) (string, bool) { return dir, name == "XDG_CONFIG_HOME" })
		err := s.complete("run")
		switch {
		case tt.says != "":
			complains(t, err, folder, tt.says)
		case err != nil || s.bounds != "warn":
			t.Errorf("%v: %v, bounds %q", tt.mode, err, s.bounds)
		}
	}
}
