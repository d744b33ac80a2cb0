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
	if len(files) != 1 || !strings.Contains(out, "look at it bobproxy panel "+files[0]+"\n") {
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

// outsideOf is what lies beside the workspace after a demo in dir.
func outsideOf(t *testing.T, dir string) (names []string, secret string) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "bobproxy-demo-*", "outside", "*"))
	for _, file := range files {
		names = append(names, filepath.Base(file))
		if filepath.Base(file) == "secret.txt" {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			secret = strings.TrimSpace(string(text))
		}
	}
	return names, secret
}

// With the bounds off everything gets out, and the demo says so.
func TestDemoEscapeUnbounded(t *testing.T) {
	t.Setenv("BOBPROXY_BOUNDS", "off")
	dir, out, code := demo1(t, "--escape")
	names, secret := outsideOf(t, dir)
	if code != 1 || !strings.HasSuffix(out, "23 attempts, 17 left the workspace\n") {
		t.Errorf("exit status %d, output:\n%s", code, out)
	}
	if len(names) != 8 || secret == "" || !strings.Contains(out, secret) {
		t.Errorf("outside lie %q, the secret is %q, output:\n%s", names, secret, out)
	}
	for _, line := range []string{
		"GOT OUT     read it through .. behind a link: ",
		"asked       ask to read a file beside the workspace: the answer was Reject\n",
		"let through read it in a batch of one: error -32600",
		"bob-was-here-later.txt was made\n",
		"secret.txt says is in the recording\n",
		"0 refused, 4 asked about, 2 let through in vain\n",
	} {
		if !strings.Contains(out, line) {
			t.Errorf("no %q in\n%s", line, out)
		}
	}
	if strings.Contains(out, "\x1b") {
		t.Error("coloured, and this is no terminal")
	}
}

// With the bounds enforced nothing gets out.
func TestDemoEscape(t *testing.T) {
	dir, out, code := demo1(t, "--escape")
	names, secret := outsideOf(t, dir)
	if code != 0 || !strings.HasSuffix(out, "23 attempts, 0 left the workspace\n") {
		t.Errorf("exit status %d, output:\n%s", code, out)
	}
	if len(names) != 1 || secret == "" || strings.Contains(out, secret) {
		t.Errorf("outside lie %q, the secret is %q, output:\n%s", names, secret, out)
	}
	if got := strings.Count(out, "\nrefused     "); got != 22 {
		t.Errorf("%d attempts refused, want 22: all but the question about reading\n%s", got, out)
	}
	if !strings.Contains(out, "\nasked       ask to read a file beside the workspace: the answer was Reject\n") {
		t.Errorf("nobody was asked about reading:\n%s", out)
	}
}

func TestDemoEscapeTakesNoRule(t *testing.T) {
	p := prepare(t, "demo", "--escape", "--allow", "first")
	p.begin()
	if _, code := p.finish(); code != exitUsage || !strings.Contains(p.errs.String(), "leave out --allow") {
		t.Errorf("exit status %d, stderr %q", code, p.errs)
	}
}
