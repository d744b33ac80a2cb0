package check

import (
	"strings"

	"bobproxy/acp"
)

// Severity says how bad a finding is.
type Severity uint8

const (
	Info    Severity = iota + 1 // allowed, and worth knowing
	Warning                     // peers cope, or it is wrong in most cases
	Error                       // the protocol forbids it
)

// String is the word for it.
func (s Severity) String() string {
	switch s {
	case Info:
		return "info"
	case Warning:
		return "warning"
	case Error:
		return "error"
	}
	return "none"
}

// ParseSeverity is the severity of that name.
func ParseSeverity(word string) (s Severity, ok bool) {
	for s = Info; s <= Error; s++ {
		if s.String() == word {
			return s, true
		}
	}
	return 0, false
}

// Finding is one thing that is wrong with a conversation.
type Finding struct {
	Rule     string // name of one of Rules
	Severity Severity
	By       acp.Direction // who broke it
	Seq      uint64        // of the frame
	Session  string        // id; empty: none, or not known
	Method   string        // of the frame, or of what it answers; empty: none
	Version  int           // of the protocol that it was judged by
	Text     string        // one sentence, with values of peers in it: not clean
}

// Spec is the page that the rule is from.
func (f *Finding) Spec() string {
	spec := ruleByName[f.Rule].Spec
	if f.Version < 2 {
		return spec
	}
	return pagesV2.Replace(spec)
}

// pagesV2 makes of a page about version 1 the one about version 2.
var pagesV2 = strings.NewReplacer("/protocol/v1/", "/protocol/v2/", "prompt-turn", "prompt-lifecycle")

// Shape is Text without what differs from one run to the next: quoted words and
// numbers.
func (f *Finding) Shape() string {
	var b strings.Builder
	quoted, digits := false, false
	for _, r := range f.Text {
		switch {
		case r == '"':
			quoted = !quoted
			b.WriteRune(r)
		case quoted:
			continue
		case r >= '0' && r <= '9':
			if !digits {
				b.WriteByte('#')
			}
			digits = true
			continue
		default:
			b.WriteRune(r)
		}
		digits = false
	}
	return b.String()
}

// quoted is a word of a peer's in quotation marks, cut when it is long. Quotation
// marks in it become apostrophes, so that Shape finds its end.
func quoted[T string | []byte](word T) string {
	const most = 60
	w := []rune(strings.ToValidUTF8(string(word[:min(len(word), 4*most)]), "\ufffd"))
	end := ""
	if len(w) > most || len(word) > 4*most {
		w, end = w[:min(len(w), most)], "…"
	}
	return `"` + strings.ReplaceAll(string(w), `"`, "'") + end + `"`
}

// shown is a JSON value as it is quoted in a sentence.
func shown(value []byte) string {
	switch {
	case len(value) == 0:
		return "nothing"
	case value[0] == '"':
		s, _ := acp.Unquote(value)
		return quoted(s)
	case value[0] == '{':
		return "an object"
	case value[0] == '[':
		return "an array"
	}
	return string(value[:min(len(value), 40)])
}
