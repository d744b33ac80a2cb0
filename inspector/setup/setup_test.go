package setup

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"bobproxy/inspector/setup/jsonc"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestSnippetsHaveThePaths(t *testing.T) {
	const self, bob = `/opt/my "tools"/bobproxy`, "/home/me/bin/bob"
	for _, e := range Editors {
		text := e.Snippet(self, bob)
		if e.Name != "toad" && !strings.Contains(text, `/opt/my \"tools\"/bobproxy`) {
			t.Errorf("%s: the path of bobproxy is missing or not quoted:\n%s", e.Name, text)
		}
		if !strings.Contains(text, bob) {
			t.Errorf("%s: the path of bob is missing:\n%s", e.Name, text)
		}
		if without := e.Snippet(self, ""); strings.Contains(without, "BOB_PATH") || strings.Contains(without, "--bob") {
			t.Errorf("%s: something is left without a bob:\n%s", e.Name, without)
		}
	}
}

// What is copied by hand and what is written are the same.
func TestSnippetsInJSONAreWhatIsWritten(t *testing.T) {
	agents := []Agent{
		{Name: "Bob", Self: "/bin/bobproxy", Bob: "/bin/bob", Path: "/opt/node/bin:/usr/bin"},
		{Name: "Bob", Self: "/bin/bobproxy"},
		{Name: "Goose & co", Self: "/bin/bobproxy", Argv: []string{"/bin/goose", "acp", "--x=<y>"}},
	}
	for _, e := range Editors {
		for _, a := range agents {
			if !e.Editable() {
				continue
			}
			text := e.Text(a)
			if !e.alone {
				text = "{" + text + "}"
			}
			written, err := e.Put(nil, a)
			if err != nil {
				t.Fatal(err)
			}
			var got, want any
			if json.Unmarshal([]byte(text), &got) != nil || json.Unmarshal(written, &want) != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: the snippet is\n%s\nand the file would be\n%s", e.Name, text, written)
			}
			entries, err := e.Entries(written)
			if err != nil || len(entries) != 1 || !Throughs(entries[0].Command[0]) {
				t.Errorf("%s: read back: %+v, %v", e.Name, entries, err)
			}
		}
	}
}

func TestTexts(t *testing.T) {
	bob := Agent{Name: "Bob", Self: "/home/me/.local/bin/bobproxy", Bob: "/home/me/.npm/bin/bob", Path: "/opt/node/bin:/usr/local/bin:/usr/bin:/bin"}
	goose := Agent{Name: "Goose 2", Self: "/usr/bin/bobproxy", Argv: []string{"/usr/bin/goose", "acp", "it's"}}
	var b strings.Builder
	for _, e := range Editors {
		for _, a := range []Agent{bob, goose} {
			b.WriteString("── " + e.Title + ", " + a.Name + ": " + e.File + "\n" + e.Text(a) + "\n")
		}
	}
	golden(t, "testdata/texts.golden", b.String())
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
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

func TestEntries(t *testing.T) {
	zed, _ := Named("zed")
	acpx, _ := Named("acpx")
	for _, tt := range []struct {
		name   string
		editor Editor
		text   string
		want   []Entry
	}{
		{"none", zed, `{"theme": "One"}`, nil},
		{"an empty file", zed, "", nil},
		{"no object", zed, `{"agent_servers": []}`, nil},
		{"several", zed, `{"agent_servers": {"b": {"command": "/opt/my bob/bob", "args": ["acp"], "env": {"A": "1"}}, "a": {"type": "registry"}, // x
		}}`, []Entry{{Name: "a"}, {Name: "b", Command: []string{"/opt/my bob/bob", "acp"}, Env: []string{"A=1"}}}},
		{"a list, a line and a path", acpx, `{"agents": {"a": {"argv": ["bob", "acp"]}, "b": {"command": "npx bob acp"}, "c": {"command": "/my folder/bob"}}}`, []Entry{
			{Name: "a", Command: []string{"bob", "acp"}}, {Name: "b", Command: []string{"npx", "bob", "acp"}}, {Name: "c", Command: []string{"/my folder/bob"}}}},
		{"odd ones", zed, `{"agent_servers": {"a": 1, "b": {"command": 2, "args": "x"}, "c": null}}`, []Entry{{Name: "a"}, {Name: "b"}, {Name: "c"}}},
	} {
		if got, err := tt.editor.Entries([]byte(tt.text)); err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: got %+v, %v, want %+v", tt.name, got, err, tt.want)
		}
	}
	if _, err := zed.Entries([]byte("{")); err == nil {
		t.Error("what cannot be read is no error")
	}
}

