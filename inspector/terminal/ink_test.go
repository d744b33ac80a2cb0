package terminal

import (
	"os"
	"testing"
)

func TestInkFor(t *testing.T) {
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	yes := true
	for _, c := range []struct {
		name  string
		o     Options
		env   map[string]string
		theme string
		ascii bool
	}{
		{"a file has no colours", Options{}, nil, "", false},
		{"always", Options{Color: "always"}, nil, "dark", false},
		{"always beats NO_COLOR", Options{Color: "always", Theme: "mono"}, map[string]string{"NO_COLOR": "1"}, "mono", false},
		{"forced", Options{Theme: "auto"}, map[string]string{"CLICOLOR_FORCE": "1", "COLORFGBG": "0;15"}, "light", false},
		{"NO_COLOR beats force", Options{}, map[string]string{"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, "", false},
		{"a locale without UTF-8", Options{}, map[string]string{"LC_ALL": "C"}, "", true},
		{"asked for ASCII", Options{ASCII: &yes}, map[string]string{"LANG": "C.UTF-8"}, "", true},
	} {
		c.o.Env = func(name string) (string, bool) { v, ok := c.env[name]; return v, ok }
		ink := InkFor(file, c.o)
		got := ""
		if ink.Theme != nil {
			got = ink.Theme.Name
		}
		if got != c.theme || ink.ASCII != c.ascii {
			t.Errorf("%s: theme %q, ASCII %v; want %q, %v", c.name, got, ink.ASCII, c.theme, c.ascii)
		}
	}
}
