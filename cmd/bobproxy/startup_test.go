//go:build linux

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bobproxy/proxy"
)

// program puts a program into a folder of its own and returns the folder.
func program(t *testing.T, name, text string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// What cannot be run is said in one line that helps, on stderr and nowhere else.
func TestStartsNothingOdd(t *testing.T) {
	const hello = "#!/bin/sh\necho ran\n"
	odd := program(t, "agent", hello)
	for _, tt := range []struct {
		name string
		args []string
		env  []string
		want int
		says string
	}{
		{"found through a dot", []string{"run", "--", "agent"}, []string{"PATH=.:/usr/bin:/bin"}, 127, "write ./agent"},
		{"found through an empty part", []string{"run", "--", "agent"}, []string{"PATH=:/usr/bin:/bin"}, 127, "write ./agent"},
		{"interpreter is missing", []string{"run", "--", filepath.Join(program(t, "x", "#!/no/such\n"), "x")}, nil, 127, `its first line names "/no/such", which is not there`},
		{"PATH is not there", []string{"run", "--", "npxx"}, []string{"PATH="}, 127, `"npxx" was not found`},
		{"home folder is not expanded", []string{"--record-dir", "~/x", "run", "--", "agent"}, nil, 2, "whole path"},
		{"variable is not expanded", []string{"--bob", "$HOME/bob", "acp"}, nil, 2, "whole path"},
		{"nor in the environment", []string{"acp"}, []string{"BOB_PATH=~/bob"}, 2, "BOB_PATH"},
		{"bad time", []string{"acp"}, []string{"BOBPROXY_PERMISSION_TIMEOUT=-5m"}, 2, "BOBPROXY_PERMISSION_TIMEOUT"},
		{"bad word", []string{"run", "--bounds", "strict", "--", "agent"}, nil, 2, "enforce, warn or off"},
		{"bad config file", []string{"run", "--", "agent"}, []string{configured(t, "permission-timeout = 30")}, 2, "config.toml:1: "},
		{"ceiling is missing", []string{"run", "--", "agent"}, []string{"BOB_WORKSPACE_ROOT=/no/such"}, 2, "/no/such"},
		{"relative ceiling", []string{"run", "--workspace-root", ".", "--", "agent"}, nil, 2, "whole path"},
		{"bad age", []string{"acp"}, []string{"BOBPROXY_RECORD_MAX_AGE=soon"}, 2, "12h or 30d"},
		{"negative size", []string{"--record-max-size=-1", "acp"}, nil, 2, "500MB or 1GiB"},
		{"value is missing", []string{"run", "--record"}, nil, 2, "record"},
		{"two dashes swallowed by a flag", []string{"run", "--record", "--", "agent"}, nil, 2, ""},
		{"flag behind the command", []string{"run", "agent", "--record", "x"}, nil, 2, "put -- in front"},
		{"nothing to keep, and that is required", []string{"--record", "off", "--record-required", "run", "--", "agent"}, nil, 2, "record-required"},
		{"the same by environment", []string{"run", "--", "agent"}, []string{"BOBPROXY_RECORD=off", "BOBPROXY_RECORD_REQUIRED=1"}, 2, "record-required"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := prepare(t, tt.args...)
			p.Dir = odd
			p.Env = append(p.Env, tt.env...)
			p.begin()
			out, code := p.finish()
			if code != tt.want || out != "" {
				t.Errorf("code %d, stdout %q; want %d and nothing", code, out, tt.want)
			}
			if says := p.errs.String(); !strings.Contains(says, tt.says) || strings.Count(says, "\n") != 1 {
				t.Errorf("stderr %q; want one line that says %q", says, tt.says)
			}
			if _, err := os.Stat(filepath.Join(odd, "x")); err == nil {
				t.Error("a file was made")
			}
		})
	}
}

// Help is for stdout when it was asked for, and only then.
func TestHelp(t *testing.T) {
	for _, tt := range []struct {
		args  []string
		want  int
		out   string
		quiet bool // nothing on stderr
	}{
		{[]string{"help"}, 0, "--record-required", true},
		{[]string{"--help"}, 0, "bobproxy acp", true},
		{[]string{"run", "--help"}, 0, "bobproxy run", true},
		{[]string{"version"}, 0, "bobproxy " + version + "\n", true},
		{nil, 2, "", false},
	} {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			p := start(t, tt.args...)
			out, code := p.finish()
			if code != tt.want || !strings.Contains(out, tt.out) || (out == "") != (tt.out == "") {
				t.Errorf("code %d, stdout %q; want %d and %q", code, clip(out), tt.want, tt.out)
			}
			if quiet := p.errs.String() == ""; quiet != tt.quiet {
				t.Errorf("stderr %q", clip(p.errs.String()))
			}
		})
	}
}

