package acp

import "strconv"

// ErrorCode is the code in the raw error member of an error reply; 0 when there
// is none that is an integer, or there could be another to some peer.
func ErrorCode(raw []byte) int64 {
	l := lexer{b: raw}
	if l.at(0) != '{' {
		return 0
	}
	code, seen := int64(0), false
	i, more, ok := l.open(0)
	for more && ok {
		var k key
		if k, i, ok = l.key(i); !ok || l.spoilt() != 0 {
			return 0
		}
		start := i
		if i, ok = l.value(i, 1); !ok {
			return 0
		}
		l.garbled = 0 // a message is only shown
		if string(k.text()) == "code" {
			if seen {
				return 0
			}
			seen = true
			code, _ = strconv.ParseInt(string(raw[start:i]), 10, 64)
		}
		i, more, ok = l.next(i)
	}
	return code
}
