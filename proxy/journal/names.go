package journal

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

const namesSize = 256 << 10 // bytes of names remembered

// names turns the few methods and sessions of a conversation into strings
// without allocating for each frame.
type names struct {
	make func(raw []byte) string
	have map[string]string
	size int
	raw  []byte // the last one asked for, and its name
	last string
}

// either is the name of said, or of raw when said is empty.
func (n *names) either(said string, raw []byte) string {
	switch {
	case said != "":
		said = said[:min(len(said), nameSize)]
		if string(n.raw) == said {
			return n.last
		}
		n.raw = append(n.raw[:0], said...)
	case len(raw) > 0:
		raw = raw[:min(len(raw), nameSize)]
		if bytes.Equal(n.raw, raw) {
			return n.last
		}
		n.raw = append(n.raw[:0], raw...)
	default:
		return ""
	}
	n.last = n.lookup(n.raw)
	return n.last
}

func (n *names) lookup(raw []byte) string {
	name, ok := n.have[string(raw)]
	if !ok {
		name = n.make(raw)
		n.remember(string(raw), name)
	}
	return name
}

func (n *names) remember(raw, name string) {
	if n.size += len(raw) + len(name); n.have == nil || n.size > namesSize {
		n.have = make(map[string]string)
		n.size = len(raw) + len(name)
	}
	n.have[raw] = name
}

// forget makes all names anew, as after a new secret.
func (n *names) forget() {
	n.have, n.size, n.raw = nil, 0, n.raw[:0]
}

// unescape reads what stands between the quotes of a JSON string; what is
// none it leaves alone.
func unescape(raw []byte) []byte {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw
	}
	quoted := append(append([]byte{'"'}, raw...), '"')
	plain, err := jsontext.AppendUnquote(nil, quoted)
	if err != nil && len(plain) == 0 {
		return raw
	}
	return plain
}

// clip cuts s to at most n bytes without cutting a character.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// text is b as valid UTF-8 of at most nameSize bytes.
func text(b []byte) string {
	return clip(strings.ToValidUTF8(string(b), "\uFFFD"), nameSize)
}
