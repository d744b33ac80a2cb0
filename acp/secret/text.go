package secret

import "strings"

const (
	longValue  = 4 << 10 // bytes of a value; a longer one is none
	shortValue = 6       // a shorter one in a file may be anything
	sureValue  = 8       // the same, behind a name that has other meanings
)

// Text gives the secrets in the lines of a file, or of whatever else is text, in
// order: values of at least six characters behind the name of a secret that
// stand in quotes, or in a line with nothing else. Code that gets a secret from
// somewhere has none.
func Text(text string) (found []Span) {
	for start := 0; start < len(text); {
		end := start + ends(text[start:], "\r\n")
		l := textLine{text: text[start:end]}
		l.run()
		found = append(found, shifted(l.found, start)...)
		start = end + 1
	}
	return found
}

// Holds says that a member of that name holds a secret in a string, as it does
// in a line of a file.
func Holds(name, content string) bool {
	r := judge(name)
	return r != none && fits(name, content, r)
}

// textLine goes through one line, name by name.
type textLine struct {
	text  string
	found []Span
}

func (l *textLine) run() {
	if !strings.ContainsAny(l.text, ":=") {
		return
	}
	first := true
	for i := 0; i < len(l.text); {
		if !nameByte(l.text[i]) {
			i++
			continue
		}
		end := i + 1
		for end < len(l.text) && nameByte(l.text[end]) {
			end++
		}
		name := l.text[i:end]
		if first && (name == "export" || name == "set" || name == "ENV" || strings.Trim(name, "-") == "") {
			i = end
			continue
		}
		i = l.named(name, i, end, first)
		first = false
	}
}

func nameByte(c byte) bool {
	return letter(c) || digit(c) || c == '_' || c == '-' || c == '.'
}

// named looks at what stands behind a name, and returns where to go on.
func (l *textLine) named(name string, start, end int, first bool) int {
	at, sign := l.sign(end)
	if sign == "" {
		return end
	}
	r := judge(name)
	if r == none {
		return end
	}
	if from, to, next, ok := l.quote(at); ok {
		if fits(name, l.text[from:to], r) {
			l.found = append(l.found, Span{from, to})
		}
		return next
	}
	if first && l.leads(start) {
		l.rest(name, sign, at, r)
	}
	return end
}

// sign gives what stands between a name that ends at i and its value, with the
// blank behind it, and where the value begins.
func (l *textLine) sign(i int) (at int, sign string) {
	for i < len(l.text) && l.text[i] == '\\' {
		i++
	}
	if i < len(l.text) && (l.text[i] == '"' || l.text[i] == '\'') {
		i++
	}
	start := i
	i = l.blanks(i)
	from := i
	for i < len(l.text) && strings.IndexByte(":=>!~", l.text[i]) >= 0 {
		i++
	}
	switch sign = l.text[from:i]; sign {
	case ":", "=", ":=", "=>":
	default:
		return 0, ""
	}
	at = l.blanks(i)
	return at, l.text[start:min(at, len(l.text))]
}

func (l *textLine) blanks(i int) int {
	for i < len(l.text) && (l.text[i] == ' ' || l.text[i] == '\t') {
		i++
	}
	return i
}

// quote gives the inside of the quotes that begin at i, and what comes behind.
// Quotes with backslashes before them end at one with as many.
func (l *textLine) quote(i int) (from, to, next int, ok bool) {
	open := i
	for open < len(l.text) && l.text[open] == '\\' {
		open++
	}
	if open >= len(l.text) || strings.IndexByte("\"'`", l.text[open]) < 0 {
		return 0, 0, 0, false
	}
	slashes := 0
	for j := open + 1; j < min(len(l.text), open+longValue); j++ {
		switch {
		case l.text[j] == '\\':
			slashes++
			continue
		case l.text[j] == l.text[open] && (slashes == open-i || open == i && slashes%2 == 0):
			return open + 1, j - (open - i), j + 1, true
		}
		slashes = 0
	}
	return open + 1, open + 1, open + 1, true
}

// fits says that a value in quotes is a secret. Words in a row are prose, such
// as the label of a field.
func fits(name, content string, r rank) bool {
	switch value := bare(content); {
	case len(value) < shortValue, !literal(value, true), strings.EqualFold(value, name), prose(value):
		return false
	default:
		return r == sure || len(value) >= sureValue && generated(value) && !strings.ContainsAny(value, " \t")
	}
}

// leads says that nothing stands before a name that begins at i but what may
// stand before an entry.
func (l *textLine) leads(i int) bool {
	front := strings.TrimLeft(l.text[:i], " \t+-#>")
	return front == "" || front == "export " || front == "set " || front == "ENV "
}

// rest looks at a value without quotes, which goes to the end of the line. Only
// an entry of a file of settings has one that is no code.
func (l *textLine) rest(name, sign string, at int, r rank) {
	content, _, _ := strings.Cut(l.text[at:], " #")
	content = strings.TrimRight(content, " \t")
	if len(content) < shortValue || len(content) > longValue || code(content) || !literal(content, true) {
		return
	}
	if entry(strings.Trim(name, "-"), sign, content, r) {
		l.found = append(l.found, Span{at, at + len(content)})
	}
}

// entry says that the value belongs to a name in capitals, as in an .env file or
// a shell's script, or else that it looks like no name of a program.
func entry(name, sign, content string, r rank) bool {
	setting := upper(name) && (sign == "=" || sign == ": ")
	switch {
	case setting && r == sure:
		return true
	case setting, r == sure && (sign == "=" || sign == ": "):
		return generated(content) || len(content) >= 16
	}
	return (strings.TrimSpace(sign) == "=" || sign == ": ") && len(content) >= 12 && generated(content) && !strings.Contains(content, ".")
}

// code says that a value without quotes is an expression.
func code(content string) bool {
	if strings.ContainsAny(content, " \t()[]{}\"'`;<>|\\") || strings.HasSuffix(content, ",") || strings.Contains(content, "::") {
		return true
	}
	return strings.Contains(content, ".") && identifier(content) && len(content) < 20
}

func prose(value string) bool {
	return strings.ContainsAny(value, " \t") && !strings.ContainsAny(value, "0123456789")
}
