//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bobproxy/acp"
	"bobproxy/lab/retrybudget"
	"bobproxy/proxy/journal"
)

func demo1(t *testing.T, args ...string) (dir, out string, code int) {
	t.Helper()
	p := prepare(t, append([]string{"demo", "--pace", "0s"}, args...)...)
	dir = t.TempDir()
	p.Env = append(p.Env, "TMPDIR="+dir)
	p.begin()
	out, code = p.finish()
	if p.errs.String() != "" {
		t.Errorf("stderr: %s", p.errs)
	}
	return dir, out, code
}

// The demo is the main job on built-in peers: it ends verified and leaves the
// recording that it names.
func TestDemo(t *testing.T) {
	dir, out, code := demo1(t)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != 0 || lines[len(lines)-1] != retrybudget.Verified {
		t.Fatalf("exit status %d, the last line is %q", code, lines[len(lines)-1])
	}
	files, _ := filepath.Glob(filepath.Join(dir, "bobproxy-demo-*", "recording.jsonl"))
	if len(files) != 1 || !strings.Contains(out, "jq -c 'select(.kind==\"request\")|[.dir,.method,.bytes]' "+files[0]+"\n") {
		t.Fatalf("recordings %q, and the output says:\n%s", files, out)
	}
	file, err := os.Open(files[0])
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	asked, answered := 0, 0
	for e, err := range journal.Read(file) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Method == acp.MethodRequestPermission {
			switch e.Kind {
			case acp.Request:
				asked++
			case acp.Response:
				answered++
			}
		}
		if e.Reason != "" {
			t.Errorf("frame %d is odd: %s", e.Seq, e.Reason)
		}
	}
	if asked != 4 || answered != 4 {
		t.Errorf("%d permissions asked, %d answered; want 4 and 4", asked, answered)
	}
}

// A refusal stops Bob, and the program stays broken.
func TestDemoRefused(t *testing.T) {
	_, out, code := demo1(t, "--allow", "reject")
	if code == 0 || strings.Contains(out, retrybudget.Verified) {
		t.Errorf("exit status %d, output:\n%s", code, out)
	}
	if !strings.Contains(out, "1 permission request\n") {
		t.Errorf("the summary is missing:\n%s", out)
	}
}
