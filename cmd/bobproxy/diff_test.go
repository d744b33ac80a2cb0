package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bobproxy/inspector/compare"
)

const demoRecording = "../../inspector/model/testdata/demo.jsonl"

func TestDiff(t *testing.T) {
	text, err := os.ReadFile(demoRecording)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(t.TempDir(), "elsewhere.jsonl")
	moved := strings.NewReplacer("/home/me/retrybudget", "/tmp/x", "bob-session-1", "s", "demo1", "other").Replace(string(text))
	if err := os.WriteFile(elsewhere, []byte(moved), 0o600); err != nil {
		t.Fatal(err)
	}
	answers := filepath.Join(filepath.Dir(demoRecording), "answers.jsonl")
	for _, test := range []struct {
		name string
		args []string
		code int
		out  string
		errs string
	}{
		{"the same elsewhere", []string{demoRecording, elsewhere}, exitDone, "\nThe two are the same.\n", ""},
		{"word by word", []string{"--texts", demoRecording, elsewhere}, exitDone, "\nThe two are the same.\n", ""},
		{"another one", []string{demoRecording, answers}, exitNo, "\n- #85 tool call execute \"./verify\", completed\n", ""},
		{"one only", []string{demoRecording}, exitUsage, "", "two recordings"},
		{"stdin twice", []string{"-", "-"}, exitUsage, "", "stdin"},
		{"an empty name", []string{demoRecording, ""}, exitUsage, "", "empty"},
		{"none there", []string{demoRecording, "/nonexistent/recording"}, exitUnknown, "", "no file"},
		{"an unknown flag", []string{"--fast", demoRecording, answers}, exitUsage, "", "--fast"},
	} {
		t.Run(test.name, func(t *testing.T) {
			out, errs, code := tell(t, append([]string{"diff"}, test.args...)...)
			if code != test.code || !strings.Contains(out, test.out) || !strings.Contains(errs, test.errs) || test.errs == "" && errs != "" {
				t.Errorf("got %d\n%s\n%s", code, out, errs)
			}
		})
	}
	var d compare.Document
	out, _, code := tell(t, "diff", "--json", demoRecording, answers)
	if err := json.Unmarshal([]byte(out), &d); err != nil || code != exitNo || d.Same || len(d.Differences) == 0 || d.A.Frames != 99 {
		t.Errorf("in JSON: got %d, %v\n%s", code, err, out)
	}
}
