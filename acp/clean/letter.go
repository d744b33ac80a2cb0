package clean

import (
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Note is what is to be told about a character of a command that is not ASCII.
type Note struct {
	Char   rune
	Script string // its writing system, in English; empty: used in many
	Alike  bool   // may be taken for an ASCII character
}

// String is the note in words: Cyrillic а U+0430.
func (n Note) String() string {
	text := fmt.Sprintf("%s U+%04X", Line(string(n.Char)), n.Char)
	if unicode.Is(unicode.M, n.Char) {
		text = fmt.Sprintf("mark U+%04X", n.Char)
	}
	if n.Script == "" {
		return text
	}
	return n.Script + " " + text
}

const mostNotes = 32

// Letters tells which letters, digits and marks of a command are not ASCII, and
// which other characters of it only look like ASCII: each once, those that may be
// taken for others first, at most 32. A letter may be taken for another when it
// stands in a word beside Latin ones and is of a script that looks like Latin in
// part, or when its whole word could be read as Latin.
func Letters(s string) []Note {
	var c census
	for i := 0; i < len(s); {
		n := wordLen(s[i:])
		c.word(s[i : i+n])
		i += n
	}
	slices.SortStableFunc(c.notes, func(a, b Note) int { return rank(a) - rank(b) })
	return c.notes[:min(len(c.notes), mostNotes)]
}

func rank(n Note) int {
	if n.Alike {
		return 0
	}
	return 1
}

// Command appends s as Spans does, and cuts also where characters begin and end
// that Letters would tell of, with the marks on them.
func Command(dst []Span, s string) []Span {
	for _, span := range Spans(nil, s) {
		if span.Odd {
			dst = append(dst, span)
			continue
		}
		dst = letterSpans(dst, span.Text)
	}
	return dst
}

func letterSpans(dst []Span, s string) []Span {
	start, letter := 0, false
	for i := 0; i < len(s); {
		n, is := cluster(s[i:])
		if is != letter && start < i {
			dst = append(dst, Span{Text: s[start:i], Letter: letter})
			start = i
		}
		letter = is
		i += n
	}
	return append(dst, Span{Text: s[start:], Letter: letter})
}

// cluster is the length of the first character of clean text with the marks on
// it, and whether it is to be told of.
func cluster(s string) (n int, letter bool) {
	var p reader
	for n < len(s) {
		r, size := utf8.DecodeRuneInString(s[n:])
		if n > 0 && !p.isMark(r) {
			break
		}
		letter = letter || isLetter(r)
		p.next(s[n:])
		n += size
	}
	return n, letter
}

// isLetter says that a character is to be told of when it stands in a command.
func isLetter(r rune) bool {
	return r >= utf8.RuneSelf && (unicode.In(r, unicode.L, unicode.N, unicode.M) && r != emojiSelector || unicode.Is(always, r))
}

// wordLen is the length of the word at the start of s, or of what is none.
func wordLen(s string) int {
	for i, r := range s {
		if !inWord(r) {
			if i > 0 {
				return i
			}
			_, n := utf8.DecodeRuneInString(s)
			return n
		}
	}
	return len(s)
}

func inWord(r rune) bool {
	return r != utf8.RuneError && (r == '_' || unicode.In(r, unicode.L, unicode.N, unicode.M))
}

// census collects notes.
type census struct {
	notes []Note
	at    map[rune]int // where in notes
}

func (c *census) word(word string) {
	latin, all := false, true // of its letters: one is Latin, all are twins of ASCII
	for _, r := range word {
		if unicode.IsLetter(r) {
			latin = latin || unicode.Is(unicode.Latin, r)
			all = all && unicode.Is(twins, r)
		}
	}
	for _, r := range word {
		if isLetter(r) {
			alike := unicode.Is(always, r) || latin && unicode.In(r, similar...) || all && unicode.Is(twins, r)
			c.note(r, alike)
		}
	}
}

func (c *census) note(r rune, alike bool) {
	if i, ok := c.at[r]; ok {
		c.notes[i].Alike = c.notes[i].Alike || alike
		return
	}
	if c.at == nil {
		c.at = map[rune]int{}
	}
	c.at[r] = len(c.notes)
	c.notes = append(c.notes, Note{r, script(r), alike})
}
