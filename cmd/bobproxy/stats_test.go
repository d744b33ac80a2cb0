package main

import (
	"encoding/json"
	"fmt"
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
		{"a misspelt measure", []string{demoRecording, "--assert", "count(tool:exec) = 0"}, exitUsage, "", "at character 7: expected tool:execute, or "},
		{"what is counted", []string{demoRecording, "--assert", "count(errors) = 0", "--assert", "count(unanswered) = 0"}, exitDone, "\nholds  count(errors) = 0: 0\nholds  count(unanswered) = 0: 0\n", ""},
		{"what ran unasked", []string{demoRecording, "--assert", "count(unasked) = 0", "--assert", "count(forbidden) = 0"}, exitDone, "\nholds  count(unasked) = 0: 0\nholds  count(forbidden) = 0: 0\n", ""},
		{"what no session has", []string{demoRecording, "--session", "bob-s", "--assert", "count(warnings) = 0"}, exitUsage, "", "warnings is counted for no session"},
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

// The help lists all that can be counted.
func TestStatsHelpHasAllCounts(t *testing.T) {
	out, _, _ := tell(t, "stats", "--help")
	for _, c := range report.CountWords() {
		if !strings.Contains(out, c[0]) {
			t.Errorf("%s, %s, is not in it:\n%s", c[0], c[1], out)
		}
	}
}

// A call that ran although it was refused is counted.
func TestStatsOfForbiddenCalls(t *testing.T) {
	file := filepath.Join(t.TempDir(), "r.jsonl")
	var text strings.Builder
	for i, line := range []string{
		`"event":"frame","dir":"client","kind":"request","method":"session/prompt","id":1,"session":"s","bytes":1,"frame":{"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}`,
		`"event":"frame","dir":"agent","kind":"notification","method":"session/update","session":"s","bytes":1,"frame":{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"Edit","kind":"edit","status":"pending"}}}`,
		`"event":"frame","dir":"agent","kind":"request","method":"session/request_permission","id":7,"session":"s","bytes":1,"frame":{"id":7,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c"},"options":[{"optionId":"n","name":"No","kind":"reject_once"}]}}`,
		`"event":"frame","dir":"client","kind":"response","method":"session/request_permission","id":7,"session":"s","bytes":1,"frame":{"id":7,"result":{"outcome":{"outcome":"selected","optionId":"n"}}}`,
		`"event":"frame","dir":"agent","kind":"notification","method":"session/update","session":"s","bytes":1,"frame":{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed"}}}`,
	} {
		fmt.Fprintf(&text, `{"time":"2026-03-02T12:04:%02dZ","seq":%d,"instance":"demo1",%s}`+"\n", i, i+1, line)
	}
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, errs, code := tell(t, "stats", file, "--assert", "count(forbidden) = 0"); code != exitNo || !strings.Contains(out, "\nfails  count(forbidden) = 0: 1\n") {
		t.Errorf("got %d\n%s%s", code, out, errs)
	}
}

// What has no frames passes nowhere for a recording in which all is well.
func TestNoFramesAnywhere(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"empty": "", "garbage": "garbage\n"} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{
			{"stats", file, "--assert", "count(session/load) = 0"}, {"stats", file, "--json"}, {"check", file}, {"diff", file, file},
			{"log", file}, {"log", file, "-e", "kind:err"}, {"log", file, "--view", "timeline"}, {"log", file, "--raw"}, {"log", file, "--json"},
			{"export", file}, {"export", file, "--otlp"}, {"export", file, "--markdown"}, {"export", file, "--html"}, {"replay", file, "--as", "agent"},
		} {
			_, errs, code := tell(t, args...)
			if code != exitUnknown || !strings.Contains(errs, name) || !strings.Contains(errs, "has no frames to ") {
				t.Errorf("%v: got %d, %s", args, code, errs)
			}
		}
	}
}
