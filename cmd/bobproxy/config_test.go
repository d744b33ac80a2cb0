package main

import (
	"encoding/json"
	"io"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A config file that is wrong is refused with the line and what to do.
func TestBadFiles(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		line       int
		says       []string
	}{
		{"not TOML", "bounds = \"warn\"\nbounds\n", 2, []string{"not TOML"}},
		{"no quotes", "permission-timeout = 5m\n", 1, []string{"not TOML"}},
		{"open string", "\nbounds = \"warn\nallow = []\n", 2, []string{"not TOML"}},
		{"open array", "allow = [\"/a\",\n\npipe = true\n", 3, []string{"not TOML"}},
		{"twice", "pipe = true\n# again\npipe = false\n", 3, []string{"not TOML", "pipe"}},
		{"twice, with control characters", "\"\\u001b[2J\" = 1\n\"\\u001b[2J\" = 2\n", 2, []string{"not TOML", `\x1b[2J`}},
		{"not UTF-8", "bob = \"\xff\"\n", 1, []string{"not TOML"}},
		{"another format", "{\"bounds\": \"off\"}\n", 1, []string{"not TOML"}},

		{"letter missing", "permision-timeout = \"5m\"\n", 1, []string{`"permision-timeout"`, "did you mean permission-timeout?", "bobproxy config"}},
		{"underscore", "pipe = true\npermission_timeout = \"5m\"\n", 2, []string{"did you mean permission-timeout?"}},
		{"capitals", "Bounds = \"off\"\n", 1, []string{"did you mean bounds?"}},
		{"dotted", "answer.cli = \"all\"\n", 1, []string{`"answer.cli"`, "did you mean answer-cli?"}},
		{"quoted", "\"answer cli\" = \"all\"\n", 1, []string{"did you mean answer-cli?"}},
		{"like nothing", "sky = \"auto\"\n", 1, []string{`"sky"`}},
		{"very long", strings.Repeat("k", 5000) + " = 1\n", 1, []string{"no setting", "…"}},
		{"empty", "\"\" = 1\n", 1, []string{`no setting ""`}},
		{"control characters", "\"a\\u001b[2J\" = 1\n", 1, []string{`\x1b[2J`}},
		{"table", "pipe = true\n\n[ui]\ntheme = \"auto\"\n", 3, []string{"no table [ui]"}},
		{"table of a setting", "[answer]\ncli = \"all\"\n", 1, []string{"no table [answer]"}},
		{"table in a table", "[a.b]\n", 1, []string{"no table [a.b]"}},
		{"array of tables", "[[allow]]\n", 1, []string{"no table [allow]"}},

		{"switch in quotes", "withdraw = \"false\"\n", 1, []string{"withdraw is written withdraw = true, or false"}},
		{"switch as number", "pipe = 1\n", 1, []string{"pipe is written pipe = true"}},
		{"word as switch", "bounds = false\n", 1, []string{`bounds is written bounds = "enforce"`}},
		{"number in quotes", "max-sessions = \"4\"\n", 1, []string{"max-sessions = 4"}},
		{"broken number", "max-sessions = 1.5\n", 1, []string{"max-sessions = 4"}},
		{"negative number", "max-sessions = -1\n", 1, []string{"max-sessions=\"-1\"", "whole number"}},
		{"number too large", "max-sessions = 99999999999999999999\n", 1, []string{"not TOML"}},
		{"time without unit", "permission-timeout = 30\n", 1, []string{"30s or 30m"}},
		{"negative time", "permission-timeout = -1\n", 1, []string{"90s or 5m"}},
		{"time of day", "permission-timeout = 00:05:00\n", 1, []string{`permission-timeout is written permission-timeout = "5m", or 0`}},
		{"date", "bob = 2026-11-30\n", 1, []string{"bob is written"}},
		{"directory, not in an array", "allow = \"/a\"\n", 1, []string{`allow = ["/one", "/two"]`}},
		{"numbers in an array", "allow = [\"/a\", 1]\n", 1, []string{"no string"}},
		{"arrays in an array", "allow-read = [[\"/a\"]]\n", 1, []string{"no string"}},
		{"relative in an array", "allow = [" + strconv.Quote(root("a")) + ", \"b\"]\n", 1, []string{`"b"`, "whole path"}},
		{"arguments, not in an array", "arguments = \"acp,--mode\"\n", 1, []string{`arguments = ["acp", "--one", "two"]`}},
		{"table as a value", "bounds = {mode = \"off\"}\n", 1, []string{"bounds is written"}},
		{"zero byte", "bob = \"a\\u0000b\"\n", 1, []string{"zero byte"}},
		{"empty name", "bob = \"\"\n", 1, []string{"needs a name"}},
		{"empty key", "api-key = \"\"\n", 1, []string{"api-key: is not a key"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, where, err := settle(t, nil, nil, tt.text)
			complains(t, err, append(tt.says, where+":"+strconv.Itoa(tt.line)+": ")...)
			if len(err.Error()) > 1000 {
				t.Errorf("the error has %d bytes", len(err.Error()))
			}
		})
	}
}

