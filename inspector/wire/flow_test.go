package wire

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestFlow(t *testing.T) {
	for _, tt := range []struct {
		text  string
		width int
		words bool
		want  []string
	}{
		{"", 8, true, []string{""}},
		{"one two three", 8, true, []string{"one two ", "three"}},
		{"one two three", 8, false, []string{"one two ", "three"}},
		{"one two three", 10, false, []string{"one two th", "ree"}},
		{"a longwordthatdoesnotfit", 8, true, []string{"a ", "longword", "thatdoes", "notfit"}},
		{"x\ny\n", 8, true, []string{"x", "y", ""}},
		{"\n\n", 8, true, []string{"", "", ""}},
		{"世界世界", 3, true, []string{"世", "界", "世", "界"}},
		{"\ta\tb", 8, true, []string{"\ta", "\tb"}},
		{"世", 1, true, []string{"世"}},
		{"\u202eab", 6, false, []string{"\u202ea", "b"}},
	} {
		pieces, more := flow(tt.text, tt.width, 100, tt.words)
		var got []string
		for _, p := range pieces {
			got = append(got, tt.text[p.from:p.to])
		}
		if !slices.Equal(got, tt.want) || more {
			t.Errorf("%q in %d cells: got %q, want %q", tt.text, tt.width, got, tt.want)
		}
	}
	if pieces, more := flow("a\nb\nc", 8, 2, true); len(pieces) != 2 || !more {
		t.Errorf("of three lines there are %d, more is %v; want 2 and true", len(pieces), more)
	}
}

// BenchmarkFlow breaks texts that are hard to break, of 64 KiB.
func BenchmarkFlow(b *testing.B) {
	for _, part := range []string{"a", "a\u0301", "\u200d\u0301", "\xff", "世"} {
		text := strings.Repeat(part, maxBody/len(part))
		b.Run(strconv.QuoteToASCII(part), func(b *testing.B) {
			for b.Loop() {
				flow(text, 40, len(text), true)
			}
		})
	}
}
