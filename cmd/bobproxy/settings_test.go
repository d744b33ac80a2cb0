package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"bobproxy/proxy"
)

var rewrite = flag.Bool("update", false, "rewrite the golden files and the README's table")

// The README's table of settings is the table that flags and help come from.
func TestReadmeHasEverySetting(t *testing.T) {
	const file, head = "../../README.md", "| flag | environment | default | |\n|---|---|---|---|\n"
	readme, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(readme), head)
	_, after, ends := strings.Cut(rest, "\n\n")
	if !found || !ends {
		t.Fatal("the README has no table of settings")
	}
	var rows strings.Builder
	for _, row := range table {
		cell := "`" + strings.ReplaceAll(row.usage(), "|", `\|`) + "`"
		cell = strings.ReplaceAll(cell, " (no flag)`", "` (no flag)")
		fmt.Fprintf(&rows, "| %s | `%s` | %s | %s |\n", cell, row.env, row.defaultText(), row.text)
	}
	want := before + head + rows.String() + "\n" + after
	switch {
	case want == string(readme):
	case *rewrite:
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the README's table of settings is not the program's, which -update would put there:\n%s", rows.String())
	}
}

// settle makes settings of a command line, an environment and a config file,
// which is at where.
func settle(t *testing.T, args []string, env map[string]string, file string) (s *settings, where string, err error) {
	t.Helper()
	dir := t.TempDir()
	where = filepath.Join(dir, "bobproxy", "config.toml")
	if file != "" {
		if err := os.Mkdir(filepath.Dir(where), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(where, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s = newSettings(func(name string) (string, bool) {
		if name == "XDG_CONFIG_HOME" {
			return dir, true
		}
		value, ok := env[name]
		return value, ok
	})
	if _, err := s.parse(args); err != nil {
		return s, where, err
	}
	return s, where, s.complete("config")
}

// samples are three values for each setting: for the flag, the environment and
// the file, there as TOML. They show as they are written, the last one as want.
var samples = map[string]struct{ flag, env, file, want string }{
	"bounds":              {"warn", "off", `"enforce"`, "enforce"},
	"workspace-root":      {root("a"), root("b"), strconv.Quote(root("c")), root("c")},
	"allow":               {root("a"), root("b"), "[" + strconv.Quote(root("c")) + "]", root("c")},
	"allow-read":          {root("a"), listed("b", "c"), "[" + strconv.Quote(root("d")) + ", " + strconv.Quote(root("e")) + "]", listed("d", "e")},
	"permission-timeout":  {"1m30s", "0", `"1h30m"`, "1h30m"},
	"request-timeout":     {"5m", "1h", "0", "0"},
	"prompt-timeout":      {"1h", "0", `"250ms"`, "250ms"},
	"max-sessions":        {"1", "0", "3", "3"},
	"withdraw":            {"false", "true", "false", "false"},
	"answer-cli":          {"all", "deny-only", `"off"`, "off"},
	"refuse-auto-approve": {"true", "false", "true", "true"},
	"record":              {"off", root("b"), `"log"`, "log"},
	"record-dir":          {root("a"), root("b"), `'c'`, "c"},
	"record-required":     {"true", "false", "true", "true"},
	"record-max-size":     {"1KiB", "500MB", "1_048_577", "1048577"},
	"record-max-age":      {"2d", "12h", `"36h"`, "36h"},
	"bob":                 {root("a"), root("b"), `"c"`, "c"},
	"arguments":           {"acp,--mode,plan", "x", `["acp", "--mode", ""]`, "acp,--mode,"},
	"api-key":             {"", "k-12345678", `"k-87654321"`, "set"},
	"pipe":                {"true", "false", "true", "true"},
	"theme":               {"dark", "light", `"mono"`, "mono"},
	"color":               {"never", "always", `"auto"`, "auto"},
	"glyphs":              {"ascii", "unicode", `"auto"`, "auto"},
	"layout":              {"wide", "medium", `"narrow"`, "narrow"},
	"medium-from":         {"90", "70", "100", "100"},
	"wide-from":           {"150", "140", "200", "200"},
	"open-card":           {"never", "idle", `"pending"`, "pending"},
	"arm":                 {"1s", "500ms", `"2s"`, "2s"},
	"read-all":            {"false", "true", "false", "false"},
	"confirm-always":      {"false", "true", "false", "false"},
	"hide-always":         {"true", "false", "true", "true"},
	"mouse":               {"false", "true", "false", "false"},
	"notify":              {"bell", "osc9", `"off"`, "off"},
	"notify-command":      {"notify-send,now", "x", `["say", "it"]`, "say,it"},
}

// root is a whole path on any system.
func root(name string) string {
	dir, err := filepath.Abs(string(filepath.Separator) + name)
	if err != nil {
		panic(err)
	}
	return dir
}

func listed(names ...string) string {
	for i, name := range names {
		names[i] = root(name)
	}
	return strings.Join(names, string(filepath.ListSeparator))
}

// Flags win over the environment, which wins over the file, which wins over the
// default; and each is told as the source.
func TestPrecedence(t *testing.T) {
	for _, row := range table {
		sample, ok := samples[row.name]
		if !ok {
			t.Errorf("%s has no sample", row.name)
			continue
		}
		for given := range 8 {
			byFlag, byEnv, byFile := given&1 != 0 && sample.flag != "", given&2 != 0, given&4 != 0
			t.Run(fmt.Sprintf("%s/flag=%v env=%v file=%v", row.name, byFlag, byEnv, byFile), func(t *testing.T) {
				var args []string
				var env map[string]string
				file := ""
				if byFlag {
					args = []string{"--" + row.name + "=" + sample.flag}
				}
				if byEnv {
					env = map[string]string{row.env: sample.env}
				}
				if byFile {
					file = "# mine\n\n" + row.name + " = " + sample.file + "\n"
				}
				s, where, err := settle(t, args, env, file)
				if err != nil {
					t.Fatal(err)
				}
				want, source := row.byDefault, ""
				switch {
				case byFlag:
					want, source = sample.flag, "flag --"+row.name
				case byEnv:
					want, source = sample.env, "environment "+row.env
				case byFile:
					want, source = sample.want, "file "+where+":3"
				}
				if row.name == "api-key" && source != "" {
					want = "set"
				}
				if got := row.value(s).String(); got != want || s.source[row.name] != source {
					t.Errorf("%q from %q, want %q from %q", got, s.source[row.name], want, source)
				}
			})
		}
	}
}

// What is wrong keeps us from starting, whoever says it, and the error names
// who, and what would be right.
func TestBadValues(t *testing.T) {
	type bad struct{ value, says string }
	times := []bad{{"30", "30s or 30m"}, {"-1s", "90s or 5m"}, {"-5m", "90s or 5m"}, {"soon", "90s or 5m"}, {"5 m", "90s or 5m"}, {"1d", "0 for never"}, {"9999999999h", "90s or 5m"}, {"NaN", "90s or 5m"}}
	switches := []bad{{"off", "neither true nor false"}, {"maybe", "neither true nor false"}, {"2", "neither true nor false"}}
	dirs := []bad{{"~/src", "whole path"}, {"$HOME/src", "whole path"}, {"src", "whole path"}, {"./src", "whole path"}, {"../src", "whole path"}}
	names := []bad{{"~/x", "whole path"}, {"$HOME/x", "whole path"}}
	values := map[string][]bad{
		"bounds":              {{"strict", "enforce, warn or off"}, {"Enforce", "enforce, warn or off"}, {"off ", "enforce, warn or off"}},
		"workspace-root":      dirs,
		"allow":               dirs,
		"allow-read":          append(dirs, bad{listed("a") + string(filepath.ListSeparator) + "b", "whole path"}),
		"permission-timeout":  times,
		"request-timeout":     times,
		"prompt-timeout":      times,
		"max-sessions":        {{"-1", "whole number"}, {"two", "whole number"}, {"1.5", "whole number"}, {"1e3", "whole number"}, {"99999999999999999999", "whole number"}},
		"withdraw":            switches,
		"answer-cli":          {{"none", "all, deny-only or off"}, {"deny", "all, deny-only or off"}},
		"refuse-auto-approve": switches,
		"record":              names,
		"record-dir":          names,
		"record-required":     switches,
		"record-max-size":     {{"0", "500MB or 1GiB"}, {"-1", "500MB or 1GiB"}, {"big", "500MB or 1GiB"}},
		"record-max-age":      {{"0", "12h or 30d"}, {"30", "12h or 30d"}, {"-1h", "12h or 30d"}},
		"bob":                 names,
		"arguments":           nil, // whatever bob takes
		"api-key":             nil, // see TestKeyInTheFile
		"pipe":                switches,
		"theme":               {{"pink", "dark, light or mono"}},
		"color":               {{"yes", "auto, always or never"}},
		"glyphs":              {{"emoji", "auto, unicode or ascii"}},
		"layout":              {{"big", "narrow, medium or wide"}},
		"medium-from":         {{"-1", "whole number"}, {"x", "whole number"}},
		"wide-from":           {{"-1", "whole number"}, {"x", "whole number"}},
		"open-card":           {{"always", "pending, idle or never"}},
		"arm":                 times,
		"read-all":            switches,
		"confirm-always":      switches,
		"hide-always":         switches,
		"mouse":               switches,
		"notify":              {{"loud", "command or off"}},
		"notify-command":      nil, // any program
	}
	for _, row := range table {
		list, ok := values[row.name]
		if !ok {
			t.Errorf("%s has no bad values", row.name)
		}
		for _, tt := range list {
			t.Run(row.name+"="+tt.value, func(t *testing.T) {
				if tt.value != listed("a")+string(filepath.ListSeparator)+"b" { // which a flag would take for one name
					_, _, err := settle(t, []string{"--" + row.name + "=" + tt.value}, nil, "")
					complains(t, err, "--"+row.name, tt.says, "bobproxy help")
				}
				_, _, err := settle(t, nil, map[string]string{row.env: tt.value}, "")
				complains(t, err, row.env+"=", "in the environment", tt.says)

				text := strconv.Quote(tt.value)
				switch row.value(new(settings)).(type) {
				case *directories:
					words := filepath.SplitList(tt.value)
					for i, word := range words {
						words[i] = strconv.Quote(word)
					}
					text = "[" + strings.Join(words, ", ") + "]"
				case *toggle, *number:
					return // see TestBadFiles
				}
				_, where, err := settle(t, nil, nil, "\n\n"+row.name+" = "+text+"\n")
				complains(t, err, where+":3: "+row.name, tt.says)
			})
		}
	}
}

// complains checks that err is for the user to mend and has it all in one line.
func complains(t *testing.T, err error, says ...string) {
	t.Helper()
	if _, ok := err.(usageError); !ok {
		t.Fatalf("got error %v, want a usage error that says %q", err, says)
	}
	for _, part := range says {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the error is %q and does not say %q", err, part)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("the error has several lines: %q", err)
	}
}

// A key must not stand where everybody can read it, and never in an error.
func TestKeyHasNoFlag(t *testing.T) {
	_, _, err := settle(t, []string{"--api-key", "k-12345678"}, nil, "")
	complains(t, err, "--api-key", "BOB_API_KEY", "config file")
	if strings.Contains(err.Error(), "k-12345678") {
		t.Errorf("the error tells the key: %v", err)
	}
}

// Flags are repeated and replace what the environment says; empty parts of that
// are no directory.
func TestSeveralDirectories(t *testing.T) {
	env := map[string]string{
		"BOBPROXY_ALLOW":      root("e"),
		"BOBPROXY_ALLOW_READ": string(filepath.ListSeparator) + listed("f", "g") + string(filepath.ListSeparator),
	}
	s, _, err := settle(t, []string{"--allow", root("a"), "--allow=" + root("b")}, env, "")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{root("a"), root("b")}; !slices.Equal(s.allow, want) {
		t.Errorf("allowed are %q, want %q", s.allow, want)
	}
	if want := []string{root("f"), root("g")}; !slices.Equal(s.allowRead, want) {
		t.Errorf("allowed for reading are %q, want %q", s.allowRead, want)
	}
}

// Flags end at the command, and an empty variable is one that is not set.
func TestFlagsEndAtTheCommand(t *testing.T) {
	s := newSettings(func(name string) (string, bool) { return "", name != "HOME" })
	rest, err := s.parse([]string{"--record-dir", "/flag", "--pipe=false", "acp", "--record", "x", "--bounds", "off"})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.fromEnvironment("run"); err != nil {
		t.Fatal(err)
	}
	if strings.Join(rest, " ") != "acp --record x --bounds off" {
		t.Errorf("the rest is %q", rest)
	}
	if s.recordDir != "/flag" || s.record != "" || s.bounds != "enforce" {
		t.Errorf("got %+v", s)
	}
}

func TestSizesAndAges(t *testing.T) {
	for text, want := range map[string]int64{"1": 1, "500000": 500000, "64KiB": 64 << 10, "200MB": 200e6, "1GiB": 1 << 30, "3 TB": 3e12, "12B": 12} {
		var b byteSize
		if err := b.Set(text); err != nil || int64(b) != want {
			t.Errorf("%q is %d, %v; want %d", text, int64(b), err, want)
		}
		var again byteSize
		if err := again.Set(b.String()); err != nil || again != b {
			t.Errorf("%q is shown as %q, which is %d, %v", text, b.String(), int64(again), err)
		}
	}
	for _, text := range []string{"", "0", "-1", "GiB", "1.5GiB", "1gib", "9999999TiB", "big"} {
		if err := new(byteSize).Set(text); err == nil {
			t.Errorf("%q was taken for a size", text)
		}
	}
	for text, want := range map[string]time.Duration{"90m": 90 * time.Minute, "12h": 12 * time.Hour, "30d": 720 * time.Hour} {
		var a age
		if err := a.Set(text); err != nil || time.Duration(a) != want {
			t.Errorf("%q is %v, %v; want %v", text, time.Duration(a), err, want)
		}
		var again age
		if err := again.Set(a.String()); err != nil || again != a {
			t.Errorf("%q is shown as %q, which is %v, %v", text, a.String(), time.Duration(again), err)
		}
	}
	for _, text := range []string{"", "0", "-1h", "d", "30", "1w"} {
		if err := new(age).Set(text); err == nil {
			t.Errorf("%q was taken for an age", text)
		}
	}
}

func TestTimes(t *testing.T) {
	for _, tt := range []struct {
		text, shown string
		want        time.Duration
	}{
		{"0", "0", 0},
		{"0s", "0", 0},
		{"2s", "2s", 2 * time.Second},
		{"2m", "2m", 2 * time.Minute},
		{"5m30s", "5m30s", 330 * time.Second},
		{"90m", "1h30m", 90 * time.Minute},
		{"10h", "10h", 10 * time.Hour},
		{"1h0m30s", "1h0m30s", time.Hour + 30*time.Second},
		{"1.5s", "1.5s", 1500 * time.Millisecond},
	} {
		var s span
		if err := s.Set(tt.text); err != nil || time.Duration(s) != tt.want || s.String() != tt.shown {
			t.Errorf("%q is %v, shown as %q, %v; want %v and %q", tt.text, time.Duration(s), s.String(), err, tt.want, tt.shown)
		}
	}
}

// What the proxy is told, from each setting.
func TestPolicy(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	for _, tt := range []struct {
		name string
		args []string
		want proxy.Policy
	}{
		{"defaults", nil, proxy.Policy{PermissionTimeout: 2 * time.Minute}},
		{"never", []string{"--permission-timeout", "0"}, proxy.Policy{PermissionTimeout: proxy.Never}},
		{"times", []string{"--permission-timeout=2s", "--request-timeout=1m", "--prompt-timeout=5m30s"}, proxy.Policy{PermissionTimeout: 2 * time.Second, RequestTimeout: time.Minute, PromptTimeout: 330 * time.Second}},
		{"bounds warn", []string{"--bounds", "warn"}, proxy.Policy{Bounds: proxy.Warn, PermissionTimeout: 2 * time.Minute}},
		{"bounds off", []string{"--bounds", "off"}, proxy.Policy{Bounds: proxy.Off, PermissionTimeout: 2 * time.Minute}},
		{"directories", []string{"--workspace-root", dir, "--allow", other, "--allow-read", dir}, proxy.Policy{Ceiling: dir, Allow: []string{other}, AllowRead: []string{dir}, PermissionTimeout: 2 * time.Minute}},
		{"sessions and dialogs", []string{"--max-sessions", "3", "--withdraw=false"}, proxy.Policy{MaxSessions: 3, KeepDialogs: true, PermissionTimeout: 2 * time.Minute}},
		{"answers all", []string{"--answer-cli", "all"}, proxy.Policy{Answers: proxy.AnswersAll, PermissionTimeout: 2 * time.Minute}},
		{"answers deny only", []string{"--answer-cli", "deny-only"}, proxy.Policy{Answers: proxy.DenyOnly, PermissionTimeout: 2 * time.Minute}},
		{"answers off", []string{"--answer-cli", "off"}, proxy.Policy{Answers: proxy.AnswersOff, PermissionTimeout: 2 * time.Minute}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, _, err := settle(t, tt.args, nil, "")
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.policy()
			if err != nil {
				t.Fatal(err)
			}
			if tt.want.Bounds == "" {
				tt.want.Bounds = proxy.Enforce
			}
			if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", tt.want); g != w {
				t.Errorf("got  %s\nwant %s", g, w)
			}
		})
	}
}

// A ceiling that is not there would refuse every session.
func TestWorkspaceRootHasToBeThere(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, missing := range []string{filepath.Join(dir, "no"), file} {
		s, _, err := settle(t, nil, map[string]string{"BOB_WORKSPACE_ROOT": missing}, "")
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.policy()
		complains(t, err, "workspace-root", "environment BOB_WORKSPACE_ROOT", missing)
	}
}
