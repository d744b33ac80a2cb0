package replay

import (
	"regexp"
	"strings"
	"sync"

	"bobproxy/acp"
)

// member is a member's raw value; nil when there is none.
func member(object []byte, name string) (value []byte) {
	for n, v := range acp.Members(object) {
		if string(n) == name {
			value = v
		}
	}
	return value
}

// text is a string's value; empty for what is none.
func text(token []byte) string {
	s, _ := acp.Unquote(token)
	return s
}

// said is the text of a member; empty when there is none.
func said(object []byte, name string) string { return text(member(object, name)) }

// unescape is the value of a string whose quotes are missing.
func unescape(token []byte) (string, bool) {
	if token == nil {
		return "", false
	}
	return acp.Unquote([]byte(`"` + string(token) + `"`))
}

// sessionOf is the session that a frame names.
func sessionOf(f *acp.Frame) (string, bool) { return unescape(f.Session) }

// Masked stands in recordings where a secret was. In copies of them that may be
// [removed 1], too, with any number.
const Masked = "[masked]"

// removed is compiled when it is first asked for: a proxy that starts needs none.
var removed = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[removed [0-9]+\]`) })

// maskedIn says whether something is missing in a recorded text.
func maskedIn(s string) bool { return strings.Contains(s, Masked) || removed().MatchString(s) }

// alike says whether two texts are the same as far as the recording knows.
func alike(recorded, live string) bool {
	if strings.Contains(recorded, "[removed ") {
		recorded = removed().ReplaceAllLiteralString(recorded, Masked)
	}
	parts := strings.Split(recorded, Masked)
	if len(parts) == 1 {
		return recorded == live
	}
	rest, ok := strings.CutPrefix(live, parts[0])
	for _, part := range parts[1 : len(parts)-1] {
		if ok {
			_, rest, ok = strings.Cut(rest, part)
		}
	}
	return ok && strings.HasSuffix(rest, parts[len(parts)-1])
}
