package compare

import (
	"slices"
	"strings"

	"bobproxy/acp/session"
	"bobproxy/proxy/journal"
)

// Bounds of a recording.
const (
	MaxItems = 100_000
	MaxText  = 64 << 20 // bytes

	maxValue = 1 << 10  // bytes of what is compared
	maxWords = 16 << 10 // of texts
	maxFacts = 256      // of one item
)

// item is one thing that was said or done.
type item struct {
	kind  string // prompt, tool call, permission, request, …
	of    string // what kinds are told apart by: kind of tool, method
	name  string // what it is about; items of the same kind and name are the same
	frame uint64
	turn  int // in its session; 0: before the first
	facts []fact
	said  string // of a message: what its earlier parts said
}

// fact is what is compared of it.
type fact struct{ name, value string }

// key is what items are aligned by, from strict to lenient.
func (t *item) key(level int) string {
	switch {
	case level == 0:
		return t.kind + "\x00" + t.of + "\x00" + t.name
	case level == 2 && (t.kind == "tool call" || t.kind == "permission"):
		return t.kind + "\x00" + t.name
	}
	return t.kind + "\x00" + t.of
}

// levels is how many keys an item has.
const levels = 3

// set says or changes one of its facts; nothing is not a fact.
func (t *item) set(name, value string, most int) {
	value = clip(value, most)
	i := slices.IndexFunc(t.facts, func(f fact) bool { return f.name == name })
	switch {
	case i >= 0:
		t.facts[i].value = value
	case value != "" && len(t.facts) < maxFacts:
		t.facts = append(t.facts, fact{name, value})
	}
}

// get is a fact; empty when it is not said.
func (t *item) get(name string) string {
	for _, f := range t.facts {
		if f.name == name {
			return f.value
		}
	}
	return ""
}

// label is the item in a few words.
func (t *item) label() string {
	words := t.kind
	switch {
	case t.kind == "request", t.kind == "notification":
		words = t.of
	case t.of != "":
		words += " " + t.of
	}
	if t.name != "" && t.kind != "initialize" {
		words += " " + quoted(t.name)
	}
	return words
}

// brief is the label and how it came out.
func (t *item) brief() string {
	words := t.label()
	for _, name := range []string{"status", "answer", "outcome", "stop reason", "to"} {
		if v := t.get(name); v != "" {
			return words + ", " + v
		}
	}
	return words
}

// quoted is text in quotes that ends where it seems to.
func quoted(text string) string { return `"` + strings.ReplaceAll(text, `"`, `'`) + `"` }

func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && s[most]&0xC0 == 0x80 { // not within a character
		most--
	}
	return s[:most] + "…"
}

// part is a list of items that is compared as one: those of the connection, or of
// a session.
type part struct {
	session bool
	items   []*item
	roots   []root

	turn     int
	running  bool
	live     map[*session.Entry]*item // that may still change
	updates  map[string]bool
	messages *item // the last item, when it is one that more messages belong to
}

// Recording is what is compared of a recording.
type Recording struct {
	Frames  int
	Damaged int // lines that cannot be read
	Left    int // items that were left out

	parts []*part
	exit  *journal.Exit
}

// of are its parts of one sort.
func (r *Recording) of(session bool) (parts []*part) {
	for _, p := range r.parts {
		if p.session == session {
			parts = append(parts, p)
		}
	}
	return parts
}
