package diff

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Piece is a part of a line.
type Piece struct {
	Text    string
	Changed bool
}

const (
	mostWords = 200      // of a line that is compared by words
	mostBytes = 16 << 10 // of such a line
)

// Words tells which parts of a line changed when before became after; false when
// the two are too different, or too long, for that to help.
func Words(before, after string) (was, is []Piece, alike bool) {
	if len(before) > mostBytes || len(after) > mostBytes {
		return nil, nil, false
	}
	a, b := words(before), words(after)
	if len(a) > mostWords || len(b) > mostWords {
		return nil, nil, false
	}
	same := 0
	for _, s := range Compare(a, b) {
		was, is = add(was, is, s)
		if s.Sign == ' ' {
			same += len(strings.TrimSpace(s.Line))
		}
	}
	longer := max(len(strings.TrimSpace(before)), len(strings.TrimSpace(after)))
	return was, is, same*2 >= longer && longer > 0
}

func add(was, is []Piece, s Step) ([]Piece, []Piece) {
	if s.Sign != '+' {
		was = join(was, Piece{s.Line, s.Sign == '-'})
	}
	if s.Sign != '-' {
		is = join(is, Piece{s.Line, s.Sign == '+'})
	}
	return was, is
}

func join(pieces []Piece, p Piece) []Piece {
	if n := len(pieces); n > 0 && pieces[n-1].Changed == p.Changed {
		pieces[n-1].Text += p.Text
		return pieces
	}
	return append(pieces, p)
}

// words cuts a line into names, runs of blanks, and signs.
func words(line string) (out []string) {
	for line != "" {
		kind, n := kindOf(line)
		for n < len(line) && kind != sign {
			k, m := kindOf(line[n:])
			if k != kind {
				break
			}
			n += m
		}
		out, line = append(out, line[:n]), line[n:]
		if len(out) > mostWords {
			return out
		}
	}
	return out
}

const (
	name = iota
	blank
	sign
)

// kindOf is what the first character of line is, and its size in bytes.
func kindOf(line string) (kind, size int) {
	r, size := utf8.DecodeRuneInString(line)
	switch {
	case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
		return name, size
	case unicode.IsSpace(r):
		return blank, size
	}
	return sign, size
}
