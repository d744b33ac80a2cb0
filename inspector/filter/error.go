package filter

import "fmt"

// Error says what is wrong with a text, and where.
type Error struct {
	At   int    // byte offset, at most the length of the text
	Want string // a phrase: expected number
}

func (e *Error) Error() string { return fmt.Sprintf("%s (at %d)", e.Want, e.At+1) }

func wrong(at int, format string, args ...any) *Error {
	return &Error{at, fmt.Sprintf(format, args...)}
}