// Whatever the file has in it, there are its settings or an error of one line,
// which can be shown, that names a line of the file.
func FuzzConfigFile(f *testing.F) {
	for _, text := range []string{
		someConfig, "", "\r\n", "a.b = 1", "[a]\nb = {c = [1, {d = 2}]}", "[[a]]", "\"\\u001b\" = 1\n\"\\u001b\" = 2",
		"allow = [\"~\", 'x', \"\"\"y\n\"\"\"]", "pipe = true # c\nbounds = \"off\"", "max-sessions = 0x10", "bob = 1979-05-27T07:32:00Z",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c := configFile{path: "/f", exists: true, private: true, text: text}
		lines := strings.Count(string(text), "\n") + 1
		entries, err := c.entries()
		if err != nil {
			wrongLine(t, err, lines)
		}
		for _, e := range entries {
			if e.line < 1 || e.line > lines {
				t.Errorf("%q is on line %d of %d", e.key, e.line, lines)
			}
		}
		s := newSettings(func(string) (string, bool) { return "", false })
		s.file = c
		if err := s.take(entries); err != nil {
			wrongLine(t, err, lines)
		}
	})
}

func wrongLine(t *testing.T, err error, lines int) {
	t.Helper()
	rest, found := strings.CutPrefix(err.Error(), "/f:")
	number, _, _ := strings.Cut(rest, ":")
	if line, _ := strconv.Atoi(number); !found || line < 1 || line > lines {
		t.Errorf("the error %q names no line of %d", err, lines)
	}
	if shown(err.Error()) != err.Error() {
		t.Errorf("the error %q cannot be shown", err)
	}
}

// The whole file has to be right, also where a flag or variable overrules it.
func TestOverruledAndWrong(t *testing.T) {
	_, where, err := settle(t, []string{"--bounds", "off"}, map[string]string{"BOBPROXY_ALLOW": root("a")}, "bounds = \"strict\"\n")
	complains(t, err, where+":1: ", "enforce, warn or off")
	_, where, err = settle(t, nil, map[string]string{"BOBPROXY_ALLOW": root("a")}, "bounds = \"off\"\nallow = [\"x\"]\n")
	complains(t, err, where+":2: ", "whole path")
}

// Files that are right in every way a file can be.
func TestGoodFiles(t *testing.T) {
	for _, tt := range []struct{ name, text string }{
		{"comment", "# nothing\n"},
		{"byte order mark", "\ufeffbounds = \"warn\"\n"},
		{"lines end as on Windows", "# mine\r\nbounds = \"warn\"\r\n"},
		{"last line does not end", "bounds = 'warn'"},
		{"long string", "bounds = \"\"\"\nwarn\"\"\"\n"},
		{"array over lines", "allow = [\n  # none\n]\nbounds = \"warn\"\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, _, err := settle(t, nil, nil, tt.text)
			if err != nil {
				t.Fatal(err)
			}
			if want := strings.Contains(tt.text, "warn"); (s.bounds == "warn") != want {
				t.Errorf("bounds are %q", s.bounds)
			}
		})
	}
}

