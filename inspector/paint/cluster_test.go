package paint

import (
	"strings"
	"testing"
	"unicode"

	"github.com/rivo/uniseg"

	"bobproxy/acp/clean"
)

var texts = []string{
	"", "plain text", "größe", "漢字 mixed 한글", "e\u0301 o\u0302\u0323x", "e" + strings.Repeat("\u0301", 200),
	"👍🏽 🇩🇪🇫🇷 ⚠\ufe0f 1\ufe0f\u20e3", "👨\u200d👩\u200d👧", "\u0301start", "हिन्दी ज़ीं กำ ေရာ", "\u1112\u1161\u11ab\u1112\u1112",
	"각\u11a8", "漢\u302e\u0903", "a\x1b[31m\u202e\xff\ue000", "┌─┐ █░ ► ‹›", "\U000111c2ab\u2e3b", "x\r\ny\tz", "🙂\ufe0f\u0301\u0301",
}

// drawn is the width of a cell's text as tcell counts it when it is put there.
func drawn(text string) (width int, rest string) {
	state := -1
	for width == 0 && text != "" {
		_, text, width, state = uniseg.FirstGraphemeClusterInString(text, state)
	}
	return width, text
}

// Whatever is painted takes the cells that tcell gives it.
func TestCellsAreAsWideAsDrawn(t *testing.T) {
	for _, text := range texts {
		checkCells(t, text)
	}
}

func checkCells(t *testing.T, text string) {
	t.Helper()
	width := Width(text)
	g := NewGrid(max(width, 1), 1)
	if end := g.All().Put(0, 0, Style{}, text); end != width {
		t.Fatalf("%q: width %d, painted %d cells", text, width, end)
	}
	got := ""
	for x := 0; x < width; x++ {
		c := g.At(x, 0)
		want := 1
		if c.Wide {
			want = 2
		}
		if w, rest := drawn(c.Text); w != want || rest != "" {
			t.Fatalf("%q: cell %d holds %q, drawn in %d cells, want %d", text, x, c.Text, w, want)
		}
		if len(c.Text) > 2*maxBytes {
			t.Fatalf("%q: cell %d holds %d bytes", text, x, len(c.Text))
		}
		got += c.Text
		x += want - 1
	}
	if want := clean.Line(text); got != want {
		t.Fatalf("%q: painted %q, want %q", text, got, want)
	}
}

// Text may be cut between any two clusters: no part becomes unclean by that.
func checkClusters(t *testing.T, text string) {
	t.Helper()
	for rest := clean.Line(text); rest != ""; {
		var cluster string
		var w int
		cluster, w, rest = next(rest)
		if !clean.Is(cluster) || !clean.Is(rest) || w > 6 || len(cluster) > 2*maxBytes {
			t.Fatalf("%q: cluster %q of %d cells before %q", text, cluster, w, rest)
		}
	}
}

func TestEveryCharacter(t *testing.T) {
	for r := rune(0x20); r < 0x20000; r++ {
		switch { // thousands of the same kind
		case 0x3500 < r && r < 0x9FF0, 0xAC40 < r && r < 0xD780, 0x12100 < r && r < 0x16A00, 0x17000 < r && r < 0x1AFF0:
			continue
		case !unicode.IsPrint(r):
			continue
		}
		c := string(r)
		for _, text := range []string{c + c + "b", "각" + c + c + c, "🙂" + c + "𐤀" + c} {
			checkCells(t, text)
			checkClusters(t, text)
		}
	}
}

func TestWidth(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"ASCII", "abc", 3},
		{"accent", "e\u0301", 1},
		{"Chinese", "漢字", 4},
		{"lines and marks", "┌─►│█░●○×✓␛↵‹›−·…", 17},
		{"emoji", "👍🏽", 2},
		{"flag", "🇩🇪", 2},
		{"sign as emoji", "⚠\ufe0f", 2},
		{"sign", "⚠", 1},
		{"key", "1\ufe0f\u20e3", 1},
		{"joined", "👨\u200d👩", 9},
		{"control", "\x1b", 1},
		{"direction", "\u202e", 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Width(c.text); got != c.want {
				t.Errorf("Width(%q) = %d, want %d", c.text, got, c.want)
			}
		})
	}
}
