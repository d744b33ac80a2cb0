//go:build linux

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"bobproxy/inspector/doctor"
)

func TestDoctor(t *testing.T) {
	home, neutral := newcomer(t)
	put(t, os.Getenv("PATH")+"/bob", "") // no script, so that it does not matter where this machine has node
	state, runtime := t.TempDir(), shortDir(t)
	t.Setenv("XDG_STATE_HOME", state)
	t.Setenv("XDG_RUNTIME_DIR", runtime)
	put(t, home+"/.config/zed/settings.json", `{"agent_servers": {"Bob": {"command": "bob", "args": ["acp"]}}}`)
	put(t, home+"/.jetbrains/acp.json", `{"agent_servers": {"Bob": {"command": "/gone/bobproxy", "args": ["acp"]}}}`)
	put(t, home+"/.config/bobproxy/config.toml", "bounds = \"off\"\n")
	out, errs, code := tell(t, "doctor")
	if code != exitNo || errs != "" {
		t.Errorf("exit status %d, stderr %q", code, errs)
	}
	places := strings.NewReplacer(state, "/state", runtime, "/runtime")
	golden(t, "testdata/doctor.golden", regexp.MustCompile(`\(PATH by\s[^)]*\)`).ReplaceAllString(places.Replace(neutral(out)), "(PATH by …)"))

	out, _, code = tell(t, "doctor", "--json")
	var d doctorDocument
	if err := json.Unmarshal([]byte(out), &d); err != nil || code != exitNo || d.Problems != 1 || d.Warnings != 2 || d.Findings[0].Level != doctor.OK {
		t.Errorf("exit status %d, %v: %s", code, err, out)
	}
}

// What keeps everything from starting is a finding, not an end.
func TestDoctorWithABrokenConfigFile(t *testing.T) {
	home, _ := newcomer(t)
	t.Setenv("XDG_RUNTIME_DIR", shortDir(t))
	put(t, home+"/.config/bobproxy/config.toml", "bound = \"off\"\n")
	if out, errs, code := tell(t, "doctor"); code != exitNo || errs != "" || !strings.Contains(out, `no setting "bound"`) {
		t.Errorf("exit status %d, stdout %q, stderr %q", code, out, errs)
	}
}

func TestDoctorSeesProxies(t *testing.T) {
	_, _ = newcomer(t)
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/bin:/bin")
	runtime := shortDir(t)
	t.Setenv("XDG_RUNTIME_DIR", runtime)
	p := start(t, "run", "--bounds", "warn", "--record", "off", "--", "cat")
	p.send("{}\n")
	p.line()
	until(t, "the proxy's socket", func() bool {
		found, _ := filepath.Glob(filepath.Join(runtime, "bobproxy", "*.sock"))
		return len(found) == 1
	})
	var out string
	until(t, "the proxy's answer", func() bool {
		out, _, _ = tell(t, "doctor")
		return strings.Contains(out, "records nothing")
	})
	if !strings.Contains(out, "bounds warn") {
		t.Errorf("got\n%s", out)
	}
	p.finish()
}

// What a killed proxy has left is told.
func TestDoctorSeesDeadSockets(t *testing.T) {
	_, _ = newcomer(t)
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/bin:/bin")
	dir := shortDir(t)
	t.Setenv("BOBPROXY_RUNTIME_DIR", dir)
	p := prepare(t, "run", "--record", "off", "--", "cat")
	p.begin()
	until(t, "the proxy's socket", func() bool { return len(matching(dir+"/*.sock")) == 1 })
	if out, _, _ := tell(t, "doctor"); strings.Contains(out, "were killed") {
		t.Errorf("while it runs:\n%s", out)
	}
	p.Process.Kill()
	p.finish()
	left := matching(dir + "/*.sock")
	if out, _, _ := tell(t, "doctor"); len(left) != 1 || !strings.Contains(strings.Join(strings.Fields(out), " "), "1 file of proxies that were killed, such as "+left[0]) {
		t.Errorf("left are %q, and it says\n%s", left, out)
	}
}

// Words of files that are programs are read, in every file of theirs.
func TestDoctorReadsScripts(t *testing.T) {
	home, neutral := newcomer(t)
	t.Setenv("BOBPROXY_RUNTIME_DIR", shortDir(t))
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	put(t, home+"/.config/nvim/init.lua", "require(\"lazy\").setup(\"plugins\")\n")
	put(t, home+"/.config/nvim/lua/plugins/avante.lua", "return { \"yetone/avante.nvim\",\n  opts = { acp_providers = { claude = { command = \"claude-code-acp\", env = { ACP_PERMISSION_MODE = \"bypassPermissions\" } } } } }\n")
	put(t, home+"/.emacs", "(use-package agent-shell)\n")
	out, errs, code := tell(t, "doctor")
	if code != exitDone || errs != "" {
		t.Errorf("exit status %d, stderr %q", code, errs)
	}
	from, to := strings.Index(out, "Neovim\n"), strings.Index(out, "sockets\n")
	if from < 0 || to < from {
		t.Fatalf("got\n%s", out)
	}
	golden(t, "testdata/doctor-scripts.golden", neutral(out[from:to]))
}

func TestDoctorTakesNoArguments(t *testing.T) {
	if _, errs, code := tell(t, "doctor", "zed"); code != exitUsage || !strings.Contains(errs, "takes no") {
		t.Errorf("exit status %d, stderr %q", code, errs)
	}
}

// The panel's empty state is told what doctor finds.
func TestMachineOfThePanel(t *testing.T) {
	home, neutral := newcomer(t)
	put(t, home+"/.config/zed/settings.json", `{"agent_servers": {"Bob": {"command": "bob"}}}`)
	m := machine(newSettings(os.LookupEnv))
	if neutral(m.Self) != "/home/me/bin/bobproxy" || neutral(m.Bob) != "/home/me/bin/bob" {
		t.Errorf("got %+v", m)
	}
	var marks string
	for _, f := range m.Findings {
		marks += f.Mark
	}
	if marks != "✓✓!" {
		t.Errorf("got %+v", m.Findings)
	}
}