// The help tells all settings and commands.
func TestHelpIsComplete(t *testing.T) {
	out, _ := start(t, "help").finish()
	for _, command := range []string{"acp", "run", "ps", "pending", "approve", "deny", "answer", "config", "demo", "lab", "version"} {
		if !strings.Contains(out, "\n  bobproxy "+command) {
			t.Errorf("help does not tell of %s", command)
		}
	}
	for _, row := range table {
		if !strings.Contains(out, "  "+row.usage()+"\n") || !strings.Contains(out, row.env) {
			t.Errorf("help does not tell of %s and %s", row.usage(), row.env)
		}
	}
}

// heard is what the agent `peer env` tells: its arguments and its environment.
func heard(t *testing.T, p *process) (args, env []string) {
	t.Helper()
	p.begin()
	out, code := p.finish()
	all := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	at := slices.Index(all, "END")
	if code != 0 || at < 0 {
		t.Fatalf("exit status %d, stdout %q, stderr %s", code, clip(out), p.errs)
	}
	return all[:at], all[at+1:]
}

// Behind -- nothing is ours, whatever it looks like, and nothing is expanded.
func TestArgumentsBehindTheDashes(t *testing.T) {
	want := []string{"env", "--record", "x", "--pipe", "--help", "--", "--record=off", "", "a b", "~/x", "$HOME", "\xff", "-", "run", "*", "END"}
	args, _ := heard(t, prepare(t, append([]string{"run", "--record", "off", "--", "peer"}, want...)...))
	if !slices.Equal(append(args, "END"), want) {
		t.Errorf("the agent got %q, want %q", args, want)
	}
}

// bobCommand is bobproxy with a bob that tells of its arguments and environment.
func bobCommand(t *testing.T, args ...string) *process {
	t.Helper()
	p := prepare(t, args...)
	// The tests' own name for it is env, which it wants as its first argument.
	dir := program(t, "bob", "#!/bin/sh\nexec peer env \"$@\" END\n")
	p.Env = append(p.Env, "PATH="+dir+":"+filepath.Dir(p.Path)+":"+os.Getenv("PATH"))
	return p
}

// Everything behind the word acp is bob's; without anything there BOB_ARGUMENTS
// counts, and that is the whole list.
func TestBobArguments(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		env  []string
		want []string
	}{
		{"none", []string{"acp"}, nil, []string{"acp"}},
		{"given", []string{"acp", "--record", "x", "--", "", "a b"}, nil, []string{"acp", "--record", "x", "--", "", "a b"}},
		{"ours in front", []string{"--record", "off", "acp", "--mode", "plan"}, nil, []string{"acp", "--mode", "plan"}},
		{"by environment", []string{"acp"}, []string{"BOB_ARGUMENTS=acp,--mode,plan"}, []string{"acp", "--mode", "plan"}},
		{"by environment, without the word", []string{"acp"}, []string{"BOB_ARGUMENTS=--experimental-acp"}, []string{"--experimental-acp"}},
		{"empty in the environment", []string{"acp"}, []string{"BOB_ARGUMENTS="}, []string{"acp"}},
		{"given wins", []string{"acp", "x"}, []string{"BOB_ARGUMENTS=acp,y"}, []string{"acp", "x"}},
		{"by flag", []string{"--arguments", "acp,--mode,plan", "acp"}, []string{"BOB_ARGUMENTS=acp,y"}, []string{"acp", "--mode", "plan"}},
		{"by file", []string{"acp"}, []string{configured(t, `arguments = ["acp", "a,b", ""]`)}, []string{"acp", "a,b", ""}},
		{"given wins over the file", []string{"acp", "x"}, []string{configured(t, `arguments = ["acp", "y"]`)}, []string{"acp", "x"}},
		{"file says nothing", []string{"acp"}, []string{configured(t, `arguments = []`)}, []string{"acp"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := bobCommand(t, tt.args...)
			p.Env = append(p.Env, tt.env...)
			args, _ := heard(t, p)
			if !slices.Equal(args[1:], tt.want) {
				t.Errorf("bob got %q, want %q", args[1:], tt.want)
			}
		})
	}
}

// configured is the entry of an environment that makes text the config file.
func configured(t *testing.T, text string) (entry string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "bobproxy"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "bobproxy", "config.toml"), []byte(text+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return "XDG_CONFIG_HOME=" + dir
}

