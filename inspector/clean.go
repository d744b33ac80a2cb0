package inspector

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean makes text from a peer safe to print: what a terminal would obey, what
// is invisible and what turns the direction of writing is shown by its number,
// and what is not UTF-8 by its bytes. Line breaks and tabs are shown too, so
// the result is one line.
func Clean(text string) string {
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD"):
			fmt.Fprintf(&b, "<%02X>", text[i])
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "<U+%04X>", r)
		}
	}
	return b.String()
}
