package filter

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"bobproxy/inspector/model"
)

// Bounds of the work of Complete.
const (
	maxSeen       = 20000   // newest rows that are looked at
	maxSeenBodies = 1 << 20 // bytes of bodies of rows that are looked into
	maxValues     = 1000    // different ones that are counted
	maxCandidates = 50      // that are given
	longestSeen   = 120     // bytes of a value that is given
)

// Candidate is what could be typed: Text in place of what stands from From to
// To.
type Candidate struct {
	Text     string
	From, To int
	Count    int    // rows that have it, of a value
	Note     string // what it is, of a key or a saved filter; empty: nothing
}

// In is text with the candidate in its place, and where the cursor is then.
func (c Candidate) In(text string) (with string, cursor int) {
	return text[:c.From] + c.Text + text[c.To:], c.From + len(c.Text)
}

// Complete gives what could stand at the cursor, a byte offset: keys, saved
// filters, or values that rows have, most frequent first.
func Complete(text string, cursor int, rows []*model.Row, saved []string) []Candidate {
	cursor = max(0, min(cursor, len(text)))
	t := typedAt(text[:cursor])
	for t.to = cursor; t.to < len(text) && !breaks(text[t.to]) && text[t.to] != ','; {
		t.to++
	}
	rows = rows[max(0, len(rows)-maxSeen):]
	switch {
	case t.quoted:
		return nil
	case strings.HasPrefix(t.word, "@"):
		return t.names(saved)
	case t.key == "" && t.word == "":
		return append(t.keys(), t.names(saved)...)
	case t.key == "":
		return append(t.keys(), t.members(rows)...)
	}
	return t.values(rows)
}

// typed is the term that is being typed: the word before the cursor, and the key
// it is a value of. The word stands from from to to.
type typed struct {
	key, word string
	from, to  int
	quoted    bool // the cursor is in quotes
}

// typedAt finds it at the end of text.
func typedAt(text string) (t typed) {
	colon := -1
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			end := quoteEnd(text, i)
			if t.quoted = end < 0; t.quoted {
				return t
			}
			i = end - 1
		case breaks(c):
			t.from, colon, t.key = i+1, -1, ""
		case c == '-' && t.from == i:
			t.from = i + 1
		case c == ':' && colon < 0:
			t.key, colon = text[t.from:i], i
			t.from = i + 1
		case c == ',' && colon >= 0:
			t.from = i + 1
		}
	}
	t.word = text[t.from:]
	return t
}

func (t typed) candidate(text string, count int) Candidate {
	return Candidate{Text: text, From: t.from, To: t.to, Count: count}
}

func (t typed) noted(text, note string) Candidate {
	c := t.candidate(text, 0)
	c.Note = note
	return c
}

func (t typed) names(saved []string) (c []Candidate) {
	for _, name := range saved {
		if IsName(name) && hasPrefix("@"+name, t.word) {
			c = append(c, t.noted("@"+name, "saved"))
		}
	}
	return c[:min(len(c), maxCandidates)]
}

// keys gives the keys that begin with what was typed.
func (t typed) keys() (c []Candidate) {
	for i := range keys {
		if k := &keys[i]; hasPrefix(k.name, t.word) {
			sign := ":"
			if k.number != nil {
				sign = ">"
			}
			c = append(c, t.noted(k.name+sign, k.about))
		}
	}
	for _, root := range roots {
		if hasPrefix(root, t.word) {
			c = append(c, t.noted(root+".", "what stands there in the frame"))
		}
	}
	return c
}

var roots = []string{"params", "result", "error"}

// members gives how a path that was begun can go on.
func (t typed) members(rows []*model.Row) []Candidate {
	dot := strings.LastIndexByte(t.word, '.')
	if dot < 0 {
		return nil
	}
	path, ok, err := readPath(t.word[:dot], 0)
	if !ok || err != nil {
		return nil
	}
	seen := tally{}
	eachBody(rows, func(r *model.Row) {
		walk(r.Body, path, func(raw []byte) bool {
			eachMember(raw, func(name []byte) { seen.add(string(name)) })
			return !seen.full()
		})
	})
	t.from += dot + 1
	t.word = t.word[dot+1:]
	return seen.candidates(t, func(name string) string {
		if isPlainName(name) {
			return name
		}
		return string(quoteName(nil, name))
	})
}