func TestNamed(t *testing.T) {
	if _, ok := Named("ed"); ok {
		t.Error("there is an editor ed")
	}
	for _, name := range []string{"agentic.nvim", "agent-shell", "codecompanion", "code"} {
		if _, ok := Named(name); !ok {
			t.Errorf("there is no editor %s", name)
		}
	}
}

func TestConfig(t *testing.T) {
	for _, tt := range []struct {
		editor string
		places Places
		want   string
	}{
		{"zed", Places{Home: "/h"}, "/h/.config/zed/settings.json"},
		{"zed", Places{Home: "/h", Config: "/c"}, "/c/zed/settings.json"},
		{"zed", Places{Home: "/h", Config: "relative"}, "/h/.config/zed/settings.json"},
		{"zed", Places{Home: "/h", Config: "/c", OS: "darwin"}, "/h/.config/zed/settings.json"},
		{"vscode", Places{Home: "/h", OS: "linux"}, "/h/.config/Code/User/settings.json"},
		{"vscode", Places{Home: "/h", OS: "darwin"}, "/h/Library/Application Support/Code/User/settings.json"},
		{"neovim", Places{Home: "/h"}, ""},
	} {
		e, _ := Named(tt.editor)
		if got := e.Config(tt.places); got != filepath.FromSlash(tt.want) {
			t.Errorf("%s, %+v: got %s, want %s", tt.editor, tt.places, got, tt.want)
		}
	}
}

func TestInterpreter(t *testing.T) {
	for line, want := range map[string]string{
		"#!/usr/bin/env node\nx": "node", "#!/usr/bin/env -S node --x\n": "node", "#! /usr/bin/env A=1 bun": "bun",
		"#!/usr/bin/node\n": "", "\x7fELF": "", "": "", "#!": "", "#!/usr/bin/env": "",
	} {
		if got := Interpreter(line); got != want {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
	}
}

// A link that a package manager moves is what an editor should know; not where
// it leads today.
func TestSelf(t *testing.T) {
	dir := t.TempDir()
	real := filepath.Join(dir, "Cellar-1.2", "bobproxy")
	link, other := filepath.Join(dir, "bobproxy"), filepath.Join(dir, "other")
	if err := os.Mkdir(filepath.Dir(real), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{real, other} {
		if err := os.WriteFile(file, nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, found, want string }{
		{"a link in PATH", link, link}, {"another program in PATH", other, real}, {"none in PATH", "", real}, {"one that has gone", dir + "/gone", real},
	} {
		if got := Self(real, tt.found); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

// A folder of a single shell is followed, but not the link in it.
func TestStable(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	bin, shells := filepath.Join(dir, "node", "bin"), filepath.Join(dir, "fnm_multishells")
	for _, each := range []string{bin, shells} {
		if err := os.MkdirAll(each, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(bin, filepath.Join(shells, "12_34")); err != nil {
		t.Fatal(err)
	}
	for found, want := range map[string]string{
		filepath.Join(shells, "12_34", "bob"): filepath.Join(bin, "bob"),
		filepath.Join(shells, "gone", "bob"):  filepath.Join(shells, "gone", "bob"),
		"/opt/homebrew/bin/bob":               "/opt/homebrew/bin/bob",
	} {
		if got := Stable(found); got != want {
			t.Errorf("%s: got %s, want %s", found, got, want)
		}
	}
}

// The text of a file that somebody has written by hand stays, but for our entry.
func TestPutKeepsTheRest(t *testing.T) {
	const settings = "// Zed settings\n{\n  \"theme\": \"One\", // dark\n  \"agent_servers\": {\n    \"Other\": { \"type\": \"custom\", \"command\": \"x\" },\n  },\n}\n"
	zed, _ := Named("zed")
	got, err := zed.Put([]byte(settings), Agent{Name: "Bob", Self: "/b/bobproxy"})
	if err != nil {
		t.Fatal(err)
	}
	entry := jsonc.Object{{Name: "type", Value: "custom"}, {Name: "command", Value: "/b/bobproxy"}, {Name: "args", Value: []string{"acp"}}}
	want := strings.Replace(settings, "\"x\" },\n", "\"x\" },\n    \"Bob\": "+entry.Text("    ", "  ", "\n")+",\n", 1)
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
