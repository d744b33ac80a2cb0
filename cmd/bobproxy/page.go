package main

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"bobproxy/acp/clean"
)

// page is text for people. Its lines are broken here and not by the terminal,
// so that nothing a peer wrote can begin a line: rows go on under their text,
// and what is a peer's alone stands behind a bar.
type page struct {
	strings.Builder
	width int // in cells
}

const (
	margin  = 9    // cells in front of a row's text
	bar     = "│ " // in front of a line of a peer's
	goingOn = "┆ " // in front of what would not fit on the line before
)

// row is a line of ours; what peers wrote in it went through [field] or
// [quotation].
func (p *page) row(label, text string) {
	for text != "" {
		n := fit(text, p.width-margin)
		if space := strings.LastIndexByte(text[:n], ' '); n < len(text) && space > 0 {
			n = space + 1
		}
		fmt.Fprintf(p, "%-*s%s\n", margin, label, strings.TrimRight(text[:n], " "))
		label, text = "", text[n:]
	}
}

// command is what can be typed. It is one line, so that it can be copied; only
// names that were looked at may be in it.
func (p *page) command(label, text string) { fmt.Fprintf(p, "%-*s%s\n", margin, label, text) }

// theirs is text of a peer's, given as clean lines.
func (p *page) theirs(label string, lines []string) {
	for _, line := range lines {
		front := bar
		for _, part := range fold(line, p.width-margin-2) {
			fmt.Fprintf(p, "%-*s%s%s\n", margin, label, front, part)
			label, front = "", goingOn
		}
	}
}

// columns lines up rows of fields, which are clean, in lines of at most so many
// cells; 0: as long as they are.
func (p *page) columns(rows [][]string, most int) {
	var widths []int
	for _, row := range rows {
		for i, text := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], cells(text))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, text := range row {
			line.WriteString(text + strings.Repeat(" ", widths[i]-cells(text)+2))
		}
		p.WriteString(cut(strings.TrimRight(line.String(), " "), most) + "\n")
	}
}

func cut(line string, most int) string {
	if most == 0 || cells(line) <= most {
		return line
	}
	return line[:fit(line, most-1)] + "…"
}

// field is text from elsewhere as one clean line. Long blanks, which would push
// what follows out of sight, are counted.
func field(text string) string {
	var b strings.Builder
	for _, span := range clean.Collapse([][]clean.Span{clean.Spans(nil, text)})[0] {
		b.WriteString(span.Text)
	}
	return b.String()
}

// quotation is a field between quotes that nothing in it can end.
func quotation(text string) string {
	return `"` + inQuotes.Replace(field(text)) + `"`
}

var inQuotes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// orDash is a field that is seen even when there is nothing in it.
func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return field(text)
}

// clipped is the same in at most so many cells.
func clipped(text string, width int) string { return cut(orDash(text), width) }

// tail is clipped for what matters most at its end, as paths do.
func tail(text string, width int) string {
	text = orDash(text)
	excess := cells(text) - width
	if excess <= 0 {
		return text
	}
	for i, r := range text {
		if excess < 0 {
			return "…" + text[i:]
		}
		excess -= cell(r)
	}
	return "…"
}

// fold breaks a clean line into parts of at most so many cells; there is at
// least one.
func fold(line string, width int) (parts []string) {
	for {
		n := fit(line, width)
		if n == len(line) {
			return append(parts, line)
		}
		parts, line = append(parts, line[:n]), line[n:]
	}
}

// fit is how many bytes of clean text, whole characters with the marks on them
// and at least one, take at most so many cells.
func fit(text string, width int) int {
	start := 0 // of the last character
	for i, r := range text {
		if clean.Is(string(r)) { // a mark alone is not clean
			start = i
		}
		if width -= cell(r); width < 0 && start > 0 {
			return start
		}
	}
	return len(text)
}

func cells(text string) (n int) {
	for _, r := range text {
		n += cell(r)
	}
	return n
}

// cell is how many cells of a terminal a character takes at most. From Hangul
// on they may be wide; of the signs in between, those that we print are not.
func cell(r rune) int {
	if r < 0x1100 || r >= 0x2010 && r < 0x2600 || r == utf8.RuneError {
		return 1
	}
	return 2
}

// lasted is a length of time in its largest unit.
func lasted(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", max(0, int(d/time.Second)))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d/time.Minute))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d/time.Hour))
	}
	return fmt.Sprintf("%dd", int(d/(24*time.Hour)))
}

// howMany is n of a thing, in the plural where English wants it.
func howMany(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
