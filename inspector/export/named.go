package export

import "bobproxy/acp/secret"

// hide removes the secrets that were found in text by their names. Those that
// look like a key may stand in it once more.
func (s *Scrubber) hide(text string, found []secret.Span) string {
	if len(found) == 0 {
		return text
	}
	text, more := s.secrets.known(s.secrets.hidden(text, found))
	s.tally.add(Secrets, len(found)+more, 0)
	return text
}

// line scrubs a command line.
func (s *Scrubber) line(text string) string {
	text = s.text(text, true)
	return s.hide(text, secret.Line(text))
}

// argument scrubs the argument that comes next.
func (s *Scrubber) argument(text string, args *secret.Args) string {
	text = s.text(text, true)
	return s.hide(text, args.Next(text))
}

func (s *Scrubber) arguments(list []string) (out []string) {
	var args secret.Args
	for _, text := range list {
		out = append(out, s.argument(text, &args))
	}
	return out
}
