package panel

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// History is what was entered at the prompts, oldest first, each behind the sign
// of its prompt: ":theme dark", "/is:open".
type History []string

const (
	maxHistory = 200 // entries of each prompt

	// MaxHistorySize is how many bytes of a file with a history are read, and how
	// many one has.
	MaxHistorySize = 64 << 10
	maxEntrySize   = 1 << 10 // bytes of an entry that a file keeps
)

// prompts are the signs of the prompts that have a history.
const prompts = ":/"

// ReadHistory reads what [History.Bytes] wrote, whatever has become of it: of a
// longer text the end counts, and what is no entry is left out.
func ReadHistory(text []byte) (h History) {
	if len(text) > MaxHistorySize {
		text = text[len(text)-MaxHistorySize:]
		_, text, _ = bytes.Cut(text, []byte("\n")) // the rest of a line may look like another
	}
	seen, count := map[string]bool{}, map[byte]int{}
	for _, line := range slices.Backward(strings.Split(string(text), "\n")) {
		entry := entryIn(line)
		if entry == "" || seen[entry] || count[entry[0]] == maxHistory {
			continue
		}
		seen[entry] = true
		count[entry[0]]++
		h = append(h, entry)
	}
	slices.Reverse(h)
	return h
}

// entryIn is the entry on a line of a file; empty: it is none.
func entryIn(line string) string {
	if line = oneLine(line); line == "" || len(line) > maxEntrySize || !strings.Contains(prompts, line[:1]) {
		return ""
	}
	text := oneLine(line[1:])
	if text == "" {
		return ""
	}
	return line[:1] + text
}

// oneLine is text without what would end a line or do something else in a
// terminal.
func oneLine(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || r == utf8.RuneError {
			return ' '
		}
		return r
	}, text))
}

// With is the history with one more entry, which is in it once, at the end.
func (h History) With(sign rune, text string) History {
	if text = oneLine(text); text == "" {
		return h
	}
	entry := string(sign) + text
	all := make(History, 0, len(h)+1)
	for _, e := range h {
		if e != entry {
			all = append(all, e)
		}
	}
	all = append(all, entry)
	if len(all.Of(sign)) > maxHistory {
		oldest := slices.IndexFunc(all, func(e string) bool { return strings.HasPrefix(e, string(sign)) })
		all = slices.Delete(all, oldest, oldest+1)
	}
	return all
}

// Of are the entries of a prompt, oldest first, without its sign.
func (h History) Of(sign rune) (entries []string) {
	for _, e := range h {
		if text, ok := strings.CutPrefix(e, string(sign)); ok {
			entries = append(entries, text)
		}
	}
	return entries
}

// Bytes is the history for a file, a line each, without very long entries and
// with the newest of what is more than MaxHistorySize.
func (h History) Bytes() []byte {
	kept := slices.DeleteFunc(slices.Clone(h), func(e string) bool { return len(e) > maxEntrySize })
	from, size := len(kept), 0
	for from > 0 && size+len(kept[from-1])+1 <= MaxHistorySize {
		from--
		size += len(kept[from]) + 1
	}
	var b []byte
	for _, e := range kept[from:] {
		b = append(append(b, e...), '\n')
	}
	return b
}
