package editor

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean makes a line of a text from the agent: without anything a terminal
// would obey, and without what hides or reorders characters.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\u2028' || r == '\u2029':
			return ' '
		case r == '\r':
			return -1
		case r == '\u200d': // joins emoji
			return r
		case unicode.In(r, unicode.Cc, unicode.Cf):
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(s, string(unicode.ReplacementChar)))
}

// cleanLines cleans a text that may have several lines.
func cleanLines(s string) []string {
	lines := strings.Split(strings.TrimRight(s, "\r\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(clean(strings.ReplaceAll(line, "\t", "    ")), " ")
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
