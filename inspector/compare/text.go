package compare

import (
	"fmt"
	"strings"

	"bobproxy/acp/clean"
	"bobproxy/inspector/paint"
)

// Look is how a result is printed.
type Look struct {
	Width int  // cells; at least 40
	ASCII bool // only ASCII glyphs
}

// margin is what stands in front of what an item says.
const margin = 6

// Text is the result for people: a heading for each place where something is
// different, and under it what only the first recording has (-), what only the
// second one has (+) and what differs (~), with the numbers of the frames.
func (r *Result) Text(a, b string, look Look) string {
	w := &writer{width: max(look.Width, 40)}
	w.line(0, "- "+a)
	w.line(0, "+ "+b)
	where := ""
	for _, d := range r.Differences {
		if d.Where != where {
			where = d.Where
			w.WriteString("\n")
			w.line(0, where)
		}
		w.difference(d)
	}
	w.WriteString("\n" + r.total() + "\n")
	if look.ASCII {
		return paint.InASCII(w.String())
	}
	return w.String()
}

// writer prints lines of at most width cells.
type writer struct {
	strings.Builder
	width int
}

// line is text from anywhere in one line.
func (w *writer) line(indent int, text string) {
	w.WriteString(strings.Repeat(" ", indent) + paint.Cut(clean.Line(text), w.width-indent) + "\n")
}

func (w *writer) difference(d Difference) {
	frames := ""
	for _, frame := range []uint64{d.A, d.B} {
		if frame > 0 {
			frames += fmt.Sprintf("#%d ", frame)
		}
	}
	w.line(0, string(d.Change)+" "+frames+d.What)
	for _, f := range d.Fields {
		w.field(f)
	}
}

// field is one line, or two where it would be too long.
func (w *writer) field(f Field) {
	a, b := said(f.A), said(f.B)
	if line := f.Name + ": " + a + " → " + b; paint.Width(clean.Line(line))+margin <= w.width {
		w.line(margin, line)
		return
	}
	same := alike(a, b)
	w.line(margin, f.Name+":")
	w.line(margin, "- "+from(a, same, w.width-margin-2))
	w.line(margin, "+ "+from(b, same, w.width-margin-2))
}

func said(value string) string {
	if value == "" {
		return "(nothing)"
	}
	return value
}

// alike is how many bytes two texts begin with alike, in whole characters.
func alike(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && n < len(a) && a[n]&0xC0 == 0x80 {
		n--
	}
	return n
}

// from is what there is to see of text in so many cells when the first bytes are
// the same in another one: where it begins to differ, if that is too far behind.
func from(text string, same, cells int) string {
	const before = 16
	if same < cells-before {
		return text
	}
	start := same - before
	for start > 0 && text[start]&0xC0 == 0x80 {
		start--
	}
	return "…" + text[start:]
}

// total is how many there are, and what was not compared, in lines.
func (r *Result) total() string {
	text := "The two are the same."
	switch n := len(r.Differences); n {
	case 0:
	case 1:
		text = "1 difference"
	default:
		text = fmt.Sprintf("%d differences", n)
	}
	return text + r.A.omitted("-") + r.B.omitted("+")
}

// omitted says what of a recording was not compared.
func (r *Recording) omitted(sign string) (text string) {
	if r.Damaged > 0 {
		text += fmt.Sprintf("\n%s lines that cannot be read: %d", sign, r.Damaged)
	}
	if r.Left > 0 {
		text += fmt.Sprintf("\n%s left out at the end: %d", sign, r.Left)
	}
	return text
}
