package filter

import (
	"slices"
	"strings"

	"bobproxy/inspector/guess"
	"bobproxy/inspector/model"
)

// key is one row of the table of keys.
type key struct {
	name, short string
	about       string // what it matches, in a few words

	// Of a key with texts: what a row has of it, none of it empty, until yield
	// returns false; and where a literal has to be in that. A session is found
	// in both ways, by two of.
	of  func(r *model.Row, yield func(string) bool)
	how how

	// Of a key with a few words: the words, others that are taken for them, and
	// whether a row has one.
	words   []string
	aliases map[string]string
	has     func(r *model.Row, w *World, word string) bool

	// Of a key with numbers: the units, as a multiple of the smallest one, the
	// unit that needs not be written, and the number of a row, in that multiple.
	units  []unit
	number func(r *model.Row, w *World) (float64, bool)

	moment bool
}

var keys = []key{
	{name: "method", about: "a part of the method", short: "m", of: methods},
	{name: "update", about: "the kind of session/update", short: "u", of: updates, how: whole},
	{name: "dir", about: "in from the agent, out to it", words: []string{"out", "in"}, aliases: directions, has: hasDir},
	{name: "kind", about: "req rsp ntf err stderr …", short: "k", words: kindWords, aliases: kindAliases, has: hasKind},
	{name: "id", about: "a request and its answer", of: ids, how: whole},
	{name: "session", about: "its id or title", short: "s", of: titles},
	{name: "call", about: "the tool call's id", of: calls, how: whole},
	{name: "tool", about: "the tool call's kind", of: tools, how: whole},
	{name: "status", about: "the tool call's status", of: statuses, how: whole},
	{name: "file", about: "a path in the frame", of: files},
	{name: "text", about: "what people read", of: texts},
	{name: "by", about: "who made it", words: byWords, aliases: byAliases, has: hasBy},
	{name: "perm", about: "who answered a permission", words: permWords, aliases: permAliases, has: hasPerm},
	{name: "is", about: "slow, error, open, chunk …", words: isWords, aliases: isAliases, has: hasState},
	{name: "slow", about: "how long it took", units: durations, number: slowness},
	{name: "size", about: "bytes of the line", units: sizes, number: size},
	{name: "after", about: "by the clock", moment: true},
	{name: "before", about: "by the clock", moment: true},
}

// findKey gives the key of that name, in whatever case; nil when there is none.
func findKey(name string) *key {
	for i := range keys {
		if strings.EqualFold(name, keys[i].name) || keys[i].short != "" && strings.EqualFold(name, keys[i].short) {
			return &keys[i]
		}
	}
	return nil
}

// word gives the word of k that v is.
func (k *key) word(v value) (word string, ok bool) {
	word = strings.ToLower(v.text)
	if as, ok := k.aliases[word]; ok {
		word = as
	}
	return word, v.needle != nil && slices.Contains(k.words, word)
}

// field is a term about a text that a row has.
type field struct {
	key    *key
	values []value
}

func (n *field) match(r *model.Row, _ *World) bool {
	switch n.key.name {
	case "id":
		return n.id(r)
	case "session":
		return n.session(r)
	}
	found := false
	n.key.of(r, func(s string) bool {
		found = anyOf(n.values, s, n.key.how)
		return !found
	})
	return found
}

// id compares as peers do: by each byte.
func (n *field) id(r *model.Row) bool {
	id, text := r.ID, unquotedID(r.ID)
	if id == "" {
		return false
	}
	return slices.ContainsFunc(n.values, func(v value) bool {
		if v.needle != nil {
			return v.text == id || v.text == text
		}
		return v.inString(text, whole)
	})
}

// session takes the beginning of an id, or a part of the title.
func (n *field) session(r *model.Row) bool {
	if r.Session == nil || r.Session.Talk == nil {
		return false
	}
	id, title := r.Session.Talk.Session, titleOf(r.Session)
	return id != "" && anyOf(n.values, id, prefix) || title != "" && anyOf(n.values, title, within)
}

func (n *field) write(dst []byte) []byte {
	return writeValues(append(append(dst, n.key.name...), ':'), n.values)
}

// choice is a term about one of a few words.
type choice struct {
	key   *key
	words []string
}

func (n *choice) match(r *model.Row, w *World) bool {
	for _, word := range n.words {
		if n.key.has(r, w, word) {
			return true
		}
	}
	return false
}

func (n *choice) write(dst []byte) []byte {
	dst = append(append(dst, n.key.name...), ':')
	return append(dst, strings.Join(n.words, ",")...)
}

// unknownKey names the keys that look like the one that is not known.
func unknownKey(at int, name string) *Error {
	var near []string
	for i := range keys {
		if k := keys[i].name; alike(strings.ToLower(name), k) {
			near = append(near, k)
		}
	}
	const quotes = "put quotes around it to look for the text"
	if len(name) > 20 {
		name = beginning(name[:20]) + "…"
	}
	if len(near) == 0 {
		return wrong(at, "no key %s; %s", name, quotes)
	}
	return wrong(at, "no key %s, but %s; %s", name, strings.Join(near, ", "), quotes)
}

// alike says that somebody who typed name could have meant key: one begins with
// the other, or a letter or two are wrong.
func alike(name, key string) bool {
	if len(name) > 1 && strings.HasPrefix(key, name) || len(key) > 2 && strings.HasPrefix(name, key) {
		return true
	}
	return len(name) < 20 && guess.Distance(name, key) <= min(2, len(key)/2)
}
