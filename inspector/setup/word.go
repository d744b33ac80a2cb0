package setup

import "bytes"

// Word is a name, a string or a sign of a program.
type Word struct {
	Text   string // of a string without its quotes, and with what is escaped as it is
	String bool
	Line   int // from 1
}

// mostWords is how many words of a file are told apart; what follows is not read.
const mostWords = 100_000

// language is how words are told apart.
type language struct {
	// comment and text are how many bytes a comment or a string takes that begins
	// here; 0: none does. open and end are what of them is the string's marks.
	comment func([]byte) int
	text    func([]byte) (n, open, end int)
	inName  func(byte) bool
}

// words cuts a program into words, without comments and blanks. It never fails:
// what is no program has odd words.
func words(text []byte, l language) (all []Word) {
	line := 1
	for len(text) > 0 && len(all) < mostWords {
		n := l.comment(text)
		if n == 0 {
			var w Word
			if w, n = l.word(text); w.Text != "" || w.String {
				w.Line = line
				all = append(all, w)
			}
		}
		line += bytes.Count(text[:n], []byte("\n"))
		text = text[n:]
	}
	return all
}

// word is the one that text begins with, and how many bytes it takes, at least
// one; blanks are an empty one.
func (l language) word(text []byte) (Word, int) {
	if n, open, end := l.text(text); n > 0 {
		return Word{Text: string(text[open:max(open, n-end)]), String: true}, n
	}
	n := 0
	for n < len(text) && l.inName(text[n]) {
		n++
	}
	switch {
	case n > 0:
		return Word{Text: string(text[:n])}, n
	case bytes.IndexByte([]byte(" \t\r\n\f\v"), text[0]) >= 0:
		return Word{}, 1
	}
	return Word{Text: string(text[:1])}, 1
}

var lua = language{
	comment: func(text []byte) int {
		if !bytes.HasPrefix(text, []byte("--")) {
			return 0
		}
		if n, _, _ := long(text[2:]); n > 0 {
			return 2 + n
		}
		return toLineEnd(text)
	},
	text: func(text []byte) (n, open, end int) {
		if text[0] == '"' || text[0] == '\'' {
			n, end = quotedLength(text, true)
			return n, 1, end
		}
		return long(text)
	},
	inName: func(c byte) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
	},
}

var lisp = language{
	comment: func(text []byte) int {
		if text[0] == ';' {
			return toLineEnd(text)
		}
		return 0
	},
	text: func(text []byte) (n, open, end int) {
		switch {
		case text[0] == '"':
			n, end = quotedLength(text, false)
			return n, 1, end
		case bytes.HasPrefix(text, []byte(`?\`)): // a character, be it a quote
			return min(3, len(text)), 1, 0
		case text[0] == '?':
			return min(2, len(text)), 1, 0
		}
		return 0, 0, 0
	},
	inName: func(c byte) bool { return c > ' ' && bytes.IndexByte([]byte("\"'`,;()[]#"), c) < 0 },
}

func toLineEnd(text []byte) int {
	if n := bytes.IndexByte(text, '\n'); n >= 0 {
		return n
	}
	return len(text)
}

// quotedLength is the length of a string in quotes, and of the quote at its end;
// one without an end takes the rest of the line, or of the text.
func quotedLength(text []byte, oneLine bool) (n, end int) {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case text[i] == text[0]:
			return i + 1, 1
		case text[i] == '\n' && oneLine:
			return i, 0
		}
	}
	return len(text), 0
}

// long is a string of Lua in brackets with any number of = between.
func long(text []byte) (n, open, end int) {
	if len(text) < 2 || text[0] != '[' {
		return 0, 0, 0
	}
	level := 1
	for level < len(text) && text[level] == '=' {
		level++
	}
	if level == len(text) || text[level] != '[' {
		return 0, 0, 0
	}
	closing := append(append([]byte("]"), text[1:level]...), ']')
	open = level + 1
	if i := bytes.Index(text[open:], closing); i >= 0 {
		return open + i + len(closing), open, len(closing)
	}
	return len(text), open, 0
}
