package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bobproxy/inspector/report"
)

func TestStats(t *testing.T) {
	for _, test := range []struct {
		name string
		args []string
		code int
		out  string
		errs string
	}{
		{"all", []string{demoRecording}, exitDone, "99 frames, 1 session, 1 turn, 1.17 s\n", ""},
		{"one session", []string{demoRecording, "--session", "bob-s"}, exitDone, "demo.jsonl, session bob-session-1", ""},
		{"what holds", []string{demoRecording, "--assert", "p90(session/prompt) < 5s"}, exitDone, "\nholds  p90(session/prompt) < 5s: 1.16 s\n", ""},
		{"what does not", []string{"--assert", "count(turn) = 1", demoRecording, "--assert", "max(turn) < 5ms"}, exitNo, "\nholds  count(turn) = 1: 1\nfails  max(turn) < 5ms: 1.16 s\n", ""},
		{"no such session", []string{demoRecording, "--session", "x"}, exitUnknown, "", `no session's id begins with "x"`},
		{"no such recording", []string{"/nonexistent/recording"}, exitUnknown, "", "no file"},
		{"a wrong assertion", []string{demoRecording, "--assert", "p90(turn) < 5"}, exitUsage, "", `--assert "p90(turn) < 5": at character 14: expected a unit: ms, s or m`},
		{"two recordings", []string{"a", "b"}, exitUsage, "", "second word"},
		{"an unknown flag", []string{"--fast"}, exitUsage, "", "--fast"},
	} {
		t.Run(test.name, func(t *testing.T) {
			out, errs, code := tell(t, append([]string{"stats"}, test.args...)...)
			if code != test.code || !strings.Contains(out, test.out) || !strings.Contains(errs, test.errs) || test.errs == "" && errs != "" {
				t.Errorf("got %d\n%s\n%s", code, out, errs)
			}
		})
	}
}

func TestStatsInJSON(t *testing.T) {
	var d report.Document
	out, _, code := tell(t, "stats", "--json", demoRecording, "--assert", "max(turn) < 1ms")
	if err := json.Unmarshal([]byte(out), &d); err != nil || code != exitNo {
		t.Fatal(code, err)
	}
	if d.TurnCount != 1 || d.Client.Frames != 18 || len(d.Assertions) != 1 || d.Assertions[0].Holds || *d.Assertions[0].Value < 1000 {
		t.Errorf("got %s", out)
	}
	_, errs, code := tell(t, "stats", "--json", demoRecording, "--session", "x")
	if code != exitUnknown || !strings.HasPrefix(errs, `{"error":{"code":"no_such_session"`) {
		t.Errorf("got %d, %s", code, errs)
	}
}

// TestStatsOfContinuedRecording reads one over two files.
func TestStatsOfContinuedRecording(t *testing.T) {
	all, err := os.ReadFile(demoRecording)
	if err != nil {
		t.Fatal(err)
	}
	first := filepath.Join(t.TempDir(), "r.jsonl")
	cut := strings.Index(string(all), `{"time":"2026-03-02T12:04:01`)
	for file, part := range map[string][]byte{first: all[:cut], strings.TrimSuffix(first, ".jsonl") + ".2.jsonl": all[cut:]} {
		if err := os.WriteFile(file, part, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, errs, code := tell(t, "stats", first); code != exitDone || !strings.Contains(out, "99 frames") {
		t.Errorf("got %d\n%s%s", code, out, errs)
	}
}
