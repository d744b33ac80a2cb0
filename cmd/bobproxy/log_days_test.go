package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Times of day are those of the recording, be it a file or a stream; and when
// nothing matches it is said of when the recording is.
func TestLogInTheDaysOfTheRecording(t *testing.T) {
	t.Setenv("TZ", "UTC")
	all := len(strings.Split(shownLog(t, demoRecording), "\n"))
	for _, args := range [][]string{{"--since", "00:01"}, {"--until", "23:59"}, {"-e", "after:00:01"}, {"-e", "before:23:59"}} {
		if got := len(strings.Split(shownLog(t, append([]string{demoRecording}, args...)...), "\n")); got != all {
			t.Errorf("%v: got %d lines, want %d", args, got, all)
		}
	}
	for _, args := range [][]string{{"--until", "00:01"}, {"--since", "23:59"}} {
		out, errs, code := tell(t, append([]string{"log", demoRecording}, args...)...)
		if code != exitNo || out != "" || !strings.Contains(errs, "nothing matches in "+demoRecording+", which is of 2026-03-02 ") {
			t.Errorf("%v: got %d, %s%s", args, code, out, errs)
		}
	}
}

func shownLog(t *testing.T, args ...string) string {
	t.Helper()
	out, errs, code := tell(t, append([]string{"log"}, args...)...)
	if code != exitDone || errs != "" {
		t.Fatalf("%v: got %d, %s", args, code, errs)
	}
	return out
}

// A filter that has not seen all of what it leaves out says so, whichever way
// round it was asked.
func TestLogSaysWhatTheFilterDidNotSee(t *testing.T) {
	const update = `{"time":"2026-03-02T10:00:0%d.000000000Z","seq":%d,"instance":"long1","event":"frame","dir":"agent","kind":"notification","method":"session/update","session":"s","bytes":%d,"frame":%s}` + "\n"
	var recording strings.Builder
	for i, text := range []string{"short", strings.Repeat("a", 3<<20) + "needle"} {
		frame := `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"` + text + `"}}}}`
		fmt.Fprintf(&recording, update, i+1, i+1, len(frame), frame)
	}
	file := filepath.Join(t.TempDir(), "long.jsonl")
	if err := os.WriteFile(file, []byte(recording.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	const unsure = "bobproxy: 1 other frame may match as well: of very long ones only the beginning is looked at"
	for _, tt := range []struct {
		name   string
		args   []string
		code   int
		unsure bool
	}{
		{"what may be behind the beginning", []string{"-e", "/needle/"}, exitNo, true},
		{"all but that", []string{"-e", "-/needle/"}, exitDone, true},
		{"of the timeline", []string{"--view", "timeline", "-e", "text:needle"}, exitNo, true},
		{"what is known", []string{"-e", "u:message"}, exitDone, false},
		{"all", nil, exitDone, false},
		{"another time", []string{"-e", "/needle/", "--until", "10:00:02"}, exitNo, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("TZ", "UTC")
			_, errs, code := tell(t, append([]string{"log", file}, tt.args...)...)
			if code != tt.code || strings.Contains(errs, unsure) != tt.unsure {
				t.Errorf("got %d, %s", code, errs)
			}
		})
	}
}

// The filter chooses what of the timeline is told: that of which a frame matches.
func TestTimelineByFilter(t *testing.T) {
	if _, err := os.Stat(demoRecording); err != nil {
		t.Fatal(err)
	}
	for filter, want := range map[string]struct{ has, not string }{
		"u:thought":              {"The project carries its own check. I should see it fail before I", "YOU"},
		"tool:edit":              {"edit     retrybudget.go", "THOUGHT"},
		"m:fs/write_text_file":   {"edit     retrybudget.go", "execute"},
		"m:session/prompt k:req": {"YOU   Please repair RetryBudget.", "edit"},
		"perm:editor":            {"allowed in the editor", "YOU"},
	} {
		out := shownLog(t, demoRecording, "--view", "timeline", "-e", filter)
		if !strings.Contains(out, want.has) || strings.Contains(out, want.not) {
			t.Errorf("%s: got\n%s", filter, out)
		}
	}
	if out, errs, code := tell(t, "log", demoRecording, "--view", "timeline", "-e", "nosuchword"); code != exitNo || out != "" || !strings.Contains(errs, "nothing matches") {
		t.Errorf("got %d, %s%s", code, out, errs)
	}
}