// The flag wins over BOB_PATH, which wins over PATH.
func TestWhichBob(t *testing.T) {
	byFlag := filepath.Join(program(t, "one", "#!/bin/sh\necho flag\n"), "one")
	byEnv := filepath.Join(program(t, "two", "#!/bin/sh\necho environment\n"), "two")
	for _, tt := range []struct {
		args []string
		env  string
		want string
	}{
		{[]string{"--bob", byFlag, "acp"}, byEnv, "flag\n"},
		{[]string{"acp"}, byEnv, "environment\n"},
	} {
		p := bobCommand(t, tt.args...)
		p.Env = append(p.Env, "BOB_PATH="+tt.env)
		p.begin()
		if got, code := p.finish(); got != tt.want || code != 0 {
			t.Errorf("%v: %q, exit status %d; want %q", tt.args, got, code, tt.want)
		}
	}
}

// Bob gets its key under the name it reads, unless it has one; any other agent
// gets the environment as it is.
func TestBobKey(t *testing.T) {
	byFile := configured(t, `api-key = "k1-abcdef"`)
	for _, tt := range []struct {
		name string
		env  []string
		want []string // of the key's entries
		run  bool
	}{
		{"none", nil, nil, false},
		{"ours", []string{"BOB_API_KEY=k1-abcdef"}, []string{"BOBSHELL_API_KEY=k1-abcdef", "BOB_API_KEY=k1-abcdef"}, false},
		{"its own", []string{"BOBSHELL_API_KEY=k2-abcdef"}, []string{"BOBSHELL_API_KEY=k2-abcdef"}, false},
		{"both", []string{"BOB_API_KEY=k1-abcdef", "BOBSHELL_API_KEY=k2-abcdef"}, []string{"BOBSHELL_API_KEY=k2-abcdef", "BOB_API_KEY=k1-abcdef"}, false},
		{"its own is empty", []string{"BOB_API_KEY=k1-abcdef", "BOBSHELL_API_KEY="}, []string{"BOBSHELL_API_KEY=", "BOB_API_KEY=k1-abcdef"}, false},
		{"another agent", []string{"BOB_API_KEY=k1-abcdef"}, []string{"BOB_API_KEY=k1-abcdef"}, true},
		{"in the file", []string{byFile}, []string{"BOBSHELL_API_KEY=k1-abcdef", "BOB_API_KEY=k1-abcdef"}, false},
		{"in both", []string{byFile, "BOB_API_KEY=k2-abcdef"}, []string{"BOBSHELL_API_KEY=k2-abcdef", "BOB_API_KEY=k2-abcdef"}, false},
		{"in the file, beside its own", []string{byFile, "BOBSHELL_API_KEY=k2-abcdef"}, []string{"BOBSHELL_API_KEY=k2-abcdef", "BOB_API_KEY=k1-abcdef"}, false},
		{"in the file, another agent", []string{byFile}, nil, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			args := []string{"acp"}
			if tt.run {
				args = []string{"run", "--", "bob"}
			}
			p := bobCommand(t, args...)
			p.Env = append(slices.DeleteFunc(p.Env, isKey), tt.env...)
			_, env := heard(t, p)
			got := slices.Sorted(slices.Values(slices.DeleteFunc(env, func(e string) bool { return !isKey(e) })))
			if !slices.Equal(got, tt.want) {
				t.Errorf("the agent has %q, want %q", got, tt.want)
			}
			if recording := p.recording(); strings.Contains(recording, "k1-abcdef") || strings.Contains(recording, "k2-abcdef") {
				t.Error("the recording has the key")
			}
		})
	}
}

func isKey(entry string) bool {
	return strings.HasPrefix(entry, "BOB_API_KEY=") || strings.HasPrefix(entry, "BOBSHELL_API_KEY=")
}

// An agent that approves by itself is not started where that is refused.
func TestRefusesAutoApprove(t *testing.T) {
	dir := program(t, "agent", "#!/bin/sh\ntouch \"$0.ran\"\n")
	agent := filepath.Join(dir, "agent")
	for _, tt := range []struct {
		name string
		args []string
		env  []string
		says string // empty: it runs
	}{
		{"by flag", []string{"run", "--refuse-auto-approve", "--", agent, "--yolo"}, nil, "--yolo "},
		{"in front", []string{"--refuse-auto-approve", "run", "--", agent, "--approval-mode", "yolo"}, nil, "--approval-mode yolo "},
		{"by environment", []string{"run", "--", agent, "--auto-approve"}, []string{"BOBPROXY_REFUSE_AUTO_APPROVE=1"}, "--auto-approve "},
		{"by file", []string{"run", "--", agent, "--auto-approve"}, []string{configured(t, "refuse-auto-approve = true")}, "--auto-approve "},
		{"bob", []string{"--bob", agent, "--refuse-auto-approve", "acp", "--auto-approve"}, nil, "--auto-approve "},
		{"bob by his arguments", []string{"--bob", agent, "--refuse-auto-approve", "acp"}, []string{"BOB_ARGUMENTS=acp,--yolo"}, "--yolo "},
		{"an agent that asks", []string{"run", "--refuse-auto-approve", "--", agent}, nil, ""},
		{"not refused", []string{"run", "--", agent, "--yolo"}, nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			os.Remove(agent + ".ran")
			p := prepare(t, tt.args...)
			p.Env = append(p.Env, tt.env...)
			p.begin()
			out, code := p.finish()
			_, err := os.Stat(agent + ".ran")
			ran, says := err == nil, p.errs.String()
			if tt.says == "" {
				if code != 0 || !ran || out != "" || says != "" {
					t.Errorf("exit status %d, ran %v, stdout %q, stderr %q", code, ran, out, says)
				}
				return
			}
			if code != proxy.ExitOurs || ran || out != "" {
				t.Errorf("exit status %d, ran %v, stdout %q; want 125, not run, nothing", code, ran, out)
			}
			if !strings.HasPrefix(says, "bobproxy: "+tt.says) || strings.Count(says, "\n") != 1 {
				t.Errorf("stderr %q, want one line about %s", says, tt.says)
			}
		})
	}
}

