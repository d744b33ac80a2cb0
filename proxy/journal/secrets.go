package journal

import (
	"net/url"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	secretMin = 8       // bytes; shorter values would hit by chance
	secretMax = 256     // values remembered
	secretLen = 4 << 10 // bytes of one value; a longer one is known by its beginning
	keyLen    = 64      // bytes by which a value is found
	mark      = "[masked]"
)

// secrets knows values that must not be seen, and finds them in any text. The
// search looks at about every seventh byte: each pair of bytes tells how far
// the window may be moved before a value could begin (Wu and Manber's way).
type secrets struct {
	values  []string // in the order they became known
	have    map[string]bool
	changed bool // since the table was made

	shift *[1 << 16]uint8   // by the last two bytes of a window of secretMin bytes
	keys  map[uint16][]*key // by the same pair: keys whose window ends with it, sorted
}

// add remembers value and, when it is of that kind, the part of it that
// matters: what follows "Bearer", the password of a URL. Unless sure, it does
// so only for what cannot be anything but a secret. It reports whether
// anything was new.
func (s *secrets) add(value string, sure bool) bool {
	parts := []string{value}
	if _, after, ok := strings.Cut(value, " "); ok {
		parts = append(parts, strings.TrimSpace(after))
	}
	if u, err := url.Parse(value); err == nil && u.User != nil {
		password, _ := u.User.Password()
		parts = append(parts, password)
	}
	added := false
	for _, part := range parts {
		if sure || tokenLike(part) {
			added = s.remember(part) || added
		}
	}
	return added
}

// tokenLike says that value looks like a generated key: at least 16 letters
// and digits with few signs, and nothing that a command, an address or a file
// name would be missed for.
func tokenLike(value string) bool {
	letter, digit := false, false
	for _, c := range []byte(value) {
		switch {
		case c >= '0' && c <= '9':
			digit = true
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			letter = true
		case strings.IndexByte("_-.=+/", c) < 0:
			return false
		}
	}
	return letter && digit && len(value) >= 16 && !(strings.Contains(value, ".") && strings.Contains(value, "/"))
}

func (s *secrets) remember(value string) bool {
	value = value[:min(len(value), secretLen)]
	if len(value) < secretMin || s.have[value] || commonplace(value) {
		return false
	}
	if s.have == nil {
		s.have = make(map[string]bool)
	}
	if len(s.values) == secretMax {
		delete(s.have, s.values[0])
		s.values = append(s.values[:0], s.values[1:]...)
	}
	s.have[value] = true
	s.values = append(s.values, value)
	s.changed = true
	return true
}

// commonplace says that value cannot be told from ordinary text, so that
// masking it everywhere would only make the record unreadable: a path or list
// of paths, or hardly any different bytes. It is masked where it stands all
// the same.
func commonplace(value string) bool {
	seen := make(map[byte]bool)
	for i := range len(value) {
		seen[value[i]] = true
	}
	return value == mark || len(seen) < 3 || pathLike(value) || ordinary[strings.ToLower(value)]
}

// ordinary are values often met in the environment of a server.
var ordinary = map[string]bool{
	"production": true, "development": true, "127.0.0.1": true, "localhost": true, "disabled": true, "application/json": true,
	"text/event-stream": true, "xterm-256color": true, "en_us.utf-8": true, "c.utf-8": true,
}

// pathLike says that value is an absolute path with several short parts, or a
// list of such. Keys in base64 may begin with a slash too, but have long parts
// or signs that paths do without.
func pathLike(value string) bool {
	for path := range strings.SplitSeq(value, ":") {
		parts := strings.Split(strings.TrimSuffix(path, "/"), "/")
		if len(parts) < 2 || parts[0] != "" && parts[0] != "~" || strings.ContainsAny(path, "=+?&@") {
			return false
		}
		for _, part := range parts {
			if len(part) >= 24 {
				return false
			}
		}
	}
	return true
}

// ready makes the table when secrets were added.
func (s *secrets) ready() {
	if !s.changed {
		return
	}
	s.changed = false
	if s.shift == nil {
		s.shift = new([1 << 16]uint8)
	}
	for i := range s.shift {
		s.shift[i] = secretMin - 1
	}
	byText := make(map[string]*key)
	for _, value := range s.values {
		for _, spelling := range spellings(value) {
			s.enter(byText, spelling)
		}
	}
	s.keys = sortKeys(byText)
}

func (s *secrets) enter(byText map[string]*key, spelling string) {
	for i := 1; i < secretMin; i++ {
		p := pair(spelling[i-1], spelling[i])
		s.shift[p] = min(s.shift[p], uint8(secretMin-1-i))
	}
	text := spelling[:min(len(spelling), keyLen)]
	k := byText[text]
	if k == nil {
		k = &key{text: text}
		byText[text] = k
	}
	if len(spelling) > keyLen {
		k.long = append(k.long, spelling)
	}
}

func pair(a, b byte) uint16 { return uint16(a)<<8 | uint16(b) }

// spellings are the ways a value may be written: as it is, in a JSON string
// as different encoders do it, and in a string within a string.
func spellings(value string) []string {
	plain := escape(value)
	all := []string{value, plain, strings.ReplaceAll(plain, "/", `\/`), escapeHTML(plain), escape(plain)}
	var some []string
	for i, v := range all {
		if !contains(all[:i], v) {
			some = append(some, v)
		}
	}
	return some
}

func contains(all []string, v string) bool {
	for _, a := range all {
		if a == v {
			return true
		}
	}
	return false
}

// escape is value as it stands between the quotes of a JSON string.
func escape(value string) string {
	quoted, _ := jsontext.AppendQuote(nil, value)
	return string(quoted[1 : len(quoted)-1])
}

func escapeHTML(escaped string) string {
	return strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`).Replace(escaped)
}

// find gives the first known value in text at or after from. Without one, or
// with nothing known, start is -1.
func (s *secrets) find(text []byte, from int) (start, end int) {
	if len(s.values) == 0 {
		return -1, -1
	}
	s.ready()
	shift := s.shift
	for i := from + secretMin - 1; i < len(text); {
		p := pair(text[i-1], text[i])
		if n := shift[p]; n > 0 {
			i += int(n)
			continue
		}
		start := i - secretMin + 1
		if n := longest(s.keys[p], text[start:]); n > 0 {
			return start, start + n
		}
		i++
	}
	return -1, -1
}

// scrub appends text to dst with known values masked, and counts them.
func (s *secrets) scrub(dst, text []byte) ([]byte, int) {
	n, at := 0, 0
	for {
		start, end := s.find(text, at)
		if start < 0 {
			return append(dst, text[at:]...), n
		}
		dst = append(append(dst, text[at:start]...), mark...)
		at = end
		n++
	}
}

// scrubString is scrub for a string, which comes back itself when it is clean.
func (s *secrets) scrubString(text string) (string, int) {
	if len(s.values) == 0 {
		return text, 0
	}
	clean, n := s.scrub(nil, []byte(text))
	if n == 0 {
		return text, 0
	}
	return string(clean), n
}

// any says that there is something to look for.
func (s *secrets) any() bool { return len(s.values) > 0 }

// in says whether text holds a known value.
func (s *secrets) in(text []byte) bool {
	start, _ := s.find(text, 0)
	return start >= 0
}
