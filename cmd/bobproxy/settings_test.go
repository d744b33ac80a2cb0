package main

import (
	"os"
	"strings"
	"testing"
	"time"
)

// The README's table of settings is the table that flags and help come from.
func TestReadmeHasEverySetting(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(readme)) {
		if strings.HasPrefix(line, "| `--") {
			rows++
		}
	}
	if rows != len(table) {
		t.Errorf("the README has %d settings, the program %d", rows, len(table))
	}
	for _, row := range table {
		cell := "| `--" + row.flag
		if row.arg != "" {
			cell += " " + strings.ReplaceAll(row.arg, "|", `\|`)
		}
		if !strings.Contains(string(readme), cell+"` | `"+row.env+"` | ") {
			t.Errorf("the README does not have %s` with %s", cell, row.env)
		}
	}
}

func TestFlagsWinOverTheEnvironment(t *testing.T) {
	env := map[string]string{"BOBPROXY_RECORD_DIR": "/env", "BOB_PATH": "/env/bob", "BOBPROXY_PIPE": "1", "BOBPROXY_RECORD": ""}
	s := newSettings(func(name string) (string, bool) { v, ok := env[name]; return v, ok })
	rest, err := s.parse([]string{"--record-dir", "/flag", "--record-max-size=64KiB", "--record-max-age", "2d", "--pipe=false", "acp", "--record", "x"})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.complete(); err != nil {
		t.Fatal(err)
	}
	if s.recordDir != "/flag" || s.bob != "/env/bob" || s.pipe || s.record != "" {
		t.Errorf("got %+v", s)
	}
	if s.recordMaxSize != 64<<10 || time.Duration(s.recordMaxAge) != 48*time.Hour {
		t.Errorf("size %d, age %v", s.recordMaxSize, time.Duration(s.recordMaxAge))
	}
	if strings.Join(rest, " ") != "acp --record x" {
		t.Errorf("the rest is %q", rest)
	}
}

func TestSizesAndAges(t *testing.T) {
	for text, want := range map[string]int64{"1": 1, "500000": 500000, "64KiB": 64 << 10, "200MB": 200e6, "1GiB": 1 << 30, "3 TB": 3e12, "12B": 12} {
		var b byteSize
		if err := b.Set(text); err != nil || int64(b) != want {
			t.Errorf("%q is %d, %v; want %d", text, b, err, want)
		}
	}
	for _, text := range []string{"", "0", "-1", "GiB", "1.5GiB", "1gib", "9999999TiB", "big"} {
		if err := new(byteSize).Set(text); err == nil {
			t.Errorf("%q was taken for a size", text)
		}
	}
	for text, want := range map[string]time.Duration{"90m": 90 * time.Minute, "12h": 12 * time.Hour, "30d": 720 * time.Hour} {
		var a age
		if err := a.Set(text); err != nil || time.Duration(a) != want {
			t.Errorf("%q is %v, %v; want %v", text, time.Duration(a), err, want)
		}
	}
	for _, text := range []string{"", "0", "-1h", "d", "30", "1w"} {
		if err := new(age).Set(text); err == nil {
			t.Errorf("%q was taken for an age", text)
		}
	}
}
