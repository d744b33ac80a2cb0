package filter

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// value is what a text is compared to: exactly one of needle, parts and regex.
type value struct {
	text   string // as it is written, of a regex without its slashes
	fold   bool   // of a regex: it ignores case
	needle *needle
	parts  []*needle // of a glob: what stands between its stars; nil for nothing
	regex  *regexp.Regexp
	need   []*needle // of a regex: one of these must be there; none: nothing must
}

// how says where in a text a literal has to be.
type how uint8

const (
	within how = iota
	whole
	prefix
)

func literal(text string) value { return value{text: text, needle: newNeedle(text)} }

// glob is a pattern with one star or more.
func glob(text string) value {
	v := value{text: text}
	for part := range strings.SplitSeq(text, "*") {
		if part == "" {
			v.parts = append(v.parts, nil)
		} else {
			v.parts = append(v.parts, newNeedle(part))
		}
	}
	return v
}

// in says whether v is in b, where how says.
func (v *value) in(b []byte, how how) bool {
	switch {
	case v.regex != nil:
		return v.needed(b) && v.regex.Match(b)
	case v.needle == nil:
		return v.like(b)
	case how == within:
		return v.needle.index(b) >= 0
	}
	n, ok := v.needle.begins(b)
	return ok && (how == prefix || n == len(b))
}

func (v *value) inString(s string, how how) bool {
	if v.regex != nil {
		return v.regex.MatchString(s)
	}
	return v.in([]byte(s), how)
}

// needed says that b has what the regular expression cannot match without.
func (v *value) needed(b []byte) bool {
	for _, n := range v.need {
		if n.index(b) >= 0 {
			return true
		}
	}
	return len(v.need) == 0
}

// like says whether all of b is as the glob says.
func (v *value) like(b []byte) bool {
	first, last := v.parts[0], v.parts[len(v.parts)-1]
	if first != nil {
		n, ok := first.begins(b)
		if !ok {
			return false
		}
		b = b[n:]
	}
	if last != nil {
		n, ok := last.ends(b)
		if !ok {
			return false
		}
		b = b[:len(b)-n]
	}
	return v.inOrder(b, v.parts[1:len(v.parts)-1])
}

// inOrder says whether b has all of parts, one behind the other.
func (v *value) inOrder(b []byte, parts []*needle) bool {
	for _, part := range parts {
		if part == nil {
			continue
		}
		i := part.index(b)
		if i < 0 {
			return false
		}
		n, _ := part.begins(b[i:])
		b = b[i+n:]
	}
	return true
}

func (v *value) write(dst []byte) []byte {
	switch {
	case v.regex != nil:
		dst = append(dst, '/')
		dst = append(dst, strings.ReplaceAll(v.text, "/", `\/`)...)
		dst = append(dst, '/')
		if v.fold {
			dst = append(dst, 'i')
		}
		return dst
	case v.needle == nil:
		return append(dst, v.text...)
	}
	return quote(dst, v.text)
}

// anyOf says whether one of values is in s.
func anyOf(values []value, s string, how how) bool {
	for i := range values {
		if values[i].inString(s, how) {
			return true
		}
	}
	return false
}

// anyIn is anyOf for bytes.
func anyIn(values []value, b []byte, how how) bool {
	for i := range values {
		if values[i].in(b, how) {
			return true
		}
	}
	return false
}

// line is a value that is looked for in the whole line of a frame, or in the
// text of another event.
type line struct {
	value
	spelled []*needle // how JSON may spell a literal, where that differs
}

func inLine(v value) *line {
	n := &line{value: v}
	if v.needle != nil {
		for _, s := range spellings(v.text) {
			n.spelled = append(n.spelled, newNeedle(s))
		}
	}
	return n
}

func (n *line) in(b []byte) bool {
	if n.parts != nil {
		return n.inOrder(b, n.parts)
	}
	if n.value.in(b, within) {
		return true
	}
	for _, s := range n.spelled {
		if s.index(b) >= 0 {
			return true
		}
	}
	return false
}

// spellings are the ways in which JSON writers spell s, but for as it is: with
// the escapes that must be, and with those of all that is not ASCII, in which a
// letter in the other case is another escape.
func spellings(s string) (ways []string) {
	for _, way := range []string{
		escape(s, false), escape(s, true), escape(strings.ToLower(s), true), escape(strings.ToUpper(s), true),
	} {
		if !strings.EqualFold(way, s) && !slices.Contains(ways, way) {
			ways = append(ways, way)
		}
	}
	return ways
}

func escape(s string, ascii bool) string {
	var b bytes.Buffer
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || ascii && r >= utf8.RuneSelf:
			writeUnicode(&b, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
