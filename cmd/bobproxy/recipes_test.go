//go:build linux

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The commands of the README's recipes do what they are said to do, one after
// the other, in an empty folder. Those that go on until somebody ends them are
// left out.
func TestRecipes(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Recipes\n")
	section, _, ok := strings.Cut(section, "\n## ")
	if !ok {
		t.Fatal("the README has no recipes")
	}
	alone := filepath.Join(t.TempDir(), "here")
	for _, dir := range []string{alone, alone + "/rt", alone + "/state"} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	env := append(os.Environ(), "PATH="+bin(t)+string(os.PathListSeparator)+os.Getenv("PATH"),
		"XDG_RUNTIME_DIR="+alone+"/rt", "BOBPROXY_RUNTIME_DIR="+alone+"/rt/bobproxy", "XDG_STATE_HOME="+alone+"/state", "XDG_CONFIG_HOME="+alone)
	commands := []string{ // so that there is a newest recording
		"bobproxy lab new first && bobproxy lab editor --cwd first -- bobproxy run -- bobproxy lab agent",
	}
	for line := range strings.Lines(section) {
		command, is := strings.CutPrefix(strings.TrimRight(line, "\n"), "    ")
		if !is || strings.HasPrefix(command, "bobproxy panel") || strings.Contains(command, " -f ") {
			continue
		}
		commands = append(commands, command)
	}
	for _, command := range commands {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
		cmd.Dir, cmd.Env = alone, env
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		// 1 is the answer no: nothing was refused, say.
		if no := errors.As(err, &exit) && exit.ExitCode() == 1 && strings.HasPrefix(command, "bobproxy log -e"); err != nil && !no {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
	}
	if n := len(commands); n < 20 {
		t.Errorf("%d commands were run, which cannot be all", n)
	}
}