// What is no file, or too large for one, is not read, and nothing waits for it.
func TestFilesThatAreNone(t *testing.T) {
	for _, tt := range []struct {
		name string
		make func(path string) error
		says string // empty: it is as if it was not there
	}{
		{"nothing", func(string) error { return nil }, ""},
		{"below a file", func(path string) error { return os.WriteFile(filepath.Dir(path), nil, 0o600) }, ""},
		{"directory", func(path string) error { return os.MkdirAll(path, 0o700) }, "is not a file"},
		{"link to nothing", func(path string) error {
			os.Mkdir(filepath.Dir(path), 0o700)
			return os.Symlink("nowhere", path)
		}, ""},
		{"link to itself", func(path string) error {
			os.Mkdir(filepath.Dir(path), 0o700)
			return os.Symlink(path, path)
		}, "move it away"},
		{"too large", func(path string) error {
			os.Mkdir(filepath.Dir(path), 0o700)
			return os.WriteFile(path, make([]byte, maxConfigSize+1), 0o600)
		}, "larger than 1 MiB"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			where := filepath.Join(dir, "bobproxy", "config.toml")
			if err := tt.make(where); err != nil {
				t.Skip(err)
			}
			s := newSettings(func(name string) (string, bool) { return dir, name == "XDG_CONFIG_HOME" })
			err := s.complete("run")
			if tt.says == "" {
				if err != nil || s.file.exists || s.file.path != where {
					t.Errorf("%v, %+v", err, s.file)
				}
				return
			}
			complains(t, err, where, tt.says)
		})
	}
}

