package acp

import (
	"bytes"
	"crypto/sha256"
)

// longID is the longest id that is kept as it is in a key.
const longID = 256

// IDKey appends to dst a key by which a reply finds its request, and reports
// whether the id is ordinary: a string, or an int64 in plain digits. raw is an
// id's token as Frame has it; an absent id adds nothing.
//
// Strings are equal when they are after unescaping, integers by their digits,
// and every other value by its token, since peers differ on whether 1.0 is 1
// and true is 1. Values of different types never are. Long ids are represented
// by their SHA-256, so a key has a bounded length.
func IDKey(dst, raw []byte) (id []byte, ordinary bool) {
	switch {
	case len(raw) == 0:
		return dst, false
	case raw[0] == '"' && len(raw) >= 2:
		content := raw[1 : len(raw)-1]
		if len(content) <= longID {
			return unescape(append(dst, 's'), content), true
		}
		return appendID(dst, 's', resolve(content)), true
	case plainInt64(raw):
		return appendID(dst, 'i', raw), true
	}
	return appendID(dst, 'o', raw), false
}

// appendID appends the type and what tells ids of that type apart.
func appendID(dst []byte, kind byte, content []byte) []byte {
	if len(content) <= longID {
		return append(append(dst, kind), content...)
	}
	sum := sha256.Sum256(content)
	return append(append(dst, kind-'a'+'A'), sum[:]...)
}

// ordinary reports whether the token raw is a string or an int64 in plain
// digits, the ids that both ACP versions allow in requests and that every peer
// repeats as they are.
func ordinary(raw []byte) bool { return len(raw) > 0 && raw[0] == '"' || plainInt64(raw) }

// plainInt64 reports whether the number raw is an int64 in its shortest form.
func plainInt64(raw []byte) bool {
	digits, negative := bytes.CutPrefix(raw, []byte("-"))
	if len(digits) == 0 || len(digits) > 19 {
		return false
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return false
		}
	}
	switch {
	case digits[0] == '0':
		return len(digits) == 1 && !negative
	case len(digits) < 19:
		return true
	case negative:
		return string(digits) <= "9223372036854775808"
	}
	return string(digits) <= "9223372036854775807"
}
