package wire

import (
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"bobproxy/acp/clean"
	"bobproxy/inspector/paint"
)

// piece is what stands of a text on one line.
type piece struct {
	from, to int
	newline  bool // a line break follows it in the text
	clipped  bool // it goes on, but not on the screen
}

const (
	tabWidth    = 4
	longestUnit = 64 // bytes of what is kept together
)

// flow says how a text stands on lines of that many cells, of which there are
// at most most; more says that there would be more. Lines break at blanks where
// words is true, else wherever they are full. It takes time linear in s.
func flow(s string, width, most int, words bool) (pieces []piece, more bool) {
	start, cells, blank, since := 0, 0, 0, 0
	for i := 0; i < len(s); {
		if len(pieces) == most {
			return pieces, true
		}
		if s[i] == '\n' {
			pieces = append(pieces, piece{from: start, to: i, newline: true})
			i++
			start, cells, blank = i, 0, 0
			continue
		}
		n, w := unit(s[i:])
		if cells+w > width && i > start {
			end, left := i, 0
			if words && blank > start {
				end, left = blank, cells-since
			}
			pieces = append(pieces, piece{from: start, to: end})
			start, cells, blank = end, left, 0
			continue
		}
		cells += w
		i += n
		if s[i-1] == ' ' {
			blank, since = i, cells
		}
	}
	if len(pieces) == most {
		return pieces, true
	}
	return append(pieces, piece{from: start, to: len(s)}), false
}

// clip says how a text stands on lines that are cut at the edge.
func clip(s string, width, most int) (pieces []piece, more bool) {
	start := 0
	for {
		if len(pieces) == most {
			return pieces, true
		}
		end := strings.IndexByte(s[start:], '\n')
		newline := end >= 0
		if !newline {
			end = len(s) - start
		}
		end += start
		p := piece{from: start, to: start + fit(s[start:end], width), newline: newline}
		p.clipped = p.to < end
		pieces = append(pieces, p)
		if !newline {
			return pieces, false
		}
		start = end + 1
	}
}

// fit is how many bytes of s stand in width cells.
func fit(s string, width int) int {
	i := 0
	for i < len(s) {
		n, w := unit(s[i:])
		if w > width {
			break
		}
		i, width = i+n, width-w
	}
	return i
}

// unit is what stays together at the beginning of s, which is not empty, in
// bytes and in cells.
func unit(s string) (n, cells int) {
	if s[0] == '\t' {
		return 1, tabWidth
	}
	if s[0] < utf8.RuneSelf && s[0] >= ' ' && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		return 1, 1
	}
	if len(s) > longestUnit {
		s = s[:cutAt(s, longestUnit)]
	}
	cluster, _, _, _ := uniseg.FirstGraphemeClusterInString(s, -1)
	if n = len(cluster); !clean.Is(cluster) {
		_, n = utf8.DecodeRuneInString(s)
	}
	return n, paint.Width(s[:n])
}

// cutAt is where s, which is longer, can be cut to at most n bytes without
// cutting a character.
func cutAt(s string, n int) int {
	for k := n; k > n-utf8.UTFMax; k-- {
		if utf8.RuneStart(s[k]) {
			return k
		}
	}
	return n
}

// write paints text on row 0 of a, from x on, with what is looked for
// underlined. Tabs take tabWidth cells.
func write(a paint.Area, x int, style paint.Style, text, find string) int {
	for text != "" {
		i, n := indexFold(text, find)
		x = plainly(a, x, style, text[:i])
		marked := style
		marked.Under, marked.Bold = true, true
		x = plainly(a, x, marked, text[i:i+n])
		text = text[i+n:]
	}
	return x
}

func plainly(a paint.Area, x int, style paint.Style, text string) int {
	for {
		i := strings.IndexByte(text, '\t')
		if i < 0 {
			return a.Put(x, 0, style, text)
		}
		x = a.Put(x, 0, style, text[:i])
		a.Put(x, 0, style, "\t")
		x += tabWidth
		text = text[i+1:]
	}
}

// indexFold is where find is in s, and how long that is; the end of s when it
// is not there. Letters of ASCII may be of either case.
func indexFold(s, find string) (at, n int) {
	if find != "" {
		if i := strings.Index(lower(s), find); i >= 0 {
			return i, len(find)
		}
	}
	return len(s), 0
}

// lower is s with the letters of ASCII in lower case, and as long as s.
func lower(s string) string {
	i := strings.IndexFunc(s, func(r rune) bool { return 'A' <= r && r <= 'Z' })
	if i < 0 {
		return s
	}
	b := []byte(s)
	for ; i < len(b); i++ {
		if 'A' <= b[i] && b[i] <= 'Z' {
			b[i] += 'a' - 'A'
		}
	}
	return string(b)
}
