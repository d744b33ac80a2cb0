package session

import (
	"strconv"
	"strings"

	"bobproxy/acp"
)

// blocks is the text of one content block or of several, each on a line of its
// own. What is no text is told in brackets.
func blocks(content []byte) string {
	if len(content) == 0 {
		return ""
	}
	if content[0] != '[' {
		return block(content)
	}
	var all []string
	for b := range acp.Elements(content) {
		if text := block(b); text != "" {
			all = append(all, text)
		}
	}
	return strings.Join(all, "\n")
}

// block is one. One that does not say what it is may have a text all the same,
// and so may a plain string.
func block(b []byte) string {
	if s, ok := acp.Unquote(b); ok {
		return s
	}
	var kind, text, name, uri, mime, data []byte
	var resource, inner []byte
	for k, v := range acp.Members(b) {
		switch string(k) {
		case "type":
			kind = v
		case "text":
			text = v
		case "name":
			name = v
		case "uri":
			uri = v
		case "mimeType":
			mime = v
		case "data":
			data = v
		case "resource":
			resource = v
		case "content":
			inner = v
		}
	}
	what, _ := acp.Unquote(kind)
	switch {
	case what == "text" || what == "" && text != nil:
		s, _ := acp.Unquote(text)
		return s
	case what == "content" || what == "" && inner != nil:
		return blocks(inner)
	case what == "resource" && resource != nil:
		return embedded(resource)
	case what == "":
		return ""
	}
	return bracketed(what, plainText(name), plainText(uri), plainText(mime), amount(decoded(data)))
}

// embedded is a resource that was sent along.
func embedded(resource []byte) string {
	uri, mime := get(resource, "uri"), get(resource, "mimeType")
	held := get(resource, "text")
	if held == nil {
		held = get(resource, "blob")
	}
	return bracketed("resource", plainText(uri), plainText(mime), amount(len(held)-2))
}

// bracketed is what stands for a block that is no text.
func bracketed(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		if p = clip(p, maxName); p != "" {
			b.WriteString(" " + p)
		}
	}
	return "[" + strings.TrimPrefix(b.String(), " ") + "]"
}

func plainText(token []byte) string {
	s, _ := acp.Unquote(token)
	return s
}

// decoded is how many bytes a base64 token stands for.
func decoded(token []byte) int { return (len(token) - 2) * 3 / 4 }

// amount is a number of bytes in short; empty for none.
func amount(n int) string {
	switch {
	case n <= 0:
		return ""
	case n < 1<<10:
		return strconv.Itoa(n) + "B"
	case n < 1<<20:
		return strconv.Itoa(n>>10) + "K"
	}
	return strconv.Itoa(n>>20) + "M"
}
