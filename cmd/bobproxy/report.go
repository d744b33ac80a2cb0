package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"bobproxy/acp/clean"
	"bobproxy/proxy"
)

// Exit codes of the commands for running proxies, beside exitDone, exitUsage
// and [proxy.ExitOurs].
const (
	exitNo      = 1   // it ran, and the answer is no
	exitUnknown = 3   // no such proxy or request
	exitTooLate = 4   // somebody else answered first
	exitExpired = 5   // timed out or withdrawn
	exitRefused = 6   // by policy
	exitWaited  = 124 // what was waited for did not come
)

// complaint is why a command did not do what it was asked to.
type complaint struct {
	exit    int
	Code    string `json:"code"`           // a word for scripts
	Message string `json:"message"`        // for people, clean
	Hint    string `json:"hint,omitempty"` // what to try, clean

	// Of a request that was settled otherwise.
	By       string  `json:"by,omitempty"`
	OptionID *string `json:"optionId,omitempty"`
	Kind     string  `json:"kind,omitempty"`
}

func (c *complaint) Error() string {
	if c.Hint == "" {
		return c.Message
	}
	return c.Message + "; " + c.Hint
}

func misused(format string, args ...any) *complaint {
	return &complaint{exit: exitUsage, Code: "usage", Message: fmt.Sprintf(format, args...)}
}

func broken(format string, args ...any) *complaint {
	return &complaint{exit: proxy.ExitOurs, Code: "failed", Message: fmt.Sprintf(format, args...)}
}

// with is c with a hint.
func (c *complaint) with(format string, args ...any) *complaint {
	c.Hint = fmt.Sprintf(format, args...)
	return c
}

// fail reports c and gives the code to exit with.
func (r *remote) fail(c *complaint) int {
	if !r.json {
		fmt.Fprintf(r.err, "bobproxy: %v\n", c)
		return c.exit
	}
	if err := writeJSON(r.err, map[string]*complaint{"error": c}); err != nil {
		return proxy.ExitOurs
	}
	return c.exit
}

// show prints what was asked for: doc as JSON where that is wanted, else text.
func (r *remote) show(doc any, text string) int {
	var err error
	if r.json {
		err = writeJSON(r.out, doc)
	} else {
		_, err = io.WriteString(r.out, text)
	}
	if err != nil {
		return r.fail(broken("writing the result: %v", err))
	}
	return exitDone
}

// grumble tells people about proxies that cannot be asked. Scripts find them in
// the document.
func (r *remote) grumble(troubles []trouble) {
	if r.json {
		return
	}
	for _, t := range troubles {
		fmt.Fprintf(r.err, "bobproxy: %s\n", clean.Line(t.Message))
	}
}

// writeJSON writes v as one line. Strings keep their value to the character,
// and nothing in it is obeyed, hidden or turned by a terminal.
func writeJSON(w io.Writer, v any) error {
	var doc bytes.Buffer
	encoder := json.NewEncoder(&doc)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(escapeUnseen(doc.Bytes()))
	return err
}

// escapeUnseen writes as \uXXXX what [clean.Shows] does not show as it
// is. In valid JSON such characters stand only inside strings, except for the
// line's end.
func escapeUnseen(doc []byte) []byte {
	out := make([]byte, 0, len(doc))
	for len(doc) > 0 {
		r, n := utf8.DecodeRune(doc)
		if r == '\n' || visible(doc[:n]) {
			out = append(out, doc[:n]...)
		} else if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		} else {
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		doc = doc[n:]
	}
	return out
}

func visible(char []byte) bool {
	if len(char) == 1 {
		return char[0] >= ' ' && char[0] < 0x7F
	}
	r, _ := utf8.DecodeRune(char)
	return clean.Shows(r)
}
