package terminal

import (
	"strings"
	"sync"
	"unicode/utf8"
)

const defaultLimit = 1 << 20

// tail is a writer that keeps the last bytes it was given.
type tail struct {
	limit int

	mu      sync.Mutex
	bytes   []byte
	dropped bool
}

func (t *tail) size() int {
	if t.limit > 0 {
		return t.limit
	}
	return defaultLimit
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.bytes = append(t.bytes, p...)
	// Trimming at twice the size keeps the cost of a byte constant.
	if len(t.bytes) > 2*t.size() {
		t.trim()
	}
	return len(p), nil
}

// trim cuts at a character boundary, as the protocol asks.
func (t *tail) trim() {
	from := len(t.bytes) - t.size()
	if from <= 0 {
		return
	}
	for from < len(t.bytes) && !utf8.RuneStart(t.bytes[from]) {
		from++
	}
	t.bytes = append(t.bytes[:0], t.bytes[from:]...)
	t.dropped = true
}

func (t *tail) text() (string, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.trim()
	return strings.ToValidUTF8(string(t.bytes), "\uFFFD"), t.dropped
}