// Where the file is looked for: nowhere else, and without HOME in the folder of
// the user that we run as.
func TestConfigPath(t *testing.T) {
	self, err := user.Current()
	if err != nil {
		t.Skip(err)
	}
	for _, tt := range []struct {
		name      string
		xdg, home string
		want      string
	}{
		{"both", root("xdg"), root("home"), filepath.Join(root("xdg"), "bobproxy", "config.toml")},
		{"home", "", root("home"), filepath.Join(root("home"), ".config", "bobproxy", "config.toml")},
		{"relative", ".config", root("home"), filepath.Join(root("home"), ".config", "bobproxy", "config.toml")},
		{"neither", "", "", filepath.Join(self.HomeDir, ".config", "bobproxy", "config.toml")},
		{"relative home", "", "home", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			env := map[string]string{"XDG_CONFIG_HOME": tt.xdg, "HOME": tt.home}
			got := configPath(func(name string) (string, bool) { return env[name], env[name] != "" })
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// An agent can write into its workspace, so nothing there is read.
func TestNothingInTheWorkspaceIsRead(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"config.toml", "bobproxy.toml", ".bobproxy.toml", ".bobproxyrc", ".env", "bobproxy/config.toml", ".bobproxy/config.toml", ".config/bobproxy/config.toml"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("bounds = \"off\"\nBOBPROXY_BOUNDS=off\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name string
		env  map[string]string
	}{
		{"a home elsewhere", map[string]string{"HOME": t.TempDir()}},
		{"relative home", map[string]string{"HOME": "."}},
		{"relative XDG_CONFIG_HOME", map[string]string{"HOME": t.TempDir(), "XDG_CONFIG_HOME": "."}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSettings(func(name string) (string, bool) { value, ok := tt.env[name]; return value, ok })
			if err := s.complete("run"); err != nil {
				t.Fatal(err)
			}
			if s.bounds != "enforce" || s.file.exists {
				t.Errorf("bounds are %s, from %s", s.bounds, s.file.path)
			}
		})
	}
}

// alone makes this process one with config as its config file, in dir, and
// without any setting in its environment.
func alone(t *testing.T, config string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, row := range table {
		t.Setenv(row.env, "")
	}
	t.Setenv("XDG_CONFIG_HOME", dir)
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	if config == "" {
		return dir
	}
	if err := os.Mkdir(filepath.Join(dir, "bobproxy"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "bobproxy", "config.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// tell runs a command line in this process.
func tell(t *testing.T, args ...string) (out, errs string, code int) {
	t.Helper()
	var files [3]*os.File
	for i := range files {
		f, err := os.CreateTemp(t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		files[i] = f
	}
	code = command(args, files[0], files[1], files[2])
	read := func(f *os.File) string {
		f.Seek(0, io.SeekStart)
		all, err := io.ReadAll(f)
		if err != nil {
			t.Fatal(err)
		}
		return string(all)
	}
	return read(files[1]), read(files[2]), code
}

const someConfig = `# what I like
bounds = "warn"
permission-timeout = "5m"

allow = ["/", "/usr"]
arguments = ["acp", "--mode", "plan"]
record-max-size = "2GiB"
api-key = "k-12345678"
`

// What config prints, of settings with all kinds of sources.
func TestConfigGolden(t *testing.T) {
	if filepath.Separator != '/' {
		t.Skip("the golden files have the paths of Unix")
	}
	mine := []string{"--max-sessions", "4", "config", "--permission-timeout", "90s", "--allow-read", "/usr", "--record-dir", "/usr\x1b[2J"}
	for _, tt := range []struct {
		golden, config string
		env            map[string]string
		args           []string
	}{
		{"defaults", "", nil, []string{"config"}},
		{"config", someConfig, map[string]string{"BOBPROXY_BOUNDS": "off", "BOBPROXY_PROMPT_TIMEOUT": "1h"}, mine},
		{"config.json", someConfig, map[string]string{"BOBPROXY_BOUNDS": "off", "BOBPROXY_PROMPT_TIMEOUT": "1h"}, append(mine, "--json")},
	} {
		t.Run(tt.golden, func(t *testing.T) {
			dir := alone(t, tt.config)
			t.Setenv("XDG_STATE_HOME", "/XDG/state") // of one width, for the columns
			for name, value := range tt.env {
				t.Setenv(name, value)
			}
			got, errs, code := tell(t, tt.args...)
			if code != 0 || errs != "" {
				t.Fatalf("exit status %d, stderr %q", code, errs)
			}
			golden(t, filepath.Join("testdata", tt.golden+".golden"), strings.ReplaceAll(got, dir, "/XDG"))
		})
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *rewrite {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s\nwant (-update would make it so)\n%s", got, want)
	}
}

// The document is one line of JSON, whole, with every setting in it.
func TestConfigJSON(t *testing.T) {
	alone(t, "bounds = \"warn\"\n")
	t.Setenv("BOB_API_KEY", "k-12345678")
	out, errs, code := tell(t, "config", "--json")
	var doc struct {
		File     string
		Exists   bool
		Settings []map[string]string
		Warnings []string
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil || code != 0 || errs != "" || strings.Count(out, "\n") != 1 {
		t.Fatalf("%v; exit status %d, stderr %q, stdout %s", err, code, errs, out)
	}
	if !doc.Exists || !strings.HasSuffix(doc.File, "config.toml") || doc.Warnings == nil || len(doc.Settings) != len(table) {
		t.Errorf("got %s", out)
	}
	for i, row := range table {
		if doc.Settings[i]["name"] != row.name || doc.Settings[i]["env"] != row.env {
			t.Errorf("setting %d is %v, want %s", i, doc.Settings[i], row.name)
		}
	}
	if strings.Contains(out, "k-12345678") {
		t.Error("the key is told")
	}
}

// Errors are one line on stderr and nothing on stdout, whichever command finds
// them.
func TestErrorsAreForStderr(t *testing.T) {
	for _, tt := range []struct {
		name, config string
		args         []string
		says         string
	}{
		{"config file", "bounds = \"strict\"\n", []string{"config"}, "config.toml:1: bounds"},
		{"config file, acp", "bounds = \"strict\"\n", []string{"--pipe", "acp"}, "config.toml:1: bounds"},
		{"config file, run", "bounds = \"strict\"\n", []string{"run", "--", "true"}, "config.toml:1: bounds"},
		{"flag", "", []string{"config", "--bounds", "strict"}, "--bounds"},
		{"flag in front", "", []string{"--permission-timeout=-1s", "config"}, "--permission-timeout"},
		{"flag of run", "", []string{"run", "--permission-timeout=x", "--", "true"}, "--permission-timeout"},
		{"unknown flag", "", []string{"config", "--bound", "off"}, "no flag --bound"},
		{"a word", "", []string{"config", "bounds"}, `"bounds"`},
		{"contradiction", "", []string{"config", "--record", "off", "--record-required"}, "contradict"},
		{"what is allowed is missing", "allow = [" + strconv.Quote(root("no/such/folder")) + "]\n", []string{"config"}, "allow (file "},
		{"what may be read is missing", "", []string{"config", "--allow-read", root("no/such/folder")}, "allow-read (flag --allow-read): there is no directory "},
		{"ceiling is missing", "workspace-root = " + strconv.Quote(root("no/such/folder")) + "\n", []string{"config"}, "workspace-root (file "},
		{"arguments for run", "", []string{"run", "--arguments", "x", "--", "true"}, "are for acp"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			alone(t, tt.config)
			out, errs, code := tell(t, tt.args...)
			if code != exitUsage || out != "" {
				t.Errorf("exit status %d, stdout %q; want 2 and nothing", code, out)
			}
			if !strings.Contains(errs, tt.says) || strings.Count(errs, "\n") != 1 {
				t.Errorf("stderr %q, want one line that says %q", errs, tt.says)
			}
			if tt.args[0] != "config" || tt.name == "unknown flag" {
				return
			}
			out, errs, code = tell(t, append(tt.args, "--json")...)
			var doc struct {
				Error struct{ Code, Message string }
			}
			if err := json.Unmarshal([]byte(errs), &doc); err != nil || code != exitUsage || out != "" {
				t.Errorf("with --json: %v, exit status %d, stdout %q, stderr %q", err, code, out, errs)
			}
			if doc.Error.Code != "usage" || !strings.Contains(doc.Error.Message, tt.says) {
				t.Errorf("with --json: %s", errs)
			}
		})
	}
}

// Directories that hold everything are taken, and it is said what that means.
func TestTopIsDoubted(t *testing.T) {
	top, dir := root(""), t.TempDir()
	for _, tt := range []struct {
		args []string
		want []string // beginnings of the warnings
	}{
		{nil, nil},
		{[]string{"--allow", dir}, nil},
		{[]string{"--workspace-root", top}, []string{"workspace-root " + top + ": "}},
		{[]string{"--allow", dir, "--allow", top + "."}, []string{"allow " + top + ".: "}},
		{[]string{"--allow-read", filepath.Dir(dir) + strings.Repeat("/..", 50)}, []string{"allow-read "}},
		{[]string{"--workspace-root", top, "--allow", top, "--allow-read", top}, []string{"workspace-root ", "allow ", "allow-read "}},
	} {
		s, _, err := settle(t, tt.args, nil, "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.policy(); err != nil {
			t.Errorf("%v: %v", tt.args, err)
		}
		got := s.doubts()
		same := len(got) == len(tt.want)
		for i := range min(len(got), len(tt.want)) {
			same = same && strings.HasPrefix(got[i], tt.want[i])
		}
		if !same {
			t.Errorf("%v: warnings %q, want %q", tt.args, got, tt.want)
		}
	}
}