// values gives the values that rows have of t's key.
func (t typed) values(rows []*model.Row) []Candidate {
	seen := tally{}
	path, isPath, _ := readPath(t.key, 0)
	k := findKey(t.key)
	switch {
	case isPath:
		eachBody(rows, func(r *model.Row) {
			walk(r.Body, path, func(raw []byte) bool {
				seen.addValue(raw)
				return !seen.full()
			})
		})
	case k == nil || k.moment || k.number != nil:
		return nil
	case k.words != nil:
		return seen.words(k, rows).candidates(t, func(s string) string { return s })
	case k.name == "file" || k.name == "text":
		eachBody(rows, func(r *model.Row) { seen.row(k, r) })
	default:
		for _, r := range rows {
			seen.row(k, r)
		}
	}
	return seen.candidates(t, func(s string) string { return string(quote(nil, s)) })
}

// eachBody calls do with the newest rows, as long as their bodies are not too
// much to look into.
func eachBody(rows []*model.Row, do func(*model.Row)) {
	room := maxSeenBodies
	for _, r := range slices.Backward(rows) {
		if room -= len(r.Body); room < 0 {
			return
		}
		do(r)
	}
}

// eachMember gives the names of the members of an object, or of those in an
// array.
func eachMember(raw []byte, yield func(name []byte)) {
	w := walker{b: raw}
	if w.at(0) == '[' {
		for i := w.blank(1); i < len(raw) && raw[i] == '{'; i = w.blank(i + 1) {
			end := skip(raw, i)
			eachMember(raw[i:end], yield)
			if i = w.blank(end); w.at(i) != ',' {
				return
			}
		}
		return
	}
	for i := w.blank(1); w.at(0) == '{' && w.at(i) == '"'; i = w.blank(i + 1) {
		end := stringEnd(raw, i)
		name, _ := stringAt(raw[i:end])
		if i = w.blank(end); w.at(i) != ':' {
			return
		}
		yield(name)
		if i = w.blank(skip(raw, w.blank(i+1))); w.at(i) != ',' {
			return
		}
	}
}

// tally counts how many rows have a value.
type tally map[string]int

func (c tally) full() bool { return len(c) >= maxValues }

func (c tally) add(s string) {
	if _, known := c[s]; s != "" && len(s) <= longestSeen && (known || !c.full()) {
		c[s]++
	}
}

func (c tally) row(k *key, r *model.Row) {
	k.of(r, func(s string) bool {
		c.add(s)
		return !c.full()
	})
}

// addValue counts what is no object and no array.
func (c tally) addValue(raw []byte) {
	if text, ok := stringAt(raw); ok {
		c.add(string(text))
	} else if bytes.IndexByte([]byte("{["), raw[0]) < 0 {
		c.add(string(raw))
	}
}

// words counts the words of k; those that no row has are there, too.
func (c tally) words(k *key, rows []*model.Row) tally {
	var w World
	for _, word := range k.words {
		c[word] = 0
	}
	for _, r := range rows {
		for _, word := range k.words {
			if k.has(r, &w, word) {
				c[word]++
			}
		}
	}
	return c
}

// candidates are the values that begin with what was typed, then those that
// contain it, each by how often they were seen.
func (c tally) candidates(t typed, spell func(string) string) (found []Candidate) {
	begins := map[string]bool{}
	for s, n := range c {
		if text := spell(s); containsFold(s, t.word) {
			begins[text] = hasPrefix(s, t.word)
			found = append(found, t.candidate(text, n))
		}
	}
	rank := func(c Candidate) int {
		if begins[c.Text] {
			return 0
		}
		return 1
	}
	slices.SortFunc(found, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Text, b.Text))
	})
	return found[:min(len(found), maxCandidates)]
}

// hasPrefix ignores case.
func hasPrefix(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

func containsFold(s, part string) bool {
	return part == "" || newNeedle(part).index([]byte(s)) >= 0
}
