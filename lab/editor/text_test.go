package editor

import (
	"slices"
	"testing"
)

func TestWrap(t *testing.T) {
	for _, tt := range []struct {
		line  string
		width int
		want  []string
	}{
		{"short", 10, []string{"short"}},
		{"never wrapped at all", 0, []string{"never wrapped at all"}},
		{"one two three", 8, []string{"one two", "three"}},
		{"  one two three", 9, []string{"  one two", "  three"}},
		{"- one two three", 9, []string{"- one two", "  three"}},
		{"+     return nil, x", 15, []string{"+     return", "nil, x"}},
		{"ok    two  blanks", 12, []string{"ok    two", "blanks"}},
		{"unbreakableword next", 5, []string{"unbreakableword", "next"}},
	} {
		if got := wrap(tt.line, tt.width); !slices.Equal(got, tt.want) {
			t.Errorf("wrap(%q, %d) = %q, want %q", tt.line, tt.width, got, tt.want)
		}
	}
}
