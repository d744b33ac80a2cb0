package wire

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// unquote is the text of a JSON string, which may end too soon. Nothing of it
// is replaced or left out: bytes that are not UTF-8 stay, and half of a pair of
// surrogates becomes the three bytes that it would be.
func unquote(raw string) string {
	raw = strings.TrimPrefix(raw, `"`)
	if i := strings.IndexByte(raw, '\\'); i < 0 {
		return strings.TrimSuffix(raw, `"`)
	}
	b := make([]byte, 0, len(raw))
	for raw != "" && raw[0] != '"' {
		if raw[0] != '\\' {
			b, raw = append(b, raw[0]), raw[1:]
			continue
		}
		b, raw = escaped(b, raw)
	}
	return string(b)
}

// escaped appends what the escape at the beginning of raw stands for, and gives
// the rest.
func escaped(b []byte, raw string) ([]byte, string) {
	if len(raw) < 2 {
		return b, ""
	}
	if i := strings.IndexByte(`"\/bfnrt`, raw[1]); i >= 0 {
		return append(b, "\"\\/\b\f\n\r\t"[i]), raw[2:]
	}
	r, ok := hex4(raw)
	if !ok {
		return b, "" // torn
	}
	raw = raw[6:]
	if low, ok := hex4(raw); ok && utf16.IsSurrogate(r) {
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return utf8.AppendRune(b, pair), raw[6:]
		}
	}
	if utf16.IsSurrogate(r) {
		return append(b, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f), raw
	}
	return utf8.AppendRune(b, r), raw
}

// hex4 is what \uXXXX at the beginning of s stands for.
func hex4(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(s[2:6], 16, 16)
	return rune(n), err == nil
}
