//go:build linux

package main

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"bobproxy/lab/probe"
)

var duration = regexp.MustCompile(`\d+(\.\d+)? m?s`)

func TestProbe(t *testing.T) {
	t.Setenv("PATH", bin(t)+":/usr/bin:/bin")
	dir := t.TempDir()
	out, errs, code := tell(t, "probe", "--cwd", dir, "--", "bobproxy", "lab", "agent")
	if code != exitDone || errs != "" {
		t.Errorf("exit status %d, stderr %q", code, errs)
	}
	end := regexp.MustCompile(`(?s)\ntook .*`) // which may take two lines
	out = end.ReplaceAllStringFunc(out, func(took string) string {
		return "\n" + regexp.MustCompile(`^took +`).FindString(took[1:]) + strings.Join(strings.Fields(took)[1:], " ") + "\n"
	})
	golden(t, "testdata/probe.golden", duration.ReplaceAllString(out, "1 ms"))
	out, _, code = tell(t, "probe", "--json", "--protocol", "2", "--", "bobproxy", "lab", "agent")
	var r probe.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != exitDone || r.Name != "bob" || r.Protocol != 1 || r.Killed {
		t.Errorf("exit status %d, %v: %s", code, err, out)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left in the folder: %v", left)
	}
}

func TestProbeThroughTheProxy(t *testing.T) {
	p := prepare(t)
	p.Args = []string{p.Path, "probe", "--", "bobproxy", "run", "--", "bobproxy", "lab", "agent"}
	p.begin()
	out, code := p.finish()
	if code != exitDone || !strings.HasPrefix(out, "agent    Bob ") {
		t.Errorf("exit status %d, stdout %q, stderr %q", code, out, p.errs)
	}
	p.recording()
}

// A script named by a path that is relative to the caller's folder is found, and
// only the session is in an empty one.
func TestProbeStartsTheAgentHere(t *testing.T) {
	project, temporary := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temporary)
	t.Chdir(project)
	const agent = `read -r l; echo '{"id":1,"result":{"protocolVersion":1,"agentInfo":{"name":"'"$PWD"'"}}}'; read -r l; echo '{"id":2,"result":{"sessionId":"s"}}'; cat >/dev/null`
	if err := os.WriteFile("agent.sh", []byte(agent), 0o600); err != nil {
		t.Fatal(err)
	}
	out, errs, code := tell(t, "probe", "--", "sh", "agent.sh")
	if code != exitDone || errs != "" || !strings.Contains(out, project) {
		t.Errorf("exit status %d, stdout %q, stderr %q", code, out, errs)
	}
	for dir, want := range map[string]int{project: 1, temporary: 0} {
		if left, _ := os.ReadDir(dir); len(left) != want {
			t.Errorf("left in %s: %v", dir, left)
		}
	}
}

func TestProbeComplains(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"no agent", nil, exitUsage, "which agent"},
		{"no dashes", []string{"goose", "acp"}, exitUsage, "probe -- goose acp"},
		{"protocol 3", []string{"--protocol", "3", "--", "x"}, exitUsage, "1 or 2"},
		{"no time", []string{"--timeout", "0", "--", "x"}, exitUsage, "such as 30s"},
		{"no folder", []string{"--cwd", "/nonexistent/folder", "--", "cat"}, exitUsage, "no folder"},
		{"not found", []string{"--", "no-such-agent"}, 127, "was not found"},
		{"not executable", []string{"--", "/etc/passwd"}, 126, "permission denied"},
		{"ends", []string{"--", "sh", "-c", "echo no key >&2; exit 3"}, exitNo, "ended without an answer"},
	} {
		out, errs, code := tell(t, append([]string{"probe"}, tt.args...)...)
		if code != tt.code || !strings.Contains(out+errs, tt.want) {
			t.Errorf("%s: exit status %d, stdout %q, stderr %q; want %d and %q", tt.name, code, out, errs, tt.code, tt.want)
		}
	}
}
