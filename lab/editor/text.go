package editor

import (
	"strings"
	"unicode/utf8"

	"bobproxy/acp/clean"
)

// cleanLines cleans a text that may have several lines. Tabs are blanks, and a
// carriage return that ends a line belongs to the line break.
func cleanLines(s string) []string {
	lines := strings.Split(strings.TrimRight(s, "\r\n"), "\n")
	for i, line := range lines {
		line = strings.ReplaceAll(strings.TrimSuffix(line, "\r"), "\t", "    ")
		lines[i] = strings.TrimRight(clean.Line(line), " ")
	}
	return lines
}

// wrap breaks a line at blanks so that its parts fit into width, if words allow
// that. The parts keep the line's indentation and the blanks between words; those
// of a list item stand under its text.
func wrap(line string, width int) []string {
	if width <= 0 || utf8.RuneCountInString(line) <= width {
		return []string{line}
	}
	text := strings.TrimLeft(line, " ")
	indent := strings.Repeat(" ", len(line)-len(text))
	if strings.HasPrefix(text, "- ") {
		indent += "  "
	}
	parts, part := []string(nil), line[:len(line)-len(text)]
	room := false // part holds a word already
	for len(text) > 0 {
		word := strings.TrimLeft(text, " ")
		gap := text[:len(text)-len(word)]
		if end := strings.IndexByte(word, ' '); end >= 0 {
			word = word[:end]
		}
		text = text[len(gap)+len(word):]
		if room && utf8.RuneCountInString(part+gap+word) > width {
			parts, part, gap = append(parts, part), indent, ""
		}
		part, room = part+gap+word, true
	}
	return append(parts, part)
}

// clip keeps the first lines of a text and says how many it left out.
func clip(lines []string, most int) []string {
	if len(lines) <= most {
		return lines
	}
	return append(lines[:most-1:most-1], "… "+count(len(lines)-most+1, "more line"))
}
