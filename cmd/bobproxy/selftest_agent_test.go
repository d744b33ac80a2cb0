//go:build linux

package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// selftestOf is `selftest --json` of an agent, and its exit status.
func selftestOf(t *testing.T, agent ...string) (d selftestDocument, code int) {
	t.Helper()
	p := prepare(t, append([]string{"selftest", "--json", "--"}, agent...)...)
	p.begin()
	out, code := p.finish()
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		t.Fatalf("exit status %d, %v: %s, stderr %s", code, err, out, p.errs)
	}
	if d.OK != (code == exitDone) {
		t.Errorf("exit status %d, but ok is %v", code, d.OK)
	}
	return d, code
}

// result is what came of a check, and why.
func (d selftestDocument) result(name string) (string, string) {
	i := slices.IndexFunc(d.Checks, func(c trialResult) bool { return c.Name == name })
	if i < 0 {
		return "", ""
	}
	return d.Checks[i].Result, d.Checks[i].Why
}

func TestSelftestOfAnAgent(t *testing.T) {
	d, code := selftestOf(t, "bobproxy", "lab", "agent")
	if code != exitDone || d.count(kept) != len(likeWithout) {
		t.Errorf("exit status %d: %+v", code, d)
	}
}

// What is no agent is no success.
func TestSelftestOfNoAgent(t *testing.T) {
	for _, agent := range [][]string{{"false"}, {"cat"}, {"true"}, sh("echo no key >&2; exit 3"), {"python3", "nothing.py"}} {
		d, code := selftestOf(t, agent...)
		if result, why := d.result("agent"); code != exitNo || result != unkept || why == "" || d.count(kept) != 0 || len(d.Checks) != len(likeWithout) {
			t.Errorf("%q: exit status %d, %s: %s", agent, code, result, why)
		}
	}
}

// agentScript is an agent in sh: it answers with these lines, tells something at
// its end, and ends with 5.
const agentScript = `read -r l; echo '{"id":1,"result":{"protocolVersion":1,"agentInfo":{"name":"'"$NAME"'"}}}'
read -r l; echo "$2"
echo '{"method":"session/update","params":{"update":{"sessionUpdate":"available_commands_update","availableCommands":[]}}}'
echo "$ERR" >&2
while read -r l; do :; done
echo "$LAST"
exit $STATUS`

const newSession = `{"id":2,"result":{"sessionId":"s"}}`

// An agent is a script in the caller's folder, whose session has another name
// each time.
func TestSelftestOfAScript(t *testing.T) {
	project, temporary := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temporary)
	t.Chdir(project)
	put(t, "agent.sh", `NAME=x ERR=words LAST=bye STATUS=5; set -- "" '{"id":2,"result":{"sessionId":"'$$'"}}'; `+agentScript)
	d, code := selftestOf(t, "sh", "agent.sh")
	if code != exitDone || d.count(kept) != len(likeWithout) {
		t.Errorf("exit status %d: %+v", code, d)
	}
	for _, c := range d.Checks {
		if c.Why != "" {
			t.Errorf("%s: %s", c.Name, c.Why)
		}
	}
	for dir, want := range map[string]int{project: 1, temporary: 0} {
		if left, _ := os.ReadDir(dir); len(left) != want {
			t.Errorf("left in %s: %v", dir, left)
		}
	}
}

func TestSelftestOfAnAgentThatWantsALogin(t *testing.T) {
	d, code := selftestOf(t, sh(`NAME=x ERR= LAST= STATUS=0; set -- "" '{"id":2,"error":{"code":-32000,"message":"log in"}}'; `+agentScript)...)
	if result, why := d.result("agent"); code != exitDone || result != kept || !strings.Contains(why, "login") || d.count(kept) != len(likeWithout) {
		t.Errorf("exit status %d: %+v", code, d)
	}
}

// An agent that does something else behind bobproxy is told from one that does
// something else each time.
func TestSelftestComparesWithWithout(t *testing.T) {
	const behind = `tr '\0' ' ' </proc/$PPID/cmdline | grep -q ' selftest ' || `
	const plain = `NAME=x ERR=e LAST=l STATUS=0 SESSION='` + newSession + `'; `
	for _, tt := range []struct{ name, change, check, why string }{
		{"a byte of the answer", `SESSION='{"id":2, "result":{"sessionId":"s"}}'`, "bytes", "and \"result\" without"},
		{"its name", "NAME=y", "itself", `name is "y" through bobproxy, and name is "x" without`},
		{"the status", "STATUS=7", "exit status", "status 7 through bobproxy, and it ended with status 0 without"},
		{"the last words", "LAST=", "tail", "through bobproxy, and l without"},
		{"stderr", "ERR='e f'", "stderr", "through bobproxy"},
	} {
		d, code := selftestOf(t, sh(plain+behind+tt.change+`; set -- "" "$SESSION"; `+agentScript)...)
		if result, why := d.result(tt.check); code != exitNo || result != unkept || !strings.Contains(why, tt.why) {
			t.Errorf("%s: exit status %d, %s: %s", tt.name, code, result, why)
		}
	}
	d, code := selftestOf(t, sh(`NAME=x$$ ERR=x$$ LAST=$$ STATUS=$(($$ % 100)); set -- "" '`+newSession+`'; `+agentScript)...)
	if code != exitDone || d.count(kept) != len(likeWithout) {
		t.Errorf("another one each time: exit status %d, %+v", code, d)
	}
}

func TestJSONWords(t *testing.T) {
	for text, want := range map[string][]string{
		``:                              nil,
		`{"a\"b" : -1.5e+3,"é":[true]}`: {"{", `"a\"b"`, " ", ":", " ", "-1.5e+3", ",", `"é"`, ":", "[", "true", "]", "}"},
		"\"no end\\":                    {"\"no end\\"},
		"\n\xff\xfe":                    {"\n", "\xff\xfe"},
	} {
		if got := jsonWords([]byte(text)); !slices.Equal(got, want) || strings.Join(got, "") != text {
			t.Errorf("%q: got %q", text, got)
		}
	}
}

// What is below a process is found, and what stays is told and ended.
func TestWhatStays(t *testing.T) {
	c := exec.Command("sh", "-c", "sleep 1000 & setsid sleep 1000 & wait")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer c.Wait()
	defer c.Process.Kill()
	var tree []live
	until(t, "three processes", func() bool {
		tree = treeOf(c.Process.Pid)
		return len(tree) == 3 && tree[1].name == "sleep" && tree[2].name == "sleep"
	})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := goneAll(ctx, tree); err == nil || strings.Count(err.Error(), "(sleep)") != 2 {
		t.Errorf("got %v", err)
	}
	if err := goneAll(t.Context(), tree); err != nil {
		t.Errorf("they were not ended: %v", err)
	}
}
