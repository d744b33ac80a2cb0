//go:build linux

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bobproxy/proxy/control"
)

func TestLogList(t *testing.T) {
	dir := shelved(t)
	at := time.Date(2026, 3, 3, 12, 5, 0, 0, time.UTC)
	more := filepath.Join(dir, "20260303T120400Z-z69pu.2.jsonl")
	write(t, more, strings.Repeat(" ", 1<<20))
	if err := os.Chtimes(more, at, at); err != nil {
		t.Fatal(err)
	}
	local := func(day int) string {
		return time.Date(2026, 3, day, 12, 5, 0, 0, time.UTC).In(time.Local).Format("2006-01-02 15:04")
	}
	out, errs, code := tell(t, "log", "--list")
	want := "WRITTEN           INSTANCE  SIZE      STATE  SESSIONS\n" +
		local(4) + "  demo1     52.0 KiB  ended  Repair RetryBudget\n" +
		local(3) + "  z69pu     1.1 MiB   ended  Repair the roof\n" +
		local(2) + "  demo1     53.5 KiB  ended  Repair RetryBudget\n"
	if out != want || code != exitDone {
		t.Errorf("exit code %d, %s\ngot\n%s\nwant\n%s", code, errs, out, want)
	}
	out, _, _ = tell(t, "log", "--list", "--json", "-n", "2")
	var d listDocument
	if err := json.Unmarshal([]byte(out), &d); err != nil || strings.Count(out, "\n") != 1 {
		t.Fatalf("%v: %s", err, out)
	}
	if len(d.Recordings) != 2 {
		t.Fatalf("got %+v", d)
	}
	if r := d.Recordings[1]; len(r.Files) != 2 || r.Files[1] != more || r.Running || !r.Written.Equal(at) || len(r.Sessions) != 1 || r.Sessions[0].ID != "bob-session-2" {
		t.Errorf("got %+v", r)
	}
	if _, errs, _ := tell(t, "log", "nosuch"); !strings.Contains(errs, "all of them: bobproxy log --list") {
		t.Errorf("a recording that is not there: %s", errs)
	}
}

func TestLogListOfWhatRuns(t *testing.T) {
	file := filepath.Join(t.TempDir(), "here.jsonl")
	write(t, file, "")
	s := newShelf(t.TempDir(), []control.State{
		{Instance: "writes", Recording: file, Sessions: []control.Session{{ID: "1", Title: "Mend\x1b[1m"}, {ID: "2"}, {ID: "3"}}},
		{Instance: "quiet"},
	})
	l := &logging{width: 80, now: time.Now()}
	text := l.listText(s, listDocument{s.listed(0)})
	for _, want := range []string{"writes    0 B   running", "Mend␛[1m, 2, 1 more\n", "quiet     -     running, keeps none  -\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestLogListCommandLine(t *testing.T) {
	alone(t, "")
	out, _, code := tell(t, "log", "--list")
	if code != exitDone || !strings.Contains(out, "to make one: bobproxy demo") {
		t.Errorf("of nothing: %d, %s", code, out)
	}
	if out, _, code := tell(t, "log", "--list", "--json"); code != exitDone || out != "{\"recordings\":[]}\n" {
		t.Errorf("of nothing: %d, %s", code, out)
	}
	for args, want := range map[string]string{
		"x":               "is one of them",
		"-f":              "-f is about what is in one",
		"--since 12:04":   "--since is about",
		"-e kind:err":     "-e is about",
		"--view timeline": "--view is about",
		"-n 0":            "counts from 1",
	} {
		_, errs, code := tell(t, append([]string{"log", "--list"}, strings.Fields(args)...)...)
		if code != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("%s: exit code %d, %s", args, code, errs)
		}
	}
}
