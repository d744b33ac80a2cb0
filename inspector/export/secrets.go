package export

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"bobproxy/acp/secret"
)

const (
	mostSecrets = 1024      // that are told apart; further ones are removed without a number
	longSecret  = 4 << 10   // bytes; a longer one is not looked for elsewhere
	allSecrets  = 256 << 10 // bytes of those that are
	nameless    = "[removed]"
)

// secrets are the values that were removed. They are looked for everywhere from
// then on.
type secrets struct {
	numbers  map[string]int // by value; 0: known, but not met yet
	size     int            // bytes of all values
	seen     int
	replacer *strings.Replacer // nil: to be made anew
	order    []string          // values in the order in which the replacer knows them
}

// remember adds a value that was found, and is to be looked for.
func (s *secrets) remember(value string) {
	if len(s.numbers) < mostSecrets && len(value) <= longSecret && s.size+len(value) <= allSecrets {
		s.tell(value)
	}
}

// tell adds a value that is to be looked for, whatever there is.
func (s *secrets) tell(value string) {
	if _, known := s.numbers[value]; known {
		return
	}
	s.size += len(value)
	if s.numbers == nil {
		s.numbers = map[string]int{}
	}
	s.numbers[value] = 0
	s.replacer = nil
}

// mark is what stands in the place of value.
func (s *secrets) mark(value string) string {
	s.remember(value)
	n, known := s.numbers[value]
	if !known {
		return nameless
	}
	if n == 0 {
		s.seen++
		n = s.seen
		s.numbers[value] = n
	}
	return fmt.Sprintf("[removed %d]", n)
}

// hidden puts marks in the places that were found in text. What looks like words
// is not looked for elsewhere, or a peer could have any word removed.
func (s *secrets) hidden(text string, found []secret.Span) string {
	var b strings.Builder
	at := 0
	for _, f := range found {
		b.WriteString(text[at:f.Start])
		if value := text[f.Start:f.End]; sought(value) {
			b.WriteString(s.mark(value))
		} else {
			b.WriteString(nameless)
		}
		at = f.End
	}
	b.WriteString(text[at:])
	return b.String()
}

// sought says that value is one word of letters and digits, and no path or
// address.
func sought(value string) bool {
	return len(value) >= 8 && strings.ContainsAny(value, "0123456789") && strings.Trim(value, "0123456789") != "" &&
		!strings.ContainsAny(value, " \t\n/.:\\")
}

// known removes the values that are known from text.
func (s *secrets) known(text string) (out string, removed int) {
	if len(s.numbers) == 0 {
		return text, 0
	}
	if s.replacer == nil {
		s.replacer = s.compile()
	}
	found := s.replacer.Replace(text)
	if found == text {
		return text, 0
	}
	return s.numbered(found)
}

// Values are found as a private sign and their place in the order of all, since
// the number of one is given when it is met first. The signs are no characters
// that a valid text has by chance; one that it has is shown by its own sign.
const (
	opening = "\uFDD0"
	closing = "\uFDD1"
)

// compile makes the search, in which a longer value comes before a shorter one.
func (s *secrets) compile() *strings.Replacer {
	pairs := []string{opening, "‹U+FDD0›", closing, "‹U+FDD1›"}
	s.order = s.ordered()
	for i, value := range s.order {
		pairs = append(pairs, value, fmt.Sprint(opening, i, closing))
	}
	return strings.NewReplacer(pairs...)
}

func (s *secrets) ordered() []string {
	values := make([]string, 0, len(s.numbers))
	for value := range s.numbers {
		values = append(values, value)
	}
	slices.SortFunc(values, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
	return values
}

// numbered puts marks in the place of what was found.
func (s *secrets) numbered(text string) (out string, removed int) {
	values := s.order
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, opening)
		b.WriteString(before)
		if !found {
			return b.String(), removed
		}
		place, after, _ := strings.Cut(rest, closing)
		i := 0
		for _, c := range []byte(place) {
			i = 10*i + int(c-'0')
		}
		b.WriteString(s.mark(values[i]))
		text = after
		removed++
	}
}

