package card

import (
	"fmt"
	"strconv"
	"strings"

	"bobproxy/inspector/diff"
)

// unified is a change as programs that apply changes read it; empty when no line
// changes.
func (ch change) unified() string {
	if ch.added+ch.removed == 0 {
		return ""
	}
	var b strings.Builder
	old := named("a/", ch.path)
	if ch.isNew {
		old = "/dev/null"
	}
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", old, named("b/", ch.path))
	before, after := 1, 1
	for i := 0; i < len(ch.steps); {
		if ch.steps[i].Sign == ' ' && !diff.Near(ch.steps, i) {
			before, after, i = before+1, after+1, i+1
			continue
		}
		lines, gone, come := ch.hunk(i)
		fmt.Fprintf(&b, "@@ -%s +%s @@\n", span(before, gone), span(after, come))
		for _, s := range ch.steps[i : i+lines] {
			b.WriteByte(s.Sign)
			b.WriteString(s.Line)
			if !strings.HasSuffix(s.Line, "\n") {
				b.WriteString("\n\\ No newline at end of file\n")
			}
		}
		before, after, i = before+gone, after+come, i+lines
	}
	return b.String()
}

// hunk is how many steps from i on belong together, and how many lines of the old
// and of the new text those are.
func (ch change) hunk(i int) (steps, gone, come int) {
	for ; i+steps < len(ch.steps); steps++ {
		s := ch.steps[i+steps]
		if s.Sign == ' ' && !diff.Near(ch.steps, i+steps) {
			break
		}
		if s.Sign != '+' {
			gone++
		}
		if s.Sign != '-' {
			come++
		}
	}
	return steps, gone, come
}

// span is where n lines are that begin at a line; of none it is the line before.
func span(from, n int) string {
	if n == 0 {
		from--
	}
	return fmt.Sprintf("%d,%d", from, n)
}

// named is a path in the head of a diff, in quotes where it would break the line.
func named(side, path string) string {
	path = side + strings.TrimPrefix(path, "/")
	if quoted := strconv.Quote(path); strings.ContainsAny(path, "\t\n\r\"\\") {
		return quoted
	}
	return path
}
