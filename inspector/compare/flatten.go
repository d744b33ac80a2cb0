package compare

import (
	"strconv"
	"strings"

	"bobproxy/acp"
)

// maxDeep is how far values are taken apart.
const maxDeep = 8

// unsaid are members that say nothing that is compared: ids, which are made anew
// each time, what is for programs that know each other, and texts.
var unsaid = map[string]bool{
	"_meta": true, "sessionId": true, "terminalId": true, "messageId": true, "toolCallId": true,
	"description": true, "content": true, "prompt": true, "env": true, "headers": true,
}

// flatten tells the leaves of a value with their paths; nothing, as of an empty
// array, is none. An element of an array is
// called by its id or name, where it has one.
func flatten(path string, value []byte, deep int, tell func(path, value string)) {
	if len(value) == 0 || deep > maxDeep {
		return
	}
	inside := false
	switch value[0] {
	case '{':
		for name, v := range acp.Members(value) {
			if inside = true; !unsaid[string(name)] {
				flatten(joined(path, string(name)), v, deep+1, tell)
			}
		}
	case '[':
		n := 0
		for v := range acp.Elements(value) {
			inside, n = true, n+1
			name, by := named(v, n)
			flatten(joined(path, name), v, deep+1, func(path, value string) {
				if by == "" || !strings.HasSuffix(path, "."+name+"."+by) {
					tell(path, value)
				}
			})
		}
	}
	if text := leaf(value); !inside && text != "[]" && text != "null" {
		tell(path, text)
	}
}

func joined(path, name string) string {
	if path == "" {
		return clip(name, maxValue)
	}
	return clip(path+"."+name, maxValue)
}

// named is what the nth element of an array is called, and the member that says
// so.
func named(v []byte, n int) (name, by string) {
	for _, by := range []string{"id", "modelId", "value", "name"} {
		if id := member(v, by); len(id) > 1 && id[0] == '"' {
			return leaf(id), by
		}
	}
	return strconv.Itoa(n), ""
}

// leaf is a value without the quotes of a string.
func leaf(value []byte) string {
	if s, ok := acp.Unquote(value); ok {
		if s == "" {
			return `""`
		}
		return s
	}
	return strings.TrimSpace(string(value[:min(len(value), maxValue)]))
}

// member is one of an object; nil when it has none of that name.
func member(object []byte, path ...string) []byte {
	for _, name := range path {
		var found []byte
		for n, v := range acp.Members(object) {
			if string(n) == name {
				found = v
			}
		}
		object = found
	}
	return object
}

// word is a member that is a string.
func word(object []byte, path ...string) string {
	s, _ := acp.Unquote(member(object, path...))
	return clip(s, maxValue)
}
