package talk

import (
	"strings"

	"bobproxy/inspector/paint"
)

// maxTexts is how many wrapped lines are kept that are not on the screen.
const maxTexts = 20000

// texts are texts that were wrapped already.
type texts map[text]*wrapped

// text names one: an item, and which part of it.
type text struct {
	key  key
	part string
}

// wrapped is a text as lines of a width.
type wrapped struct {
	text  string
	width int
	role  paint.Role
	lines []paint.Line
	last  int // where the last line of the text begins, before it was wrapped
	kept  int // lines that were made of what is before that
	used  bool
}

// wrap is s as lines of at most width cells. Of a text that has only grown, no
// more is wrapped than its last line and what is new.
func (t texts) wrap(k text, s string, width int, role paint.Role) []paint.Line {
	w := t[k]
	if w == nil || w.width != width || w.role != role || !strings.HasPrefix(s, w.text) {
		w = &wrapped{width: width, role: role}
		t[k] = w
	}
	w.used = true
	if len(s) > len(w.text) || w.lines == nil {
		w.grow(s)
	}
	return w.lines
}

func (w *wrapped) grow(s string) {
	w.text, w.lines = s, w.lines[:w.kept]
	body := strings.TrimRight(s, "\r\n")
	for at := min(w.last, len(body)); ; {
		line, _, broken := strings.Cut(body[at:], "\n")
		w.last, w.kept = at, len(w.lines)
		w.lines = append(w.lines, paint.Clean(w.role, strings.TrimSuffix(line, "\r")).Wrap(w.width)...)
		if !broken {
			return
		}
		at += len(line) + 1
	}
}

// tidy forgets what was not used since it was last called, when that is much.
func (t texts) tidy() {
	n := 0
	for _, w := range t {
		n += len(w.lines)
	}
	for k, w := range t {
		if n > maxTexts && !w.used {
			n -= len(w.lines)
			delete(t, k)
		}
		w.used = false
	}
}
