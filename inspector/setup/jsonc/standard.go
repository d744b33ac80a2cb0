package jsonc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

const mark = "\ufeff"

// Standard is text as strict JSON of the same length: a byte order mark,
// comments and commas that JSON does not know are blanks. It is all blanks for a
// text without a value.
func Standard(text []byte) ([]byte, error) {
	out := bytes.Clone(text)
	if bytes.HasPrefix(out, []byte(mark)) {
		blank(out[:len(mark)])
	}
	if err := blankComments(out); err != nil {
		return nil, err
	}
	blankCommas(out)
	if len(bytes.TrimSpace(out)) == 0 {
		return out, nil
	}
	var value json.RawMessage
	if err := json.Unmarshal(out, &value); err != nil {
		return nil, located(text, err)
	}
	return out, nil
}

// located tells the line of a syntax error.
func located(text []byte, err error) error {
	at := new(json.SyntaxError)
	if !errors.As(err, &at) {
		return err
	}
	n := min(int(at.Offset), len(text))
	return fmt.Errorf("line %d: %w", 1+bytes.Count(text[:n], []byte("\n")), err)
}

// blank leaves line ends, so that lines keep their numbers.
func blank(text []byte) {
	for i, c := range text {
		if c != '\n' && c != '\r' {
			text[i] = ' '
		}
	}
}

func blankComments(text []byte) error {
	for i := 0; i < len(text); {
		switch {
		case text[i] == '"':
			i += stringEnd(text[i:])
		case bytes.HasPrefix(text[i:], []byte("//")):
			n := len(text) - i
			if end := bytes.IndexAny(text[i:], "\r\n"); end >= 0 {
				n = end
			}
			blank(text[i : i+n])
			i += n
		case bytes.HasPrefix(text[i:], []byte("/*")):
			end := bytes.Index(text[i+2:], []byte("*/"))
			if end < 0 {
				return fmt.Errorf("line %d: a comment has no end", 1+bytes.Count(text[:i], []byte("\n")))
			}
			blank(text[i : i+2+end+2])
			i += 2 + end + 2
		default:
			i++
		}
	}
	return nil
}

// blankCommas removes commas between a value and the end of what it is in.
func blankCommas(text []byte) {
	comma, valued := -1, false // where the last one is, when only blanks follow; whether a value is in front of it
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case isBlank(c):
			i++
			continue
		case c == '}' || c == ']':
			if comma >= 0 {
				text[comma] = ' '
			}
			comma, valued = -1, true
		case c == ',':
			comma = -1
			if valued {
				comma = i
			}
			valued = false
		default:
			comma, valued = -1, c != '{' && c != '[' && c != ':'
		}
		if c == '"' {
			i += stringEnd(text[i:])
		} else {
			i++
		}
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// stringEnd is the length of the string token at the start of text, or of text
// when it has no end.
func stringEnd(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}
