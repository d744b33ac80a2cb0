package acp

import "bytes"

// salvage reads the id and method of a line that is not one strict object, the
// way forgiving readers would: past whatever stands before the first brace,
// with names in quotes or without, and until the first object that says
// something ends. It takes time linear in b.
func (f *Frame) salvage(b []byte) {
	f.ID, f.Method = nil, nil
	depth := 0 // of braces
	for i := 0; i < len(b); {
		switch c := b[i]; {
		case c == '{':
			depth++
			i++
		case c == '}':
			if depth--; depth <= 0 {
				if f.ID != nil || f.Method != nil {
					return
				}
				depth = 0
			}
			i++
		case depth > 0 && c == '"':
			name, end := skimText(b, i)
			if depth == 1 {
				f.salvageMember(name, b, end)
			}
			i = end
		case depth > 0 && wordByte(c):
			end := i + 1
			for end < len(b) && wordByte(b[end]) {
				end++
			}
			if depth == 1 {
				f.salvageMember(b[i:end], b, end)
			}
			i = end
		default:
			i++
		}
	}
}

// salvageMember takes the value behind a member's name, which ends before i,
// if that is the id or the method, a colon follows and then something readable.
func (f *Frame) salvageMember(name, b []byte, i int) {
	if len(name) > longestSpelling {
		return
	}
	m, exact := findMember(resolve(name))
	if m != idMember && m != methodMember {
		return
	}
	if i = skimBlank(b, i); i == len(b) || b[i] != ':' {
		return
	}
	if i = skimBlank(b, i+1); i == len(b) {
		return
	}
	switch {
	case m == idMember:
		l := lexer{b: b}
		end, ok := l.value(i, 1)
		if ok && l.garbled == 0 && (end == len(b) || bytes.IndexByte([]byte(" \t\r\n,}]"), b[end]) >= 0) {
			f.set(m, exact, b[i:end:end])
		}
	case b[i] == '"':
		content, _ := skimText(b, i)
		f.set(m, exact, resolve(content))
	}
}

// longestSpelling bounds a name that can mean the id or the method: six
// letters, each at most a six-byte escape.
const longestSpelling = 6 * 6

// skimText is what stands between the quote at i and the next one that is not
// escaped, or the end, and the index behind that.
func skimText(b []byte, i int) (content []byte, end int) {
	start := i + 1
	for i = start; i < len(b); i++ {
		switch b[i] {
		case '"':
			return b[start:i:i], i + 1
		case '\\':
			i++
		}
	}
	return b[start:len(b):len(b)], len(b)
}

// skimBlank skips blanks and control characters.
func skimBlank(b []byte, i int) int {
	for i < len(b) && b[i] <= ' ' {
		i++
	}
	return i
}

// wordByte reports whether c may stand in a name without quotes.
func wordByte(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_' || c == '$' || c >= 0x80
}
