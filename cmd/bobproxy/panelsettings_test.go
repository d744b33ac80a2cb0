package main

import (
	"maps"
	"os"
	"strings"
	"testing"
	"time"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/panel"
	"bobproxy/inspector/terminal"
)

func TestTablesOfThePanel(t *testing.T) {
	s, _, err := settle(t, nil, nil, `bounds = "warn"
[filters]
noise = "-u:message,thought"
slow-ones = 'slow>2s'
[keys.card]
reject = "X F2"
[keys.everywhere]
pending = "P"
`)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.panel.filters["noise"] + "|" + s.panel.filters["slow-ones"]; got != "-u:message,thought|slow>2s" {
		t.Errorf("filters %s", got)
	}
	for _, k := range []struct {
		in   keys.Place
		key  keys.Key
		want keys.Action
	}{{keys.Card, "X", keys.Reject}, {keys.Card, "F2", keys.Reject}, {keys.Card, "x", ""}, {keys.Wire, "P", keys.Pending}, {keys.Wire, "x", keys.NotThis}} {
		if got, _ := s.panel.keys.Find(k.in, k.key); got != k.want {
			t.Errorf("%s in %s does %q, want %q", k.key, k.in, got, k.want)
		}
	}
}

func TestWrongTablesOfThePanel(t *testing.T) {
	for name, tt := range map[string]struct {
		file string
		line string
		says []string
	}{
		"filter":         {"[filters]\nbad = \"kind:\"\n", ":2", []string{"filter bad"}},
		"filter's name":  {"[filters]\n\"a b\" = \"x\"\n", ":2", []string{"no name for a filter"}},
		"filter's value": {"[filters]\na = 3\n", ":2", []string{"is written"}},
		"place":          {"[keys.nowhere]\nreject = \"x\"\n", ":2", []string{"nowhere"}},
		"action":         {"[keys.card]\naccept = \"x\"\n", ":2", []string{"accept"}},
		"habit":          {"[keys.card]\nreject = \"n\"\n", ":2", []string{"by mistake"}},
		"digit":          {"[keys.card]\nreject = \"1\"\n", ":2", []string{"by mistake"}},
		"taken":          {"[keys.card]\nreject = \"]\"\n", ":2", []string{"already"}},
		"too deep":       {"[keys.card.more]\nreject = \"x\"\n", ":1", []string{"no table"}},
		"role":           {"bounds = \"warn\"\n[theme]\ndangre = \"red\"\n", ":3", []string{`no role "dangre"; did you mean danger?`, "added-word"}},
		"word":           {"[theme]\nbad = \"bold rde\"\n", ":2", []string{`bad = "bold rde"`, `"rde"`, "did you mean red?", "on COLOUR"}},
		"look's value":   {"[theme]\nbad = true\n", ":2", []string{"is written"}},
		"unreadable":     {"[theme]\nwarn = \"black on black\"\n", ":2", []string{"cannot be read"}},
		"hidden warning": {"[theme]\nwarn = \"cyan\"\nplain = \"cyan\"\n\n", ":3", []string{"warn would look like plain"}},
		"theme's name":   {"[theme]\nname = \"pink\"\n", ":2", []string{"is not auto, dark, light or mono"}},
		"theme twice":    {"theme = \"dark\"\n[theme]\nbad = \"red\"\n", ":2", []string{`name = "dark"`}},
		"and dotted":     {"theme.bad = \"red\"\ntheme = \"dark\"\n", ":2", []string{`name = "dark"`}},
		"dotted":         {"keys.card.reject = \"y\"\n", ":1", []string{"by mistake"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, where, err := settle(t, nil, nil, tt.file)
			complains(t, err, append(tt.says, where+tt.line)...)
		})
	}
}

func TestLooksInTheFile(t *testing.T) {
	s, where, err := settle(t, nil, nil, `[theme]
name = "light"
danger = "bold white on red"
added-word = "underline green"
bar = "black on cyan"
`)
	if err != nil {
		t.Fatal(err)
	}
	want := paint.Looks{
		paint.Danger: {FG: paint.White, BG: paint.Red, Bold: true}, paint.AddedWord: {FG: paint.Green, Under: true}, paint.Bar: {FG: paint.Black, BG: paint.Cyan},
	}
	if !maps.Equal(s.panel.looks, want) {
		t.Errorf("got %v, want %v", s.panel.looks, want)
	}
	if s.panel.theme != "light" || s.source["theme"] != "file "+where+":2" {
		t.Errorf("the theme is %s, from %s", s.panel.theme, s.source["theme"])
	}
	w := watching{settings: s}
	if got := w.terminal(s.lookup).Looks; !maps.Equal(got, want) {
		t.Errorf("the screen has %v", got)
	}
}

