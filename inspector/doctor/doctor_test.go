package doctor

import (
	"slices"
	"strings"
	"testing"

	"bobproxy/inspector/setup"
	"bobproxy/proxy/control"
)

// healthy is a machine with nothing to mend.
func healthy() View {
	return View{
		Version: "1.0", Self: "/bin/bobproxy", InPath: "/bin/bobproxy",
		Bob: Program{Name: "bob", Path: "/bin/bob", InGUI: true, Interpreter: "node", Runs: true, RunsInGUI: true}, GUIFrom: "what is usual",
		Editors:  []Editor{file("zed", `{"agent_servers": {"Bob": {"command": "/bin/bobproxy", "args": ["acp"]}}}`), {Editor: editor("jetbrains"), Path: "/j"}},
		Config:   Config{Path: "/c", Exists: true},
		State:    Storage{Dir: "/s", Exists: true, Free: 1 << 40, Limit: 1 << 30},
		Sockets:  Sockets{Dirs: []string{"/r"}},
		Running:  []control.State{{Instance: "abcde", Version: "1.0", Bounds: "enforce", Recording: "/s/x.jsonl"}},
		Terminal: Terminal{Is: true, Term: "xterm", UTF8: true, Tmux: map[string]string{"focus-events": "on"}},
		Settings: []Setting{{"bounds", "enforce", "flag"}},
		Guards:   []Setting{{"bounds", "enforce", "flag"}, {"permission-timeout", "2m0s", ""}, {"prompt-timeout", "0s", "file"}},
	}
}

func editor(name string) setup.Editor {
	e, _ := setup.Named(name)
	return e
}

func file(name, text string) Editor {
	return Editor{Editor: editor(name), Path: "/" + name, Text: []byte(text), Exists: true, Missing: map[string]bool{}}
}

func TestNothingToMend(t *testing.T) {
	for _, f := range Examine(healthy()) {
		if f.Level != OK || f.Fix != "" {
			t.Errorf("%+v", f)
		}
	}
}

func TestGuardsInForce(t *testing.T) {
	want := "a proxy that is started from here has bounds enforce (flag), permission-timeout 2m0s (default), prompt-timeout never (file)"
	if all := Examine(healthy()); !slices.ContainsFunc(all, func(f Finding) bool { return f.Text == want }) {
		t.Errorf("got %+v", all)
	}
}

