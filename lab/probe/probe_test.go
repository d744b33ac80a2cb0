//go:build unix

package probe

import (
	"context"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

// script is an agent that answers each line with one of these, in their order.
func script(answers ...string) []string {
	return append([]string{"sh", "-c", `for answer; do read -r line || exit 4; printf '%s\n' "$answer"; done; while read -r line; do :; done; exit 5`, "sh"}, answers...)
}

func run(t *testing.T, timeout time.Duration, command []string) Report {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	r, err := Run(ctx, Options{Command: command, Dir: t.TempDir(), Protocol: 1, Settle: 50 * time.Millisecond, Grace: time.Minute, Version: "0"})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const (
	hello   = `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentInfo":{"name":"x","version":"2"},"agentCapabilities":{"loadSession":true},"authMethods":[{"id":"key","name":"A key"}]}}`
	opened  = `{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s","modes":{"currentModeId":"a","availableModes":[{"id":"a","name":"A"}]},"models":{"currentModelId":"m","availableModels":[{"modelId":"m","name":"M"}]},"configOptions":[{"id":"o","name":"O","currentValue":true},{"configId":"p","currentValue":"1","options":[{"name":"G","options":[{"value":"1","name":"One"}]}]}]}}`
	command = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"available_commands_update","availableCommands":[{"name":"go","description":"Go"}]}}}`
)

func TestReport(t *testing.T) {
	r := run(t, time.Minute, script(hello, opened+"\nnoise\n"+`{"jsonrpc":"2.0","id":"q","method":"fs/read_text_file","params":{}}`+"\n"+command))
	if r.Problem != "" || r.Name != "x" || r.Protocol != 1 || r.Session != "s" || r.Mode != "a" || r.Model != "m" || r.Killed {
		t.Errorf("got %+v", r)
	}
	if r.Noise != 1 || r.Asked != 1 || r.Updates != 1 || r.Took.Initialize == 0 || r.Took.Update == 0 || r.Ending != "exit status 5" {
		t.Errorf("got %+v", r)
	}
	for _, each := range []struct{ got, want any }{
		{r.Auth, []Choice{{ID: "key", Name: "A key"}}},
		{r.Models, []Choice{{ID: "m", Name: "M"}}},
		{r.Commands, []Choice{{ID: "go", Name: "go", Text: "Go"}}},
		{r.Options[1].Values, []Choice{{ID: "1", Name: "One"}}},
	} {
		if !reflect.DeepEqual(each.got, each.want) {
			t.Errorf("got %+v, want %+v", each.got, each.want)
		}
	}
}

func TestWhatGoesWrong(t *testing.T) {
	for _, tt := range []struct {
		name    string
		command []string
		want    string
	}{
		{"ends at once", []string{"sh", "-c", "echo no key >&2; exit 3"}, "ended without an answer to initialize"},
		{"wants another version", script(`{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no","data":{"supported":[2]}}}`), "refused: no (-32022) {"},
		{"names no version", script(`{"jsonrpc":"2.0","id":1,"result":{}}`), "no protocol version"},
		{"refuses a session", script(hello, `{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"bad"}}`), "session/new was refused: bad (-32602)"},
		{"ends before the session", []string{"sh", "-c", `read -r line; echo '` + hello + `'; read -r line`}, "without an answer to session/new"},
	} {
		if r := run(t, time.Minute, tt.command); !strings.Contains(r.Problem, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, r.Problem, tt.want)
		}
	}
}

// The agent starts where we are; only its session is elsewhere, and nothing is
// left in either.
func TestFolders(t *testing.T) {
	ours, session := t.TempDir(), t.TempDir()
	t.Chdir(ours)
	const agent = `read -r line; printf '%s\n' "$1"; read -r line; case $line in *"$PWD"*) exit 9;; *'"cwd":"'"$2"'"'*) ;; *) exit 8;; esac; ls; exec cat agent.sh`
	if err := os.WriteFile("agent.sh", []byte(agent), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), Options{Command: []string{"sh", "agent.sh", hello, session}, Dir: session, Protocol: 1, Grace: time.Minute})
	if err != nil || r.Status != 0 || r.Noise != 1+strings.Count(agent, "\n")+1 {
		t.Errorf("got %+v, %v", r, err)
	}
	for _, dir := range []string{ours, session} {
		if left, _ := os.ReadDir(dir); len(left) > map[bool]int{true: 1}[dir == ours] {
			t.Errorf("left in %s: %v", dir, left)
		}
	}
}

// What came is kept as it came, and so is what an agent says when it goes.
func TestLinesAsTheyCame(t *testing.T) {
	odd := `{"id" : 1,"result":{"protocolVersion":1, "x":"\u00e9"}}`
	then := 0
	agent := []string{"sh", "-c", `read -r l; printf '%s\n' "$1"; read -r l; printf '%s\n' "$2"; while read -r l; do :; done; echo bye; kill -TERM $$`, "sh", odd, opened}
	r, err := Run(t.Context(), Options{Command: agent, Env: []string{"A=1"}, Dir: t.TempDir(), Protocol: 1, Grace: time.Minute, Then: func(pid int) { then = pid }})
	if err != nil || string(r.Hello) != odd || string(r.Opened) != opened || string(r.Last) != "bye\n" || r.Status != 143 || then == 0 {
		t.Errorf("got %q, %q, %q, status %d, process %d, %v; %s", r.Hello, r.Opened, r.Last, r.Status, then, err, r.Problem)
	}
}

// An agent that wants a login is as it should be.
func TestAuthRequired(t *testing.T) {
	r := run(t, time.Minute, script(hello, `{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"log in"}}`))
	if !r.AuthRequired || r.Problem != "" || r.Session != "" || len(r.Auth) != 1 {
		t.Errorf("got %+v", r)
	}
}

func TestSilentAgentIsKilled(t *testing.T) {
	r := run(t, 50*time.Millisecond, []string{"sleep", "1000"})
	if !r.Killed || !strings.Contains(r.Problem, "initialize was not answered in time") {
		t.Errorf("got %+v", r)
	}
}

func TestNotStarted(t *testing.T) {
	_, err := Run(t.Context(), Options{Command: []string{"/nonexistent/agent"}, Dir: t.TempDir(), Grace: time.Second})
	if !errors.Is(err, ErrStart) {
		t.Errorf("got %v", err)
	}
}

func FuzzAnswers(f *testing.F) {
	f.Add([]byte(`{"protocolVersion":1}`))
	f.Add([]byte(`{"modes":{"availableModes":[1,null,{"id":2}]},"configOptions":[{"options":[[]]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		p := probe{in: new(strings.Builder)}
		_, _ = p.readHello(text)
		p.readSession(text)
		p.update(text)
		if n := len(p.report.Modes) + len(p.report.Options) + len(p.report.Auth); n > 3*mostChoices {
			t.Errorf("%d things are kept", n)
		}
	})
}
