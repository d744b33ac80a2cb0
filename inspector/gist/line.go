package gist

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
)

const (
	mostText  = 1024 // bytes of a command or title that are looked at
	leastSaid = 12   // cells that a title is worth
)

// Line is what something is about in at most width cells. It has no words when
// nothing is known.
func (p Place) Line(s model.Subject, width int) paint.Line {
	var l paint.Line
	switch {
	case s.Command != "":
		l = command(head(s.Command)).Cut(width)
	case s.File != "":
		l = p.files(s.File, s.More, width)
	default:
		return paint.Clean(paint.Plain, head(s.Title)).Cut(width)
	}
	if free := width - l.Width() - 2; free >= leastSaid && s.Title != "" {
		l = l.With(paint.L(paint.Plain, "  ")).With(paint.Clean(paint.Dim, head(s.Title)).Cut(free))
	}
	return l
}

// longBlank is how many blanks or line breaks in a row are shown as such: more
// would push out of sight what comes behind them.
const longBlank = 8

func command(text string) (l paint.Line) {
	for {
		from, to := gap(text)
		if from == to {
			return l.With(paint.Command(paint.Plain, text))
		}
		l = l.With(paint.Command(paint.Plain, text[:from])).With(paint.L(paint.Odd, fmt.Sprintf("‹%d blanks›", to-from)))
		text = text[to:]
	}
}

// gap is where the first long run of blanks is.
func gap(text string) (from, to int) {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case ' ', '\t', '\r', '\n':
			continue
		}
		if i-from > longBlank {
			return from, i
		}
		from = i + 1
	}
	return 0, 0
}

// files is the first of some files, and how many there are besides.
func (p Place) files(first string, more, width int) paint.Line {
	rest := ""
	if more > 0 {
		rest = fmt.Sprintf(" and %d more %s", more, noun(more))
		if !fits(p.Near(first), width-len(rest)) {
			rest = fmt.Sprintf(" +%d %s", more, noun(more))
		}
	}
	l := paint.Command(paint.Plain, p.Path(first, max(width-len(rest), 1)))
	return l.With(paint.L(paint.Plain, rest)).Cut(width)
}

func noun(n int) string {
	if n == 1 {
		return "file"
	}
	return "files"
}

// head is the beginning of a text, with a … where that is not all.
func head(text string) string {
	if len(text) <= mostText {
		return text
	}
	n := mostText
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return strings.ToValidUTF8(text[:n], "\uFFFD") + "…"
}
