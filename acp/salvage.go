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
			end := skimText(b, i)
			if depth == 1 {
				f.salvageMember(key{raw: bytes.TrimSuffix(b[i+1:end], []byte{'"'}), escaped: true}, b, end)
			}
			i = end
		case depth > 0 && wordByte(c):
			end := i + 1
			for end < len(b) && wordByte(b[end]) {
				end++
			}
			if depth == 1 {
				f.salvageMember(key{raw: b[i:end]}, b, end)
			}
			i = end
		default:
			i++
		}
	}
}

// salvageMember takes the value behind k, which ends before i, if k is the id
// or the method and what follows is a colon and something readable.
func (f *Frame) salvageMember(k key, b []byte, i int) {
	if len(k.raw) > 64 { // no spelling of a member is longer
		return
	}
	m, exact := findMember(k.text())
	if m != idMember && m != methodMember {
		return
	}
	if i = skimBlank(b, i); i == len(b) || b[i] != ':' {
		return
	}
	if i = skimBlank(b, i+1); i == len(b) {
		return
	}
	if m == methodMember {
		if b[i] == '"' {
			name := bytes.TrimSuffix(b[i+1:skimText(b, i)], []byte{'"'})
			if bytes.IndexByte(name, '\\') >= 0 {
				name = unescape(nil, name)
			}
			f.set(m, exact, name)
		}
		return
	}
	l := lexer{b: b}
	end, ok := l.value(i, 1)
	if ok && (end == len(b) || bytes.IndexByte([]byte(" \t\r\n,}]"), b[end]) >= 0) {
		f.set(m, exact, b[i:end:end])
	}
}

// skimText is the index behind the quote that closes the one at i, or the end.
func skimText(b []byte, i int) int {
	for i++; i < len(b); i++ {
		switch b[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
	}
	return len(b)
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