// Some editors pass on little more than PATH.
func TestPoorEnvironment(t *testing.T) {
	dir := t.TempDir()
	p := prepare(t, "--record-dir", dir, "run", "--", "env")
	p.Env = []string{"PATH=/usr/bin:/bin", "GORACE=atexit_sleep_ms=0"}
	p.begin()
	if got, code := p.finish(); got != "PATH=/usr/bin:/bin\nGORACE=atexit_sleep_ms=0\n" || code != 0 || p.errs.String() != "" {
		t.Errorf("the agent sees %q; exit status %d, stderr %q", got, code, p.errs)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*.jsonl")); len(files) != 1 {
		t.Errorf("recordings: %q, want one", files)
	}
}

// A script that names no interpreter is run as everybody's spawn would.
func TestScriptWithoutInterpreter(t *testing.T) {
	dir := program(t, "agent", `read line; echo "$# $1 $line"; exit 5`)
	p := start(t, "run", "--", filepath.Join(dir, "agent"), "a b")
	p.send("hello\n")
	p.expect("1 a b hello\n")
	if code := p.exit(); code != 5 {
		t.Errorf("exit status %d, want 5", code)
	}
}

// The command's folder is ours, and relative commands are relative to it.
func TestRelativeCommand(t *testing.T) {
	dir := program(t, "agent", "#!/bin/sh\npwd -P; echo \"$0\"\n")
	p := prepare(t, "run", "--", "./agent")
	p.Dir = dir
	p.begin()
	if got, code := p.finish(); got != dir+"\n./agent\n" || code != 0 {
		t.Errorf("%q, exit status %d, stderr %q", got, code, p.errs)
	}
}

// All that comes out on stdout is messages of the protocol, one a line, when
// that is what the agent says; also when everything else goes wrong.
func TestStdoutIsPure(t *testing.T) {
	for _, tt := range []struct {
		name  string
		flags []string
	}{{"recording", nil}, {"recording fails", []string{"--record", "/dev/full"}}} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			p := prepare(t)
			p.Args = append(append([]string{p.Path, "run"}, tt.flags...), "--", p.Path, "lab", "agent")
			p.begin()
			quoted, _ := json.Marshal(dir)
			for _, line := range []string{
				`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{}}}`,
				`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":` + string(quoted) + `,"mcpServers":[]}}`,
				`not a message`,
				`{"jsonrpc":"2.0","id":2,"method":"no/such"}`,
			} {
				p.send(line + "\n")
			}
			rest, code := p.finish()
			if code != 0 {
				t.Errorf("exit status %d, stderr %s", code, p.errs)
			}
			answers := 0
			for line := range strings.Lines(rest) {
				var m struct {
					JSONRPC string
					Method  string
					ID      json.RawMessage
				}
				if err := json.Unmarshal([]byte(line), &m); err != nil || m.JSONRPC != "2.0" || !strings.HasSuffix(line, "\n") {
					t.Errorf("%q is no message: %v", clip(line), err)
				}
				if m.Method == "" {
					answers++
				}
			}
			if answers < 3 {
				t.Errorf("%d answers, want one for each request at least: %s", answers, clip(rest))
			}
		})
	}
}

// An agent that does not speak the protocol is left in peace.
func TestAgentOfFewWords(t *testing.T) {
	t.Parallel()
	p := start(t, "run", "--", "sh", "-c", `printf '\033[2J> '; printf 'Loading'; read line; echo "you said: $line"; exit 2`)
	<-time.After(defaultsAreOver)
	p.send("help\n")
	if got := p.rest(); got != "\x1b[2J> Loadingyou said: help\n" {
		t.Errorf("the editor got %q", got)
	}
	if code := p.exit(); code != 2 {
		t.Errorf("exit status %d, want 2", code)
	}
}
