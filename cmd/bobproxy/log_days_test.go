package main

import (
	"os"
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
