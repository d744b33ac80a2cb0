package paint

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range max(len(gotLines), len(wantLines)) {
		if g, w := nth(gotLines, i), nth(wantLines, i); g != w {
			t.Fatalf("%s, line %d:\n got %s\nwant %s", path, i+1, g, w)
		}
	}
}

func nth(lines []string, i int) string {
	if i >= len(lines) {
		return "(no more lines)"
	}
	return lines[i]
}

func TestDumps(t *testing.T) {
	g := scene()
	golden(t, "scene.txt", Text(g)+"\n"+Styles(g))
}

func TestPictures(t *testing.T) {
	for _, name := range []string{"dark", "light", "mono"} {
		theme, ok := ThemeNamed(name)
		if !ok {
			t.Fatalf("no theme %s", name)
		}
		golden(t, name+".svg", string(SVG(scene(), theme, "A scene", "Everything that can be painted, once.")))
	}
}
