package acp

// key is a member's name as it is written, without its quotes.
type key struct {
	raw     []byte
	escaped bool
}

// text is the name with its escapes resolved.
func (k key) text() []byte {
	if k.escaped {
		return unescape(nil, k.raw)
	}
	return k.raw
}

// open enters the object whose brace is at i. It stops at the first name, or
// behind the closing brace when there are no members.
func (l *lexer) open(i int) (next int, more, ok bool) {
	if i++; l.at(i) <= ' ' {
		i = l.blank(i)
	}
	if l.at(i) == '}' {
		return i + 1, false, true
	}
	return i, true, true
}

// key reads a member's name and its colon, up to where the value starts.
func (l *lexer) key(i int) (k key, value int, ok bool) {
	if l.at(i) != '"' {
		l.note(BrokenJSON)
		return key{}, 0, false
	}
	end, escaped, ok := l.text(i)
	if !ok {
		return key{}, 0, false
	}
	k = key{raw: l.b[i+1 : end-1], escaped: escaped}
	if i = end; l.at(i) <= ' ' {
		i = l.blank(i)
	}
	if l.at(i) != ':' {
		l.note(BrokenJSON)
		return key{}, 0, false
	}
	if i++; l.at(i) <= ' ' {
		i = l.blank(i)
	}
	return k, i, true
}

// next goes on behind a member's value: to the next name, or behind the
// closing brace when that was the last.
func (l *lexer) next(i int) (next int, more, ok bool) {
	if l.at(i) <= ' ' {
		i = l.blank(i)
	}
	switch l.at(i) {
	case '}':
		return i + 1, false, true
	case ',':
		if i++; l.at(i) <= ' ' {
			i = l.blank(i)
		}
		return i, true, true
	}
	l.note(BrokenJSON)
	return 0, false, false
}
