package paint

import (
	"strings"

	"github.com/rivo/uniseg"

	"bobproxy/acp/clean"
)

// Clean is text from anywhere as a line in a role, what had to be replaced in
// the role Odd. Line breaks are shown as ↵.
func Clean(role Role, text string) Line {
	if clean.Is(text) {
		return L(role, text)
	}
	var line Line
	for _, s := range clean.Spans(nil, text) {
		if s.Odd {
			line = append(line, S(Odd, s.Text))
		} else {
			line = append(line, S(role, s.Text))
		}
	}
	return line
}

// Width is how many cells text takes.
func Width(text string) int {
	text = clean.Line(text)
	if ascii(text) {
		return len(text)
	}
	return uniseg.StringWidth(text)
}

func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// Width is how many cells the line takes.
func (l Line) Width() (n int) {
	for _, s := range l {
		n += Width(s.Text)
	}
	return n
}

// Cut is text in at most width cells, with a … at the end when it was longer.
func Cut(text string, width int) string { return L(Plain, text).Cut(width).String() }

// Cut is the line in at most width cells, with a … at the end when it was
// longer.
func (l Line) Cut(width int) Line {
	if width <= 0 {
		return nil
	}
	if l.Width() <= width {
		return l
	}
	var out Line
	left := width - 1
	for _, s := range l {
		head, n := prefix(clean.Line(s.Text), left)
		left -= n
		out = append(out, Span{head, s.Style})
		if len(head) < len(clean.Line(s.Text)) {
			out[len(out)-1].Text += "…"
			return out
		}
	}
	return out
}

// prefix is as much of text as fits into width cells, and how many it takes.
func prefix(text string, width int) (string, int) {
	used, end, state := 0, 0, -1
	for rest := text; rest != ""; {
		var cluster string
		var w int
		cluster, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if used+w > width {
			break
		}
		used, end = used+w, end+len(cluster)
	}
	return text[:end], used
}

// Wrap is the line as lines of at most width cells, broken at blanks where
// there are any, in the middle of words where there are none. It has at least
// one line, and nothing of the text is lost but the blanks at breaks.
func (l Line) Wrap(width int) []Line {
	width = max(width, 1)
	var lines []Line
	var line Line
	used := 0
	flush := func() {
		lines = append(lines, line)
		line, used = nil, 0
	}
	for _, s := range l {
		for rest := clean.Line(s.Text); rest != ""; {
			word := rest
			if i := strings.IndexByte(rest[1:], ' '); i >= 0 {
				word = rest[:i+1]
			}
			w := Width(word)
			switch {
			case used+w <= width:
				line, used, rest = append(line, Span{word, s.Style}), used+w, rest[len(word):]
			case used > 0 && w-blanks(word) <= width:
				flush()
				rest = strings.TrimLeft(rest, " ")
			default:
				head, n := prefix(word, width-used)
				if head == "" && used == 0 { // not even one cluster fits
					_, after, _, _ := uniseg.FirstGraphemeClusterInString(word, -1)
					head, n = word[:len(word)-len(after)], width
				}
				line, used, rest = append(line, Span{head, s.Style}), used+n, rest[len(head):]
				if rest != "" {
					flush()
				}
			}
		}
	}
	if len(line) > 0 || len(lines) == 0 {
		flush()
	}
	return lines
}

func blanks(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

// Break is the line as lines of at most width cells, broken only where a line
// is full, so that every blank stays where it is: for commands and code.
func (l Line) Break(width int) []Line {
	width = max(width, 1)
	var lines []Line
	var line Line
	used := 0
	for _, s := range l {
		for rest := clean.Line(s.Text); rest != ""; {
			head, n := prefix(rest, width-used)
			if head == "" && used == 0 {
				_, after, _, _ := uniseg.FirstGraphemeClusterInString(rest, -1)
				head, n = rest[:len(rest)-len(after)], width
			}
			if head == "" {
				lines, line, used = append(lines, line), nil, 0
				continue
			}
			line, used, rest = append(line, Span{head, s.Style}), used+n, rest[len(head):]
		}
	}
	return append(lines, line)
}
