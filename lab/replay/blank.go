package replay

import (
	"strings"

	"bobproxy/acp"
)

// unblanked is a frame with [Masked] in the place of blanks, which equals
// everything: what has an x for every byte but line feeds, be it only behind the
// first line.
func unblanked(line []byte) []byte {
	return rewrite(line, func(name, value string) string {
		first, rest, more := strings.Cut(value, "\n")
		switch {
		case value == "" || name == "method" || strings.HasSuffix(strings.ToLower(name), "id"):
			return value
		case blank(value):
			return Masked
		case more && rest != "" && blank(rest):
			return first + "\n" + Masked
		}
		return value
	})
}

func blank(s string) bool { return strings.Trim(s, "x\n") == "" }

// blanks says whether the recording has blanks in the place of what one side said.
func (s *script) blanks(from acp.Direction) bool {
	for i := range s.steps {
		if t := &s.steps[i]; t.Blank && t.From == from {
			return true
		}
	}
	return false
}

// warn says once, up front, that a peer is given blanks.
func (t *teller) warn(peer, then string) {
	t.found(Finding{About: "this recording", Came: "the contents were removed from it", Why: peer + " is given blanks", Then: then})
}

// inWorkspace says whether the answer to a method depends on the files that the
// client has.
func inWorkspace(method string) bool {
	return strings.HasPrefix(method, "fs/") || strings.HasPrefix(method, "terminal/")
}
