package paint

import (
	"slices"
	"strings"
	"testing"

	"bobproxy/acp/clean"
)

func texted(lines []Line) (out []string) {
	for _, l := range lines {
		out = append(out, l.String())
	}
	return out
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		name  string
		text  string
		width int
		want  []string
	}{
		{"empty", "", 10, []string{""}},
		{"fits", "one two", 7, []string{"one two"}},
		{"at a blank", "one two three", 8, []string{"one two", "three"}},
		{"blanks at breaks", "one   two   three", 6, []string{"one", "two", "three"}},
		{"blanks at the end", "one  ", 10, []string{"one  "}},
		{"long word goes on", "a abcdefghij b", 5, []string{"a abc", "defgh", "ij b"}},
		{"word of a line", "a abcde b", 5, []string{"a", "abcde", "b"}},
		{"indented", "    abcdefgh", 6, []string{"    ab", "cdefgh"}},
		{"wide", "漢字漢字", 5, []string{"漢字", "漢字"}},
		{"wider than the line", "漢a", 1, []string{"漢", "a"}},
		{"no width", "ab", 0, []string{"a", "b"}},
		{"accents stay", "e\u0301e\u0301", 1, []string{"e\u0301", "e\u0301"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := texted(L(Plain, c.text).Wrap(c.width)); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestWrapKeepsWordsOfSeveralSpans(t *testing.T) {
	l := Line{S(Plain, "one tw"), S(Bad, "o"), S(Plain, "! three")}
	got := l.Wrap(7)
	if want := []string{"one", "two!", "three"}; !slices.Equal(texted(got), want) {
		t.Fatalf("got %q, want %q", texted(got), want)
	}
	if s := got[1][1]; s != S(Bad, "o") {
		t.Errorf("got %+v", got[1])
	}
}

func TestBreak(t *testing.T) {
	for _, c := range []struct {
		name  string
		text  string
		width int
		want  []string
	}{
		{"empty", "", 4, []string{""}},
		{"blanks stay", "ab  cd ef", 3, []string{"ab ", " cd", " ef"}},
		{"wide", "a漢字b", 3, []string{"a漢", "字b"}},
		{"signs", "a\x1b\u202e", 3, []string{"a␛‹", "RLO", "›"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := texted(L(Plain, c.text).Break(c.width)); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		name, text string
		width      int
		want       string
	}{
		{"fits", "abc", 3, "abc"},
		{"longer", "abcd", 3, "ab…"},
		{"nothing", "abc", 0, ""},
		{"one cell", "abc", 1, "…"},
		{"half a wide one", "a漢字", 4, "a漢…"},
		{"no half", "漢字字", 4, "漢…"},
		{"sign", "\u202eabc", 4, "‹RL…"},
		{"very long", strings.Repeat("\u202e", 1<<16), 4, "‹RL…"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Cut(c.text, c.width); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	l := Line{S(Plain, "ab"), S(Bad, ""), S(Bad, "cd"), S(Good, "ef")}
	if got := l.Cut(4).String(); got != "abc…" {
		t.Errorf("got %q", got)
	}
	if got := l.Cut(3).String(); got != "ab…" {
		t.Errorf("got %q", got)
	}
}

// However a text is broken, it fits and nothing but blanks is lost.
func FuzzBreaks(f *testing.F) {
	for i, text := range texts {
		f.Add(text, text, i)
	}
	f.Fuzz(func(t *testing.T, a, b string, width int) {
		width = max(width%100, -1)
		l := Line{S(Plain, a), S(Bad, b)}
		text := clean.Line(a) + clean.Line(b)
		if got := strings.Join(texted(l.Break(width)), ""); got != text {
			t.Errorf("broken: %q, want %q", got, text)
		}
		bare := strings.ReplaceAll(text, " ", "")
		if got := strings.ReplaceAll(strings.Join(texted(l.Wrap(width)), ""), " ", ""); got != bare {
			t.Errorf("wrapped: %q, want %q", got, bare)
		}
		for _, l := range append(l.Wrap(width), append(l.Break(width), l.Cut(width))...) {
			if w := l.Width(); w > max(width, 6) {
				t.Errorf("%q takes %d cells, not %d", l, w, width)
			}
		}
		if cut := l.Cut(width); l.Width() <= width && cut.String() != l.String() {
			t.Errorf("cut %q to %q", l, cut)
		}
		checkCells(t, a)
		checkClusters(t, a)
	})
}

func BenchmarkWrap64K(b *testing.B) {
	l := L(Plain, strings.Repeat("x", 1<<16))
	for b.Loop() {
		l.Wrap(50)
	}
}

func BenchmarkWrapHostile64K(b *testing.B) {
	l := Clean(Plain, strings.Repeat("\u202e\x1be\u0301", 1<<13))
	for b.Loop() {
		l.Wrap(50)
	}
}