// Whatever the panel has a setting for, its :set knows.
func TestSettingsOfThePanel(t *testing.T) {
	s, where, err := settle(t, []string{"--mouse=false"}, map[string]string{"BOBPROXY_ARM": "2s"}, "wide-from = 150\nnotify-command = [\"a\", \"b\"]\n[theme]\nname = \"light\"\nbad = \"bold red\"\n")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	w := watching{settings: s}
	o := w.options()
	if o.ConfigFile != where {
		t.Errorf("the config file is %s, want %s", o.ConfigFile, where)
	}
	want := map[string][2]string{
		"mouse": {"false", "flag --mouse"}, "arm": {"2s", "environment BOBPROXY_ARM"}, "wide-from": {"150", "file " + where + ":1"},
		"theme": {"light", "file " + where + ":4"}, "layout": {"auto", ""}, "notify-command": {"a,b", "file " + where + ":2"},
	}
	p := panel.New(o)
	for _, one := range o.Settings {
		if w, ok := want[one.Name]; ok && (one.Value != w[0] || one.Source != w[1]) {
			t.Errorf("%s is %q from %q, want %q", one.Name, one.Value, one.Source, w)
		}
		says := one.Name + " is " + one.Value + " already"
		if one.Name == "notify-command" {
			says = "notify-command cannot be changed"
		}
		if got := toldBy(t, p, "set "+one.Name+" "+one.Value); !strings.Contains(got, says) {
			t.Errorf("it does not say %q:\n%s", says, got)
		}
	}
	if got := toldBy(t, p, "set theme dark"); !strings.Contains(got, `[theme] name = "dark"`) {
		t.Errorf("it does not say how to keep a theme:\n%s", got)
	}
	if n := len(o.Settings); n < 14 {
		t.Errorf("there are %d settings", n)
	}
}

// What :set says of a theme fits into the file.
func TestTheThemeInTheFile(t *testing.T) {
	for file, want := range map[string]string{
		"":                               "",
		"theme = \"dark\"\n":             "",
		"[filters]\na = \"b\"\n":         "",
		"[theme]\n":                      "[theme] name",
		"[theme]\nname = \"dark\"\n":     "[theme] name",
		"theme.bad = \"bold red\"\n":     "[theme] name",
		"wide-from = 140\n\n[theme]\n\n": "[theme] name",
	} {
		s, _, err := settle(t, nil, nil, file)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.ofPanel()[0]; got.Name != "theme" || got.Key != want {
			t.Errorf("%q: %s is called %q, want %q", file, got.Name, got.Key, want)
		}
	}
}

// toldBy is the screen of a panel after a command.
func toldBy(t *testing.T, p *panel.Panel, line string) string {
	t.Helper()
	now := time.Now()
	for _, k := range ":" + line {
		p.Input(terminal.Key{Key: keys.Key(string(k))}, now)
	}
	p.Input(terminal.Key{Key: "Enter"}, now)
	g := paint.NewGrid(160, 30)
	p.Draw(g, now)
	return paint.Text(g)
}

// What the README shows of the tables is right, and it names all roles.
func TestTablesInTheREADME(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "    [filters]\n")
	example, rest, ends := strings.Cut(rest, "\n\nIn `[theme]`")
	if !found || !ends {
		t.Fatal("the README has no example of the tables")
	}
	s, _, err := settle(t, nil, nil, "[filters]\n"+strings.ReplaceAll(example, "    ", "")+"\n")
	if err != nil || len(s.panel.looks) == 0 || len(s.panel.filters) == 0 || s.panel.keys == nil {
		t.Errorf("it sets %+v, %v", s.panel, err)
	}
	words, _, _ := strings.Cut(rest, "\n\n")
	for _, role := range paint.RoleNames() {
		if !strings.Contains(words, "`"+role+"`") {
			t.Errorf("it does not name %s", role)
		}
	}
}

// A flag is for the command that has a use for it, and a variable of the panel
// never keeps an agent from starting.
func TestFlagsOfOthers(t *testing.T) {
	for _, tt := range []struct {
		command string
		args    []string
		says    string
	}{
		{"acp", []string{"--theme", "dark"}, "--theme is for panel"},
		{"run", []string{"--mouse=false"}, "--mouse is for panel"},
		{"panel", []string{"--bounds", "off"}, "--bounds is for acp and run"},
		{"ps", []string{"--theme", "dark"}, "ps has no such flag"},
	} {
		s := newSettings(func(string) (string, bool) { return "", false })
		if _, err := s.parse(tt.args); err != nil {
			t.Fatal(err)
		}
		complains(t, s.refuseFor(tt.command), tt.says)
	}
	s := newSettings(func(name string) (string, bool) { return "pink", name == "BOBPROXY_THEME" })
	if err := s.complete("run"); err != nil {
		t.Errorf("run: %v", err)
	}
	if err := s.complete("panel"); err == nil || !strings.Contains(err.Error(), "BOBPROXY_THEME") {
		t.Errorf("panel: %v", err)
	}
}
