package journal

import (
	"bytes"
	"strings"

	"bobproxy/acp/secret"
)

// loose masks a line that cannot be read, or that two readers could read
// differently, by its words: a word with a colon or equals sign behind it is
// a name, whatever quotes stand around it. It reports whether the line can
// still stand in JSON as it is, which strict says of it beforehand.
func (m *masker) loose(e *Event, strict bool) bool {
	l := loose{mask: m, body: e.Body}
	l.run()
	if len(l.edits) == 0 {
		return strict
	}
	e.Body = apply(e.Body, l.edits)
	e.Masked += len(l.edits)
	return strict && valid(e.Body)
}

// loose reads a line word by word.
type loose struct {
	mask  *masker
	body  []byte
	edits []edit
	list  bool // an array of {name, value} began: their values are secret
	table bool // in a map of names to secret values
}

func (l *loose) run() {
	for i := 0; i < len(l.body); {
		if c := l.body[i]; !wordByte(c) {
			if c == '}' {
				l.table = false
			}
			i++
			continue
		}
		end := i + 1
		for end < len(l.body) && wordByte(l.body[end]) {
			end++
		}
		if at, ok := l.colon(end); ok {
			end = l.named(string(l.body[i:min(end, i+64)]), at)
		} else if at, ok := l.next(end); ok && l.body[i] == '-' && secret.Name(string(l.body[i:min(end, i+64)])) {
			end = l.argument(at)
		}
		i = end
	}
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// colon says whether a colon or equals sign comes after a name that ends at
// i, and where what it names begins.
func (l *loose) colon(i int) (int, bool) {
	for i < len(l.body) && l.body[i] == '\\' {
		i++
	}
	if i < len(l.body) && (l.body[i] == '"' || l.body[i] == '\'') {
		i++
	}
	i = l.blanks(i)
	if i >= len(l.body) || l.body[i] != ':' && l.body[i] != '=' {
		return 0, false
	}
	return l.blanks(i + 1), true
}

// next says whether a quoted argument that ends at i has another one behind it,
// and where that begins.
func (l *loose) next(i int) (int, bool) {
	for _, c := range [...]byte{'"', ','} {
		for i < len(l.body) && l.body[i] == '\\' {
			i++
		}
		if i = l.blanks(i); i >= len(l.body) || l.body[i] != c {
			return 0, false
		}
		i++
	}
	i = l.blanks(i)
	return i, i < len(l.body) && (l.body[i] == '"' || l.body[i] == '\\')
}

// argument masks the one at i, unless it is a flag or no secret, and returns
// where to go on.
func (l *loose) argument(i int) int {
	start, end, _ := l.extent(i)
	var args secret.Args
	args.Next("--token")
	if content := string(l.body[start:end]); len(args.Next(content)) == 0 || strings.HasPrefix(content, "-") {
		return i
	}
	return l.hide(i)
}

func (l *loose) blanks(i int) int {
	for i < len(l.body) && (l.body[i] == ' ' || l.body[i] == '\t') {
		i++
	}
	return i
}

// named masks the value at i when its name asks for it, and returns where to
// go on.
func (l *loose) named(name string, i int) int {
	if i >= len(l.body) {
		return i
	}
	lower := strings.ToLower(name)
	opens := l.body[i] == '{' || l.body[i] == '['
	switch {
	case lower == "env" || lower == "headers":
		l.list = l.list || l.body[i] == '['
		l.table = l.body[i] == '{'
		if opens {
			return i + 1
		}
		return l.hide(i)
	case opens:
		l.table = l.table || secret.Name(name)
		return i + 1
	case lower == "url" || lower == "baseurl":
		return l.address(i)
	case l.table && lower != "name" && lower != "type", l.list && (lower == "value" || l.assigned(i)), secret.Name(name):
		return l.hide(i)
	}
	return i
}

// assigned says that the value at i has an equals sign before it.
func (l *loose) assigned(i int) bool { return l.body[i-1] == '=' }

// hide masks the value at i up to its closing quote, or a bare one up to
// where it must end.
func (l *loose) hide(i int) int {
	start, end, next := l.extent(i)
	content := string(l.body[start:end])
	switch content {
	case "", "true", "false", "null", mark:
		return next
	}
	text := mark
	if start == i && l.bareNumber(content) {
		text = `"` + mark + `"`
	}
	l.edits = append(l.edits, edit{start, end, text})
	l.mask.learn(string(unescape([]byte(content))))
	return next
}

// bareNumber says that content could be a number in an object, where the mark
// needs quotes.
func (l *loose) bareNumber(content string) bool {
	return strings.Trim(content, "+-.0123456789eE") == ""
}

func (l *loose) address(i int) int {
	start, end, next := l.extent(i)
	clean, n := l.mask.url(string(l.body[start:end]))
	if n > 0 {
		l.edits = append(l.edits, edit{start, end, clean})
	}
	return next
}

// extent gives the content of the value at i, and what comes after it. A
// quote with backslashes before it, as in a string within a string, ends at a
// quote with no more of them.
func (l *loose) extent(i int) (start, end, next int) {
	open := i
	for open < len(l.body) && l.body[open] == '\\' {
		open++
	}
	if open >= len(l.body) || l.body[open] != '"' && l.body[open] != '\'' {
		end = l.bare(i)
		return i, end, end
	}
	quote, depth := l.body[open], open-i
	slashes := 0
	for j := open + 1; j < len(l.body); j++ {
		switch {
		case l.body[j] == '\\':
			slashes++
			continue
		case l.body[j] == quote && (slashes <= depth || depth == 0 && slashes%2 == 0):
			return open + 1, j - min(slashes, depth), j + 1
		}
		slashes = 0
	}
	return open + 1, len(l.body), len(l.body)
}

// bare gives the end of a value without quotes; one that begins with the name
// of a scheme has a blank inside.
func (l *loose) bare(i int) int {
	for _, scheme := range [...]string{"bearer ", "basic ", "token "} {
		if len(l.body)-i > len(scheme) && strings.EqualFold(string(l.body[i:i+len(scheme)]), scheme) {
			i += len(scheme)
		}
	}
	if n := bytes.IndexAny(l.body[i:], " \t,;&}])\"'\\"); n >= 0 {
		return i + n
	}
	return len(l.body)
}
