//go:build linux

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// newcomer is a home folder with nothing in it but a bob, which is a script for
// node, and a PATH with both and bobproxy.
func newcomer(t *testing.T) (home string, neutral func(string) string) {
	t.Helper()
	home, tools := t.TempDir(), bin(t)
	for file, text := range map[string]string{"bob": "#!/usr/bin/env node\n", "node": "#!/bin/sh\n"} {
		if err := os.WriteFile(filepath.Join(tools, file), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("TMPDIR", t.TempDir()) // bobproxy is not in there
	t.Setenv("PATH", tools)
	names := strings.NewReplacer(tools, "/home/me/bin", home, "/home/me")
	return home, names.Replace
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestSetupPrints(t *testing.T) {
	_, neutral := newcomer(t)
	out, errs, code := tell(t, "setup", "zed")
	if code != exitDone {
		t.Errorf("exit status %d", code)
	}
	golden(t, "testdata/setup.golden", neutral("stderr:\n"+errs+"\nstdout:\n"+out))
	out, _, code = tell(t, "setup", "jetbrains", "--name", "My Goose", "--agent", `bob --say "a b"`)
	var got struct {
		Servers map[string]struct {
			Args []string
			Env  map[string]string
		} `json:"agent_servers"`
	}
	if err := json.Unmarshal([]byte(neutral(out)), &got); err != nil || code != exitDone {
		t.Fatalf("%s: %v", out, err)
	}
	want := []string{"run", "--", "/home/me/bin/bob", "--say", "a b"}
	if server := got.Servers["My Goose"]; !reflect.DeepEqual(server.Args, want) || server.Env["PATH"] != "/home/me/bin:/usr/local/bin:/usr/bin:/bin" {
		t.Errorf("got %+v, want %q", got, want)
	}
}

// A bob that is set is the one that the editor starts.
func TestSetupGoesByTheSettings(t *testing.T) {
	home, _ := newcomer(t)
	mine := home + "/bob"
	put(t, mine, "")
	if err := os.Chmod(mine, 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, home+"/.config/bobproxy/config.toml", "bob = \""+mine+"\"\n")
	if out, _, _ := tell(t, "setup", "zed"); !strings.Contains(out, mine) {
		t.Errorf("got\n%s", out)
	}
	put(t, home+"/.config/bobproxy/config.toml", "bob = 1\n")
	if _, errs, code := tell(t, "setup", "zed"); code != exitDone || !strings.Contains(errs, "bob is written") {
		t.Errorf("exit status %d, stderr %q", code, errs)
	}
}

func TestSetupLists(t *testing.T) {
	home, neutral := newcomer(t)
	put(t, home+"/.config/zed/settings.json", "{ // mine\n\"agent_servers\": {\"Bob\": {\"command\": \"bob\", \"args\": [\"acp\"]}}, }")
	put(t, home+"/.jetbrains/acp.json", `{"agent_servers": {"Bob": {"command": "/x/bobproxy", "args": ["acp"]}}}`)
	put(t, home+"/.acpx/config.json", `{"agents": `)
	put(t, home+"/.local/share/nvim/lazy/avante.nvim/init.lua", "")
	put(t, home+"/.config/Code/User/settings.json", `{"acp.agents": {"A": {"command": "`+home+`/gone/bobproxy", "args": ["acp"]}, "B": {"command": "goose"}, "C": {}}}`)
	put(t, home+"/.emacs.d/init.el", "")
	out, errs, code := tell(t, "setup")
	if code != exitDone || errs != "" {
		t.Errorf("exit status %d, stderr %q", code, errs)
	}
	golden(t, "testdata/setup-list.golden", neutral(out))
	out, _, _ = tell(t, "setup", "--json")
	var d editorsDocument
	if err := json.Unmarshal([]byte(out), &d); err != nil || len(d.Editors) != 9 || d.Editors[0].State != stateDirect {
		t.Fatalf("got %s, %v", out, err)
	}
	if vscode := d.Editors[6]; vscode.State != statePartly || vscode.Agents != 3 || vscode.Through != 1 || !reflect.DeepEqual(vscode.Missing, []string{home + "/gone/bobproxy"}) {
		t.Errorf("got %+v", vscode)
	}
}

// What was written by hand stays to the byte, a copy is kept, and a second time
// changes nothing.
func TestSetupWrites(t *testing.T) {
	home, neutral := newcomer(t)
	path := home + "/.config/zed/settings.json"
	const before = "// mine\n{\n\t\"theme\": \"One\", // dark\n\t/* \"old\": 1, */\n}\n"
	put(t, path, before)
	dry, _, code := tell(t, "setup", "zed", "--write", "--dry-run")
	if text, _ := os.ReadFile(path); code != exitDone || string(text) != before {
		t.Errorf("a dry run wrote %q", text)
	}
	golden(t, "testdata/setup-dry-run.golden", neutral(dry))
	out, errs, code := tell(t, "setup", "zed", "--write")
	if code != exitDone || errs != "" || !strings.Contains(out, "changed ~/.config/zed/settings.json:") {
		t.Errorf("exit status %d, stdout %q, stderr %q", code, out, errs)
	}
	after, _ := os.ReadFile(path)
	kept, _ := filepath.Glob(path + ".bobproxy-backup-*")
	if !strings.HasPrefix(string(after), strings.TrimSuffix(before, "\n}\n")) || len(kept) != 1 {
		t.Errorf("the file is %q, kept are %q", after, kept)
	}
	if text, _ := os.ReadFile(kept[0]); string(text) != before {
		t.Errorf("the copy is %q", text)
	}
	out, _, _ = tell(t, "setup", "zed", "--write")
	if again, _ := os.ReadFile(path); string(again) != string(after) || !strings.Contains(out, "nothing was changed") {
		t.Errorf("once more: %q, %q", out, again)
	}
	if list, _, _ := tell(t, "setup"); !strings.Contains(list, "zed            through bobproxy") {
		t.Errorf("the list has\n%s", list)
	}
}

func TestSetupRefuses(t *testing.T) {
	home, _ := newcomer(t)
	broken := home + "/broken.json"
	put(t, broken, "{ what: 1 }")
	for _, tt := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"an unknown editor", []string{"ed"}, exitUsage, "zed, jetbrains"},
		{"two editors", []string{"zed", "acpx"}, exitUsage, "one editor"},
		{"a program", []string{"neovim", "--write"}, exitUsage, "only you can change"},
		{"no file", []string{"toad", "--write"}, exitUsage, "no file"},
		{"what cannot be read", []string{"zed", "--write", "--file", broken}, exitNo, "line 1"},
		{"a folder", []string{"zed", "--write", "--file", home}, exitNo, "not a file"},
		{"itself", []string{"zed", "--", "/x/bobproxy", "acp"}, exitUsage, "bobproxy itself"},
		{"two agents", []string{"zed", "--agent", "a", "--", "b"}, exitUsage, "both name an agent"},
		{"a quote without an end", []string{"zed", "--agent", "a 'b"}, exitUsage, "no end"},
		{"bytes that are no text", []string{"zed", "--", "a\xffb"}, exitUsage, "no editor's file"},
		{"dry run alone", []string{"zed", "--dry-run"}, exitUsage, "for --write"},
		{"no agent", []string{"zed", "--"}, exitUsage, "which agent"},
	} {
		if out, errs, code := tell(t, append([]string{"setup"}, tt.args...)...); code != tt.code || out != "" || !strings.Contains(errs, tt.want) {
			t.Errorf("%s: exit status %d, stdout %q, stderr %q; want %d and %q", tt.name, code, out, errs, tt.code, tt.want)
		}
	}
	if text, _ := os.ReadFile(broken); string(text) != "{ what: 1 }" {
		t.Errorf("what cannot be read has become %q", text)
	}
	_, errs, _ := tell(t, "setup", "zed", "--write", "--json", "--file", broken)
	var got struct{ Error complaint }
	if json.Unmarshal([]byte(errs), &got) != nil || got.Error.Code != "unchanged" {
		t.Errorf("in JSON: %s", errs)
	}
}

// An editor that has what was written starts the agent.
func TestSetupStartsTheAgent(t *testing.T) {
	home, _ := newcomer(t)
	path := home + "/acp.json"
	if _, errs, code := tell(t, "setup", "jetbrains", "--write", "--file", path, "--", "sh", "-c", "echo started"); code != exitDone {
		t.Fatalf("exit status %d: %s", code, errs)
	}
	t.Setenv("PATH", "/usr/bin:/bin")
	_, errs, code := tell(t, "setup", "jetbrains", "--write", "--file", path, "--name", "two", "--", "/bin/sh", "-c", "echo started")
	if code != exitDone {
		t.Fatalf("exit status %d: %s", code, errs)
	}
	text, _ := os.ReadFile(path)
	var file struct {
		Servers map[string]struct {
			Command string
			Args    []string
		} `json:"agent_servers"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	server := file.Servers["two"]
	p := prepare(t, server.Args...)
	p.begin()
	if rest, code := p.finish(); rest != "started\n" || code != 0 {
		t.Errorf("it says %q and ends with %d; the file is %s", rest, code, text)
	}
}

func TestSplitWords(t *testing.T) {
	for line, want := range map[string][]string{
		"": nil, "goose acp": {"goose", "acp"}, `a "b c" 'd "e' f\ g`: {"a", "b c", `d "e`, "f g"}, `"a\"b\c"`: {`a"b\c`}, `''`: {""}, "  a\t b ": {"a", "b"},
	} {
		if got, err := splitWords(line); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %q, %v, want %q", line, got, err, want)
		}
	}
	for _, line := range []string{`'a`, `"a`, `a\`} {
		if got, err := splitWords(line); err == nil {
			t.Errorf("%q: got %q, want an error", line, got)
		}
	}
}
