package journal

import (
	"bytes"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// cursor goes through JSON token by token.
type cursor struct{ *jsontext.Decoder }

// read gives a cursor at the start of body. It reads as any peer might: names
// twice and halves of surrogate pairs do not stop it.
func read(body []byte) cursor {
	return cursor{jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))}
}

// object calls f for each member of the object that comes next.
func (c cursor) object(f func(name string) error) error {
	if err := c.opening('{'); err != nil {
		return err
	}
	for c.PeekKind() != '}' {
		name, err := c.ReadToken()
		if err != nil {
			return err
		}
		if err := f(name.String()); err != nil {
			return err
		}
	}
	_, err := c.ReadToken()
	return err
}

func (c cursor) array(f func() error) error {
	if err := c.opening('['); err != nil {
		return err
	}
	for c.PeekKind() != ']' {
		if err := f(); err != nil {
			return err
		}
	}
	_, err := c.ReadToken()
	return err
}

func (c cursor) opening(kind jsontext.Kind) error {
	token, err := c.ReadToken()
	if err == nil && token.Kind() != kind {
		err = fmt.Errorf("%v where %v should be", token.Kind(), kind)
	}
	return err
}

// ended makes nil of the error at the end of one whole value.
func (c cursor) ended(err error) error {
	if err == io.EOF && c.StackDepth() == 0 {
		return nil
	}
	return err
}

// valid says that body is one JSON value; it may have names twice.
func valid(body []byte) bool {
	c := read(body)
	if c.SkipValue() != nil {
		return false
	}
	_, err := c.ReadToken()
	return c.ended(err) == nil && err != nil
}
