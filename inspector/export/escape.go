package export

import (
	"strings"

	"bobproxy/acp/clean"
)

// inline is text as one line of Markdown that means nothing but itself, wherever
// it stands: no markup, no HTML, no link that a renderer finds by itself, nobody
// who is mentioned.
func inline(text string) string {
	text = strings.ReplaceAll(text, "\t", "    ")
	text = clean.Line(text)
	rest := strings.TrimLeft(text, " ")
	var b strings.Builder
	b.WriteString(strings.Repeat("&nbsp;", len(text)-len(rest)))
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == '@':
			// An escape would be resolved before mentions and addresses are looked for.
			end := i + 1
			for end < len(rest) && rest[end] == '@' {
				end++
			}
			b.WriteString("`" + rest[i:end] + "`")
			i = end - 1
		case markup(rest, i):
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// markup says that the sign text[i] could mean something to a renderer.
func markup(text string, i int) bool {
	switch text[i] {
	case '\\', '`', '*', '_', '[', ']', '<', '>', '&', '|', '~', '$', '#', '!':
		return true
	case ':': // of an address, or of a sign that is spelled out
		return i+1 == len(text) || text[i+1] != ' '
	case '.':
		return i > 0 && (text[i-1] == 'w' || text[i-1] == 'W' || digits(text[:i]))
	case ')':
		return digits(text[:i])
	case '-', '+', '=':
		return strings.Trim(text[:i], "-+= ") == ""
	}
	return false
}

func digits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }
