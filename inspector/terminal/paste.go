package terminal

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

const (
	pasteBegin = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
	// maxPaste is how many bytes of a paste are kept; the rest is dropped.
	maxPaste = 64 << 10
	// maxPastes is how many pastes wait at most for being taken.
	maxPastes = 16
)

// pasteFilter takes the text between paste marks out of a stream, so that
// nothing in it is ever understood as a key, not even an escape sequence.
type pasteFilter struct {
	seen   int // how many bytes of the mark that is looked for were the last ones
	inside bool
	text   []byte
	pastes []string
}

// reset forgets an unfinished paste.
func (f *pasteFilter) reset() { f.seen, f.inside, f.text = 0, false, nil }

// filter gives what is not pasted. The marks stay: the first one is there before
// it is known to be one, the last one is put in its place.
func (f *pasteFilter) filter(b []byte) []byte {
	var kept []byte
	for _, c := range b {
		if f.inside {
			if f.swallow(c) {
				kept = append(kept, pasteEnd...)
			}
			continue
		}
		kept = append(kept, c)
		f.inside = f.matches(c, pasteBegin)
	}
	return kept
}

// swallow keeps a byte of a paste and says whether it ended the paste.
func (f *pasteFilter) swallow(c byte) bool {
	if len(f.text) < maxPaste+len(pasteEnd) {
		f.text = append(f.text, c)
	}
	if !f.matches(c, pasteEnd) {
		return false
	}
	text := bytes.TrimSuffix(f.text, []byte(pasteEnd))
	if len(f.pastes) < maxPastes {
		f.pastes = append(f.pastes, pasteText(text))
	}
	f.reset()
	return true
}

// matches says whether c completes mark.
func (f *pasteFilter) matches(c byte, mark string) bool {
	switch {
	case c == mark[f.seen]:
		f.seen++
	case c == mark[0]:
		f.seen = 1
	default:
		f.seen = 0
	}
	if f.seen < len(mark) {
		return false
	}
	f.seen = 0
	return true
}

func (f *pasteFilter) take() (string, bool) {
	if len(f.pastes) == 0 {
		return "", false
	}
	text := f.pastes[0]
	f.pastes = f.pastes[1:]
	return text, true
}

// pasteText is pasted bytes as text: lines end in \n, whatever a terminal sends
// for that, and it is valid UTF-8 of at most maxPaste bytes.
func pasteText(b []byte) string {
	b = b[:min(len(b), maxPaste)]
	for i := 1; i < utf8.UTFMax && i <= len(b); i++ { // a character cut in two
		if c := b[len(b)-i]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-i:]) {
				b = b[:len(b)-i]
			}
			break
		}
	}
	text := strings.ReplaceAll(string(b), "\r\n", "\n")
	return strings.ToValidUTF8(strings.ReplaceAll(text, "\r", "\n"), "\uFFFD")
}
