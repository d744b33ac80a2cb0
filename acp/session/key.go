package session

import (
	"bytes"
	"crypto/sha256"
	"strings"
	"unicode/utf8"

	"bobproxy/acp"
)

// longKey is the longest id that a key holds as it is, in bytes.
const longKey = 256

// appendKey appends to dst the key of a session or tool call whose id is given
// with its escapes resolved. Long ids are represented by their SHA-256, so keys
// are short and no two ids have the same one.
func appendKey(dst []byte, id string) []byte {
	if len(id) <= longKey {
		return append(append(dst, 's'), id...)
	}
	sum := sha256.Sum256([]byte(id))
	return append(append(dst, 'S'), sum[:]...)
}

// appendRawKey does the same for an id as it stands in a frame, without its
// quotes.
func appendRawKey(dst, raw []byte) []byte {
	if len(raw) <= longKey && bytes.IndexByte(raw, '\\') < 0 {
		return append(append(dst, 's'), raw...)
	}
	token := make([]byte, 0, len(raw)+2)
	token = append(append(append(token, '"'), raw...), '"')
	key, _ := acp.IDKey(dst, token)
	return key
}

// clip is at most limit bytes of s, whole characters, with memory of its own
// when it is shorter.
func clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return strings.Clone(s[:limit])
}
