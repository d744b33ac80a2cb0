package diff

import (
	"slices"
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"nothing":         {"", nil},
		"one line":        {"a\n", []string{"a\n"}},
		"no line feed":    {"a\nb", []string{"a\n", "b"}},
		"only line feeds": {"\n\n", []string{"\n", "\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Lines(test.text); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestWords(t *testing.T) {
	for name, test := range map[string]struct {
		before, after string
		was, is       []Piece
		alike         bool
	}{
		"a name": {
			"	return time.Now() > t.exp", "	return time.Now() > t.limit",
			[]Piece{{"	return time.Now() > t.", false}, {"exp", true}},
			[]Piece{{"	return time.Now() > t.", false}, {"limit", true}}, true,
		},
		"something added": {
			"rm build", "rm -rf build",
			[]Piece{{"rm ", false}, {"build", false}},
			[]Piece{{"rm ", false}, {"-rf ", true}, {"build", false}}, true,
		},
		"nothing alike": {"if x {", "return nil", nil, nil, false},
		"both blank":    {"  ", " ", nil, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			was, is, alike := Words(test.before, test.after)
			if alike != test.alike {
				t.Fatalf("alike: %v", alike)
			}
			if alike && (text(was) != test.before || text(is) != test.after || marked(was) != marked(test.was) || marked(is) != marked(test.is)) {
				t.Errorf("got %v and %v", was, is)
			}
		})
	}
}

func TestWordsAreBounded(t *testing.T) {
	for name, line := range map[string]string{
		"many words": strings.Repeat("a ", 1000),
		"long":       strings.Repeat("a", 1<<20),
	} {
		t.Run(name, func(t *testing.T) {
			if _, _, alike := Words(line, line+"b"); alike {
				t.Error("was compared")
			}
		})
	}
}

func TestNear(t *testing.T) {
	steps := Compare(Lines("1\n2\n3\n4\n5\n6\n7\n8\n9\n"), Lines("1\n2\n3\n4\nfive\n6\n7\n8\n9\n"))
	var shown string
	for i, s := range steps {
		if Near(steps, i) {
			shown += string(s.Sign) + strings.TrimSpace(s.Line)
		}
	}
	if want := " 2 3 4-5+five 6 7 8"; shown != want {
		t.Errorf("got %q, want %q", shown, want)
	}
}

func text(pieces []Piece) (s string) {
	for _, p := range pieces {
		s += p.Text
	}
	return s
}

func marked(pieces []Piece) (s string) {
	for _, p := range pieces {
		if p.Changed {
			s += p.Text + "|"
		}
	}
	return s
}

// However the lines are, what is told makes of the old text the new one.
func FuzzCompare(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nc\nb\n")
	f.Add("", "x")
	f.Add("x\nx\nx\ny\n", "x\ny\nx\nx\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		var was, is strings.Builder
		for _, s := range Compare(Lines(before), Lines(after)) {
			if s.Sign != '+' {
				was.WriteString(s.Line)
			}
			if s.Sign != '-' {
				is.WriteString(s.Line)
			}
		}
		if was.String() != before || is.String() != after {
			t.Errorf("%q to %q is told as from %q to %q", before, after, was.String(), is.String())
		}
	})
}

func FuzzWords(f *testing.F) {
	f.Add("a b c", "a c\xff")
	f.Fuzz(func(t *testing.T, before, after string) {
		was, is, alike := Words(before, after)
		if alike && (text(was) != before || text(is) != after) {
			t.Errorf("%q to %q is told as from %v to %v", before, after, was, is)
		}
	})
}