// pattern is a kind of secret that can be known by its looks.
type pattern struct {
	hints []string // one of them is in every text that has one
	found func() *regexp.Regexp
	group int  // of found, that is the secret
	key   bool // it must also look like a generated key
}

var patterns = []pattern{
	{hints: []string{"-----BEGIN "}, found: lazily(`(?s)-----BEGIN [A-Z0-9 ]{3,40}-----.*?(?:-----END [A-Z0-9 ]{3,40}-----|\z)`)},
	{hints: []string{"sk-", "sk_", "rk_", "pk_"}, found: lazily(`\b(?:sk-|[srp]k_(?:live|test)_)[A-Za-z0-9_-]{12,}`)},
	{hints: []string{"gh"}, found: lazily(`\b(?:gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,})`)},
	{hints: []string{"glpat-"}, found: lazily(`\bglpat-[A-Za-z0-9_-]{12,}`)},
	{hints: []string{"xox"}, found: lazily(`\bxox[a-z]-[A-Za-z0-9-]{8,}`)},
	{hints: []string{"AKIA", "ASIA"}, found: lazily(`\b(?:AKIA|ASIA)[0-9A-Z]{12,}`)},
	{hints: []string{"AIza"}, found: lazily(`\bAIza[0-9A-Za-z_-]{20,}`)},
	{hints: []string{"hf_", "npm_", "pypi-", "dop_v1_", "ya29."}, found: lazily(`\b(?:hf_|npm_|pypi-|dop_v1_|ya29\.)[A-Za-z0-9_-]{16,}`)},
	{hints: []string{"eyJ"}, found: lazily(`\beyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)*`)},
	{
		hints: []string{"uthorization", "UTHORIZATION"}, group: 1,
		found: lazily(`(?i)authorization\\?["']?\s*[:=]\s*\\?["']?(?:(?:bearer|basic|token|digest|negotiate)\s+)?([^\s"'\\,;]{6,})`),
	},
	{hints: []string{"earer ", "EARER "}, found: lazily(`(?i)\bbearer\s+([A-Za-z0-9_\-.=+/~]{12,})`), group: 1, key: true},
	{hints: []string{"://"}, found: lazily(`[a-z][a-z0-9+.-]*://[^\s/:@"'<>]*:([^\s/@"'<>]+)@`), group: 1},
	{
		hints: []string{"oken", "OKEN", "ecret", "ECRET", "assw", "ASSW", "key", "Key", "KEY"}, group: 1, key: true,
		found: lazily(`(?i)(?:token|secret|passw(?:or)?d|(?:api|access|private|secret)[_-]?key)[\w-]{0,32}\\?["']?\s*[:=]\s*\\?["']?([A-Za-z0-9_\-.=+/~]{16,})`),
	},
}

// lazily compiles when it is first asked: a proxy that starts needs none of this.
func lazily(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// hinted says whether text may have one.
func (p *pattern) hinted(text string) bool {
	return slices.ContainsFunc(p.hints, func(hint string) bool { return strings.Contains(text, hint) })
}

// remove replaces what looks like one, and counts it.
func (s *secrets) remove(p *pattern, text string) (out string, removed int) {
	var b strings.Builder
	from := 0
	for _, at := range p.found().FindAllStringSubmatchIndex(text, -1) {
		start, end := at[2*p.group], at[2*p.group+1]
		value := text[start:end]
		if p.key && !keyLike(value) || strings.HasPrefix(value, "[removed") || strings.HasPrefix(value, "[masked") {
			continue
		}
		b.WriteString(text[from:start])
		b.WriteString(s.mark(value))
		from = end
		removed++
	}
	b.WriteString(text[from:])
	return b.String(), removed
}

// keyLike says that value looks like a generated key: long, of letters and
// digits, with few signs.
func keyLike(value string) bool {
	letter, digit := false, false
	for _, c := range []byte(value) {
		switch {
		case c >= '0' && c <= '9':
			digit = true
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			letter = true
		case strings.IndexByte("_-.=+/~", c) < 0:
			return false
		}
	}
	return letter && digit && len(value) >= 12
}