func TestFindings(t *testing.T) {
	for _, tt := range []struct {
		name      string
		sick      func(*View)
		level     Level
		text, fix string
	}{
		{"bobproxy will not stay", func(v *View) { v.Passing = "gone soon" }, Warning, "gone soon", ""},
		{"two bobproxies", func(v *View) { v.InPath = "/other" }, Warning, "a shell starts /other", "remove one"},
		{"no bob", func(v *View) { v.Bob.Path, v.Editors = "", nil }, Info, "any other agent", "setup"},
		{"no bob, which is started", func(v *View) { v.Bob.Path = "" }, Warning, "not found in PATH", "BOB_PATH"},
		{"bob is set and missing", func(v *View) { v.Bob.Path, v.BobSet = "", "BOB_PATH" }, Problem, "from BOB_PATH, cannot be run", "whole path"},
		{"bob without node", func(v *View) { v.Bob.Runs = false }, Problem, "script for node", "install node"},
		{"bob and node outside the PATH of menus", func(v *View) { v.Bob.InGUI, v.Bob.RunsInGUI = false, false }, Info, "does not find bob and node", "bobproxy setup"},
		{"bob set, node outside", func(v *View) { v.BobSet, v.Bob.InGUI, v.Bob.RunsInGUI = "x", false, false }, Info, "does not find node", "bobproxy setup"},
		{"no editors", func(v *View) { v.Editors = nil }, Info, "can be looked at", "bobproxy setup"},
		{"an unreadable file", func(v *View) { v.Editors[0].Err = "denied" }, Warning, "denied", ""},
		{"a broken file", func(v *View) { v.Editors[0].Text = []byte("{") }, Warning, "cannot be understood", "mend"},
		{"no agents", func(v *View) { v.Editors[0].Text = nil }, Info, "starts no agent yet", "bobproxy setup zed"},
		{"bob directly", func(v *View) {
			v.Editors[0] = file("zed", `{"agent_servers": {"My Bob": {"command": "/usr/bin/bob", "args": ["acp"]}}}`)
		}, Warning, `"My Bob" starts /usr/bin/bob itself`, "bobproxy setup zed --name 'My Bob' --write"},
		{"another agent directly", func(v *View) { v.Editors[0] = file("acpx", `{"agents": {"goose": {"argv": ["goose", "acp"]}}}`) },
			Info, "starts goose itself", "bobproxy setup acpx --name goose --write -- goose acp"},
		{"an agent of the editor's own", func(v *View) { v.Editors[0] = file("zed", `{"agent_servers": {"claude": {"type": "registry"}}}`) }, Info, "own means", ""},
		{"a bobproxy that has gone", func(v *View) { v.Editors[0].Missing["/bin/bobproxy"] = true }, Problem, "is not there", "bobproxy setup zed --write"},
		{"bobproxy without a path", func(v *View) {
			v.Editors[0] = file("zed", `{"agent_servers": {"G": {"command": "bobproxy", "args": ["run", "--", "goose"]}}}`)
		}, Warning, "without its path", "bobproxy setup zed --name G --write -- goose"},
		{"yolo behind bobproxy", func(v *View) {
			v.Editors[0] = file("zed", `{"agent_servers": {"G": {"command": "/b/bobproxy", "args": ["run", "--", "gemini", "--yolo"]}}}`)
		}, Warning, "runs with --yolo", "/zed"},
		{"bounds off behind bobproxy", func(v *View) {
			v.Editors[0] = file("zed", `{"agent_servers": {"G": {"command": "/b/bobproxy", "args": ["run", "--bounds", "off", "--", "goose", "--bounds", "off"]}}}`)
		}, Warning, `"G" has --bounds off: nobody looks`, "/zed"},
		{"no time-out in an editor's environment", func(v *View) {
			v.Editors[0] = file("zed", `{"agent_servers": {"G": {"command": "/b/bobproxy", "args": ["acp"], "env": {"BOBPROXY_PERMISSION_TIMEOUT": "0"}}}}`)
		}, Warning, `"G" has BOBPROXY_PERMISSION_TIMEOUT=0: a permission`, "/zed"},
		{"a mode that bypasses", func(v *View) {
			v.Editors[0] = file("zed", `{"agent_servers": {"G": {"command": "/b/bobproxy", "args": ["acp"], "default_mode": "bypassPermissions"}}}`)
		}, Warning, "the mode bypassPermissions", "/zed"},
		{"VS Code allows all", func(v *View) {
			v.Editors[0] = file("vscode", `{"acp.autoApprovePermissions": "allowAll", // x
		}`)
		}, Warning, `is "allowAll"`, `"ask"`},
		{"acpx approves all", func(v *View) { v.Editors[0] = file("acpx", `{"defaultPermissions": "approve-all"}`) }, Warning, `is "approve-all"`, "approve-reads"},
		{"Zed allows tools", func(v *View) { v.Editors[0] = file("zed", `{"agent": {"always_allow_tool_actions": true}}`) }, Warning, "is true", "false"},
		{"dead sockets", func(v *View) { v.Sockets.Dead = []string{"/r/a.sock", "/r/b.sock"} }, Info, "2 files of proxies that were killed", "removes them"},
		{"a folder of another's", func(v *View) { v.Sockets.Problems = []string{"/r: not yours"} }, Warning, "not yours", ""},
		{"a silent proxy", func(v *View) { v.Sockets.Silent = []string{"proxy x"} }, Warning, "proxy x", ""},
		{"no place for sockets", func(v *View) { v.Sockets.Dirs = nil }, Problem, "no place", "XDG_RUNTIME_DIR"},
		{"no recording", func(v *View) { v.State.Off = true }, Warning, "nothing is recorded", "record"},
		{"no folder for recordings", func(v *View) { v.State.Problem = "denied" }, Problem, "denied", "record-dir"},
		{"a full disk", func(v *View) { v.State.Free = 1 << 20 }, Warning, "only 1.0 MiB", "make room"},
		{"a small disk", func(v *View) { v.State.Free = 512 << 20 }, Info, "may grow to 1.0 GiB", "record-max-size"},
		{"a broken config file", func(v *View) { v.Config.Problem = "line 3" }, Problem, "line 3", "nothing starts"},
		{"an odd config file", func(v *View) { v.Config.Doubts = []string{"allow /"} }, Warning, "allow /", ""},
		{"bounds off", func(v *View) { v.Settings = []Setting{{"bounds", "off", "environment BOBPROXY_BOUNDS"}} }, Warning, "from environment BOBPROXY_BOUNDS", "enforce"},
		{"bounds warn", func(v *View) { v.Settings = []Setting{{"bounds", "warn", "file"}} }, Warning, "passes", "enforce"},
		{"no time-out", func(v *View) { v.Settings = []Setting{{"permission-timeout", "0s", "file"}} }, Warning, "for ever", "2m"},
		{"commands answer", func(v *View) { v.Settings = []Setting{{"answer-cli", "all", "file"}} }, Warning, "any command", "deny-only"},
		{"not read", func(v *View) { v.Settings = []Setting{{"read-all", "false", "file"}} }, Warning, "before all of it", "true"},
		{"not confirmed", func(v *View) { v.Settings = []Setting{{"confirm-always", "false", "file"}} }, Warning, "for good", "true"},
		{"a proxy that bypasses", func(v *View) { v.Running[0].AutoApprove = "--yolo" }, Warning, "by --yolo", "without"},
		{"a session that bypasses", func(v *View) { v.Running[0].Sessions = []control.Session{{AutoApprove: "mode yolo"}} }, Warning, "by mode yolo", "another mode"},
		{"a proxy without bounds", func(v *View) { v.Running[0].Bounds = "off" }, Warning, "bounds off", "enforce"},
		{"a proxy that records nothing", func(v *View) { v.Running[0].Recording = "" }, Warning, "records nothing", ""},
		{"an older proxy", func(v *View) { v.Running[0].Version = "0.9" }, Warning, "version 0.9", "restart"},
		{"a dumb terminal", func(v *View) { v.Terminal.Term = "dumb" }, Warning, `TERM is "dumb"`, "another"},
		{"no UTF-8", func(v *View) { v.Terminal.UTF8 = false }, Info, "ASCII", "LANG"},
		{"no colours", func(v *View) { v.Terminal.NoColor = true }, Info, "NO_COLOR", ""},
		{"tmux without focus", func(v *View) { v.Terminal.Tmux["focus-events"] = "off" }, Info, "whether somebody looks", "tmux set -g focus-events on"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := healthy()
			tt.sick(&v)
			all := Examine(v)
			if !slices.ContainsFunc(all, func(f Finding) bool {
				return f.Level == tt.level && strings.Contains(f.Text, tt.text) && strings.Contains(f.Fix, tt.fix)
			}) {
				t.Errorf("no %s with %q and %q in %+v", tt.level, tt.text, tt.fix, all)
			}
			want := 1
			if tt.level == Info {
				want = 0
			}
			if worse := Count(all, Problem) + Count(all, Warning); worse != want {
				t.Errorf("%d findings that are to be mended, want %d: %+v", worse, want, all)
			}
		})
	}
}

func TestTop(t *testing.T) {
	all := []Finding{{Level: OK, Text: "1"}, {Level: Info, Text: "2"}, {Level: Problem, Text: "3"}, {Level: Warning, Text: "4"}}
	var got []string
	for _, f := range Top(all, 3) {
		got = append(got, f.Text)
	}
	if want := []string{"1", "3", "4"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if len(Top(all, 9)) != 4 || Top(nil, 3) != nil {
		t.Error("more than there are")
	}
}

// The panel's findings do not depend on what only a slow look tells.
func TestQuickNeedsOnlyFiles(t *testing.T) {
	v := healthy()
	want := Quick(v)
	v.Running, v.Sockets, v.State, v.Terminal = nil, Sockets{}, Storage{Off: true}, Terminal{Is: true}
	if got := Quick(v); !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0 bytes", 1023: "1023 bytes", 1 << 10: "1.0 KiB", 3 << 29: "1.5 GiB"} {
		if got := Size(n); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
}
