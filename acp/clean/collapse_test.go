package clean

import (
	"strings"
	"testing"
)

func TestCollapse(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"words", "a b  c", "a b  c"},
		{"eight blanks", "a        b", "a        b"},
		{"nine blanks", "a         b", "a{‹9 blanks›}b"},
		{"twice", "a" + strings.Repeat(" ", 40) + "b" + strings.Repeat(" ", 10), "a{‹40 blanks›}b{‹10 blanks›}"},
		{"indent", strings.Repeat(" ", 40) + "x", strings.Repeat(" ", 40) + "x"},
		{"too much indent", strings.Repeat(" ", 41) + "x", "{‹41 blanks›}x"},
		{"behind a sign", "\x1b" + strings.Repeat(" ", 9) + "x", "{␛}{‹9 blanks›}x"},
		{"blanks that are not", "a" + strings.Repeat("\u00a0", 2), "a{‹nbsp›}{‹nbsp›}"},
		{"eight empty lines", "a" + strings.Repeat("\n", 9) + "b", "a" + strings.Repeat("\n", 9) + "b"},
		{"nine empty lines", "a" + strings.Repeat("\n", 10) + "b", "a\n{‹9 blank lines›}\nb"},
		{"nothing", "", ""},
		{"wide blank lines", strings.Repeat(" ", 999) + "\n\nx", "{‹999 blanks›}\n\nx"},
		{"lines of blanks", "a" + strings.Repeat("\n         ", 9) + "\nb", "a\n{‹9 blank lines›}\nb"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var lines [][]Span
			for line := range strings.SplitSeq(c.in, "\n") {
				lines = append(lines, Command(nil, line))
			}
			var got []string
			for _, line := range Collapse(lines) {
				text := ""
				for _, s := range line {
					if s.Odd {
						s.Text = "{" + s.Text + "}"
					}
					text += s.Text
				}
				got = append(got, text)
			}
			if got := strings.Join(got, "\n"); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
