package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bobproxy/proxy"
)

// A copy never takes the place of what it is made of.
func TestCopiesLeaveTheirSource(t *testing.T) {
	dir := t.TempDir()
	recording, link, frames := filepath.Join(dir, "r.jsonl"), filepath.Join(dir, "link"), filepath.Join(dir, "frames")
	text, err := os.ReadFile(demoRecording)
	if err != nil {
		t.Fatal(err)
	}
	const plain = `{"dir":"client","frame":{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}}` + "\n"
	for file, content := range map[string]string{recording: string(text), frames: plain} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(recording, link); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"export", recording, "-o", recording, "--force"},
		{"export", recording, "-o", dir + "/./r.jsonl", "--force"},
		{"export", recording, "-o", link, "--force"},
		{"export", link, "-o", recording, "--force"},
		{"import", frames, "-o", frames, "--force"},
	} {
		if out, errs, code := tell(t, args...); code != exitUsage || out != "" || !strings.Contains(errs, "itself, which would be gone; name another file") {
			t.Errorf("%v: got %d, %s%s", args, code, out, errs)
		}
	}
	for file, want := range map[string]string{recording: string(text), frames: plain} {
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("%s has changed: %v", file, err)
		}
	}
}

// A copy has one format.
func TestExportInTwoFormats(t *testing.T) {
	for _, args := range [][]string{{"--html", "--markdown"}, {"--format", "otlp", "--html"}} {
		if out, errs, code := tell(t, append([]string{"export", demoRecording}, args...)...); code != exitUsage || out != "" || !strings.Contains(errs, "are two formats, and a copy has one") {
			t.Errorf("%v: got %d, %s%s", args, code, out, errs)
		}
	}
	if _, errs, code := tell(t, "export", demoRecording, "--markdown", "--format=markdown"); code != exitDone {
		t.Errorf("the same twice: got %d, %s", code, errs)
	}
}

// An agent that cannot be started ends a replay as it does in a shell.
func TestReplayWithoutAnAgent(t *testing.T) {
	file := filepath.Join(t.TempDir(), "agent")
	if err := os.WriteFile(file, []byte("no program"), 0o600); err != nil {
		t.Fatal(err)
	}
	for agent, want := range map[string]int{"no-such-command-here": proxy.ExitNotFound, filepath.Join(t.TempDir(), "none"): proxy.ExitNotFound, file: proxy.ExitNotExecutable} {
		if _, errs, code := tell(t, "replay", demoRecording, "--as", "client", "--", agent); code != want || !strings.Contains(errs, "starting the agent") {
			t.Errorf("%s: got %d, %s", agent, code, errs)
		}
	}
}
