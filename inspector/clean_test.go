package inspector

import (
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                  "plain",
		"größe 漢字 🙂":             "größe 漢字 🙂",
		"a\x1b]52;c;x\x07b":      "a<U+001B>]52;c;x<U+0007>b",
		"\x9b2J":                 "<9B>2J",
		"\u009b2J":               "<U+009B>2J",
		"rm \u202e x\u2066":      "rm <U+202E> x<U+2066>",
		"a\u200bb\ufeff":         "a<U+200B>b<U+FEFF>",
		"two\nlines\tand a\rtab": "two<U+000A>lines<U+0009>and a<U+000D>tab",
		"\xff\xc3(":              "<FF><C3>(",
		"\ufffd":                 "\ufffd",
		"\U000e0100":             "<U+E0100>",
	} {
		if got := Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("a\x1b[31m\u202e\xff")
	f.Fuzz(func(t *testing.T, in string) {
		out := Clean(in)
		if !utf8.ValidString(out) {
			t.Errorf("Clean(%q) = %q is not UTF-8", in, out)
		}
		for _, r := range out {
			if !unicode.IsPrint(r) {
				t.Errorf("Clean(%q) = %q holds %U", in, out, r)
			}
		}
	})
}
