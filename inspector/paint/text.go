package paint

import "bobproxy/acp/clean"

// Clean is text from anywhere as a line in a role, what had to be replaced in
// the role Odd. Line breaks are shown as ↵.
func Clean(role Role, text string) Line {
	if clean.Is(text) {
		return L(role, text)
	}
	return Spans(role, clean.Spans(nil, text))
}

// Command is the same for what may be run: its characters that are not ASCII or
// only look like it are in the role Letter.
func Command(role Role, text string) Line { return Spans(role, clean.Command(nil, text)) }

// Spans are pieces of clean text as a line in a role, those that are odd and the
// letters to look at in theirs.
func Spans(role Role, spans []clean.Span) Line {
	line := make(Line, len(spans))
	for i, s := range spans {
		switch {
		case s.Odd:
			line[i] = S(Odd, s.Text)
		case s.Letter:
			line[i] = S(Letter, s.Text)
		default:
			line[i] = S(role, s.Text)
		}
	}
	return line
}

// Width is how many cells text takes.
func Width(text string) (n int) {
	text = clean.Line(text)
	if ascii(text) {
		return len(text)
	}
	for w := 0; text != ""; n += w {
		_, w, text = next(text)
	}
	return n
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
	if l.fits(width) {
		return l
	}
	var out Line
	for left := width - 1; ; l = l[1:] {
		text := clean.Line(head(l[0].Text, left))
		fits, n := prefix(text, left)
		left -= n
		if len(fits) < len(text) {
			return append(out, Span{fits + "…", l[0].Style})
		}
		out = append(out, Span{fits, l[0].Style})
	}
}

// fits says that the line takes at most width cells. It reads no further than
// it must.
func (l Line) fits(width int) bool {
	for _, s := range l {
		if len(s.Text) > maxBytes*width {
			return false
		}
		if width -= Width(s.Text); width < 0 {
			return false
		}
	}
	return true
}

// prefix is as much of clean text as fits into width cells, and how many it
// takes.
func prefix(text string, width int) (string, int) {
	used := 0
	for rest := text; rest != ""; {
		_, w, after := next(rest)
		if used+w > width {
			return text[:len(text)-len(rest)], used
		}
		used, rest = used+w, after
	}
	return text, used
}
