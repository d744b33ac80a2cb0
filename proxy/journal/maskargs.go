package journal

import (
	"net/url"
	"strings"

	"bobproxy/acp/secret"
)

// arguments is a copy of an argument list without the secrets in it, which are
// counted in n.
func (m *masker) arguments(list []string, n *int) []string {
	var args secret.Args
	clean := make([]string, len(list))
	for i, arg := range list {
		clean[i] = m.hidden(arg, args.Next(arg), n)
	}
	return clean
}

// hidden is text with what was found in it masked, and counted in n.
func (m *masker) hidden(text string, found []secret.Span, n *int) string {
	if len(found) == 0 {
		return text
	}
	var b strings.Builder
	at := 0
	for _, s := range found {
		b.WriteString(text[at:s.Start])
		b.WriteString(mark)
		at = s.End
		m.argument(text[s.Start:s.End])
	}
	b.WriteString(text[at:])
	*n += len(found)
	return b.String()
}

// argument remembers what was masked, also without the escapes of an address.
func (m *masker) argument(value string) {
	m.learn(value)
	if plain, err := url.QueryUnescape(value); err == nil && plain != value {
		m.learn(plain)
	}
}

// arguments masks the list that comes next.
func (w *walk) arguments() error {
	var args secret.Args
	return w.array(func() error {
		if w.PeekKind() != '"' {
			args = secret.Args{}
			return w.value(within)
		}
		return w.hidden(args.Next)
	})
}

// hidden masks in the string that comes next what find finds in it.
func (w *walk) hidden(find func(string) []secret.Span) error {
	token, err := w.ReadToken()
	if err != nil {
		return err
	}
	text, n := token.String(), 0
	if clean := w.mask.hidden(text, find(text), &n); n > 0 {
		w.replace(clean, n)
	}
	return nil
}
