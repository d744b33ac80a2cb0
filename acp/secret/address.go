package secret

import "strings"

// Addresses gives the passwords and secret parameters in the addresses of a
// text, in order.
func Addresses(text string) (found []Span) {
	for i := 0; ; {
		n := strings.Index(text[i:], "://")
		if n < 0 {
			return found
		}
		i += n + len("://")
		end := i + ends(text[i:], " \t\r\n\"'<>`")
		found = append(found, address(text[:end], i)...)
		i = end
	}
}

// address looks into the one whose host begins at i and which ends the text.
func address(text string, i int) (found []Span) {
	host := i + ends(text[i:], "/?#")
	if user := strings.LastIndexByte(text[i:host], '@'); user >= 0 {
		colon := strings.IndexByte(text[i:i+user], ':')
		start, end := i+colon+1, i+user
		if colon < 0 && !(end-start >= 16 && generated(text[start:end])) {
			start = end
		}
		if start < end && literal(text[start:end], false) {
			found = append(found, Span{start, end})
		}
	}
	for i = host; i < len(text); {
		if text[i] != '?' && text[i] != '&' && text[i] != '#' {
			i++
			continue
		}
		end := i + 1 + ends(text[i+1:], "?&#")
		if name, content, ok := strings.Cut(text[i+1:end], "="); ok && content != "" && Name(name) && literal(content, false) {
			found = append(found, Span{end - len(content), end})
		}
		i = end
	}
	return found
}

// ends is where the first of chars is in text, or its length.
func ends(text, chars string) int {
	if i := strings.IndexAny(text, chars); i >= 0 {
		return i
	}
	return len(text)
}
